import Notifications
import Systemd

/// The notification server on a session bus, which comes, goes and hangs as it likes.
final class ServerLink {
  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let dunst = "org.dunstproject.cmd0"
  /// Until a question, and until a call of Notify counts as not answered; microseconds.
  private static let patience: UInt64 = 25_000_000
  private static let longPatience: UInt64 = 120_000_000

  private let bus: Bus
  private let log: Journal
  private let hear: (AgentInput) -> Void
  private var slots: [BusSlot] = []
  private var owner: String?
  /// What is being asked of this owner.
  private var questions: [BusSlot] = []
  private var showing: BusSlot?
  private var isKnown = false
  /// Whether each of the two ways to hold notifications back is in use.
  private var inhibitions: [String: Bool] = [:]
  /// When a server that did not answer is asked again, on CLOCK_BOOTTIME.
  private(set) var retryAt: Int64?
  private var pause: Int64 = 5_000_000

  /// Says in one line which server there is; nil for none.
  private(set) var description: String?

  init(
    _ bus: Bus, _ log: Journal, _ hear: @escaping (AgentInput) -> Void
  ) throws(SystemError) {
    self.bus = bus
    self.log = log
    self.hear = hear
    slots.append(
      try bus.match("type='signal',path='\(Self.path)',interface='\(Self.name)'") {
        [weak self] in self?.take($0)
      })
    slots.append(
      try bus.match(
        "type='signal',path='\(Self.path)',interface='\(Self.properties)',"
          + "member='PropertiesChanged'"
      ) { [weak self] in self?.takeProperties($0) })
    slots += try bus.watch(name: Self.name) { [weak self] in self?.change($0) }
  }

  private func change(_ next: String?) {
    guard next != owner else { return }
    questions = []
    showing = nil
    retryAt = nil
    inhibitions = [:]
    if isKnown {
      isKnown = false
      hear(.serverGone)
    }
    if description != nil { log.log(.info, "the notification server went away") }
    description = nil
    owner = next
    pause = 5_000_000
    if next != nil { ask() }
  }

  /// Asks what it is and can; it counts as there once it has answered.
  func ask() {
    retryAt = nil
    call("GetServerInformation") { [weak self] information in
      self?.call("GetCapabilities") { capabilities in
        self?.askInhibition(information, capabilities)
      }
    }
  }

  private func askInhibition(_ information: [BusValue], _ capabilities: [BusValue]) {
    guard let owner, information.count == 4 else { return }
    let server = NotificationServer(
      owner: owner, name: information[0].text ?? "", vendor: information[1].text ?? "",
      capabilities: Set((capabilities.first?.elements ?? []).compactMap(\.text)))
    get(Self.name, "Inhibited") { [weak self] isInhibited in
      guard let self else { return }
      self.inhibitions[Self.name] = isInhibited
      guard server.name == "dunst" else { return self.begin(server, information) }
      self.get(Self.dunst, "paused") { isPaused in
        self.inhibitions[Self.dunst] = isPaused
        self.begin(server, information)
      }
    }
  }

  private func begin(_ server: NotificationServer, _ information: [BusValue]) {
    let version = information[2].text ?? ""
    description = "\(server.name) \(version)"
    log.log(.info, "notification server: \(server.name) \(version) (\(server.vendor))")
    isKnown = true
    questions = []
    hear(.server(server))
    tellInhibition()
  }

  private func tellInhibition() { hear(.inhibited(inhibitions.values.contains(true))) }

  /// Calls this owner, never one after it.
  private func call(_ member: String, _ then: @escaping ([BusValue]) -> Void) {
    guard let owner else { return }
    keep { () throws(SystemError) in
      try bus.call(
        owner, Self.path, Self.name, member, timeout: Self.patience
      ) { [weak self] result in
        switch result {
        case .success(let values): then(values)
        case .failure(let error): self?.wait(member, error)
        }
      }
    }
  }

  private func get(_ interface: String, _ property: String, _ then: @escaping (Bool) -> Void) {
    guard let owner else { return }
    keep { () throws(SystemError) in
      try bus.call(
        owner, Self.path, Self.properties, "Get", [.string(interface), .string(property)],
        timeout: Self.patience
      ) { result in
        // Most servers know of no such property: they hold nothing back.
        then((try? result.get())?.first?.truth ?? false)
      }
    }
  }

  private func keep(_ body: () throws(SystemError) -> BusSlot) {
    do throws(SystemError) { questions.append(try body()) } catch {
      log.log(.warning, "cannot ask the notification server: \(error)")
    }
  }

  private func wait(_ member: String, _ error: BusError) {
    log.log(.warning, "\(member) of the notification server: \(error); asking again later")
    questions = []
    retryAt = SystemClock.boottime + pause
    pause = min(60_000_000, pause * 2)
  }

  // MARK: Calls

  func notify(_ notice: Notice) {
    guard let owner else { return hear(.unanswered) }
    let actions = notice.buttons.flatMap { [$0.key, $0.label] }
    let hints = notice.hints.sorted { $0.key < $1.key }.map { ($0.key, BusValue($0.value)) }
    let arguments: [BusValue] = [
      .string(notice.application), .uint32(notice.replaces), .string(notice.icon),
      .string(notice.summary), .string(notice.body), .strings(actions), .options(hints),
      .int32(notice.timeout),
    ]
    do throws(SystemError) {
      showing = try bus.call(
        owner, Self.path, Self.name, "Notify", arguments, timeout: Self.longPatience
      ) { [weak self] result in
        self?.showing = nil
        switch result {
        case .success(let values):
          let id = values.first?.number.flatMap { UInt32(exactly: $0) }
          self?.hear(id.map { .shown($0) } ?? .refused("its answer has no number"))
        case .failure(let error):
          self?.hear(
            error.isNoReply || error.isServiceUnknown ? .unanswered : .refused("\(error)"))
        }
      }
    } catch {
      hear(.refused("\(error)"))
    }
  }

  func close(_ id: UInt32) {
    guard let owner else { return }
    // Nobody waits for the answer: what is not there any more is closed.
    _ = try? bus.call(
      owner, Self.path, Self.name, "CloseNotification", [.uint32(id)], timeout: Self.patience
    ) { _ in }
  }

  // MARK: Signals

  private func take(_ message: BusMessage) {
    guard message.sender == owner, isKnown, message.arguments.count >= 2,
      let id = message.arguments[0].number.flatMap({ UInt32(exactly: $0) })
    else { return }
    switch message.member {
    case "NotificationClosed":
      hear(.closed(id, CloseReason(message.arguments[1].number ?? 0)))
    case "ActionInvoked":
      if let key = message.arguments[1].text { hear(.pressed(id, key: key)) }
    default: break
    }
  }

  private func takeProperties(_ message: BusMessage) {
    guard message.sender == owner, message.arguments.count >= 2,
      let interface = message.arguments[0].text
    else { return }
    let name = interface == Self.dunst ? "paused" : "Inhibited"
    guard interface == Self.dunst || interface == Self.name,
      let value = message.arguments[1][name]?.truth
    else { return }
    inhibitions[interface] = value
    if isKnown { tellInhibition() }
  }
}

extension BusValue {
  init(_ hint: Notice.Hint) {
    switch hint {
    case .byte(let value): self = .byte(value)
    case .boolean(let value): self = .boolean(value)
    case .int32(let value): self = .int32(value)
    case .string(let value): self = .string(value)
    }
  }
}
