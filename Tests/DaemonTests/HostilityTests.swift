import Glibc
import JSON
import Testing
import Varlink

/// A socket that says what it likes.
private final class RawSocket {
  let descriptor: Int32

  init(_ daemon: TestDaemon) throws {
    let connection = try daemon.connect().connection
    // Its own descriptor, so that the client's buffers stay out of it.
    descriptor = dup(connection.fileDescriptor)
  }

  deinit { close(descriptor) }

  /// Sends all of it, unless the daemon hangs up first.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// What comes until the daemon hangs up or says nothing for a while.
  func receive(milliseconds: Int32 = 5000) -> (bytes: [UInt8], isClosed: Bool) {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&polled, 1, milliseconds) > 0 else { return (all, false) }
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return (all, true) }
      all += buffer[..<count]
      if all.last == 0 { return (all, false) }
    }
  }
}

@Suite struct Hostility {
  static func call(_ parameters: String) -> [UInt8] {
    Array(#"{"method":"io.lasched.LiveActivities.Request","parameters":\#(parameters)}"#.utf8) + [0]
  }

  @Test(
    arguments: [
      Array("nonsense".utf8) + [0], Array("{\"method\":1}".utf8) + [0], [0], [0xFF, 0],
      Array(String(repeating: "[", count: 3000).utf8) + [0],
      Array(#"{"method":"x","method":"y"}"#.utf8) + [0],
    ])
  func whatIsNoCallEndsTheConnectionAndNoOther(bytes: [UInt8]) throws {
    let daemon = try TestDaemon()
    let client = try daemon.connect()
    let raw = try RawSocket(daemon)
    raw.send(bytes)
    #expect(raw.receive().isClosed)
    try client.call("GetStatus")
  }

  @Test(
    arguments: [
      #"{"attributes":{"a":"\ud800"}}"#, #"{"attributes":{"a":"\u0000"}}"#,
      #"{"attributes":{"a":"\ufffe"}}"#, #"{"attributes":{"a":1e999}}"#,
      #"{"attributes":{"a":1,"a":2}}"#,
      #"{"attributes":{"a":\#(String(repeating: "[", count: 100))\#(String(repeating: "]", count: 100))}}"#,
      #"{"id":"\u202e"}"#, #"{"alert":{"title":"\u001b[31m","body":""}}"#,
    ])
  func textThatCouldBreakAReaderIsRefusedAndTheConnectionGoesOn(parameters: String) throws {
    let daemon = try TestDaemon()
    let raw = try RawSocket(daemon)
    raw.send(Self.call(parameters))
    let (bytes, isClosed) = raw.receive()
    #expect(!isClosed)
    #expect(String(decoding: bytes, as: UTF8.self).contains("InvalidParameter"))
    raw.send(Self.call("{}"))
    #expect(String(decoding: raw.receive().bytes, as: UTF8.self).contains(#""created":true"#))
  }

  @Test func aMessageOverOneMebibyteEndsTheConnectionAndNoOther() throws {
    let daemon = try TestDaemon()
    let client = try daemon.connect()
    let raw = try RawSocket(daemon)
    raw.send([UInt8](repeating: 0x20, count: (1 << 20) + 2))
    #expect(raw.receive().isClosed)
    try client.call("GetStatus")
  }

  @Test func aWatcherThatDoesNotReadIsGivenUpAndNobodyWaitsForIt() throws {
    let daemon = try TestDaemon()
    let client = try daemon.connect()
    try client.call("Request", #"{"id":"a"}"#)
    let raw = try RawSocket(daemon)
    raw.send(
      Array(#"{"method":"io.lasched.LiveActivities.Monitor","parameters":{},"more":true}"#.utf8)
        + [0])
    _ = raw.receive()
    let text = String(repeating: "x", count: 3500)
    for _ in 0..<600 { try client.call("Update", #"{"id":"a","patch":{"t":"\#(text)"}}"#) }
    // The rest of what was sent is read, then the end.
    var isClosed = false
    for _ in 0..<2000 where !isClosed { isClosed = raw.receive(milliseconds: 1000).isClosed }
    #expect(isClosed)
    #expect(try client.state("a") == "active")
  }

  @Test func pipelinedCallsAreAnsweredInOrderAndOnewayOnesNot() throws {
    let daemon = try TestDaemon()
    let raw = try RawSocket(daemon)
    var bytes: [UInt8] = []
    for number in 0..<500 { bytes += Self.call(#"{"id":"p\#(number)"}"#) }
    bytes += Array(
      #"{"method":"io.lasched.LiveActivities.Cancel","parameters":{"id":"p3"},"oneway":true}"#.utf8)
    bytes.append(0)
    bytes += Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0]
    raw.send(bytes)
    // Half closed: what was asked is still answered.
    shutdown(raw.descriptor, Int32(SHUT_WR))
    var replies: [UInt8] = []
    while true {
      let (more, isClosed) = raw.receive()
      replies += more
      if isClosed || more.isEmpty { break }
    }
    let texts = replies.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    #expect(texts.count == 501)
    for (number, text) in texts.prefix(500).enumerated() {
      #expect(text.contains(#""id":"p\#(number)""#))
    }
    #expect(texts.last?.contains("org.varlink.service") == true)
    #expect(try daemon.connect().state("p3") == "dismissed")
  }

  @Test func aThousandIdleConnectionsKeepNobodyWaiting() throws {
    let daemon = try TestDaemon()
    var idle: [Client] = []
    for _ in 0..<1000 { idle.append(try daemon.connect()) }
    try daemon.connect().call("Request", #"{"id":"a"}"#)
    #expect(idle.count == 1000)
  }

  @Test func whatNobodyImplementsIsSaidByName() throws {
    let client = try TestDaemon().connect()
    #expect(throws: Refused.named("MethodNotFound")) { try client.call("Frobnicate") }
    #expect(throws: Refused.named("InterfaceNotFound")) { try client.call("com.example.X.Y") }
    #expect(throws: Refused.named("ExpectedMore")) { try client.call("Monitor") }
  }
}
