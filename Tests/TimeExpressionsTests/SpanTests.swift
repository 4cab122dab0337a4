import Testing
import TimeExpressions

@Suite("Spans")
struct SpanTests {
  @Test(
    "are numbers with units",
    arguments: [
      ("25min", 1_500_000_000), ("+1h30min", 5_400_000_000), ("90s", 90_000_000),
      ("2 days 4 hours", 187_200_000_000), ("1h 30min", 5_400_000_000), ("2hr", 7_200_000_000),
      ("1 hour 30 minutes", 5_400_000_000), ("5m", 300_000_000), ("1.5h", 5_400_000_000),
      ("0.5s", 500_000), ("250ms", 250_000), ("1us", 1), ("1µs", 1), ("1μs", 1), ("0s", 0),
      ("1w", 604_800_000_000), ("1mo", 2_629_800_000_000), ("1y", 31_557_600_000_000),
      ("  7 sec\t", 7_000_000), ("007s", 7_000_000), ("1s500ms", 1_500_000),
      ("0.000001s", 1), ("1.50000000000000000000000s", 1_500_000),
      ("106751991d", 9_223_372_022_400_000_000),
    ] as [(String, Int64)])
  func read(text: String, microseconds: Int64) throws {
    #expect(try SpanExpression.parse(text).microseconds == microseconds)
  }

  @Test(
    "are refused with the column of what is wrong",
    arguments: [
      ("", 1, .incomplete), ("+", 2, .incomplete), ("+1h30", 4, .incomplete),
      ("90", 1, .incomplete),
      ("1M", 2, .ambiguous), ("1h 2M", 5, .ambiguous), ("123.45.67", 1, .syntax),
      ("123.45.67s", 1, .syntax), ("-5min", 1, .negative), ("5 parsecs", 3, .syntax),
      ("5Min", 2, .syntax), ("1h 1h", 4, .contradiction), ("1.s", 1, .syntax), (".5s", 1, .syntax),
      ("1h,30min", 3, .syntax), ("1h+30min", 3, .syntax), ("0.1us", 1, .tooFine),
      ("1.0000001s", 1, .tooFine), ("106751992d", 1, .outOfRange), ("1h -5min", 4, .syntax),
      ("99999999999999999999 days", 1, .outOfRange), ("5\u{A0}min", 1, .incomplete),
      ("106751991d 106751991s", 12, .outOfRange), ("1e3s", 2, .syntax), ("٣s", 1, .syntax),
      ("1h\n", 3, .syntax), ("infinity", 1, .syntax),
    ] as [(String, Int, TimeExpressionError.Code)])
  func refused(text: String, column: Int, code: TimeExpressionError.Code) throws {
    let error = #expect(throws: TimeExpressionError.self) { try SpanExpression.parse(text) }
    #expect(error?.column == column, "\(String(describing: error))")
    #expect(error?.code == code, "\(String(describing: error))")
  }

  @Test("may run backward where the caller allows it")
  func backward() throws {
    #expect(try SpanExpression.parse("-1d", allowingNegative: true).microseconds == -86_400_000_000)
    #expect(try SpanExpression.parse("+1d", allowingNegative: true).microseconds == 86_400_000_000)
    #expect(throws: TimeExpressionError.self) {
      try SpanExpression.parse("--1d", allowingNegative: true)
    }
  }

  @Test(
    "have one short text",
    arguments: [
      (5_400_000_000, "1h30min"), (0, "0s"), (1_500_000, "1s500ms"), (-60_000_000, "-1min"),
      (187_200_000_000, "2d4h"), (1, "1us"), (Int64.min, "-106751991d4h54s775ms808us"),
      (Int64.max, "106751991d4h54s775ms807us"),
    ] as [(Int64, String)])
  func written(microseconds: Int64, text: String) {
    #expect(TimeFormat.span(microseconds: microseconds) == text)
  }

  @Test(
    "read back from their text as they were", arguments: [0x5EED_0001, 0x5EED_0002] as [UInt64])
  func roundTrip(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let span = SpanExpression(
        microseconds: Int64.random(
          in: 0...(Int64.max >> Int64.random(in: 0...62)), using: &generator))
      #expect(try SpanExpression.parse(span.description) == span, "seed \(seed)")
    }
  }
}
