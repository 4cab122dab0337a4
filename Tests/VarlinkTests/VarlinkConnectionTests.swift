import Glibc
import JSON
import Testing

@testable import Varlink

@Suite struct VarlinkConnectionTests {
  @Test func callsAndGetsItsReply() throws {
    let (client, peer) = Peer.pair()
    peer.write(messages(#"{"parameters":{"text":"hi"}}"#))
    let reply = try client.call("org.example.test.Echo") { $0.member("text", "hi") }
    #expect(reply.parameters["text"]?.string == "hi")
    let call = try #require(try peer.read())
    #expect(call.method == "org.example.test.Echo")
    #expect(call.parameters["text"]?.string == "hi")
    #expect(!call.more && !call.oneway)
  }

  @Test func pipelinesAndSkipsRepliesToOneway() throws {
    let (client, peer) = Peer.pair()
    for i in 0..<3 { try client.enqueue("a.b.M\(i)", oneway: i == 1) }
    try client.flush()
    peer.write(messages(#"{"parameters":{"i":0}}"#, #"{"error":"a.b.E"}"#))
    #expect(try client.receive().parameters["i"]?.int64 == 0)
    #expect(try client.receive().error == "a.b.E")
    #expect(try client.receive(milliseconds: 0) == nil)
    #expect(try (0..<3).map { _ in try peer.read()?.oneway } == [false, true, false])
  }

  @Test func streamsUntilTheLastReply() throws {
    let (client, peer) = Peer.pair()
    peer.write(
      messages(
        #"{"parameters":{"i":0},"continues":true}"#, #"{"parameters":{"i":1},"continues":true}"#,
        #"{"parameters":{"i":2}}"#, #"{"parameters":{"i":9}}"#))
    var replies = try client.replies("a.b.Watch")
    var seen: [Int64?] = []
    while let reply = try replies.next() { seen.append(reply.parameters["i"]?.int64) }
    #expect(seen == [0, 1, 2])
    #expect(try peer.read()?.more == true)
    #expect(try client.receive().parameters["i"]?.int64 == 9)
  }

  @Test func waitsNoLongerThanAsked() throws {
    let (client, peer) = Peer.pair()
    #expect(try client.receive(milliseconds: 0) == nil)
    peer.write(Array(#"{"parameters":{}"#.utf8))
    #expect(try client.receive(milliseconds: 1) == nil)
    peer.write(messages("}"))
    #expect(try client.receive(milliseconds: 0) != nil)
  }

  @Test func aServiceThatGoesIsToldApart() throws {
    var (client, peer): (VarlinkConnection, Peer?) = Peer.pair()
    peer?.write(messages(#"{"parameters":{}}"#) + [0x7B])
    peer = nil
    #expect(try client.receive().error == nil)
    let gone = #expect(throws: VarlinkError.self) { try client.receive() }
    #expect(gone?.code == .closed)
    // And no SIGPIPE.
    let late = #expect(throws: VarlinkError.self) { try client.call("a.b.C") }
    #expect(late?.code == .closed)
    (client, peer) = Peer.pair()
    peer?.write(messages("nonsense"))
    let nonsense = #expect(throws: VarlinkError.self) { try client.receive() }
    #expect(nonsense?.code == .message)
  }

  @Test func aCallTooLongIsNotSent() throws {
    let (client, peer) = Peer.pair()
    let long = String(repeating: "x", count: VarlinkLimits.messageBytes)
    let error = #expect(throws: VarlinkError.self) {
      try client.enqueue("a.b.C") { $0.member("text", long) }
    }
    #expect(error?.code == .message)
    try client.send("a.b.D")
    #expect(try peer.read()?.method == "a.b.D")
  }

  @Test func connectErrorsAreToldApart() throws {
    let directory = TemporaryDirectory()
    let path = directory.path + "/socket"
    func code(_ path: String) -> VarlinkError.Code? {
      do throws(VarlinkError) {
        _ = try VarlinkConnection(connectingTo: path)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code(path) == .absent)
    #expect(code(String(repeating: "x", count: 108)) == .badPath)
    #expect(code("") == .badPath)
    let bound = directory.bindSocket(listening: false)
    defer { close(bound) }
    #expect(code(path) == .refused)
    #expect(code(path + "/below") == .absent)
    listen(bound, 1)
    #expect(code(path) == nil)
    if geteuid() != 0 {
      unsafe chmod(path, 0)
      #expect(code(path) == .notPermitted)
    }
  }

  @Test func twoFullBuffersDoNotWaitForEachOther() async throws {
    let directory = TemporaryDirectory()
    let listener = directory.bindSocket(listening: true)
    defer { close(listener) }
    let server = Task.detached {
      let peer = Peer(accept(listener, nil, nil))
      try peer.serve()
    }
    let client = try VarlinkConnection(connectingTo: directory.path + "/socket")
    let text = String(repeating: "x", count: 10_000)
    // 4 MB each way, sent before the first reply is read.
    for _ in 0..<400 {
      try client.send("org.example.test.Echo") { $0.member("text", text) }
    }
    for _ in 0..<400 {
      #expect(try client.receive().parameters["text"]?.string == text)
    }
    #expect(
      try client.call("org.varlink.service.GetInfo").parameters["product"]?.string == "Product")
    #expect(try client.call("a.b.C").error == "org.varlink.service.InterfaceNotFound")
    shutdown(client.fileDescriptor, Int32(SHUT_RDWR))
    try await server.value
  }
}
