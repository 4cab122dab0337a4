extension JSONParser {
  /// Passes over the string whose opening quote is at `start`. Returns where it ends, and whether
  /// there are escapes in it. The string's row will be the next one.
  mutating func string(_ input: Span<UInt8>, _ start: Int) throws(JSONError) -> (Int, Bool) {
    var i = start + 1
    var escaped = false
    while true {
      i = plainEnd(input, i)
      guard i < input.count else { throw syntax(start, "a string without its closing quote") }
      let byte = input[i]
      if byte == 0x22 { return (i + 1, escaped) }
      if byte == 0x5C {
        escaped = true
        i = try escape(input, i)
      } else if byte < 0x20 {
        throw syntax(i, "a control character in a string must be written as an escape")
      } else {
        i = try multibyte(input, i)
      }
    }
  }

  /// The first byte from `start` on that is not plain ASCII within a string. Eight at a time.
  @inline(__always)
  private func plainEnd(_ input: Span<UInt8>, _ start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    var i = start
    while i &+ 8 <= input.count {
      let word = UInt64(
        littleEndian: unsafe input.bytes.unsafeLoadUnaligned(
          fromByteOffset: i, as: UInt64.self))
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      // A high bit for each byte that is below 0x20, a quote, a backslash, or not ASCII. A borrow
      // can only mark bytes above a true hit, and the lowest is what counts.
      let control = word &- ones &* 0x20
      let hit = (control | (quote &- ones) | (backslash &- ones) | word) & highs
      if hit != 0 { return i &+ hit.trailingZeroBitCount / 8 }
      i &+= 8
    }
    while i < input.count {
      let byte = input[i]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte >= 0x80 { return i }
      i &+= 1
    }
    return i
  }

  private mutating func escape(_ input: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    switch input.at(start + 1) {
    case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return start + 2
    case 0x75: break
    default: throw syntax(start, "an unknown escape")
    }
    guard let first = hex4(input, start + 2) else {
      throw syntax(start, "four hexadecimal digits expected after \\u")
    }
    let row = entries.count
    var scalar = first
    var end = start + 6
    if first & 0xF800 == 0xD800 {
      guard first < 0xDC00, input.at(end) == 0x5C, input.at(end + 1) == 0x75,
        let second = hex4(input, end + 2), second & 0xFC00 == 0xDC00
      else {
        try breach(JSONError(.surrogate, start, "half of a surrogate pair"), row: row)
        return end
      }
      scalar = 0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF)
      end += 6
    }
    if scalar == 0 { try breach(JSONError(.nul, start, "the character U+0000"), row: row) }
    if isNoncharacter(scalar) {
      try breach(JSONError(.noncharacter, start, "a noncharacter of Unicode"), row: row)
    }
    return end
  }

  /// Passes over the characters beyond ASCII from `start` on.
  private mutating func multibyte(_ input: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    guard let (scalar, count) = decodeScalar(input, start) else {
      try breach(JSONError(.utf8, start, "not UTF-8"), row: entries.count)
      replaced.append(start - dropped)
      return start + 1
    }
    if isNoncharacter(scalar) {
      try breach(
        JSONError(.noncharacter, start, "a noncharacter of Unicode"), row: entries.count)
    }
    return start + count
  }
}

/// The value of four hexadecimal digits at `i`.
func hex4(_ input: Span<UInt8>, _ i: Int) -> UInt32? {
  var value: UInt32 = 0
  for k in 0..<4 {
    let byte = input.at(i + k)
    let digit: UInt8
    switch byte {
    case 0x30...0x39: digit = byte - 0x30
    case 0x41...0x46: digit = byte - 0x37
    case 0x61...0x66: digit = byte - 0x57
    default: return nil
    }
    value = value << 4 | UInt32(digit)
  }
  return value
}

/// The character beyond ASCII at `i` and its length: RFC 3629, so nothing overlong, no surrogate,
/// nothing above U+10FFFF.
func decodeScalar(_ input: Span<UInt8>, _ i: Int) -> (UInt32, Int)? {
  let lead = input[i]
  let count: Int
  var scalar: UInt32
  let smallest: UInt32
  switch lead {
  case 0xC2...0xDF: (count, scalar, smallest) = (2, UInt32(lead & 0x1F), 0x80)
  case 0xE0...0xEF: (count, scalar, smallest) = (3, UInt32(lead & 0x0F), 0x800)
  case 0xF0...0xF4: (count, scalar, smallest) = (4, UInt32(lead & 0x07), 0x10000)
  default: return nil
  }
  for k in 1..<count {
    let byte = input.at(i + k)
    guard byte & 0xC0 == 0x80 else { return nil }
    scalar = scalar << 6 | UInt32(byte & 0x3F)
  }
  guard scalar >= smallest, scalar <= 0x10FFFF, scalar & 0xFFFF_F800 != 0xD800 else { return nil }
  return (scalar, count)
}

/// Whether Unicode sets it aside for ever: U+FDD0 to U+FDEF, and the last two of each plane.
func isNoncharacter(_ scalar: UInt32) -> Bool {
  scalar & 0xFFFE == 0xFFFE || (scalar >= 0xFDD0 && scalar <= 0xFDEF)
}

/// What the inside of a string stands for. Takes any bytes: a lone surrogate becomes U+FFFD.
func unescaped(_ text: Span<UInt8>) -> [UInt8] {
  var result: [UInt8] = []
  result.reserveCapacity(text.count)
  var i = 0
  while i < text.count {
    let byte = text[i]
    guard byte == 0x5C else {
      result.append(byte)
      i += 1
      continue
    }
    i += 2
    switch text.at(i - 1) {
    case 0x62: result.append(0x08)
    case 0x66: result.append(0x0C)
    case 0x6E: result.append(0x0A)
    case 0x72: result.append(0x0D)
    case 0x74: result.append(0x09)
    case 0x75:
      var scalar = hex4(text, i) ?? 0xFFFD
      i += 4
      if scalar & 0xFC00 == 0xD800, text.at(i) == 0x5C, text.at(i + 1) == 0x75,
        let second = hex4(text, i + 2), second & 0xFC00 == 0xDC00
      {
        scalar = 0x10000 + (scalar & 0x3FF) << 10 + (second & 0x3FF)
        i += 6
      }
      let known = Unicode.Scalar(scalar) ?? "\u{FFFD}"
      result.append(contentsOf: UTF8.encode(known) ?? UTF8.encodedReplacementCharacter)
    case let other: result.append(other)
    }
  }
  return result
}
