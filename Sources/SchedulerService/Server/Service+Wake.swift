internal import LiveActivity
internal import Scheduling
internal import Systemd

// Waking the machine from suspend, for activities that ask for it.
extension Service {
  /// Finds out anew whether the machine can be woken; in mocked time a test says so.
  func lookAtWake() {
    guard let wakeAlarm else { return }
    engine.wakeProblem = wakeAlarm.look()
    if engine.wakeProblem == nil { toldWakeProblem = nil }
  }

  /// Arms the alarms for what is next to wake the machine; without that there are none.
  func armWake() {
    guard let wakeAlarm else { return }
    let next = engine.core.nextWakes
    if next != NextDeadlines() { tellWakeProblem() }
    do throws(SystemError) {
      try wakeAlarm.arm(for: next, at: clock.reading)
    } catch {
      // It is a wake only: what is due starts by the ordinary timers, when somebody else wakes it.
      wakeAlarm.giveUp(error)
      engine.wakeProblem = wakeAlarm.problem
      tellWakeProblem()
    }
  }

  /// Tells the journal once that activities are to wake the machine, and cannot.
  private func tellWakeProblem() {
    guard let problem = engine.wakeProblem, problem != toldWakeProblem else { return }
    toldWakeProblem = problem
    journal.log(
      .warning, "Activities are to wake this machine and cannot: \(problem)",
      id: MessageID.cannotWake)
  }
}
