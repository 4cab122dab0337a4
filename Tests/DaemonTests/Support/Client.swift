import JSON
import Varlink

/// An error reply; the name without its interface.
struct Refused: Error, Equatable, CustomStringConvertible {
  let name: String
  let parameters: String

  var description: String { "\(name) \(parameters)" }

  static func == (a: Refused, b: Refused) -> Bool {
    a.name == b.name && (a.parameters == b.parameters || b.parameters == "*")
  }

  /// Whatever its parameters are.
  static func named(_ name: String) -> Refused { Refused(name: name, parameters: "*") }
  /// `org.varlink.service.InvalidParameter` with that path.
  static func invalid(_ path: String) -> Refused {
    Refused(name: "InvalidParameter", parameters: #"{"parameter":"\#(path)"}"#)
  }
}

/// A caller that writes its parameters as JSON.
final class Client {
  let connection: VarlinkConnection
  /// The daemon lives as long as its callers.
  private let daemon: TestDaemon

  init(_ connection: VarlinkConnection, of daemon: TestDaemon) {
    self.connection = connection
    self.daemon = daemon
  }

  /// Calls a method of LiveActivities, or one named in full.
  @discardableResult
  func call(_ method: String, _ parameters: String = "{}") throws -> JSONNode {
    try send(method, parameters)
    return try reply()
  }

  func send(_ method: String, _ parameters: String = "{}", more: Bool = false) throws {
    let name = method.contains(".") ? method : "io.lasched.LiveActivities.\(method)"
    let members = try JSONNode(validating: parameters).members
    try connection.send(name, more: more) { writer in
      for member in members {
        writer.key(escaping: member.key.string ?? "")
        if let text = member.value.text { writer.text(text) }
      }
    }
  }

  func reply() throws -> JSONNode {
    guard let reply = try receive() else { throw Failure("no reply within 20 s") }
    if let error = reply.error {
      let name = String(error.split(separator: ".").last ?? "")
      // The field of a payload is as telling as the name.
      let field = name == "InvalidPayload" ? reply.parameters["field"]?.string : nil
      throw Refused(
        name: field.map { "\(name) \($0)" } ?? name,
        parameters: reply.parameters.text?.string ?? "")
    }
    return reply.parameters
  }

  private func receive() throws -> VarlinkReply? {
    guard let meanwhile = daemon.meanwhile else {
      return try connection.receive(milliseconds: 20_000)
    }
    for _ in 0..<2000 {
      meanwhile()
      if let reply = try connection.receive(milliseconds: 10) { return reply }
    }
    return nil
  }

  // MARK: In short

  /// Moves both clocks, deadline by deadline.
  func advance(seconds: Int) throws {
    try call("io.lasched.TestClock.Advance", #"{"byUSec":\#(seconds)000000}"#)
  }

  func state(_ id: String) throws -> String {
    try call("Get", #"{"id":"\#(id)"}"#)["activity"]?["state"]?.string ?? ""
  }

  /// The kinds of the events of an ID, each with the state it led to.
  func story(_ id: String) throws -> [String] {
    try events(id).map { event in
      let outcome = event["alertOutcome"]?.string
      return "\(event["kind"]?.string ?? "") \(outcome ?? event["to"]?.string ?? "")"
    }
  }

  func events(_ id: String) throws -> [JSONNode] {
    guard let events = try call("History", #"{"id":"\#(id)"}"#)["events"] else { return [] }
    return Array(events.elements)
  }

  /// Watches until `ready`; returns what came before it.
  func watch(_ parameters: String = "{}") throws -> [JSONNode] {
    try send("Monitor", parameters, more: true)
    var before: [JSONNode] = []
    while true {
      let next = try reply()
      if next["ready"] != nil { return before + [next] }
      before.append(next)
    }
  }

  /// The next event of a watch.
  func event() throws -> JSONNode {
    guard let event = try reply()["event"] else { throw Failure("no event") }
    return event
  }
}

extension JSONNode {
  /// A member's text or number as text.
  func text(_ path: String...) -> String? {
    var node: JSONNode? = self
    for key in path { node = node?[key] }
    guard let node else { return nil }
    return node.string ?? node.text?.string
  }
}
