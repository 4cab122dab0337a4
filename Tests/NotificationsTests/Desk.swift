import Glibc
import JSON
import Systemd
import TestBus
import Varlink

/// One person's session: a bus, a daemon in mocked time, and the agent, all real programs.
final class Desk {
  let loop: EventLoop
  let bus: PrivateBus
  private var daemon: TestProcess?
  private(set) var agent: TestProcess?
  private var connection: VarlinkConnection?
  private let configuration: String

  var directory: String { bus.directory }
  private var socket: String { directory + "/socket" }

  /// What the agent has logged.
  var log: String {
    (try? Files.read(directory + "/agent.log", limit: 1 << 20)).map {
      String(decoding: $0, as: UTF8.self)
    } ?? ""
  }

  init(configuration: String = "", startsAgent: Bool = true) throws {
    self.configuration = configuration
    loop = try EventLoop()
    bus = try PrivateBus()
    try AppendedFile.replace(directory + "/notify.conf", with: Array(configuration.utf8))
    try startDaemon()
    if startsAgent { try startAgent() }
  }

  private static let programs: String = {
    guard let path = unsafe realpath("/proc/self/exe", nil) else { return "." }
    defer { unsafe free(path) }
    let text = unsafe String(cString: path)
    return text.lastIndex(of: "/").map { String(text[..<$0]) } ?? "."
  }()

  func startDaemon(clock: String = "2026-12-01T12:00:00Z") throws {
    daemon = try TestProcess(
      [
        Self.programs + "/lasched", "--system", "--state-directory=\(directory)/state",
        "--socket=\(socket)", "--config=/dev/null", "--log-level=err", "--test-clock=\(clock)",
      ], log: directory + "/daemon.log")
    connection = nil
    for _ in 0..<3000 where connection == nil {
      connection = try? VarlinkConnection(connectingTo: socket)
      poll(nil, 0, 5)
    }
  }

  func stopDaemon(_ signal: Int32 = SIGKILL) {
    connection = nil
    daemon?.stop(signal)
    daemon = nil
  }

  func startAgent() throws {
    agent = try TestProcess(
      [
        Self.programs + "/lasched-notify", "--socket=\(socket)", "--log-level=debug",
        "--state-directory=\(directory)/notes", "--config=\(directory)/notify.conf",
      ],
      environment: [
        "DBUS_SESSION_BUS_ADDRESS": bus.address, "PATH": "\(directory)/bin:/usr/bin:/bin",
        "HOME": directory, "TZ": "UTC",
      ], log: directory + "/agent.log")
  }

  @discardableResult
  func stopAgent(_ signal: Int32 = SIGTERM) -> Int32 {
    let status = agent?.stop(signal) ?? 0
    agent = nil
    return status
  }

  func server(
    name: String = "scripted", vendor: String = "tests",
    capabilities: [String] = ["actions", "body", "body-markup"], answers: Bool = true,
    isInhibited: Bool? = nil
  ) throws -> ScriptedServer {
    try ScriptedServer(
      loop, bus.address, name: name, vendor: vendor, capabilities: capabilities,
      answers: answers, isInhibited: isInhibited)
  }

  func run(_ what: String, until done: () -> Bool) throws {
    do { try wait(loop, what, until: done) } catch {
      throw TestFailure("\(error)\n\(log)")
    }
  }

  /// Lets everything that is under way come to rest: the agent has heard of all that was told.
  func rest(milliseconds: Int = 300) throws {
    let end = SystemClock.monotonic + Int64(milliseconds) * 1000
    while SystemClock.monotonic < end { try loop.runOnce(timeout: 10_000) }
  }

  /// Waits until the agent follows the daemon.
  func follow() throws {
    try run("for the agent to follow") {
      (try? call("GetStatus"))?["alertAgents"]?.int64 == 1
    }
  }

  // MARK: The daemon

  @discardableResult
  func call(_ method: String, _ parameters: String = "{}") throws -> JSONNode {
    guard let connection else { throw TestFailure("there is no daemon") }
    let name = method.contains(".") ? method : "io.lasched.LiveActivities.\(method)"
    let members = try JSONNode(validating: parameters).members
    try connection.send(name) { writer in
      for member in members {
        writer.key(escaping: member.key.string ?? "")
        if let text = member.value.text { writer.text(text) }
      }
    }
    guard let reply = try connection.receive(milliseconds: 20_000) else {
      throw TestFailure("the daemon does not answer")
    }
    if let error = reply.error { throw TestFailure("\(method): \(error)") }
    return reply.parameters
  }

  func advance(seconds: Int) throws {
    try call("io.lasched.TestClock.Advance", #"{"byUSec":\#(seconds)000000}"#)
  }

  /// The events of an ID: its kind, and what came of it.
  func story(_ id: String) throws -> [String] {
    let events = try call("History", #"{"id":"\#(id)"}"#)["events"]
    return (events.map { Array($0.elements) } ?? []).map { event in
      let what = event["alertOutcome"]?.string ?? event["action"]?.string ?? event["to"]?.string
      return "\(event["kind"]?.string ?? "") \(what ?? "")"
    }
  }

  func waits(for line: String, of id: String) throws {
    try run("for '\(line)'") { (try? story(id))?.contains(line) == true }
  }
}
