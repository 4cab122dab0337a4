/// Text laid out in rows of cells.
enum Paragraph {
  /// Breaks harmless text at blanks, and inside of a word that is longer than a row; at most so
  /// many rows, the last with `…` if there is more.
  static func rows(_ text: String, room: Int, most: Int) -> [String] {
    guard room > 0, most > 0 else { return [] }
    var rows: [String] = []
    var row = ""
    var used = 0
    var rest = text[...]
    while let word = takeWord(&rest) {
      let cells = Cells.width(of: word)
      let gap = row.isEmpty ? 0 : 1
      if used + gap + cells <= room {
        row += (gap == 0 ? "" : " ") + word
        used += gap + cells
        continue
      }
      if !row.isEmpty { rows.append(row) }
      (row, used) = ("", 0)
      for character in word {
        let width = Cells.width(of: character)
        if used + width > room {
          rows.append(row)
          (row, used) = ("", 0)
          if rows.count > most { break }
        }
        row.append(character)
        used += width
      }
      if rows.count > most { break }
    }
    if !row.isEmpty { rows.append(row) }
    guard rows.count > most else { return rows }
    return rows.prefix(most - 1) + [Cells.fit(rows[most - 1] + " …", room)]
  }

  private static func takeWord(_ rest: inout Substring) -> Substring? {
    rest = rest.drop { $0 == " " }
    guard !rest.isEmpty else { return nil }
    let word = rest.prefix { $0 != " " }
    rest = rest[word.endIndex...]
    return word
  }
}
