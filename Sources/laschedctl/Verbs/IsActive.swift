import JSON
import SchedulerAPI

extension Verb {
  static let isActive = Verb(
    "is-active", "ID", "exit with 0 while it is active or stale, else with 3",
    operands: 1...1, options: [.owner], notes: ["stdout has its state, or 'unknown'."]
  ) { context throws(Failure) in
    var get = GetParameters(id: try context.invocation.id())
    get.owner = try context.invocation.owner()
    let daemon = try context.connect()
    do throws(Failure) {
      let state = try daemon.activity(get).state
      context.tell(state)
      return state == "active" || state == "stale" ? .done : .notActive
    } catch  where error.code == .noSuchActivity {
      context.tell("unknown")
      return .notActive
    }
  }
}

extension Context {
  fileprivate func tell(_ state: String) {
    guard !console.isQuiet else { return }
    if console.form == .text {
      console.line(state)
    } else {
      console.line("\"\(state)\"")
    }
  }
}
