extension JSONParser {
  /// Passes over the number at `start`. Returns where it ends, and whether it has neither fraction
  /// nor exponent.
  mutating func number(_ input: Span<UInt8>, _ start: Int) throws(JSONError) -> (Int, Bool) {
    var i = input[start] == 0x2D ? start + 1 : start
    let whole = i
    i = digitsEnd(input, i)
    guard i > whole else { throw syntax(start, "a digit expected after '-'") }
    guard input[whole] != 0x30 || i == whole + 1 else {
      throw syntax(start, "a number with a leading zero")
    }
    var isInteger = true
    if input.at(i) == 0x2E {
      isInteger = false
      let fraction = i + 1
      i = digitsEnd(input, fraction)
      guard i > fraction else { throw syntax(start, "a digit expected after '.'") }
    }
    if input.at(i) | 0x20 == 0x65 {
      isInteger = false
      let sign = input.at(i + 1)
      let exponent = sign == 0x2B || sign == 0x2D ? i + 2 : i + 1
      i = digitsEnd(input, exponent)
      guard i > exponent else { throw syntax(start, "a digit expected in the exponent") }
    }
    // Fewer than 300 bytes without an exponent are always finite.
    if !isInteger || i - start > 300, !isFiniteNumber(input.extracting(start..<i)) {
      try breach(
        JSONError(.number, start, "a number too large for a double"), row: entries.count)
    }
    return (i, isInteger)
  }
}

@inline(__always)
private func digitsEnd(_ input: Span<UInt8>, _ start: Int) -> Int {
  var i = start
  while i < input.count, input[i] &- 0x30 < 10 { i &+= 1 }
  return i
}

/// Whether the double next to a number literal is finite, in one pass however long the literal.
func isFiniteNumber(_ literal: Span<UInt8>) -> Bool {
  var significant: [UInt8] = []
  /// The power of ten of the first significant digit.
  var power = 0
  var pointSeen = false
  var i = literal.at(0) == 0x2D ? 1 : 0
  while i < literal.count, literal[i] | 0x20 != 0x65 {
    let byte = literal[i]
    i += 1
    if byte == 0x2E {
      pointSeen = true
    } else if significant.isEmpty, byte == 0x30 {
      if pointSeen { power -= 1 }
    } else {
      if significant.isEmpty {
        if pointSeen { power -= 1 }
      } else if !pointSeen {
        power += 1
      }
      // The largest double is told from infinity by far fewer digits.
      if significant.count < 40 { significant.append(byte) }
    }
  }
  guard !significant.isEmpty else { return true }
  power += exponent(literal, i)
  guard power >= 308 else { return true }
  guard power == 308 else { return false }
  significant.insert(0x2E, at: 1)
  let text = String(decoding: significant, as: UTF8.self) + "e308"
  return Double(text)?.isFinite ?? false
}

/// The exponent that begins at `i`, held within a range that no addition leaves.
private func exponent(_ literal: Span<UInt8>, _ start: Int) -> Int {
  var i = start + 1
  let negative = literal.at(i) == 0x2D
  if negative || literal.at(i) == 0x2B { i += 1 }
  var value = 0
  while i < literal.count {
    value = min(value * 10 + Int(literal[i] &- 0x30), 1 << 40)
    i += 1
  }
  return negative ? -value : value
}
