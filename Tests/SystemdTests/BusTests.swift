import TestBus
import Testing

@testable import Systemd

@Suite struct BusTests {
  let bus: PrivateBus
  let loop: EventLoop
  let path = "/org/example/Thing"
  let interface = "org.example.Thing"

  init() throws {
    bus = try PrivateBus()
    loop = try EventLoop()
  }

  private func connect(_ lost: @escaping () -> Void = {}) throws -> Bus {
    try Bus(loop, address: bus.address, lost)
  }

  /// A service that answers what it is called with, and its client.
  private func echo(
    _ handler: @escaping (BusCall) -> Void
  ) throws -> (Bus, Bus, [BusSlot]) {
    let (server, client) = (try connect(), try connect())
    var owned: Bool?
    let slots = [
      try server.serve(path, handler), try server.request(name: interface) { owned = $0 },
    ]
    try run(loop) { owned != nil }
    #expect(owned == true)
    return (server, client, slots)
  }

  @Test func everyTypeComesBackAsItWasSent() throws {
    let values: [BusValue] = [
      .byte(255), .boolean(true), .int16(-2), .uint16(65_535), .int32(.min), .uint32(.max),
      .int64(.min), .uint64(.max), .double(-0.5), .string("Zeit 时间 ⏱"), .objectPath("/a/b"),
      .signature("a{sv}"), .array(of: "s", []), .strings(["a", ""]),
      .array(of: "(iay)", [.structure([.int32(7), .array(of: "y", [.byte(1), .byte(0)])])]),
      .options([("value", .int32(40)), ("x", .array(of: "v", [.variant(.string("y"))]))]),
      .dictionary(key: "u", value: "as", [BusValue.Entry(.uint32(9), .strings(["z"]))]),
      .variant(.variant(.structure([.string("deep")]))),
    ]
    var seen: [BusMessage] = []
    let (server, client, slots) = try echo { call in
      seen.append(call.message)
      try? call.reply(call.message.arguments)
    }
    var answer: Result<[BusValue], BusError>?
    let slot = try client.call(interface, path, interface, "Echo", values, timeout: 20_000_000) {
      answer = $0
    }
    try run(loop) { answer != nil }
    #expect(answer == .success(values))
    #expect(seen.first?.arguments == values)
    #expect(seen.first?.member == "Echo")
    #expect(seen.first?.sender.hasPrefix(":") == true)
    withExtendedLifetime((server, slots, slot)) {}
  }

  @Test func anErrorComesWithItsName() throws {
    let (server, client, slots) = try echo { call in
      try? call.refuse(BusError("org.example.Error.No", "not today"))
    }
    var answer: Result<[BusValue], BusError>?
    let slot = try client.call(interface, path, interface, "Ask", timeout: 20_000_000) {
      answer = $0
    }
    try run(loop) { answer != nil }
    #expect(answer == .failure(BusError("org.example.Error.No", "not today")))
    withExtendedLifetime((server, slots, slot)) {}
  }

  @Test func nobodyIsStartedByACall() throws {
    let client = try connect()
    var answer: Result<[BusValue], BusError>?
    let slot = try client.call("org.example.None", path, interface, "Ask", timeout: 20_000_000) {
      answer = $0
    }
    try run(loop) { answer != nil }
    guard case .failure(let error) = answer else { throw TestFailure("it was answered") }
    #expect(error.isServiceUnknown && !error.isNoReply)
    withExtendedLifetime(slot) {}
  }

  @Test func whoDoesNotAnswerInTimeOrGoesAwayGivesNoReply() throws {
    var calls: [BusCall] = []
    var (server, client, slots): (Bus?, Bus, [BusSlot]) = try echo { calls.append($0) }
    var answers: [Result<[BusValue], BusError>] = []
    let short = try client.call(interface, path, interface, "Ask", timeout: 50_000) {
      answers.append($0)
    }
    try run(loop) { answers.count == 1 && calls.count == 1 }
    let long = try client.call(interface, path, interface, "Ask", timeout: 3_600_000_000) {
      answers.append($0)
    }
    try run(loop) { calls.count == 2 }
    calls = []
    slots = []
    server = nil
    try run(loop) { answers.count == 2 }
    for answer in answers {
      guard case .failure(let error) = answer else { throw TestFailure("it was answered") }
      #expect(error.isNoReply, "\(error)")
    }
    withExtendedLifetime((server, slots, short, long)) {}
  }

  @Test func aCallWhoseSlotIsGoneIsNotAnswered() throws {
    let (server, client, slots) = try echo { try? $0.reply() }
    var answers = 0
    var slot: BusSlot? = try client.call(interface, path, interface, "Ask", timeout: 20_000_000) {
      _ in answers += 1
    }
    slot = nil
    let next = try client.call(interface, path, interface, "Ask", timeout: 20_000_000) { _ in
      answers += 10
    }
    try run(loop) { answers > 0 }
    #expect(answers == 10)
    withExtendedLifetime((server, slots, slot, next)) {}
  }

  @Test func signalsReachThoseWhoAskForThem() throws {
    let (server, client) = (try connect(), try connect())
    var seen: [BusValue] = []
    let slot = try client.match("type='signal',interface='\(interface)',member='Rang'") {
      seen += $0.arguments
    }
    // The rule is in place once something that was asked later is answered.
    var owned = false
    let request = try client.request(name: "org.example.Listener") { owned = $0 }
    try run(loop) { owned }
    try server.emit(path, interface, "Other", [.uint32(1)])
    try server.emit(path, interface, "Rang", [.uint32(2), .string("x")])
    try run(loop) { !seen.isEmpty }
    #expect(seen == [.uint32(2), .string("x")])
    withExtendedLifetime((slot, request)) {}
  }

  @Test func theOwnerOfANameIsToldAndEachChange() throws {
    let client = try connect()
    var owners: [String?] = []
    let slots = try client.watch(name: interface) { owners.append($0) }
    try run(loop) { owners.count == 1 }
    #expect(owners == [nil])
    for round in 1...2 {
      var server: Bus? = try connect()
      var request: BusSlot? = try server?.request(name: interface) { _ in }
      try run(loop) { owners.count == round * 2 }
      #expect(owners.last??.hasPrefix(":") == true)
      request = nil
      server = nil
      try run(loop) { owners.count == round * 2 + 1 }
      #expect(owners.last == .some(nil))
      withExtendedLifetime((server, request)) {}
    }
    #expect(owners[1] != owners[3], "a new owner has a name of its own")
    withExtendedLifetime(slots) {}
  }

  @Test func aBusThatGoesAwayIsToldOnceAndCallsFail() throws {
    var losses = 0
    let client = try connect { losses += 1 }
    var owned = false
    let request = try client.request(name: interface) { owned = $0 }
    try run(loop) { owned }
    bus.stop()
    try run(loop) { losses > 0 }
    #expect(losses == 1)
    #expect(
      errorNumber { _ = try client.call("a.b", path, interface, "X", timeout: 1) { _ in } } > 0)
    #expect(errorNumber { _ = try Bus(loop, address: bus.address) {} } > 0)
    withExtendedLifetime(request) {}
  }

  @Test func whatAnAddressMayNotHoldIsEscaped() {
    #expect(Bus.escaped("/run/user/1000/bus") == "/run/user/1000/bus")
    #expect(Bus.escaped("/tmp/a b,é") == "/tmp/a%20b%2c%c3%a9")
  }
}
