import Testing
import TimeExpressions

@Suite("Any text")
struct RobustnessTests {
  static let pieces = [
    "2026-12-01", "2026-02-30", "18:30", "24:00", "23:59:60", "T", "Z", "z", " ", "\t", "+", "-",
    "+01:00", "-23:59", "[Europe/Berlin]", "[", "]", "!", "Europe/Berlin", "CET", "now", "tomorrow",
    "yesterday", "today", "fri", "monday", "noon", "midnight", "am", "pm", "1", "25", "min", "h",
    "M", "mo", "y", "us", "µs", "@", "@1893456000", ".5", ".", ",", ":", "/",
    "99999999999999999999",
    "*", "..", "~", "*-*-*", "*-02~03", "Mon..Fri", "*:0/20", "0/7", "hourly", "1,2,3", "59",
    "\u{0}", "\n", "\r\n", "\u{1B}", "\u{202E}", "\u{301}", "\u{1F468}\u{200D}\u{1F469}", "é",
    "Dec",
    "1 Dec 2026", "9999-12-31", "0000-01-01", "106751991d", "é\u{301}", "\u{FFFF}", "٣",
  ]

  @Test(
    "ends in an instant, a span or one line of refusal",
    arguments: [0xBAD_0001, 0xBAD_0002, 0xBAD_0003, 0xBAD_0004] as [UInt64])
  func pieces(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let bases = [Int64.min, -1, 0, 1_796_040_000_000_000, Instant.last, Int64.max]
    for _ in 0..<4000 {
      let text = (0..<Int.random(in: 0...6, using: &generator))
        .map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
      let now = bases.randomElement(using: &generator) ?? 0
      do {
        let time = try TimeExpression.parse(text).resolve(now: now, zone: berlin, zones: lookUp)
        if case .date(let date) = time {
          #expect((0...Instant.last).contains(date.microseconds), "'\(text)', seed \(seed)")
        }
      } catch {
        #expect((1...text.count + 1).contains(error.column), "'\(text)' \(error), seed \(seed)")
        #expect(!error.description.contains { $0.isNewline }, "'\(text)', seed \(seed)")
      }
      _ = try? SpanExpression.parse(text, allowingNegative: true)
      if let calendar = try? CalendarExpression.parse(text) {
        for base in bases { _ = calendar.next(after: base, in: berlin) }
      }
    }
  }

  @Test("of raw bytes is taken as well", arguments: [0xB17E_0001] as [UInt64])
  func bytes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? UInt8.random(in: 0x20...0x7E, using: &generator)
          : UInt8.random(in: 0...255, using: &generator)
      }
      _ = try? TimeExpression.parse(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// A hundred thousand characters of each piece that repeats: quadratic time would take an hour.
  @Test("takes time in proportion to its length", .timeLimit(.minutes(10)))
  func length() {
    for piece in Self.pieces + ["1 ", "1h", "a ", "+1", "[[", "1:", "1-"] where !piece.isEmpty {
      let text = String(repeating: piece, count: 100_000 / piece.count)
      for form in [text, "18:30 " + text, "2026-12-01 " + text, "now + " + text, "1" + text] {
        _ = try? TimeExpression.parse(form)
        _ = try? CalendarExpression.parse(form)
      }
    }
  }

  @Test(
    "far ahead is exact, past every 32-bit edge",
    arguments: [
      ("2147483647ms", 2_147_483_647_000), ("2147483648ms", 2_147_483_648_000),
      ("4294967296ms", 4_294_967_296_000), ("68719476736ms", 68_719_476_736_000),
      ("25d", 2_160_000_000_000), ("3652d", 315_532_800_000_000),
      ("73049d", 6_311_433_600_000_000),
    ] as [(String, Int64)])
  func farAhead(text: String, length: Int64) throws {
    let now = try utc("2026-11-30T12:00:00Z")
    #expect(
      try TimeExpression.parse(text).resolve(now: now, zone: berlin) == .span(microseconds: length))
    guard
      case .date(let date) = try TimeExpression.parse("@\(now / 1_000_000) + \(text)").resolve(
        now: 0, zone: .utc)
    else { return }
    // Days move the calendar, which in UTC is the same.
    #expect(date.microseconds == now + length)
  }

  @Test(
    "at the edges of 32-bit seconds goes both ways",
    arguments: [
      "2038-01-19 03:14:07 UTC", "2038-01-19 03:14:08 UTC", "2106-02-07 06:28:15 UTC",
      "2106-02-07 06:28:16 UTC", "1970-01-01 00:00:00 UTC", "9999-12-31 23:59:59 UTC",
      "2001-09-09 01:46:40 UTC",
    ])
  func edges(text: String) throws {
    #expect(try TimeFormat.local(microseconds: utc(text), zone: .utc) == text)
  }
}
