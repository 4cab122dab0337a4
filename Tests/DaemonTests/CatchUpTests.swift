import JSON
import Testing

/// Many starts that are due at once, after a sleep or a step of the clock: in bounded batches, the oldest
/// first, while the daemon goes on to serve others and to tell the service manager that it lives.
@Suite struct CatchUp {
  static let count = 8000

  /// Schedules a herd, the last to start first, on both clocks in turn or by dates alone; few at a
  /// time, so that no connection is full.
  private func schedule(_ client: Client, datesOnly: Bool) throws {
    var seconds = Self.count
    while seconds > 0 {
      let part = min(100, seconds)
      for _ in 0..<part {
        let instant = noon + seconds
        let start =
          datesOnly || seconds % 2 == 0
          ? #"{"at":"\#(Self.date(instant))"}"# : #"{"afterUSec":\#(seconds)000000}"#
        try client.send("Request", #"{"id":"h\#(seconds)","start":\#(start)}"#)
        seconds -= 1
      }
      for _ in 0..<part { _ = try client.reply() }
    }
  }

  /// An instant of that afternoon.
  private static func date(_ instant: Int) -> String {
    func two(_ number: Int) -> String { String(String(100 + number).dropFirst()) }
    let seconds = instant - noon
    return
      "2026-12-01T\(two(12 + seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))Z"
  }

  /// The starts of all since an event, in their order.
  private func starts(_ daemon: TestDaemon, since status: JSONNode) throws -> [JSONNode] {
    let (since, store) = (status.text("sequence") ?? "", status.text("store") ?? "")
    return try daemon.connect().watch(#"{"since":\#(since),"store":"\#(store)"}"#)
      .compactMap { $0["event"] }.filter { $0.text("kind") == "started" }
  }

  @Test(arguments: [("Suspend", "forUSec"), ("Step", "byUSec")])
  func comesInBatchesWhileOthersAreServedAndTheWatchdogIsFed(
    _ move: String, _ parameter: String
  ) throws {
    let manager = try NotifySocket()
    let daemon = try TestDaemon(
      environment: ["NOTIFY_SOCKET=\(manager.path)", "WATCHDOG_USEC=20000"])
    daemon.meanwhile = { manager.take() }
    let (mover, other) = (try daemon.connect(), try daemon.connect())
    try schedule(mover, datesOnly: move == "Step")
    let before = try other.call("GetStatus")
    #expect(before.text("pending") == "\(Self.count)")
    let signs = manager.signsOfLife
    try mover.send("io.lasched.TestClock.\(move)", #"{"\#(parameter)":86400000000}"#)
    // How many are left, each time that somebody else is answered.
    var left: [Int] = []
    var isCancelled = false
    while left.last != 0 {
      let isAmid = left.last.map { $0 < Self.count && $0 > 3000 } ?? false
      if isAmid, !isCancelled {
        // What is last in turn is still pending: a cancel of it wins, and what starts now does not wait.
        isCancelled = true
        try other.send("Cancel", #"{"id":"h\#(Self.count)"}"#)
        try other.send("Request", #"{"id":"new"}"#)
        #expect(try other.reply().text("found", "pending") == "1")
        #expect(try other.reply().text("activity", "state") == "active")
      }
      left.append(Int(try other.call("GetStatus").text("pending") ?? "") ?? 0)
    }
    let fed = manager.signsOfLife - signs
    _ = try mover.reply()
    #expect(isCancelled && left == left.sorted(by: >))
    // How many fit in between is a matter of how busy this machine is.
    #expect(Set(left).count >= 2, "\(left)")
    #expect(fed >= 2, "\(fed) signs of life")
    let starts = try starts(daemon, since: before).filter { $0.text("id") != "new" }
    #expect(starts.count == Self.count - 1)
    let dates = starts.compactMap { $0.text("dueDate") }
    #expect(dates.count == starts.count && dates == dates.sorted())
  }

  /// Herds of series are one late occurrence each, however many dates each has missed.
  @Test func seriesAddOneOccurrenceEach() throws {
    let daemon = try TestDaemon()
    let client = try daemon.connect()
    for number in 0..<200 {
      let rule =
        number % 2 == 1
        ? #""everyUSec":\#(1 + number)000000"#
        : #""calendar":"*:*:0/\#(1 + number % 59) UTC""#
      try client.call("Request", #"{"id":"s\#(number)","repeat":{\#(rule)}}"#)
    }
    let before = try client.call("GetStatus")
    // A year asleep, 25 years ahead and back, 400 years ahead.
    for (move, span) in [
      (#"Suspend"#, #"{"forUSec":31557600000000}"#), ("Step", #"{"byUSec":788940000000000}"#),
      ("Step", #"{"byUSec":-788940000000000}"#), ("Step", #"{"byUSec":12622780800000000}"#),
    ] {
      let reply = try client.call("io.lasched.TestClock.\(move)", span)
      // The one before goes, a new one comes and starts; perhaps another date for it.
      #expect((Int(reply.text("events") ?? "") ?? .max) <= 200 * 5 + 1, "\(move) \(span)")
    }
    #expect(try starts(daemon, since: before).count <= 4 * 200)
    let now = try client.call("GetStatus").text("now") ?? ""
    for number in 0..<200 {
      let activity = try client.call("Get", #"{"id":"s\#(number)"}"#)
      let next =
        activity.text("activity", "nextStartDate") ?? activity.text("activity", "startDate")
      #expect(next ?? "" > now && (next ?? "").prefix(13) == now.prefix(13), "s\(number)")
    }
  }
}
