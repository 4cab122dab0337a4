/// Walks over an expression byte by byte; everything the grammar knows is ASCII, but for `µs`.
struct Scanner {
  let text: String
  let bytes: [UInt8]
  var position = 0

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }
  var isAtEnd: Bool { position == bytes.count }

  func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  func isDigit(at index: Int) -> Bool { byte(at: index)?.isASCIIDigit ?? false }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func skipBlanks() {
    while let byte = peek, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
      position += 1
    }
  }

  /// The end of the run of digits that begins at `index`.
  func endOfDigits(from index: Int) -> Int {
    var end = index
    while isDigit(at: end) { end += 1 }
    return end
  }

  /// The end of the run of letters that begins at `index`; `µ` and `μ` count as letters.
  func endOfLetters(from index: Int) -> Int {
    var end = index
    while let byte = byte(at: end) {
      if byte.isASCIILetter {
        end += 1
      } else if (byte == 0xC2 && self.byte(at: end + 1) == 0xB5)
        || (byte == 0xCE && self.byte(at: end + 1) == 0xBC)
      {
        end += 2
      } else {
        break
      }
    }
    return end
  }

  /// The end of what a reader would call the word that begins at `index`.
  func endOfWord(from index: Int) -> Int {
    var end = index
    while let byte = byte(at: end), byte != 0x20, byte != 0x09, byte != 0x0A { end += 1 }
    return end
  }

  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The value of one to four digits.
  func smallNumber(_ range: Range<Int>) -> Int {
    bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// The value of any number of digits, nil when it is beyond `Int64`.
  func number(_ range: Range<Int>) -> Int64? {
    var value: Int64 = 0
    for byte in bytes[range] {
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
      if overflow || carry { return nil }
      value = sum
    }
    return value
  }

  /// The column of a byte: which character of the text, as the reader sees them, it belongs to.
  func column(at offset: Int) -> Int {
    var column = 1
    var end = 0
    for character in text {
      end += character.utf8.count
      if end > offset { return column }
      column += 1
    }
    return column
  }

  /// What stands at a place, for use in a refusal once the text is gone.
  func located(_ range: Range<Int>) -> Located {
    Located(column: column(at: range.lowerBound), text: harmless(string(range)[...]))
  }

  func refusal(
    _ code: TimeExpressionError.Code, at range: Range<Int>, _ problem: String, hint: String
  ) -> TimeExpressionError {
    located(range).refusal(code, problem, hint: hint)
  }

  /// A refusal of the word at `position`, whatever it is.
  func unexpected(_ what: String, hint: String) -> TimeExpressionError {
    let start = position
    if isAtEnd {
      return refusal(.incomplete, at: start..<start, "\(what) is missing", hint: hint)
    }
    let word = start..<max(endOfWord(from: start), start + 1)
    return refusal(
      .syntax, at: word, "'\(harmless(string(word)[...]))' is not \(what)", hint: hint)
  }
}

/// A piece of an expression: where it stood and what it said.
struct Located: Hashable, Sendable {
  let column: Int
  let text: String

  func refusal(
    _ code: TimeExpressionError.Code, _ problem: String, hint: String
  ) -> TimeExpressionError {
    TimeExpressionError(code: code, column: column, found: text, problem: problem, hint: hint)
  }
}
