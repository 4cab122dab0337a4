import Glibc
import JSON
import Testing

/// Series through the socket, over crashes and failed commits, and beside systemd.
@Suite struct SeriesTests {
  private func starts(_ client: Client, _ id: String) throws -> [String] {
    try client.events(id).filter { $0.text("kind") == "started" }.compactMap { $0.text("dueDate") }
  }

  @Test func eachOccurrenceHasTheRequestOfItsOwn() throws {
    let daemon = try TestDaemon()
    let client = try daemon.connect()
    let request =
      #"{"id":"tea","attributes":{"kind":"green"},"content":{"state":{"cups":2}},"#
      + #""alert":{"title":"Tea","body":""},"endAfterUSec":600000000,"#
      + #""repeat":{"calendar":"16:00","zone":"UTC"}}"#
    #expect(try client.call("Request", request).text("created") == "true")
    try client.advance(seconds: 4 * 3600 + 60)
    try client.call("Update", #"{"id":"tea","content":{"state":{"cups":9}}}"#)
    daemon.stop(9)
    try daemon.start(clock: "2026-12-02T12:00:00Z")
    let again = try daemon.connect()
    let second = try again.call("Get", #"{"id":"tea"}"#)
    #expect(second.text("activity", "session") == "2")
    #expect(second.text("activity", "state") == "pending")
    #expect(second.text("activity", "attributes") == #"{"kind":"green"}"#)
    #expect(second.text("activity", "content", "state") == #"{"cups":2}"#)
    #expect(second.text("activity", "alert", "title") == "Tea")
    #expect(second.text("activity", "startDate") == "2026-12-02T16:00:00.000000Z")
    #expect(second.text("activity", "nextStartDate") == "2026-12-03T16:00:00.000000Z")
    // The same request again, whichever occurrence there is.
    #expect(try again.call("Request", request).text("created") == "false")
    #expect(throws: Refused.named("ActivityExists")) {
      try again.call("Request", #"{"id":"tea"}"#)
    }
    try again.call("io.lasched.TestClock.FailNextCommits", #"{"count":2}"#)
    try again.advance(seconds: 4 * 3600)
    #expect(
      try starts(again, "tea") == ["2026-12-01T16:00:00.000000Z", "2026-12-02T16:00:00.000000Z"])
  }

  @Test func aSuspendOfWeeksAndAStepBack() throws {
    let client = try TestDaemon().connect()
    try client.call(
      "Request", #"{"id":"a","repeat":{"calendar":"*:0/10 UTC"},"endAfterUSec":60000000}"#)
    try client.call("io.lasched.TestClock.Suspend", #"{"forUSec":1814400000000}"#)
    #expect(try starts(client, "a") == ["2026-12-22T12:00:00.000000Z"])
    try client.call("io.lasched.TestClock.Step", #"{"byUSec":-864000000000}"#)
    let back = try client.call("Get", #"{"id":"a"}"#)
    #expect(back.text("activity", "nextStartDate") == "2026-12-12T12:10:00.000000Z")
    try client.advance(seconds: 600)
    #expect(try starts(client, "a").last == "2026-12-12T12:10:00.000000Z")
  }

  @Test func whatWasTakenAwayBeforeItCameStaysAway() throws {
    let daemon = try TestDaemon()
    var client = try daemon.connect()
    func start(_ id: String) throws -> String? {
      try client.call("Get", #"{"id":"\#(id)"}"#).text("activity", "startDate")
    }
    try client.call("Request", #"{"id":"a","repeat":{"calendar":"18:00","zone":"UTC"}}"#)
    try client.call("Request", #"{"id":"b","repeat":{"calendar":"18:00","zone":"UTC"}}"#)
    try client.call("Request", #"{"id":"c","repeat":{"calendar":"hourly","zone":"UTC","count":2}}"#)
    try client.call("Cancel", #"{"id":"a","this":true}"#)
    try client.call("End", #"{"id":"b"}"#)
    try client.call("Cancel", #"{"id":"c","this":true}"#)
    for _ in 0..<2 {
      #expect(try start("a") == "2026-12-02T18:00:00.000000Z")
      #expect(try start("b") == "2026-12-02T18:00:00.000000Z")
      #expect(try start("c") == "2026-12-01T14:00:00.000000Z")
      try client.call("io.lasched.TestClock.Step", #"{"byUSec":-1000000}"#)
    }
    daemon.stop(9)
    try daemon.start(clock: "2026-12-01T12:00:01Z")
    client = try daemon.connect()
    #expect(try start("a") == "2026-12-02T18:00:00.000000Z")
  }

  @Test func oneThatWasMovedIsFollowedByTheDatesAfterIt() throws {
    let client = try TestDaemon().connect()
    func dates() throws -> [String?] {
      let activity = try client.call("Get", #"{"id":"a"}"#)["activity"]
      return [activity?.text("startDate"), activity?.text("nextStartDate")]
    }
    try client.call("Request", #"{"id":"a","repeat":{"calendar":"18:00","zone":"UTC"}}"#)
    try client.call("Reschedule", #"{"id":"a","start":{"at":"2026-12-03T12:00:00Z"}}"#)
    #expect(try dates() == ["2026-12-03T12:00:00.000000Z", "2026-12-03T18:00:00.000000Z"])
    let skip = try client.call("Skip", #"{"id":"a"}"#)
    #expect(skip.text("skippedDate") == "2026-12-03T12:00:00.000000Z")
    #expect(try dates() == ["2026-12-03T18:00:00.000000Z", "2026-12-04T18:00:00.000000Z"])
    // Moved nearer, it still stands for its own date; reply and event say the same.
    try client.call("Reschedule", #"{"id":"a","start":{"at":"2026-12-03T17:00:00Z"}}"#)
    let nearer = try client.call("Skip", #"{"id":"a"}"#)
    #expect(nearer.text("skippedDate") == "2026-12-03T18:00:00.000000Z")
    #expect(try client.events("a").last?.text("skippedDate") == "2026-12-03T18:00:00.000000Z")
    try client.call(
      "Request",
      #"{"id":"a","ifExists":"replace","start":{"afterUSec":600000000},"repeat":{"everyUSec":3600000000}}"#
    )
    try client.call("Reschedule", #"{"id":"a","start":{"afterUSec":9000000000}}"#)
    #expect(try dates() == ["2026-12-01T14:30:00.000000Z", "2026-12-01T15:10:00.000000Z"])
  }

  @Test func whatIsSkippedDoesNotCount() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"a","repeat":{"calendar":"hourly","zone":"UTC","count":1}}"#)
    for hour in 13...15 {
      let skip = try client.call("Skip", #"{"id":"a"}"#)
      #expect(skip.text("skippedDate") == "2026-12-01T\(hour):00:00.000000Z")
    }
    try client.advance(seconds: 5 * 3600)
    #expect(try starts(client, "a") == ["2026-12-01T16:00:00.000000Z"])
  }

  @Test func whatIsSkippedLosesItsWallTime() throws {
    let client = try TestDaemon().connect()
    try client.call("io.lasched.TestClock.SetZone", #"{"zone":"Europe/Berlin"}"#)
    try client.call(
      "Request",
      #"{"id":"a","start":{"local":"2026-12-05T09:00","floating":true},"repeat":{"everyUSec":420000000}}"#
    )
    try client.call("Skip", #"{"id":"a"}"#)
    try client.call("io.lasched.TestClock.SetZone", #"{"zone":"America/New_York"}"#)
    let activity = try client.call("Get", #"{"id":"a"}"#)["activity"]
    #expect(activity?.text("startDate") == "2026-12-05T08:07:00.000000Z")
    #expect(activity?["localStart"] == nil)
  }

  @Test func whatIsToBeginLaterDoesSoThoughTheClockIsSetBack() throws {
    let client = try TestDaemon().connect()
    try client.call(
      "Request",
      #"{"id":"a","start":{"at":"2026-12-24T00:00:00Z"},"repeat":{"calendar":"18:00","zone":"UTC"}}"#
    )
    try client.call("io.lasched.TestClock.Step", #"{"byUSec":-5000000}"#)
    let activity = try client.call("Get", #"{"id":"a"}"#)
    #expect(activity.text("activity", "startDate") == "2026-12-24T18:00:00.000000Z")
    #expect(activity.text("activity", "nextStartDate") == "2026-12-25T18:00:00.000000Z")
  }

  @Test(
    arguments: [
      ("Mon..Fri 09:00 Europe/Berlin", 40), ("*-*-31 02:30 Europe/Berlin", 12),
      ("*-02-29", 3), ("*-*~1 23:59:59 UTC", 20), ("*:0/30 UTC", 60),
      ("Sun *-10,03-25..31 01:30 UTC", 6), ("hourly", 50),
    ])
  func datesAreThoseOfSystemd(calendar: String, count: Int) throws {
    let client = try TestDaemon().connect()
    let expected = try Self.systemd(calendar, count: count)
    guard !expected.isEmpty else { return }
    #expect(expected.count == count)
    try client.call(
      "Request",
      #"{"id":"s","endAfterUSec":1000000,"repeat":{"calendar":"\#(calendar)","zone":"UTC"}}"#)
    var found: [String] = []
    while found.count < count {
      let activity = try client.call("Get", #"{"id":"s"}"#)["activity"]
      guard let date = activity?.text("startDate") else { break }
      found.append(String(date.prefix(19)))
      try client.call("Skip", #"{"id":"s"}"#)
    }
    #expect(found == expected, "\(calendar)")
  }

  /// What systemd-analyze(1) says of a calendar; nothing where there is none.
  private static func systemd(_ calendar: String, count: Int) throws -> [String] {
    let command =
      "TZ=UTC systemd-analyze calendar --base-time='2026-12-01 12:00:00 UTC' "
      + "--iterations=\(count) '\(calendar)' 2>/dev/null"
    guard let pipe = unsafe popen(command, "r") else { return [] }
    defer { unsafe pclose(pipe) }
    var text = ""
    var line = [CChar](repeating: 0, count: 512)
    while unsafe fgets(&line, 512, pipe) != nil {
      text += String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    let lines = text.split(separator: "\n").map(String.init)
    let dated = lines.filter {
      $0.contains("(in UTC)") || ($0.contains("UTC") && !$0.contains("form:"))
    }
    return dated.compactMap { line in
      let words = line.split(separator: " ")
      guard let day = words.firstIndex(where: { $0.count == 10 && $0.contains("-") }),
        day + 1 < words.count
      else { return nil }
      return "\(words[day])T\(words[day + 1])"
    }
  }

  @Test(
    arguments: [
      (#"{"calendar":"*-02-31"}"#, "InvalidDate"), (#"{"calendar":"nonsense"}"#, "InvalidDate"),
      (#"{"calendar":"daily","zone":"No/Where"}"#, "InvalidDate"),
      (#"{"calendar":"daily","zone":"../../etc/passwd"}"#, "InvalidDate"),
      (#"{"calendar":"2026-01-01"}"#, "InvalidDate"),
      (#"{"everyUSec":999999}"#, "InvalidParameter"),
      (#"{"everyUSec":1000000,"count":0}"#, "InvalidParameter"), (#"{}"#, "InvalidParameter"),
      (#"{"calendar":"daily","everyUSec":1000000}"#, "InvalidParameter"),
      (#"{"calendar":"daily","untilDate":"2026-12-01T12:00:00Z"}"#, "InvalidDate"),
    ])
  func whatCannotRepeatIsRefused(repetition: String, error: String) throws {
    let client = try TestDaemon().connect()
    #expect(throws: Refused.named(error)) {
      try client.call("Request", #"{"id":"a","repeat":\#(repetition)}"#)
    }
    #expect(throws: Refused.invalid("bound")) {
      try client.call("Request", #"{"id":"a","bound":true,"repeat":{"everyUSec":1000000}}"#)
    }
    #expect(try client.call("GetStatus").text("sequence") == "0")
  }

  @Test func neitherBecomesTheOtherByAnUpdate() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"series","repeat":{"calendar":"daily"}}"#)
    #expect(throws: Refused.invalid("bound")) {
      try client.call("Request", #"{"id":"series","ifExists":"update","bound":true}"#)
    }
    try client.call("Request", #"{"id":"bound","bound":true}"#)
    #expect(throws: Refused.invalid("repeat")) {
      try client.call(
        "Request", #"{"id":"bound","ifExists":"update","repeat":{"calendar":"daily"}}"#)
    }
    // Both are as they were, and can still be read.
    #expect(
      try client.call("Request", #"{"id":"series","ifExists":"update"}"#).text("created") == "false"
    )
    #expect(
      try client.call("Request", #"{"id":"bound","ifExists":"update"}"#).text("created") == "false")
  }

  @Test func theLongestSpansTrapNobody() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"a","repeat":{"everyUSec":9223372036854775807}}"#)
    #expect(try client.call("Get", #"{"id":"a"}"#)["activity"]?.text("nextStartDate") == nil)
    try client.call("Request", #"{"id":"b","repeat":{"everyUSec":200000000000000000}}"#)
    #expect(throws: Refused.named("NoNextOccurrence")) {
      try client.call("Skip", #"{"id":"b"}"#)
      try client.call("Skip", #"{"id":"b"}"#)
    }
  }
}
