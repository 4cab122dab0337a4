import Following
import Glibc
import JSON
import LiveActivity
import SchedulerAPI
import Systemd
import Varlink

/// Follows the daemon and tells alerts on terminals. It never settles one: what was told on a
/// terminal is still told by a person's agent; the history says whom it reached.
struct Wall {
  private let options: WallOptions
  private let settings: WallSettings
  private let journal: Journal
  private let follower: Follower
  private var asker: VarlinkConnection?
  private var writer = TerminalWriter()
  private var people = People()
  /// Whom the history names already, of the last alerts.
  private var told: [(sequence: Int64, user: UInt32)] = []

  init(_ options: WallOptions, _ settings: WallSettings, _ journal: Journal) {
    self.options = options
    self.settings = settings
    self.journal = journal
    var monitor = MonitorParameters()
    monitor.everyOwner = options.terminal == nil
    follower = Follower(options.socket, monitor)
  }

  /// Runs until it is ended, or the daemon refuses it.
  mutating func run() throws(WallFailure) {
    while true {
      announce(try news())
      for receipt in writer.proceed() { tell(receipt) }
      var entries = writer.entries
      if let descriptor = follower.descriptor {
        entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
      }
      let limit = [writer.patience, follower.patience].compactMap { $0 }.min()
      _ = unsafe poll(&entries, nfds_t(entries.count), Int32(clamping: limit ?? -1))
    }
  }

  /// The alerts that have come.
  private mutating func news() throws(WallFailure) -> [Announcement] {
    var found: [Announcement] = []
    do throws(FollowerError) {
      while let item = try follower.next() {
        switch item {
        case .event(let event):
          if let announcement = announcement(event) { found.append(announcement) }
        case .lost: asker = nil
        case .snapshot, .ready: break
        }
      }
    } catch {
      switch error {
      case .refused(let reason, _):
        throw WallFailure(
          message: "the daemon refuses: \(reason); lasched-wall has to be in the AdminGroup=",
          code: 77)
      case .connection(let reason): throw WallFailure(message: "no daemon: \(reason)", code: 69)
      case .notUnderstood(let reason):
        throw WallFailure(message: "the daemon is not understood: \(reason)", code: 1)
      }
    }
    return found
  }

  /// What an event has to tell on terminals; nil for nothing. One that was put off comes back to the
  /// person's agents, who put it off.
  private mutating func announcement(_ event: JSONNode) -> Announcement? {
    guard let alert = event["alert"], let title = alert["title"]?.string,
      event["kind"]?.equals("alertSnoozed") != true,
      let id = event["id"]?.string,
      let owner = event["owner"]?.int64.flatMap(UInt32.init(exactly:)),
      let sequence = event["sequence"]?.int64,
      let date = event["date"]?.string.flatMap({ try? WallTime(rfc3339: $0) })
    else { return nil }
    var get = GetParameters(id: ActivityID(stored: id))
    get.session = event["session"]?.int64
    get.owner = UserID(owner)
    guard let now = ask(GetStatusParameters())?.now, let activity = ask(get)?.activity else {
      return nil
    }
    let age = max(0, now.microseconds &- date.microseconds)
    guard age < settings.timeToLive else { return nil }
    let announcement = Announcement(
      sequence: sequence, id: id, owner: owner, title: title, body: alert["body"]?.string ?? "",
      isQuiet: alert["urgency"]?.equals("low") == true, date: date.microseconds, age: age,
      audience: activity.audience.compactMap { try? Audience($0) })
    let isWanted = announcement.isShared || settings.show == .all || options.terminal != nil
    return isWanted ? announcement : nil
  }

  /// Writes to the terminals of whom they are for.
  private mutating func announce(_ announcements: [Announcement]) {
    guard !announcements.isEmpty else { return }
    people.forget()
    for (user, path) in terminals() {
      let own = announcements.filter { announcement in
        announcement.isFor(user, name: people.name(user), groups: people.groups(user))
      }
      guard !own.isEmpty, let descriptor = TerminalWriter.open(path, owner: user) else { continue }
      let text = WallText.of(
        own, for: user, columns: TerminalWriter.columns(descriptor), name: people.name)
      writer.write(
        text, to: descriptor, TerminalWriter.Receipt(user: user, alerts: own.map(\.sequence)))
    }
  }

  /// The terminals there are, and whose they are.
  private func terminals() -> [(user: UInt32, path: String)] {
    if let path = options.terminal { return [(geteuid(), path)] }
    do throws(SystemError) {
      return try LoginSessions.onTerminals().map { ($0.userID, "/dev/" + $0.terminal) }
    } catch {
      journal.log(.warning, "who is logged in cannot be told: \(error)")
      return []
    }
  }

  /// The history is to say who was told.
  private mutating func tell(_ receipt: TerminalWriter.Receipt) {
    for sequence in receipt.alerts {
      // A person may have several terminals.
      if told.contains(where: { $0 == (sequence, receipt.user) }) { continue }
      told.append((sequence, receipt.user))
      if told.count > 4096 { told.removeFirst(2048) }
      var confirmation = ConfirmAlertParameters(sequence: sequence, wasShown: true)
      confirmation.person = UserID(receipt.user)
      _ = ask(confirmation)
    }
  }

  /// Asks the daemon; nil where it has no good answer within five seconds.
  private mutating func ask<Call: SchedulerCall>(_ call: Call) -> Call.Reply? {
    for _ in 0..<2 {
      do throws(VarlinkError) {
        let connection: VarlinkConnection
        if let asker {
          connection = asker
        } else {
          connection = try VarlinkConnection(connectingTo: options.socket)
        }
        asker = connection
        try connection.send(Call.method, call.encode)
        guard let reply = try connection.receive(milliseconds: 5000) else {
          asker = nil
          return nil
        }
        guard reply.error == nil else { return nil }
        return try? Call.Reply(decoding: reply.parameters)
      } catch {
        // It was restarted; once more.
        asker = nil
      }
    }
    return nil
  }
}
