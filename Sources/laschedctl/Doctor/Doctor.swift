import Following
import JSON

extension Verb {
  static let doctor = Verb(
    "doctor", "", "look for what is wrong with the daemon and around it, and say what helps",
    notes: [
      "It looks at the daemon and its store, agents and the notification server, the clock, time zones, "
        + "wake-ups, and what is installed.",
      "Exits with 1 if something is wrong. What begins with 'note' is not.",
    ]
  ) { context throws(Failure) in
    var examination = Examination()
    let choice = try context.socket()
    if examination.socket(choice) { examination.daemon(choice) }
    examination.notificationServer()
    examination.clock()
    examination.zones()
    examination.wakeUps()
    examination.installation(choice)
    examination.state(choice)
    examination.lingering(choice)
    for finding in examination.findings { context.tell(finding) }
    return examination.findings.contains { $0.grade == .wrong } ? .refused : .done
  }
}

/// One thing that the doctor looked at.
struct Finding: Sendable {
  enum Grade: String, Sendable {
    case fine = "ok"
    /// Worth knowing, and nothing wrong.
    case note
    case wrong
  }

  let grade: Grade
  let text: String
  /// What helps; nothing where nothing is needed.
  let remedy: String
}

extension Context {
  fileprivate func tell(_ finding: Finding) {
    guard console.form == .text else {
      var writer = JSONWriter()
      writer.beginObject()
      writer.member("grade", finding.grade.rawValue)
      writer.member("text", finding.text)
      writer.member("remedy", finding.remedy.isEmpty ? nil : finding.remedy)
      writer.endObject()
      if let node = try? JSONNode(validating: writer.take()) { console.value(node) }
      return
    }
    let style: Style =
      switch finding.grade {
      case .fine: .green
      case .note: .yellow
      case .wrong: .boldRed
      }
    let grade = style.applied(
      to: Cells.pad(finding.grade.rawValue, 5), console.output.isColoured)
    console.line("\(grade) \(harmless(finding.text))")
    if !finding.remedy.isEmpty { console.line("      \(harmless(finding.remedy))") }
  }
}
