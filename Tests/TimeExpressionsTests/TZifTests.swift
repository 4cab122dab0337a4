import Testing

@testable import TimeExpressions

/// Builds TZif data piece by piece.
struct TZifBuilder {
  var version: UInt8 = UInt8(ascii: "2")
  var times: [Int64] = [0, 15_638_400]
  var indices: [UInt8] = [1, 0]
  var types: [(Int32, UInt8, UInt8)] = [(3600, 0, 0), (7200, 1, 4)]
  var names: [UInt8] = Array("CET\0CEST\0".utf8)
  var leaps: [(Int64, Int32)] = []
  var standard: [UInt8] = []
  var universal: [UInt8] = []
  var footer: String = "\nCET-1CEST,M3.5.0,M10.5.0/3\n"

  func header(wide: Bool, leaps leapCount: Int) -> [UInt8] {
    var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
    for count in [
      universal.count, standard.count, leapCount, times.count, types.count, names.count,
    ] { bytes += bigEndian(Int64(count), 4) }
    return bytes
  }

  func block(wide: Bool) -> [UInt8] {
    let size = wide ? 8 : 4
    var bytes = header(wide: wide, leaps: leaps.count)
    for time in times { bytes += bigEndian(time, size) }
    bytes += indices
    for type in types { bytes += bigEndian(Int64(type.0), 4) + [type.1, type.2] }
    bytes += names
    for leap in leaps { bytes += bigEndian(leap.0, size) + bigEndian(Int64(leap.1), 4) }
    return bytes + standard + universal
  }

  var bytes: [UInt8] {
    version == 0 ? block(wide: false) : block(wide: false) + block(wide: true) + Array(footer.utf8)
  }

  private func bigEndian(_ value: Int64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> Int64($0 * 8)) }
  }
}

