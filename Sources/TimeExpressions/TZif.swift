extension TimeZoneRules {
  /// The rules in a TZif file, versions 1 to 4, slim or fat (RFC 9636); `zone` names the result.
  ///
  /// - Throws: `damaged` if the bytes are not a whole TZif file, `leapSeconds` if they count leap
  ///   seconds.
  public init(zone: String, tzif bytes: [UInt8]) throws(TimeZoneError) {
    var reader = TZifReader(bytes: bytes, zone: zone)
    let first = try reader.header()
    guard first.version >= UInt8(ascii: "2") else {
      let block = try reader.block(first, wide: false)
      self = block.rules(name: zone, footer: nil)
      return
    }
    // The first block is for readers that know 32 bits only.
    try reader.skip(first.length(wide: false))
    let second = try reader.header()
    let block = try reader.block(second, wide: true)
    self = block.rules(name: zone, footer: try reader.footer())
  }

  /// The rules of a POSIX `TZ` string such as `CET-1CEST,M3.5.0,M10.5.0/3`, or nil if it is not one.
  public init?(zone: String, posix text: String) {
    guard text.utf8.count <= 255, let rule = PosixRule(parsing: text.utf8) else { return nil }
    self.init(
      name: zone, transitionTimes: [], typeIndices: [], types: [rule.standard], footer: rule)
  }
}

private struct TZifHeader {
  let version: UInt8
  let isUTCount: Int
  let isStandardCount: Int
  let leapCount: Int
  let timeCount: Int
  let typeCount: Int
  let characterCount: Int

  /// Bytes of the block that follows; the counts are 32-bit, so this cannot overflow.
  func length(wide: Bool) -> Int {
    let timeSize = wide ? 8 : 4
    return timeCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4)
      + isStandardCount + isUTCount
  }
}

private struct TZifBlock {
  let times: [Int64]
  let indices: [UInt8]
  let types: [LocalTimeType]

  func rules(name: String, footer: PosixRule?) -> TimeZoneRules {
    TimeZoneRules(
      name: name, transitionTimes: times, typeIndices: indices, types: types, footer: footer)
  }
}

private struct TZifReader {
  let bytes: [UInt8]
  let zone: String
  var position = 0

  init(bytes: [UInt8], zone: String) {
    self.bytes = bytes
    self.zone = zone
  }

  func damaged(_ what: String) -> TimeZoneError {
    TimeZoneError(
      .damaged, zone: zone, problem: "its data is not TZif: \(what)",
      hint: "reinstall the package tzdata")
  }

  mutating func skip(_ count: Int) throws(TimeZoneError) {
    guard count <= bytes.count - position else { throw damaged("it ends too soon") }
    position += count
  }

  /// A big-endian two's complement integer of `size` bytes.
  mutating func integer(_ size: Int) throws(TimeZoneError) -> Int64 {
    let start = position
    try skip(size)
    var value = Int64(Int8(bitPattern: bytes[start]))
    for byte in bytes[(start + 1)..<position] { value = value << 8 | Int64(byte) }
    return value
  }

  mutating func header() throws(TimeZoneError) -> TZifHeader {
    let start = position
    try skip(20)
    guard bytes[start..<start + 4].elementsEqual("TZif".utf8) else {
      throw damaged("it does not begin with 'TZif'")
    }
    var counts: [Int] = []
    for _ in 0..<6 { counts.append(Int(try integer(4) & 0xFFFF_FFFF)) }
    return TZifHeader(
      version: bytes[start + 4], isUTCount: counts[0], isStandardCount: counts[1],
      leapCount: counts[2], timeCount: counts[3], typeCount: counts[4], characterCount: counts[5])
  }

  mutating func block(_ header: TZifHeader, wide: Bool) throws(TimeZoneError) -> TZifBlock {
    // Checked before anything is reserved, so that a lying header costs nothing.
    guard header.length(wide: wide) <= bytes.count - position else {
      throw damaged("it ends too soon")
    }
    guard header.typeCount > 0, header.typeCount <= 256, header.characterCount > 0 else {
      throw damaged("it has \(header.typeCount) kinds of local time")
    }
    guard header.leapCount == 0 else {
      throw TimeZoneError(
        .leapSeconds, zone: zone, problem: "it counts leap seconds, the system clock does not",
        hint: "use the zone without 'right/'")
    }
    let times = try self.times(header.timeCount, size: wide ? 8 : 4)
    let indices = Array(bytes[position..<position + header.timeCount])
    try skip(header.timeCount)
    guard indices.allSatisfy({ Int($0) < header.typeCount }) else {
      throw damaged("a change names a kind of local time that it does not have")
    }
    let types = try self.types(header)
    try skip(header.isStandardCount + header.isUTCount)
    return TZifBlock(times: times, indices: indices, types: types)
  }

  private mutating func times(_ count: Int, size: Int) throws(TimeZoneError) -> [Int64] {
    var times: [Int64] = []
    times.reserveCapacity(count)
    for _ in 0..<count {
      let time = try integer(size)
      if let last = times.last, last >= time { throw damaged("its changes are not in order") }
      // RFC 9636 begins time with the Big Bang, -2^59; a bound keeps what follows from overflowing.
      guard (-(1 << 60)...(1 << 60)).contains(time) else {
        throw damaged("a change lies outside all time")
      }
      times.append(time)
    }
    return times
  }

  private mutating func types(_ header: TZifHeader) throws(TimeZoneError) -> [LocalTimeType] {
    var raw: [(offset: Int, isDaylight: Bool, name: Int)] = []
    for _ in 0..<header.typeCount {
      let offset = Int(try integer(4))
      let isDaylight = try integer(1) != 0
      let name = Int(try integer(1) & 0xFF)
      guard TimeZoneRules.isPlausible(offset), name < header.characterCount else {
        throw damaged("a kind of local time has the offset \(offset) s, its name at \(name)")
      }
      raw.append((offset, isDaylight, name))
    }
    let start = position
    try skip(header.characterCount)
    let characters = bytes[start..<position]
    var types: [LocalTimeType] = []
    for type in raw {
      let name = characters[(start + type.name)...].prefix { $0 != 0 }
      guard name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), name.count <= 64 else {
        throw damaged("an abbreviation is not ASCII")
      }
      types.append(
        LocalTimeType(
          offsetSeconds: type.offset, isDaylight: type.isDaylight,
          abbreviation: String(decoding: name, as: UTF8.self)))
    }
    return types
  }

  /// The `TZ` string between two newlines; empty means that nothing is known of the future.
  mutating func footer() throws(TimeZoneError) -> PosixRule? {
    let start = position
    try skip(1)
    guard bytes[start] == 0x0A,
      let end = bytes[position...].prefix(1024).firstIndex(of: 0x0A)
    else { throw damaged("its footer is missing") }
    let text = bytes[position..<end]
    if text.isEmpty { return nil }
    guard let rule = PosixRule(parsing: text) else {
      throw damaged("its footer '\(String(decoding: text, as: UTF8.self))' is not a TZ rule")
    }
    return rule
  }
}
