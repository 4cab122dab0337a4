import LiveActivity
import SchedulerAPI

extension Verb {
  static let act = Verb(
    "act", "ID ACTION", "use one of an activity's actions", operands: 2...2,
    options: [.session, .owner],
    notes: ["The program that the activity comes from hears of it as an event."]
  ) { context throws(Failure) in
    let invocation = context.invocation
    let id = try invocation.id()
    let action = invocation.operands[1]
    let owner = try invocation.owner()
    let daemon = try context.connect()
    var session = try invocation.number(.session)
    if session == nil {
      var get = GetParameters(id: id)
      get.owner = owner
      session = try daemon.activity(get).session
    }
    var act = ActParameters(id: id, session: session ?? 0, action: action)
    act.owner = owner
    context.show(try daemon.call(act).node) {}
    context.console.note("\(harmless(id.text)): \(harmless(action))")
    return .done
  }

  static let enable = Verb(
    "enable", "[--type NAME] [--application NAME]", "take new activities again",
    options: [.type, .application, .owner]
  ) { context throws(Failure) in try setEnabled(true, context) }

  static let disable = Verb(
    "disable", "[--type NAME] [--application NAME]",
    "refuse new activities: all, or those of a type or application",
    options: [.type, .application, .owner], notes: ["What is pending starts all the same."]
  ) { context throws(Failure) in try setEnabled(false, context) }

  private static func setEnabled(_ enabled: Bool, _ context: Context) throws(Failure) -> ExitCode {
    var change = SetEnabledParameters(enabled: enabled)
    change.attributesType = context.invocation.value(.type)
    change.application = context.invocation.value(.application)
    change.owner = try context.invocation.owner()
    context.show(try context.connect().call(change).node) {}
    let what = [
      change.attributesType.map { "type \(harmless($0))" },
      change.application.map { "application \(harmless($0))" },
    ].compactMap { $0 }.joined(separator: ", ")
    context.console.note(
      "\(what.isEmpty ? "activities" : what) \(enabled ? "enabled" : "disabled")")
    return .done
  }
}
