extension JSONNode {
  /// What a string stands for, its escapes resolved; nil for any other kind.
  public var string: String? {
    let entry = entry
    guard entry.kind == .string else { return nil }
    let bytes = document.bytes
    let text = bytes.span.extracting((Int(entry.start) + 1)..<(Int(entry.end) - 1))
    guard entry.isEscaped else {
      // The parser has checked the encoding.
      return unsafe String(copying: UTF8Span(unchecked: text))
    }
    return String(decoding: unescaped(text), as: UTF8.self)
  }

  /// What a string stands for, as UTF-8; empty for any other kind.
  var utf8: [UInt8] {
    let entry = entry
    guard entry.kind == .string else { return [] }
    let text = document.bytes[(Int(entry.start) + 1)..<(Int(entry.end) - 1)]
    return entry.isEscaped ? unescaped(Array(text).span) : Array(text)
  }

  /// Whether it is a string that stands for `other`, byte for byte.
  public func equals(_ other: String) -> Bool {
    let entry = entry
    guard entry.kind == .string else { return false }
    let bytes = document.bytes
    let text = bytes.span.extracting((Int(entry.start) + 1)..<(Int(entry.end) - 1))
    let utf8 = other.utf8Span.span
    return entry.isEscaped
      ? equalBytes(unescaped(text).span, utf8) : equalBytes(text, utf8)
  }

  /// The value of `true` or `false`; nil for any other kind.
  public var bool: Bool? {
    entry.kind == .bool ? document.bytes[range.lowerBound] == 0x74 : nil
  }

  /// The value of a whole number, exactly; nil for any other kind, for one with a fraction or an
  /// exponent (`1.0`, `1e3`), and for one beyond 64 bits.
  public var int64: Int64? {
    let entry = entry
    guard entry.kind == .number, entry.isInteger else { return nil }
    let bytes = document.bytes
    var i = Int(entry.start)
    let end = Int(entry.end)
    let negative = bytes[i] == 0x2D
    if negative { i += 1 }
    if end - i <= 18 {
      // No sum of 18 digits overflows.
      var value: Int64 = 0
      while i < end {
        value = value &* 10 &+ Int64(bytes[i] &- 0x30)
        i += 1
      }
      return negative ? 0 &- value : value
    }
    var value: Int64 = 0
    while i < end {
      let digit = Int64(bytes[i] &- 0x30)
      let (product, over) = value.multipliedReportingOverflow(by: 10)
      let (sum, beyond) =
        negative
        ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      if over || beyond { return nil }
      value = sum
      i += 1
    }
    return value
  }

  /// The double next to a number; nil for any other kind. Always finite.
  public var double: Double? {
    let entry = entry
    guard entry.kind == .number else { return nil }
    if entry.isInteger, entry.end - entry.start <= 15 {
      // Exact: below 2^53. The sign of -0 is not an integer's.
      if let value = int64, value != 0 { return Double(value) }
    }
    return Double(String(decoding: document.bytes[range], as: UTF8.self))
  }
}
