import Following
import Glibc
import LiveActivity
import SchedulerAPI
import TimeExpressions

extension Examination {
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
      self.status = status
      compare(status, clock, before, after)
      count(status)
      // An ordinary user would be refused, and that would be in the journal.
      if choice.origin != .system || Users.isAdmin { checkStore(daemon) }
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
      add(.fine, "its clock agrees with the machine's")
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

  /// The store as a whole, which may take its time.
  private mutating func checkStore(_ daemon: Daemon) {
    daemon.patience = 120_000
    var parameters = GetStatusParameters()
    parameters.checkStore = true
    do throws(Failure) {
      guard let findings = try daemon.call(parameters).reply.storeFindings else { return }
      if findings.isEmpty {
        add(.fine, "the store is sound: its file, and every session with its events")
      }
      for finding in findings {
        add(
          .wrong, "the store: \(finding)",
          "see DAMAGE in lasched(8)")
      }
    } catch {
      // An older daemon does not know of it, and another socket may be the system's after all.
      guard ![ExitCode.notPermitted, .malformed].contains(error.code) else { return }
      add(.note, "the store was not looked through: \(error.message)", "try again as root")
    }
  }
}
