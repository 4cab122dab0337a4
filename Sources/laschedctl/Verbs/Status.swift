import JSON
import LiveActivity
import SchedulerAPI
import TimeExpressions

extension Verb {
  static let status = Verb(
    "status", "", "the daemon's clock and counts", options: [.everyOwner, .type, .application]
  ) { context throws(Failure) in
    let invocation = context.invocation
    var status = GetStatusParameters()
    status.everyOwner = invocation.has(.everyOwner) || Users.isRoot
    status.attributesType = invocation.value(.type)
    status.application = invocation.value(.application)
    let daemon = try context.connect()
    let answer = try daemon.call(status)
    let console = context.console
    guard console.form == .text else {
      console.value(answer.node)
      return .done
    }
    guard console.isForPeople else {
      for member in answer.node.members {
        let value = member.value.string ?? member.value.displayed(indented: false)
        console.line("\(harmless(member.key.string ?? ""))=\(harmless(value))")
      }
      return .done
    }
    let reply = answer.reply
    let zone = TimeReader.zoneToShow()
    let now = reply.now.microseconds
    var counts = "\(reply.pending) pending, \(reply.active) active, \(reply.ended) ended"
    if !reply.activitiesEnabled { counts += "; new ones are disabled" }
    console.line("lasched \(harmless(reply.version)) at \(harmless(daemon.choice.path))")
    console.line("  now      \(TimeText.local(now, zone))")
    console.line("  has      \(counts)")
    let next = reply.nextDate?.microseconds
    console.line(
      "  next     "
        + (next.map { "\(TimeText.local($0, zone)), \(TimeFormat.distance(from: now, to: $0))" }
          ?? "nothing"))
    if let wake = reply.nextWakeDate?.microseconds {
      let problem = reply.wakeProblem.map { ", but cannot: \(harmless($0))" } ?? ""
      console.line("  wakes    this machine at \(TimeText.local(wake, zone))\(problem)")
    }
    console.line("  alerts   \(agents(reply.alertAgents))")
    console.line("  store    \(harmless(reply.store)), event \(reply.sequence)")
    return .done
  }

  private static func agents(_ count: Int64) -> String {
    switch count {
    case 0: "nobody shows them"
    case 1: "1 agent shows them"
    default: "\(count) agents show them"
    }
  }
}
