import Following
import Glibc
import JSON
import LiveActivity
import SchedulerAPI
import TimeExpressions

extension Verb {
  static let doctor = Verb(
    "doctor", "", "look for what is wrong with the daemon and around it, and say what helps",
    notes: ["Exits with 1 if something is wrong. What begins with 'note' is not."]
  ) { context throws(Failure) in
    var examination = Examination()
    let choice = try context.socket()
    if examination.socket(choice) { examination.daemon(choice) }
    examination.zones()
    examination.store(choice)
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

/// What the doctor looks at, one after the other.
struct Examination {
  private(set) var findings: [Finding] = []

  private mutating func add(_ grade: Finding.Grade, _ text: String, _ remedy: String = "") {
    findings.append(Finding(grade: grade, text: text, remedy: remedy))
  }

  /// Whether there is a socket.
  mutating func socket(_ choice: SocketChoice) -> Bool {
    let why =
      switch choice.origin {
      case .option: "as --socket says"
      case .environment: "as $LASCHED_SOCKET says"
      case .system: "the system's"
      case .user: "the user's"
      }
    var status = stat()
    guard unsafe stat(choice.path, &status) == 0 else {
      add(
        .wrong, "no daemon: socket \(choice.path) (\(why)): \(systemError(errno))", choice.remedy)
      return false
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      add(.wrong, "\(choice.path) (\(why)) is no socket", "remove it and start the daemon")
      return false
    }
    let mode = status.st_mode & 0o777
    let text = "socket \(choice.path) (\(why)), mode 0\(String(mode, radix: 8))"
    if choice.origin == .system, mode != 0o666 {
      add(
        .wrong, text,
        "it should be 0666: the daemon itself checks who calls; restart lasched.socket")
    } else if choice.origin == .user, mode & 0o077 != 0 {
      add(.wrong, text, "it should be 0600: restart the user's lasched.socket")
    } else {
      add(.fine, text)
    }
    if choice.origin == .system, SocketPath.exists(SocketPath.user) {
      add(
        .note, "there is a user's daemon too, at \(SocketPath.user)",
        "--user or $LASCHED_SOCKET chooses it")
    }
    return true
  }

  mutating func daemon(_ choice: SocketChoice) {
    do throws(Failure) {
      let daemon = try Daemon(choice)
      daemon.patience = 5000
      var clock = DaemonClock()
      try clock.read(daemon)
      var parameters = GetStatusParameters()
      parameters.everyOwner = Users.isRoot
      let before = machineMicroseconds()
      let status = try daemon.call(parameters).reply
      let after = machineMicroseconds()
      add(
        .fine, "lasched \(status.version) answers; store \(status.store), event \(status.sequence)")
      if status.version != Version.text {
        add(
          .note, "laschedctl is \(Version.text), lasched \(status.version)",
          "after an update restart the daemon: systemctl restart lasched")
      }
      compare(status, clock, before, after)
      count(status)
    } catch {
      add(
        .wrong, error.message,
        "what does its journal say? journalctl -u lasched; then systemctl restart lasched")
    }
  }

  private mutating func compare(
    _ status: ServiceStatus, _ clock: DaemonClock, _ before: Int64, _ after: Int64
  ) {
    let now = status.now.microseconds
    if clock.standsStill {
      add(.note, "its time moves on command only, and is \(TimeText.utc(now))")
    } else if now < before - 1_000_000 || now > after + 1_000_000 {
      add(
        .wrong, "its clock says \(TimeText.utc(now)), this program's \(TimeText.utc(before))",
        "is it another machine's or a container's daemon?")
    } else {
      let isSynchronised = unsafe access("/run/systemd/timesync/synchronized", F_OK) == 0
      add(
        .fine,
        "its clock agrees with the machine's"
          + (isSynchronised ? ", which is synchronised" : ""))
    }
    if let next = status.nextDate?.microseconds, next < now - 5_000_000 {
      add(
        .wrong,
        "the next deadline was due \(TimeFormat.distance(from: now, to: next)), and nothing happened",
        "what does its journal say? journalctl -u lasched")
    }
  }

  private mutating func count(_ status: ServiceStatus) {
    add(.fine, "\(status.pending) pending, \(status.active) active, \(status.ended) ended")
    if !status.activitiesEnabled {
      add(.note, "new activities are refused", "laschedctl enable")
    }
    if status.alertAgents == 0 {
      add(
        .note, "nobody shows alerts: no agent is connected",
        "in a desktop session: systemctl --user start lasched-notify")
    } else {
      add(.fine, "alerts are shown by \(status.alertAgents) agent(s)")
    }
  }

  mutating func zones() {
    if let version = TimeReader.zones.version {
      add(.fine, "time zones are those of \(version)")
    } else if (try? TimeReader.zones.rules("Europe/Berlin")) != nil {
      add(.fine, "time zones are there, of a version that they do not tell")
    } else {
      add(
        .wrong, "there is no time zone data in \(TimeReader.zones.directory)",
        "apt-get install tzdata")
    }
    do throws(TimeZoneError) {
      add(.fine, "the zone is \(try TimeReader.zones.localRules(tz: environment("TZ")).name)")
    } catch {
      add(.wrong, "\(error)", "set $TZ or /etc/localtime: timedatectl set-timezone ZONE")
    }
  }

  mutating func store(_ choice: SocketChoice) {
    guard choice.origin == .system || choice.origin == .user else { return }
    let state = setting("XDG_STATE_HOME") ?? (setting("HOME") ?? "") + "/.local/state"
    let path = choice.origin == .system ? "/var/lib/lasched" : state + "/lasched"
    guard unsafe access(path, F_OK) == 0, let mount = MountPoint.of(path) else { return }
    if ["tmpfs", "ramfs"].contains(mount.type) {
      add(
        .wrong, "\(path) is on a \(mount.type): what is scheduled does not survive a reboot",
        "give it a place on a disk")
    } else if mount.isNetwork {
      add(
        .wrong, "\(path) is on \(mount.type): a network's locks and syncs cannot be relied on",
        "give it a place on a local disk")
    } else {
      add(.fine, "\(path) is on \(mount.type)")
    }
  }

  mutating func lingering(_ choice: SocketChoice) {
    guard choice.origin == .user, !Users.isRoot else { return }
    let name = Users.name(UserID(getuid()))
    guard unsafe access("/run/systemd/system", F_OK) == 0,
      unsafe access("/var/lib/systemd/linger/\(name)", F_OK) != 0
    else { return }
    add(
      .note, "the user's daemon ends when the last session of \(name) does",
      "loginctl enable-linger, or the system's daemon")
  }
}
