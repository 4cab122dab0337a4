import Glibc
import Testing

@testable import Systemd

@Suite struct EventLoopTests {
  let directory: TemporaryDirectory
  let loop: EventLoop

  init() throws {
    directory = try TemporaryDirectory()
    loop = try EventLoop()
  }

  @Test func runEndsWithTheCodeOfExit() throws {
    let source = try loop.addDeferred { [loop] in loop.exit(78) }
    #expect(!loop.isExiting)
    #expect(try loop.run() == 78)
    #expect(loop.isExiting)
    source.remove()
  }

  @Test func readySourcesRunInOrderOfPriority() throws {
    var order: [String] = []
    let sources = [
      try loop.addDeferred(priority: .idle) { order.append("idle") },
      try loop.addDeferred { order.append("normal") },
      try loop.addDeferred(priority: .important) { order.append("important") },
    ]
    try run(loop) { order.count == 3 }
    #expect(order == ["important", "normal", "idle"])
    #expect(try !loop.runOnce(timeout: 0))
    for source in sources { source.remove() }
  }

  @Test func aSourceThatIsOffDoesNotRun() throws {
    var runs = 0
    let source = try loop.addDeferred(.off) { runs += 1 }
    #expect(try !loop.runOnce(timeout: 0))
    try source.setEnabled(.once)
    #expect(try loop.runOnce(timeout: 0))
    #expect(try !loop.runOnce(timeout: 0))
    #expect(runs == 1)
    try source.setEnabled(.on)
    for _ in 0..<3 { try loop.runOnce(timeout: 0) }
    #expect(runs == 4)
    source.remove()
    try source.setEnabled(.on)
    #expect(try !loop.runOnce(timeout: 0))
  }

  @Test func aPostSourceFollowsAnother() throws {
    var order: [String] = []
    let post = try loop.addPost { order.append("post") }
    #expect(try !loop.runOnce(timeout: 0))
    let first = try loop.addDeferred { order.append("first") }
    try run(loop) { order.count == 2 }
    #expect(order == ["first", "post"])
    post.remove()
    first.remove()
  }

  @Test func descriptorsTellWhatTheyAreReadyFor() throws {
    let listener = try UnixSocket.listen(at: directory["s"], mode: 0o600)
    let client = try UnixSocket.connect(to: directory["s"])
    let server = try accept(listener)
    var seen: [DescriptorEvents] = []
    let source = try loop.addDescriptor(server.number, .readable) { seen.append($0) }
    #expect(try !loop.runOnce(timeout: 0))
    _ = try client.send("x")
    #expect(try loop.runOnce(timeout: 0))
    #expect(seen == [.readable])
    try source.setEvents([.writable])
    #expect(try loop.runOnce(timeout: 0))
    #expect(seen == [.readable, .writable])
    try source.setEvents([.readable, .peerClosed])
    try client.shutDownSending()
    #expect(try loop.runOnce(timeout: 0))
    #expect(seen.last == [.readable, .peerClosed])
    try source.setEnabled(.off)
    #expect(try !loop.runOnce(timeout: 0))
    source.remove()
  }

  @Test func aRegularFileCannotBeWaitedFor() throws {
    let file = try Files.open(try directory.write("f", "x"), O_RDONLY)
    let number = file.number
    #expect(errorNumber { _ = try loop.addDescriptor(number, .readable) { _ in } } == EPERM)
    #expect(errorNumber { _ = try loop.addDescriptor(-1, .readable) { _ in } } == EBADF)
    _ = consume file
  }

  @Test func aHandlerMayRemoveItsOwnSource() throws {
    final class Holder { var source: EventSource? }
    let holder = Holder()
    weak var freed: Holder?
    freed = holder
    var runs = 0
    holder.source = try loop.addDeferred(.on) { [holder] in
      runs += 1
      holder.source?.remove()
      holder.source = nil
    }
    for _ in 0..<3 { try loop.runOnce(timeout: 0) }
    #expect(runs == 1)
    #expect(freed === holder)
  }

  @Test func aSourceThatNobodyHoldsIsGone() throws {
    var runs = 0
    var source: EventSource? = try loop.addDeferred(.on) { runs += 1 }
    try loop.runOnce(timeout: 0)
    #expect(source != nil)
    source = nil
    #expect(try !loop.runOnce(timeout: 0))
    #expect(runs == 1)
  }

  @Test func removedSourcesFreeWhatTheirHandlersHold() throws {
    final class Witness {}
    var witness: Witness? = Witness()
    weak let alive = witness
    let source = try loop.addDeferred { [witness] in _ = witness }
    witness = nil
    #expect(alive != nil)
    source.remove()
    #expect(alive == nil)
  }

  @Test(arguments: [Signal.terminate, .interrupt, .hangUp, .user1])
  func signalsComeThroughTheLoop(signal: Signal) throws {
    var taken = 0
    let source = try loop.addSignal(signal) { taken += 1 }
    // To this thread alone: others of the test process do not block it.
    #expect(pthread_kill(pthread_self(), signal.rawValue) == 0)
    try run(loop) { taken == 1 }
    source.remove()
  }
}
