import Glibc
import Testing

@testable import Systemd

@Suite struct UnixSocketTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory["socket"]
  }

  @Test(arguments: [0o600, 0o660, 0o666] as [UInt32])
  func theModeIsExactWhateverTheUmask(mode: UInt32) throws {
    let listener = try UnixSocket.listen(at: path, mode: mode)
    #expect(try directory.mode("socket") == mode)
    _ = consume listener
  }

  @Test func aSocketThatADeadDaemonLeftIsReplaced() throws {
    _ = try UnixSocket.listen(at: path, mode: 0o600)
    #expect(try FileKind.of(path) == .socket)
    #expect(errorNumber { _ = try UnixSocket.connect(to: path) } == ECONNREFUSED)
    let listener = try UnixSocket.listen(at: path, mode: 0o600)
    let client = try UnixSocket.connect(to: path)
    _ = consume listener
    _ = consume client
  }

  @Test func aSocketThatSomebodyListensOnIsNot() throws {
    let first = try UnixSocket.listen(at: path, mode: 0o600)
    #expect(errorNumber { _ = try UnixSocket.listen(at: path, mode: 0o600) } == EADDRINUSE)
    // What the attempt left in the queue hung up at once; the listener is unharmed.
    _ = try UnixSocket.accept(from: first.number)
    let client = try UnixSocket.connect(to: path)
    _ = try accept(first)
    _ = consume client
  }

  @Test func aListenerWithAFullQueueIsAlive() throws {
    let first = try UnixSocket.listen(at: path, mode: 0o600, backlog: 0)
    let waiting = try UnixSocket.connect(to: path)
    #expect(errorNumber { _ = try UnixSocket.connect(to: path) } == EAGAIN)
    #expect(errorNumber { _ = try UnixSocket.listen(at: path, mode: 0o600) } == EADDRINUSE)
    _ = consume first
    _ = consume waiting
  }

  @Test func anythingElseInTheWayStays() throws {
    try directory.write("socket", "precious")
    #expect(errorNumber { _ = try UnixSocket.listen(at: path, mode: 0o600) } == ENOTSOCK)
    #expect(try Files.read(path, limit: 100) == Array("precious".utf8))
    try Files.remove(path)
    try directory.link("socket", to: directory["elsewhere"])
    #expect(errorNumber { _ = try UnixSocket.listen(at: path, mode: 0o600) } == ENOTSOCK)
    #expect(try FileKind.of(path, followingLinks: false) == .symbolicLink)
  }

  @Test func pathsThatAreNoneAreRefused() throws {
    let room = UnixSocket.longestPath - directory.path.utf8.count - 1
    let longest = directory[String(repeating: "x", count: room)]
    let listener = try UnixSocket.listen(at: longest, mode: 0o600)
    for (name, number) in [
      (longest + "x", ENAMETOOLONG), ("", EINVAL), ("\0abstract", EINVAL), (path + "\0x", EINVAL),
      (directory["missing/socket"], ENOENT),
    ] {
      #expect(errorNumber { _ = try UnixSocket.listen(at: name, mode: 0o600) } == number)
      #expect(errorNumber { _ = try UnixSocket.connect(to: name) } == number)
    }
    _ = consume listener
  }

  @Test func bytesGoBothWaysAndEnd() throws {
    let listener = try UnixSocket.listen(at: path, mode: 0o600)
    #expect(errorNumber { _ = try accept(listener) } == EAGAIN)
    let client = try UnixSocket.connect(to: path)
    let server = try accept(listener)
    #expect(try server.receiveText() == nil)
    #expect(try client.send("hello") == .sent(5))
    #expect(try server.receiveText() == "hello")
    #expect(try server.send("there") == .sent(5))
    #expect(try client.receiveText() == "there")
    try client.shutDownSending()
    var buffer: [UInt8] = [0]
    var span = buffer.mutableSpan
    #expect(try server.receive(into: &span) == .closed)
  }

  @Test func arraysAreSentAndFilledFromAnOffset() throws {
    let listener = try UnixSocket.listen(at: path, mode: 0o600)
    let client = try UnixSocket.connect(to: path, blocking: true)
    let server = try accept(listener)
    #expect(try client.send(Array("hello".utf8), from: 3, waiting: true) == .sent(2))
    var buffer = Array("abcdef".utf8)
    #expect(try server.receive(into: &buffer, from: 2) == .bytes(2))
    #expect(buffer == Array("abloef".utf8))
    #expect(try server.receive(into: &buffer) == .wouldBlock)
    for start in [6, 7, .max] {
      #expect(errorNumber { _ = try server.receive(into: &buffer, from: start) } == EINVAL)
    }
    #expect(try client.send([], from: 9) == .sent(0))
  }

  @Test func aFullSocketDoesNotWait() throws {
    let listener = try UnixSocket.listen(at: path, mode: 0o600)
    let client = try UnixSocket.connect(to: path, blocking: true)
    let server = try accept(listener)
    let chunk = [UInt8](repeating: 7, count: 65536)
    var sent = 0
    loop: while sent < 1 << 30 {
      switch try client.send(chunk.span) {
      case .sent(let count): sent += count
      case .wouldBlock: break loop
      }
    }
    var received = 0
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      var span = buffer.mutableSpan
      guard case .bytes(let count) = try server.receive(into: &span) else { break }
      received += count
    }
    #expect(received == sent && sent > 0)
  }

  @Test func aPeerThatIsGoneIsAnErrorNotASignal() throws {
    let listener = try UnixSocket.listen(at: path, mode: 0o600)
    let client = try UnixSocket.connect(to: path)
    do {
      let server = try accept(listener)
      _ = try client.send("unread")
      _ = consume server
    }
    let number = errorNumberOfSend(client)
    #expect(number == EPIPE)
    var buffer: [UInt8] = [0]
    var span = buffer.mutableSpan
    var refusal: Int32 = 0
    do { _ = try client.receive(into: &span) } catch { refusal = error.number }
    #expect(refusal == ECONNRESET)
  }

  private func errorNumberOfSend(_ socket: borrowing FileDescriptor) -> Int32 {
    do { _ = try socket.send([1].span) } catch { return error.number }
    return 0
  }

  @Test func thePeerIsKnown() throws {
    let listener = try UnixSocket.listen(at: path, mode: 0o600)
    let client = try UnixSocket.connect(to: path)
    let server = try accept(listener)
    let peer = try server.peerCredentials()
    #expect(
      peer == PeerCredentials(processID: getpid(), userID: geteuid(), groupID: getegid()))
    var groups = [gid_t](repeating: 0, count: 65536)
    let count = unsafe getgroups(65536, &groups)
    #expect(try server.peerGroups().sorted() == groups[..<Int(count)].sorted())
    _ = consume client
  }
}
