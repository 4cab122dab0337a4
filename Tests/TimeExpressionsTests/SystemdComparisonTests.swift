import Testing

@testable import TimeExpressions

/// Where systemd is at hand, it is asked what the same texts mean.
///
/// Deliberate differences, each kept out of what is generated here or allowed for below:
/// - A time that occurs twice is the first here, a time in a gap moves forward; systemd leaves both
///   to mktime(3), which takes either and moves back in Dublin and Casablanca.
/// - Days that do not exist are refused here; systemd carries 2026-02-30 over to 2 March.
/// - `:60` is the next second and `:61` refused here; systemd carries both.
/// - A date needs a time here, a span counts forward, `M` is no unit, and every number has a unit.
/// - `18:30` is the next one here, today's there; systemd-analyze takes no base time for it, so that
///   only what does not depend on the present is compared.
@Suite("What systemd says", .enabled(if: hasCommand("systemd-analyze")))
struct SystemdComparisonTests {
  static let zones = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Europe/Dublin", "Asia/Kathmandu",
    "Pacific/Apia", "Africa/Casablanca", "America/St_Johns", "Antarctica/Troll", "UTC",
  ].filter { (try? ZoneDatabase().rules($0)) != nil }

  /// Some more of all there are.
  static let others: [String] = {
    var generator = SeededGenerator(seed: 0x57D_0003)
    return TransitionTests.zones.map(\.name).filter { !zones.contains($0) }
      .shuffled(using: &generator).prefix(20).sorted()
  }()

  /// What follows `label` in each block of the output.
  private func answers(_ command: String, _ label: String) throws -> [String] {
    let all = try #require(lines(of: command))
    return all.compactMap { line in
      line.firstRange(of: label).map { String(line[$0.upperBound...]).filter { $0 != " " } }
    }
  }

  @Test("of timestamps is the same", arguments: zones + others)
  func timestamps(name: String) throws {
    let zone = try ZoneDatabase().rules(name)
    let seed: UInt64 = 0x57D_0001
    var generator = SeededGenerator(seed: seed)
    var texts: [String] = []
    var changes = zone.transitions(from: 0, through: 7_000_000_000).map(\.instant)
    if changes.isEmpty { changes = [0] }
    while texts.count < 400 {
      var instant = Int64.random(in: 86_400...7_000_000_000, using: &generator)
      if Bool.random(using: &generator) {
        instant =
          (changes.randomElement(using: &generator) ?? 0)
          + Int64.random(in: -9000...9000, using: &generator)
      }
      let wall = CivilTime(
        localSeconds: instant + Int64(zone.localTimeType(atSeconds: instant).offsetSeconds)
          + Int64.random(in: -3600...3600, using: &generator),
        microsecond: Int.random(in: 0...999_999, using: &generator))
      guard zone.mapping(localSeconds: wall.localSeconds).instants.count == 1 else { continue }
      let date = TimeFormat.date(wall.date)
      let clock = wall.clockText
      let forms = [
        "\(date) \(clock)", "\(date) \(clock.prefix(5))",
        "\(wall.date.weekday.shortName) \(date) \(clock)",
        "\(date) \(clock).\(TimeFormat.padded(wall.microsecond, 6))", "\(date) \(clock) UTC",
        "@\(max(0, instant))", "@\(max(0, instant)).5",
      ]
      let text = forms.randomElement(using: &generator) ?? ""
      // What leads to before 1970 is refused by both.
      guard
        (try? TimeExpression.parse(text).resolve(now: 0, zone: zone)) != nil,
        zone.mapping(localSeconds: wall.localSeconds - wall.localSeconds % 60).instants.count == 1
      else { continue }
      texts.append(text)
    }
    let quoted = texts.map { "'\($0)'" }.joined(separator: " ")
    let said = try answers("TZ=:\(name) systemd-analyze timestamp \(quoted)", "UNIX seconds: @")
    try #require(said.count == texts.count)
    for (text, answer) in zip(texts, said) {
      guard
        case .date(let date) = try TimeExpression.parse(text).resolve(now: 0, zone: zone),
        case .date(let other) = try TimeExpression.parse("@" + answer).resolve(now: 0, zone: zone)
      else { continue }
      #expect(date.microseconds == other.microseconds, "'\(text)' in \(name), seed \(seed)")
    }
  }

  @Test("of spans is the same", arguments: [0x57D_0002] as [UInt64])
  func spans(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let units = SpanUnit.allCases.map { unit in
      unit.spellings.filter { !["mo", "hrs", "mins", "secs"].contains($0) }
    }
    let texts = (0..<600).map { _ in
      var text = ""
      for unit in units where Int.random(in: 0..<4, using: &generator) == 0 || unit[0] == "s" {
        let isMicro = unit[0] == "us"
        let number =
          Bool.random(using: &generator) && !isMicro
          ? "\(Int.random(in: 0...99, using: &generator)).\(Int.random(in: 0...9, using: &generator))"
          : "\(Int.random(in: 0...999, using: &generator))"
        let blank = Bool.random(using: &generator) ? " " : ""
        text += number + blank + (unit.randomElement(using: &generator) ?? "s") + blank
      }
      return text
    }
    let quoted = texts.map { "'\($0)'" }.joined(separator: " ")
    let said = try answers("LC_ALL=C.UTF-8 systemd-analyze timespan \(quoted)", "s: ")
    let numbers = said.compactMap { Int64($0) }
    try #require(numbers.count == texts.count)
    for (text, answer) in zip(texts, numbers) {
      #expect(try SpanExpression.parse(text).microseconds == answer, "'\(text)', seed \(seed)")
    }
  }
}
