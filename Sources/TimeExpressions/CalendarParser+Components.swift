/// What a component of a date or time is called and may hold.
private struct ComponentKind {
  let name: String
  let range: ClosedRange<Int64>
  /// Microseconds for seconds, else 1.
  var scale: Int64 = 1
}

extension CalendarParser {
  /// The byte that ends the run of values here: where `-`, `~`, `:` or something else stands.
  private func separator() -> UInt8? {
    var index = scanner.position
    while let byte = scanner.byte(at: index),
      byte.isASCIIDigit || byte == UInt8(ascii: "*") || byte == UInt8(ascii: ",")
        || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/")
    {
      index += 1
    }
    return index == scanner.position ? nil : scanner.byte(at: index)
  }

  /// `[YEAR-]MONTH-DAY`, with `~` before a day that counts from the month's end.
  mutating func date() throws(TimeExpressionError) -> Bool {
    let first = separator()
    guard first == UInt8(ascii: "-") || first == UInt8(ascii: "~") else { return false }
    let hint = "a date is YEAR-MONTH-DAY, as *-*-1"
    let start = scanner.position
    // Two marks make it a date with a year.
    var probe = self
    probe.scanner.position =
      scanner.bytes[start...].firstIndex {
        $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "~")
      }.map { $0 + 1 } ?? start
    let second = probe.separator()
    if second == UInt8(ascii: "-") || second == UInt8(ascii: "~") {
      result.years = try items(ComponentKind(name: "year", range: 1970...9999))
      guard scanner.take("-") else { throw scanner.unexpected("'-'", hint: hint) }
    }
    result.months = try mask(ComponentKind(name: "month", range: 1...12))
    if scanner.take("~") {
      result.daysFromEnd = true
    } else if !scanner.take("-") {
      throw scanner.unexpected("'-'", hint: hint)
    }
    // Further from the end than every month is long would match in some only; as in systemd.
    let days = ComponentKind(name: "day", range: 1...(result.daysFromEnd ? 28 : 31))
    result.days = try items(days)
    try expectEnd(hint: hint)
    return true
  }

  /// `HOUR:MINUTE[:SECOND]`.
  mutating func time() throws(TimeExpressionError) -> Bool {
    guard separator() == UInt8(ascii: ":") else { return false }
    let hint = "a time is HOUR:MINUTE[:SECOND], as 09:00 or *:0/20"
    result.hours = try mask(ComponentKind(name: "hour", range: 0...23))
    guard scanner.take(":") else { throw scanner.unexpected("':'", hint: hint) }
    result.minutes = try mask(ComponentKind(name: "minute", range: 0...59))
    if scanner.take(":") {
      result.seconds = try items(
        ComponentKind(name: "second", range: 0...59_999_999, scale: 1_000_000))
    }
    try expectEnd(hint: hint)
    return true
  }

  private func expectEnd(hint: String) throws(TimeExpressionError) {
    guard scanner.isAtEnd || scanner.bytes[scanner.position] <= 0x20 else {
      throw scanner.unexpected("a blank", hint: hint)
    }
  }

  private mutating func mask(_ kind: ComponentKind) throws(TimeExpressionError) -> UInt64 {
    var mask: UInt64 = 0
    for item in try items(kind) {
      for value in stride(from: item.start, through: item.stop, by: Int(item.step)) {
        mask |= 1 << UInt64(value)
      }
    }
    return mask
  }

  /// `*`, or values with commas between.
  private mutating func items(_ kind: ComponentKind) throws(TimeExpressionError) -> [CalendarItem] {
    if scanner.take("*") {
      if scanner.peek == UInt8(ascii: "/") {
        throw scanner.unexpected(
          "the end of a \(kind.name)", hint: "write \(kind.range.lowerBound)/5 for every fifth")
      }
      return [
        CalendarItem(
          start: kind.range.lowerBound,
          // Every day, also counted from the end.
          stop: kind.name == "day" ? 31 : kind.range.upperBound, step: kind.scale)
      ]
    }
    var items: [CalendarItem] = []
    repeat {
      let start = scanner.position
      items.append(try item(kind))
      guard items.count <= CalendarParser.itemLimit else {
        throw scanner.refusal(
          .outOfRange, at: start..<scanner.position, "there are too many values",
          hint: "\(CalendarParser.itemLimit) are the most")
      }
    } while scanner.take(",")
    return items
  }

  private mutating func item(_ kind: ComponentKind) throws(TimeExpressionError) -> CalendarItem {
    let begin = scanner.position
    let start = try value(kind, limit: kind.range)
    var stop: Int64?
    if scanner.peek == UInt8(ascii: "."),
      scanner.byte(at: scanner.position + 1) == UInt8(ascii: ".")
    {
      scanner.position += 2
      let end = try value(kind, limit: kind.range)
      guard start <= end else {
        let range = begin..<scanner.position
        throw scanner.refusal(
          .contradiction, at: range, "'\(scanner.string(range))' runs backward",
          hint: "the smaller \(kind.name) stands first")
      }
      stop = end
    }
    guard scanner.take("/") else {
      return CalendarItem(start: start, stop: stop ?? start, step: kind.scale)
    }
    let place = scanner.position
    let step = try value(kind, limit: 0...(kind.range.upperBound - kind.range.lowerBound))
    guard step > 0 else {
      throw scanner.refusal(
        .noSuchTime, at: place..<scanner.position, "a repeat of 0 goes nowhere",
        hint: "write /1 or more")
    }
    // Days from the end count down: without a stop they go on to the last, which is 1.
    let last = result.daysFromEnd && kind.name == "day" ? 1 : kind.range.upperBound
    guard last < start || stop != nil || start + step <= last else {
      let range = begin..<scanner.position
      throw scanner.refusal(
        .noSuchTime, at: range, "'\(harmless(scanner.string(range)[...]))' repeats nothing",
        hint: "the last \(kind.name) is \(last / kind.scale)")
    }
    return CalendarItem(start: start, stop: stop ?? last, step: step)
  }

  /// A number, of seconds with a fraction.
  private mutating func value(
    _ kind: ComponentKind, limit: ClosedRange<Int64>
  ) throws(TimeExpressionError) -> Int64 {
    let start = scanner.position
    let digits = start..<scanner.endOfDigits(from: start)
    guard !digits.isEmpty else {
      throw scanner.unexpected("a \(kind.name)", hint: "write a number or *")
    }
    scanner.position = digits.upperBound
    var fraction: Int64 = 0
    if kind.scale > 1, scanner.peek == UInt8(ascii: "."), scanner.isDigit(at: scanner.position + 1)
    {
      var reader = ExpressionParser("")
      reader.scanner = scanner
      fraction = Int64(try reader.fraction())
      scanner.position = reader.scanner.position
    }
    let text = start..<scanner.position
    if kind.name == "year", limit.lowerBound > 0, digits.count == 2 {
      throw scanner.refusal(
        .ambiguous, at: text, "the year '\(scanner.string(text))' has two digits",
        hint: "write four: 20\(scanner.string(text))")
    }
    guard digits.count <= 9, let number = scanner.number(digits),
      limit.contains(number * kind.scale + fraction)
    else {
      let bounds = "\(limit.lowerBound / kind.scale) to \(limit.upperBound / kind.scale)"
      throw scanner.refusal(
        .noSuchTime, at: text, "there is no \(kind.name) '\(harmless(scanner.string(text)[...]))'",
        hint: "it is a number from \(bounds)")
    }
    return number * kind.scale + fraction
  }
}
