import Glibc
import SchedulerAPI

/// What the doctor looks at, one after the other.
struct Examination {
  private(set) var findings: [Finding] = []
  /// What the daemon says of itself; nil where it does not answer.
  var status: ServiceStatus?

  mutating func add(_ grade: Finding.Grade, _ text: String, _ remedy: String = "") {
    findings.append(Finding(grade: grade, text: text, remedy: remedy))
  }

  /// How it is with a service that systemd runs: what `systemctl VERB` says; nil without systemd.
  func systemctl(_ arguments: String..., isUser: Bool = false) -> String? {
    guard exists("/run/systemd/system") else { return nil }
    let manager = isUser ? ["--user"] : []
    return ProgramOutput.of("systemctl", manager + arguments)?.text
  }

  func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}
