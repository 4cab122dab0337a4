import Glibc
import JSON
import Varlink

/// A daemon that answers as a test tells it to, and keeps what it was asked. It is served by who
/// waits for the client.
final class FakeDaemon {
  /// What is answered to a call: messages, or the end of the connection.
  enum Answer {
    case reply(String)
    case error(String, String = "{}")
    /// With `more`: all of these, the last as the last.
    case replies([String])
    /// With `more`: all of these, and more to come.
    case open([String])
    case close
  }

  let directory = Directory()
  /// By method without its interface; a call that is not here is MethodNotFound.
  var answers: [String: Answer] = [:]
  /// Method and parameters of each call but GetStatus and GetInfo.
  private(set) var calls: [(method: String, parameters: String)] = []
  private let listener: Int32
  private var connections: [Int32: VarlinkInbox] = [:]

  var path: String { directory.path + "/socket" }

  static let now = "2026-11-30T10:00:00.000000Z"
  static let status = """
    {"now":"\(now)","version":"0","store":"abc","sequence":7,"pending":1,"active":2,"ended":0,\
    "activitiesEnabled":true,"alertAgents":0}
    """

  init(_ answers: [String: Answer] = [:]) {
    self.answers = answers
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    _ = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    listen(listener, 8)
    self.answers["GetInfo"] = .reply(#"{"interfaces":["io.lasched.LiveActivities"]}"#)
    if self.answers["GetStatus"] == nil { self.answers["GetStatus"] = .reply(FakeDaemon.status) }
  }

  deinit {
    closeConnections()
    close(listener)
  }

  func closeConnections() {
    for descriptor in connections.keys { close(descriptor) }
    connections = [:]
  }

  /// To wait for.
  var descriptors: [Int32] { [listener] + connections.keys }

  func serve(_ descriptor: Int32) {
    if descriptor == listener {
      let connection = acceptOne(listener)
      if connection >= 0 { connections[connection] = VarlinkInbox() }
      return
    }
    guard var inbox = connections[descriptor] else { return }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    guard count > 0 else { return drop(descriptor) }
    inbox.append(Array(buffer[..<count]).span)
    while let call = try? inbox.nextCall() {
      guard answer(call, descriptor) else { return drop(descriptor) }
    }
    connections[descriptor] = inbox
  }

  private func acceptOne(_ listener: Int32) -> Int32 {
    let connection = accept(listener, nil, nil)
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    return connection
  }

  private func drop(_ descriptor: Int32) {
    close(descriptor)
    connections[descriptor] = nil
  }

  /// Writes to all that are connected.
  func say(_ text: String) {
    for descriptor in connections.keys { write(text, descriptor) }
  }

  private func write(_ text: String, _ descriptor: Int32) {
    let bytes = Array(text.utf8) + [0]
    _ = unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  private func answer(_ call: VarlinkCall, _ descriptor: Int32) -> Bool {
    let name = call.method.split(separator: ".").last.map(String.init) ?? ""
    if name != "GetStatus", name != "GetInfo" {
      calls.append((name, call.parameters.displayed(indented: false)))
    }
    switch answers[name] {
    case .reply(let text): write("{\"parameters\":\(text)}", descriptor)
    case .error(let error, let parameters):
      let full = error.contains(".") ? error : "io.lasched.LiveActivities." + error
      write("{\"error\":\"\(full)\",\"parameters\":\(parameters)}", descriptor)
    case .replies(let texts):
      for (place, text) in texts.enumerated() {
        let more = place == texts.count - 1 ? "" : ",\"continues\":true"
        write("{\"parameters\":\(text)\(more)}", descriptor)
      }
    case .open(let texts):
      for text in texts { write("{\"parameters\":\(text),\"continues\":true}", descriptor) }
    case .close: return false
    case nil:
      write(
        "{\"error\":\"org.varlink.service.MethodNotFound\",\"parameters\":{\"method\":\"\(call.method)\"}}",
        descriptor)
    }
    return true
  }
}
