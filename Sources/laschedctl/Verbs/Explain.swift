import JSON
import LiveActivity
import SchedulerAPI
import TimeExpressions

extension Verb {
  static let explain = Verb(
    "explain", "WHEN [--zone ZONE] [--base-time WHEN] [--iterations N]",
    "what a date, a span or a repeat means, from any base time in any zone",
    operands: 1...32, options: [.zone, .baseTime, .iterations],
    notes: [
      "It tells the instant that it comes to, the next ones of a repeat (five, or --iterations), "
        + "and what was adjusted or could have meant something else. What can be a date or a repeat "
        + "is told as both. Words need no quotes. No daemon is asked, but one whose time moves on "
        + "command, which $LASCHED_SOCKET leads to."
    ]
  ) { context throws(Failure) in
    let invocation = context.invocation
    let iterations = try invocation.number(.iterations) ?? 5
    guard (1...10_000).contains(iterations) else {
      throw .malformed("--iterations '\(iterations)' is not from 1 to 10000")
    }
    let zone = try TimeReader.zone(invocation)
    var time = TimeReader(now: now(context), zone: zone)
    var base = time.now
    if let given = invocation.last(.baseTime) {
      base = try time.date(given.value, given.spelling).microseconds
    }
    let text = invocation.operands.joined(separator: " ")
    let explanation = try Explanation(
      text, base: base, zone: zone, iterations: Int(iterations))
    guard context.console.form == .text else {
      if let node = try? explanation.json?.parsed() { context.console.value(node) }
      return .done
    }
    for line in explanation.lines { context.console.line(harmless(line)) }
    return .done
  }

  /// The machine's clock, unless a daemon was chosen whose time is another.
  private static func now(_ context: Context) -> Int64 {
    let isChosen = context.invocation.has(.socket) || environment("LASCHED_SOCKET") != nil
    if isChosen, let daemon = try? context.connect(), let now = try? daemon.now() {
      return now.microseconds
    }
    let now = machineMicroseconds()
    return now - now % 1_000_000
  }
}
