/// The one of some words that was probably meant; nil where none is near.
func nearest(_ word: String, among words: [String]) -> String? {
  let near = words.map { ($0, distance(Array(word.utf8), Array($0.utf8))) }
    .min { $0.1 < $1.1 }
  guard let near, word.utf8.count < 40, near.1 <= max(1, word.utf8.count / 3) else { return nil }
  return near.0
}

/// How many bytes have to be put in, left out or changed (Levenshtein).
private func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  guard a.count < 64 else { return .max }
  var row = Array(0...b.count)
  for i in a.indices {
    var diagonal = row[0]
    row[0] = i + 1
    for j in b.indices {
      let above = row[j + 1]
      row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1))
      diagonal = above
    }
  }
  return row[b.count]
}
