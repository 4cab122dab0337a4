import Testing

/// What `explain` tells, without any daemon.
@Suite struct ExplainTests {
  private static let base = ["--base-time", "2026-11-30T11:00:00Z"]

  private func explain(_ arguments: String...) -> Outcome {
    ctl(["explain"] + arguments + Self.base)
  }

  @Test func aDateIsToldWithItsInstantAndHowFarOffItIs() {
    let outcome = explain("tomorrow", "09:00")
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        from     Mon 2026-11-30 12:00:00 CET  (2026-11-30T11:00:00Z, Europe/Berlin)
        means    Tue 2026-12-01 09:00:00 CET  (2026-12-01T08:00:00Z, Europe/Berlin)
                 in 21h

        """)
    #expect(outcome.errors.isEmpty)
  }

  @Test func aSpanIsToldWithWhereItLeads() {
    #expect(
      explain("25min").output.hasSuffix(
        """
        means    a span of 25min
        reaches  Mon 2026-11-30 12:25:00 CET  (2026-11-30T11:25:00Z, Europe/Berlin)

        """))
  }

  @Test func aRepeatIsToldWithSoManyOfItsNext() {
    let outcome = explain("Mon..Fri 09:00 America/New_York", "--iterations=2")
    #expect(
      outcome.output.hasSuffix(
        """
        repeats  next:
                 Mon 2026-11-30 09:00:00 EST  (2026-11-30T14:00:00Z, America/New_York)
                 Tue 2026-12-01 09:00:00 EST  (2026-12-01T14:00:00Z, America/New_York)

        """))
    #expect(explain("2027-*-31 10:00", "--iterations=100").output.hasSuffix("there are no more\n"))
    #expect(explain("Mon 2026-11-*").output.hasSuffix("never after the base time\n"))
  }

  @Test func whatCanBeADateOrARepeatIsToldAsBoth() {
    let outcome = explain("fri 09:00", "--iterations=1")
    #expect(outcome.output.contains("means    Fri 2026-12-04 09:00:00 CET"))
    #expect(outcome.output.contains("or       as a repeat, next:\n"))
    #expect(!explain("2026-12-04 09:00").output.contains("repeat"))
  }

  @Test func adjustmentsAndAmbiguitiesAreTold() {
    #expect(
      explain("2027-03-28 02:30").output.hasSuffix(
        "note     2027-03-28 02:30:00: clocks skip that time there; moved forward by 1h\n"))
    #expect(
      explain("2027-10-31 02:30").output.contains(
        "clocks show that time twice there; taken as the first (+02:00, not +01:00)"))
    #expect(
      explain("*-03-28 02:30", "--iterations=1").output.contains(
        "03:30:00 CEST  (2027-03-28T01:30:00Z, Europe/Berlin)\nnote     2027-03-28 02:30:00: "))
  }

  @Test func theZoneAndTheBaseTimeCanBeAny() {
    let outcome = ctl([
      "explain", "00:30", "--zone=Asia/Tokyo", "--base-time=1999-12-31T15:00Z", "--json=short",
    ])
    #expect(outcome.output.contains(#""date":{"date":"1999-12-31T15:30:00.000000Z""#))
    #expect(outcome.output.contains(#""wallTime":"2000-01-01T00:30:00""#))
    #expect(outcome.output.contains(#""nextOccurrence":true"#))
    #expect(outcome.output.contains(#""repeat":{"zone":"Asia/Tokyo","next":["#))
  }

  @Test func aDaemonInMockedTimeGivesTheBaseTime() {
    let daemon = FakeDaemon([:])
    #expect(
      ctl(["explain", "25min"], serving: daemon).output.contains("2026-11-30T10:25:00Z"))
  }

  @Test func theNextOfAnythingComesAtOnce() {
    for text in ["*:*:*", "Tue 2400-02-29 *:*:*", "*-02-29 *:*:*"] {
      #expect(explain(text, "--iterations=1").status == 0)
    }
    #expect(explain("Mon 9999-02-29").status == 65)
  }
}
