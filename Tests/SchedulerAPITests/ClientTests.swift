import Glibc
import JSON
import LiveActivity
import Testing
import Varlink

@testable import SchedulerAPI

/// A client, and the far end of its connection.
private func connectedPair() -> (VarlinkConnection, Int32) {
  var ends: [Int32] = [-1, -1]
  _ = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
  return (VarlinkConnection(adopting: ends[0]), ends[1])
}

private func write(_ descriptor: Int32, _ body: (inout JSONWriter) -> Void) {
  var writer = JSONWriter()
  body(&writer)
  _ = unsafe send(descriptor, writer.bytes, writer.bytes.count, Int32(MSG_NOSIGNAL))
}

private func read(_ descriptor: Int32) throws -> VarlinkCall? {
  var inbox = VarlinkInbox()
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
  inbox.append(Array(buffer.prefix(max(0, count))).span)
  return try inbox.nextCall()
}

@Suite struct ClientTests {
  @Test func callsWithTypes() throws {
    let (client, far) = connectedPair()
    defer { close(far) }
    var parameters = RequestParameters()
    parameters.id = try ActivityID("tea")
    parameters.start = .after(.seconds(240))
    let expected = RequestReply(activity: bareActivity(), created: true)
    write(far) { $0.varlinkReply(expected.encode) }
    #expect(try client.call(parameters) == expected)
    let call = try #require(try read(far))
    #expect(SchedulerMethod(call) == .request)
    #expect(try RequestParameters(call) == parameters)
  }

  @Test func refusalsAreTyped() throws {
    let (client, far) = connectedPair()
    write(far) { writer in
      SchedulerError.noSuchActivity(id: "tea").reply(&writer)
      SchedulerError.service(.expectedMore).reply(&writer)
      writer.varlinkReply { $0.member("applied", "1") }
    }
    let cancel = CancelParameters(.id(try ActivityID("tea")))
    #expect(throws: SchedulerCallError.refused(.noSuchActivity(id: "tea"))) {
      try client.call(cancel)
    }
    #expect(throws: SchedulerCallError.refused(.service(.expectedMore))) {
      try client.call(ListParameters())
    }
    #expect(throws: SchedulerCallError.malformedReply(path: "applied")) {
      try client.call(cancel)
    }
    close(far)
    do throws(SchedulerCallError) {
      _ = try client.call(cancel)
      Issue.record("answered by nobody")
    } catch .connection(let error) {
      #expect(error.code == .closed)
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func watchesUntilTheLastReply() throws {
    let (client, far) = connectedPair()
    defer { close(far) }
    let ready = MonitorReply.ready(sequence: 7, store: "s", resumed: false)
    let event = MonitorReply.event(try fullEvent())
    var replies = try client.replies(to: MonitorParameters())
    #expect(try replies.next(milliseconds: 0) == nil)
    write(far) { writer in
      writer.varlinkReply(continues: true, ready.encode)
      writer.varlinkReply(event.encode)
    }
    #expect(try replies.next() == ready)
    #expect(!replies.isDone)
    #expect(try replies.next(milliseconds: 0) == event)
    #expect(replies.isDone)
    #expect(try replies.next() == nil)
    #expect(try read(far)?.more == true)
  }

  @Test func pipelines() throws {
    let (client, far) = connectedPair()
    defer { close(far) }
    for _ in 0..<3 {
      try client.enqueue(GetStatusParameters.method, GetStatusParameters().encode)
    }
    try client.flush()
    let status = ServiceStatus(now: .earliest, version: "1", store: "s", sequence: 1)
    for _ in 0..<3 { write(far) { $0.varlinkReply(status.encode) } }
    for _ in 0..<3 { #expect(try client.receive(replyTo: GetStatusParameters.self) == status) }
  }
}

@Suite struct TestClockTests {
  private let moves: [(TestClockMove, String)] = [
    (.advance(by: .seconds(1)), #"{"byUSec":1000000}"#),
    (.advanceTo(WallTime(microseconds: 1)), #"{"date":"1970-01-01T00:00:00.000001Z"}"#),
    (.advanceToNext, "{}"), (.step(by: TimeSpan(microseconds: -5)), #"{"byUSec":-5}"#),
    (.suspend(for: .seconds(2)), #"{"forUSec":2000000}"#),
    (.setZone("Europe/Berlin"), #"{"zone":"Europe/Berlin"}"#),
    (.setWakeProblem("none"), #"{"problem":"none"}"#), (.setWakeProblem(nil), "{}"),
    (.failNextCommits(3), #"{"count":3}"#),
  ]

  @Test func movesComeBackAndFitTheDefinition() throws {
    let interface = try VarlinkInterface(TestClockInterface.definition)
    for (move, text) in moves {
      let node = try JSONText { writer in
        writer.beginObject()
        move.encode(&writer)
        writer.endObject()
      }.parsed()
      #expect(node.text?.string == text)
      #expect(try TestClockMove(move.method, decoding: node) == move)
      let input = interface.methods[move.method.rawValue].input
      #expect(interface.fault(in: node, as: input) == nil)
      for mutant in mutants(of: JSONValue(node), as: input, in: interface) {
        let path = mutant.path.isEmpty ? "parameters" : mutant.path
        #expect(throws: SchedulerError.service(.invalidParameter(path))) {
          try TestClockMove(move.method, decoding: mutant.value.text().parsed())
        }
      }
    }
  }

  @Test(arguments: [
    (TestClockMethod.advance, #"{"byUSec":-1}"#, "byUSec"),
    (.suspend, #"{"forUSec":-1}"#, "forUSec"),
    (.failNextCommits, #"{"count":-1}"#, "count"), (.setZone, #"{"zone":""}"#, "zone"),
    (.advance, #"{"byUSec":1,"date":"x"}"#, "date"), (.advanceToNext, #"{"count":1}"#, "count"),
  ])
  func whatIsWrongIsRefusedByItsPath(method: TestClockMethod, text: String, path: String) throws {
    #expect(throws: SchedulerError.service(.invalidParameter(path))) {
      try TestClockMove(method, decoding: JSONNode(validating: text))
    }
  }

  @Test func readsAndMovesClocks() throws {
    let (client, far) = connectedPair()
    defer { close(far) }
    let clocks = ClockReading(
      wall: WallTime(microseconds: 1), boottime: BootTime(microseconds: 2))
    let moved = TestClockReply(wall: .latest, events: 3, sequence: 9)
    write(far) { writer in
      writer.varlinkReply(TestClockNow.Reply(clocks: clocks).encode)
      writer.varlinkReply(moved.encode)
    }
    #expect(try client.call(TestClockNow()).clocks == clocks)
    #expect(try client.call(TestClockMove.advanceToNext) == moved)
    let call = try #require(try read(far))
    #expect(TestClockMethod(call) == .now)
    #expect(try TestClockMove(.now, decoding: call.parameters) == nil)
    #expect(throws: SchedulerError.service(.invalidParameter("x"))) {
      try TestClockNow(decoding: JSONNode(validating: #"{"x":1}"#))
    }
  }
}