@Suite("TZif data")
struct TZifTests {
  private func refusal(_ change: (inout TZifBuilder) -> Void) -> TimeZoneError? {
    var builder = TZifBuilder()
    change(&builder)
    do {
      _ = try TimeZoneRules(zone: "X/Y", tzif: builder.bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test("of versions 1 to 4 is read", arguments: [0, 0x32, 0x33, 0x34] as [UInt8])
  func versions(version: UInt8) throws {
    var builder = TZifBuilder()
    builder.version = version
    let zone = try TimeZoneRules(zone: "X/Y", tzif: builder.bytes)
    #expect(zone.name == "X/Y")
    #expect(zone.localTimeType(atMicroseconds: -1).abbreviation == "CET")
    #expect(zone.localTimeType(atMicroseconds: 0).abbreviation == "CEST")
    #expect(zone.localTimeType(atMicroseconds: 15_638_399_999_999).offsetSeconds == 7200)
    // Version 1 has no footer: the last change holds for ever.
    let far = try utc("2026-07-01T00:00:00Z")
    #expect(zone.localTimeType(atMicroseconds: far).abbreviation == (version == 0 ? "CET" : "CEST"))
  }

  @Test("of version 2 and later is read from its 64-bit part")
  func wide() throws {
    var builder = TZifBuilder()
    builder.times = [-5_000_000_000, 5_000_000_000]
    builder.footer = "\n\n"
    let zone = try TimeZoneRules(zone: "X/Y", tzif: builder.bytes)
    #expect(zone.localTimeType(atSeconds: -5_000_000_001).abbreviation == "CET")
    #expect(zone.localTimeType(atSeconds: -5_000_000_000).abbreviation == "CEST")
    #expect(zone.localTimeType(atSeconds: 4_999_999_999).abbreviation == "CEST")
    #expect(zone.localTimeType(atSeconds: 5_000_000_000).abbreviation == "CET")
  }

  @Test("without changes follows its footer, or its one type")
  func noTransitions() throws {
    var builder = TZifBuilder()
    builder.times = []
    builder.indices = []
    let zone = try TimeZoneRules(zone: "X/Y", tzif: builder.bytes)
    #expect(zone.localTimeType(atMicroseconds: try utc("2026-07-01T00:00:00Z")).isDaylight)
    builder.footer = "\n\n"
    let plain = try TimeZoneRules(zone: "X/Y", tzif: builder.bytes)
    #expect(plain.localTimeType(atMicroseconds: 0).abbreviation == "CET")
  }

  @Test("with flags for standard and universal time is read past them")
  func flags() throws {
    var builder = TZifBuilder()
    builder.standard = [0, 1]
    builder.universal = [0, 1]
    let zone = try TimeZoneRules(zone: "X/Y", tzif: builder.bytes)
    #expect(zone.footer != nil)
  }

  @Test("that is damaged is refused and says how")
  func damaged() {
    #expect(refusal { _ in } == nil)
    #expect(refusal { $0.times = [Int64.min, 0] }?.code == .damaged)
    #expect(refusal { $0.times = [-(1 << 59), 1 << 59] } == nil)
    #expect(refusal { $0.indices = [1, 2] }?.code == .damaged)
    #expect(refusal { $0.times = [5, 5] }?.code == .damaged)
    #expect(refusal { $0.times = [6, 5] }?.code == .damaged)
    #expect(refusal { $0.types = [(3600, 0, 9), (7200, 1, 4)] }?.code == .damaged)
    #expect(refusal { $0.types = [(93_600, 0, 0), (7200, 1, 4)] }?.code == .damaged)
    #expect(refusal { $0.types = [(Int32.min, 0, 0), (7200, 1, 4)] }?.code == .damaged)
    #expect(refusal { $0.names = Array("C\u{1}T\0CEST\0".utf8) }?.code == .damaged)
    #expect(refusal { $0.footer = "" }?.code == .damaged)
    #expect(refusal { $0.footer = "\nCET-1" }?.code == .damaged)
    #expect(refusal { $0.footer = "\nnonsense\n" }?.code == .damaged)
    #expect(refusal { $0.footer = "CET-1\n" }?.code == .damaged)
    #expect(
      refusal {
        $0.types = []
        $0.times = []
        $0.indices = []
      }?.code == .damaged)
    #expect(refusal { $0.leaps = [(78_796_800, 1)] }?.code == .leapSeconds)
    let error = refusal { $0.times = [6, 5] }
    #expect(
      error?.description
        == "zone 'X/Y': its data is not TZif: its changes are not in order; "
        + "reinstall the package tzdata")
  }

  @Test("cut short or changed at random never traps", arguments: [0x721F_0001] as [UInt64])
  func fuzz(seed: UInt64) {
    let whole = TZifBuilder().bytes
    for length in 0..<whole.count {
      #expect(throws: TimeZoneError.self) {
        try TimeZoneRules(zone: "X/Y", tzif: Array(whole[..<length]))
      }
    }
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] =
          [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
          .randomElement(using: &generator) ?? 0
      }
      guard let zone = try? TimeZoneRules(zone: "X/Y", tzif: bytes) else { continue }
      for instant in [Int64.min, -1, 0, 1_800_000_000_000_000, Int64.max] {
        let text = TimeFormat.local(microseconds: instant, zone: zone)
        #expect(!text.isEmpty, "seed \(seed)")
      }
      _ = zone.mapping(localSeconds: 1_800_000_000)
      _ = try? TimeExpression.parse("sun 02:30 + 1mo").resolve(now: 1_800_000_000, zone: zone)
      guard let calendar = try? CalendarExpression.parse("*-*-1 02:0/30") else { continue }
      for now in [Int64.min, 0, 1_800_000_000_000_000, Instant.last - 1] {
        if let next = calendar.next(after: now, in: zone) {
          #expect(next.microseconds > now, "seed \(seed)")
        }
      }
    }
  }

  static let canCompile = hasCommand("zic") && !ZoneDatabase().names.isEmpty

  @Test("slim and fat means the same", .enabled(if: canCompile))
  func slimAndFat() throws {
    try withTemporaryDirectory { directory in
      let source = "\(ZoneDatabase().directory)/tzdata.zi"
      for kind in ["slim", "fat"] {
        try #require(output(of: "zic -b \(kind) -d '\(directory)/\(kind)' '\(source)'") != nil)
      }
      let slim = ZoneDatabase(directory: "\(directory)/slim")
      let fat = ZoneDatabase(directory: "\(directory)/fat")
      let names = slim.names
      #expect(names == fat.names && names.count > 300)
      var tables = 0
      for name in names {
        let (short, long) = (try slim.rules(name), try fat.rules(name))
        tables += long.transitionTimes.count - short.transitionTimes.count
        if short.briefTransitions == long.briefTransitions { continue }
        // zic itself writes some zones differently; then it is zdump that says what is in them.
        for (kind, rules) in [("slim", short), ("fat", long)] {
          let told = lines(of: "zdump -i -c 1900,2101 '\(directory)/\(kind)/\(name)'") ?? []
          #expect(rules.briefTransitions == told.filter { !$0.isEmpty && !$0.hasPrefix("TZ=") })
        }
      }
      #expect(tables > 10_000, "the files do not differ")
    }
  }
}
