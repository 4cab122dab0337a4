extension ExpressionParser {
  /// Whether a sign here begins an offset from UTC and not a sum: two digits and a colon follow.
  func isOffset() -> Bool {
    guard let sign = scanner.peek, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      return false
    }
    let digits = scanner.endOfDigits(from: scanner.position + 1)
    return digits > scanner.position + 1 && scanner.byte(at: digits) == UInt8(ascii: ":")
  }

  /// Whether a word can be a zone's name: a capital or a slash tells it from a stray word.
  func beginsZone(at start: Int) -> Bool {
    let word = scanner.bytes[start..<endOfZoneName(from: start)]
    return scanner.bytes[start] & 0x20 == 0 || word.contains(UInt8(ascii: "/"))
      || ["z", "utc", "gmt"].contains(String(decoding: word, as: UTF8.self).lowercased())
  }

  func endOfZoneName(from start: Int) -> Int {
    ExpressionParser.endOfZoneName(in: scanner, from: start)
  }

  static func endOfZoneName(in scanner: Scanner, from start: Int) -> Int {
    var end = start
    while let byte = scanner.byte(at: end),
      byte.isASCIILetter || byte.isASCIIDigit || byte == 0x2B
        || byte == 0x2D || byte == 0x2F || byte == 0x5F
    {
      end += 1
    }
    return end
  }

  /// `Z`, an offset, a name, `[name]`, or an offset and a name.
  mutating func zoneMark() throws(TimeExpressionError) {
    if isOffset() {
      let start = scanner.position
      zone.offset = try offset()
      zone.offsetPlace = scanner.located(start..<scanner.position)
    } else if scanner.peek != UInt8(ascii: "[") {
      try zoneWord()
      // `Z[Europe/Berlin]` is RFC 9557's way to give UTC and a zone.
      guard zone.name == nil else { return try refuseSecondZone() }
    }
    let end = scanner.position
    scanner.skipBlanks()
    if scanner.peek == UInt8(ascii: "[") {
      try bracketedZone()
    } else if zone.offset != nil, let next = scanner.peek, next.isASCIILetter {
      let start = scanner.position
      guard beginsZone(at: start) else { throw unknownWord() }
      try setName(start..<endOfZoneName(from: start))
    } else {
      scanner.position = end
    }
    try refuseSecondZone()
  }

  private func refuseSecondZone() throws(TimeExpressionError) {
    guard let next = scanner.peek, next > 0x20 else { return }
    guard next == UInt8(ascii: "+") || next == UInt8(ascii: "-") else {
      throw leftOver()
    }
  }

  /// A word: `Z`, or a name that resolving will look up.
  private mutating func zoneWord() throws(TimeExpressionError) {
    let start = scanner.position
    let end = endOfZoneName(from: start)
    let range = start..<end
    let word = scanner.string(range)
    if word == "Z" || word == "z" {
      zone.offset = 0
      zone.offsetPlace = scanner.located(range)
      scanner.position = end
    } else {
      try setName(range)
    }
  }

  private mutating func setName(_ range: Range<Int>) throws(TimeExpressionError) {
    zone.namePlace = scanner.located(range)
    zone.name = scanner.string(range)
    scanner.position = range.upperBound
    guard range.count <= 255 else {
      throw scanner.refusal(
        .zone, at: range, "a zone's name has no \(range.count) characters",
        hint: "zones are named as Europe/Berlin")
    }
  }

  private mutating func bracketedZone() throws(TimeExpressionError) {
    let start = scanner.position
    scanner.position += 1
    // `!` says "refuse what contradicts", which is the rule here anyway.
    _ = scanner.take("!")
    if isOffset() {
      let offsetStart = scanner.position
      let second = try offset()
      let place = scanner.located(offsetStart..<scanner.position)
      if let first = zone.offset, let firstPlace = zone.offsetPlace, first != second {
        throw place.refusal(
          .contradiction, "'\(place.text)' contradicts '\(firstPlace.text)'",
          hint: "one offset is enough")
      }
      zone.offset = second
      zone.offsetPlace = place
    } else {
      let nameStart = scanner.position
      let nameEnd = endOfZoneName(from: nameStart)
      guard nameEnd > nameStart, scanner.byte(at: nameEnd) != UInt8(ascii: "=") else {
        throw scanner.unexpected("a zone", hint: "brackets hold a zone only: [Europe/Berlin]")
      }
      try setName(nameStart..<nameEnd)
    }
    guard scanner.take("]") else {
      if scanner.isAtEnd {
        throw scanner.refusal(
          .syntax, at: start..<start + 1, "'[' is not closed", hint: "write [Europe/Berlin]")
      }
      throw scanner.unexpected("']'", hint: "write [Europe/Berlin]")
    }
  }

  /// `±HH:MM[:SS]` in seconds.
  private mutating func offset() throws(TimeExpressionError) -> Int {
    let start = scanner.position
    let sign = scanner.bytes[start]
    let end = scanner.bytes[(start + 1)...].prefix { $0.isASCIIDigit || $0 == UInt8(ascii: ":") }
      .endIndex
    let fields = scanner.bytes[(start + 1)..<end].split(
      separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
    let range = start..<end
    guard (2...3).contains(fields.count), fields.allSatisfy({ $0.count == 2 }) else {
      throw scanner.refusal(
        .syntax, at: range, "'\(harmless(scanner.string(range)[...]))' is not an offset from UTC",
        hint: "write +HH:MM, as +01:00")
    }
    let values = fields.map { scanner.smallNumber($0.startIndex..<$0.endIndex) }
    guard values[0] <= 23, values.dropFirst().allSatisfy({ $0 <= 59 }) else {
      throw scanner.refusal(
        .noSuchTime, at: range, "there is no offset '\(scanner.string(range))'",
        hint: "offsets are -23:59 to +23:59")
    }
    scanner.position = end
    let seconds = values[0] * 3600 + values[1] * 60 + (values.count == 3 ? values[2] : 0)
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }
}
