import Systemd
import TestBus

/// A notification server that does what a test says, and notes every call.
final class ScriptedServer {
  static let name = "org.freedesktop.Notifications"
  static let path = "/org/freedesktop/Notifications"

  private let loop: EventLoop
  private let bus: Bus
  private var slots: [BusSlot] = []
  /// Every call but those of properties, in order.
  private(set) var calls: [BusMessage] = []
  /// The calls of Notify that were not answered, as the script wants it.
  private var held: [BusCall] = []
  /// Whether calls are answered; what was held is answered when this becomes true.
  var answers = true { didSet { if answers { release() } } }
  /// The number of the next bubble; nil gives what was to be replaced, or one more than the last.
  var nextID: UInt32?
  /// What Notify is refused with.
  var refusal: BusError?
  private var last: UInt32 = 0

  var notices: [BusMessage] { calls.filter { $0.member == "Notify" } }
  var closed: [Int64?] {
    calls.filter { $0.member == "CloseNotification" }.map { $0.arguments.first?.number }
  }

  init(
    _ loop: EventLoop, _ address: String, name: String = "scripted", vendor: String = "tests",
    capabilities: [String] = ["actions", "body", "body-markup"], answers: Bool = true,
    isInhibited: Bool? = nil
  ) throws {
    self.loop = loop
    self.answers = answers
    bus = try Bus(loop, address: address) {}
    slots.append(
      try bus.serve(Self.path) { [weak self] call in
        guard let self else { return }
        switch call.message.member {
        case "Get":
          if let isInhibited {
            try? call.reply([.variant(.boolean(isInhibited))])
          } else {
            try? call.refuse(
              BusError("org.freedesktop.DBus.Error.UnknownProperty", "there is none"))
          }
          return
        case "GetServerInformation":
          self.calls.append(call.message)
          if self.answers {
            try? call.reply([.string(name), .string(vendor), .string("1"), .string("1.2")])
          }
        case "GetCapabilities":
          self.calls.append(call.message)
          try? call.reply([.strings(capabilities)])
        case "CloseNotification":
          self.calls.append(call.message)
          try? call.reply()
        default:
          self.calls.append(call.message)
          if self.answers { self.answer(call) } else { self.held.append(call) }
        }
      })
    var owned: Bool?
    slots.append(try bus.request(name: Self.name) { owned = $0 })
    try wait(loop, "for the name") { owned != nil }
    guard owned == true else { throw TestFailure("the name is taken") }
  }

  private func answer(_ call: BusCall) {
    if let refusal {
      try? call.refuse(refusal)
      return
    }
    let asked = call.message.arguments.count > 1 ? call.message.arguments[1].number ?? 0 : 0
    let id = nextID ?? (asked > 0 ? UInt32(asked) : last + 1)
    last = max(last, id)
    try? call.reply([.uint32(id)])
  }

  private func release() {
    let calls = held
    held = []
    for call in calls { answer(call) }
  }

  func emit(_ member: String, _ arguments: [BusValue]) throws {
    try bus.emit(Self.path, Self.name, member, arguments)
  }

  func setInhibited(_ isInhibited: Bool) throws {
    try bus.emit(
      Self.path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
      [
        .string(Self.name), .options([("Inhibited", .boolean(isInhibited))]), .strings([]),
      ])
  }
}

/// Runs the loop until `done`. Real time passes here for other programs only.
func wait(_ loop: EventLoop, _ what: String, until done: () -> Bool) throws {
  let end = SystemClock.monotonic + 60_000_000
  while !done() {
    if SystemClock.monotonic > end { throw TestFailure("waited in vain \(what)") }
    try loop.runOnce(timeout: 20_000)
  }
}
