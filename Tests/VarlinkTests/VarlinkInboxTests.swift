import JSON
import Testing

@testable import Varlink

@Suite struct VarlinkInboxTests {
  private func call(bytes count: Int) -> [UInt8] {
    let frame = #"{"method":"a.b.C","parameters":{"x":""}}"#
    let filler = String(repeating: "y", count: count - frame.utf8.count)
    return messages(frame.replacing("\"\"}", with: "\"\(filler)\"}"))
  }

  @Test func takesMessagesHoweverTheyArrive() throws {
    var stream: [UInt8] = []
    for i in 0..<200 { stream += messages(#"{"method":"a.b.M\#(i)"}"#) }
    for step in [1, 2, 3, 7, 8, 9, 64, 1_000, stream.count] {
      var inbox = VarlinkInbox()
      var seen: [String] = []
      for start in stride(from: 0, to: stream.count, by: step) {
        inbox.append(Array(stream[start..<min(start + step, stream.count)]).span)
        while let call = try inbox.nextCall() { seen.append(call.method) }
      }
      #expect(seen == (0..<200).map { "a.b.M\($0)" })
      #expect(inbox.count == 0)
    }
  }

  @Test func takesAMessageOfTheLargestSizeAndNoLarger() throws {
    var inbox = VarlinkInbox()
    inbox.append(call(bytes: VarlinkLimits.messageBytes).span)
    #expect(try inbox.nextCall()?.method == "a.b.C")
    inbox.append(call(bytes: VarlinkLimits.messageBytes + 1).span)
    #expect(throws: VarlinkMessageError.self) { try inbox.nextCall() }
  }

  @Test func aMessageWithoutEndIsRefusedOnceItIsTooLong() throws {
    var inbox = VarlinkInbox()
    let chunk = [UInt8](repeating: 0x20, count: 1 << 16)
    for _ in 0..<16 {
      inbox.append(chunk.span)
      #expect(try inbox.nextCall() == nil)
    }
    inbox.append(chunk.span)
    #expect(throws: VarlinkMessageError.self) { try inbox.nextCall() }
    #expect(inbox.count == 0)
  }

  @Test func manyBehindALongOneAreKept() throws {
    var inbox = VarlinkInbox()
    inbox.append((call(bytes: 1 << 20) + call(bytes: 100) + call(bytes: 1 << 19)).span)
    #expect(try inbox.nextCall() != nil)
    inbox.append(call(bytes: 50).span)
    for _ in 0..<3 { #expect(try inbox.nextCall() != nil) }
    #expect(try inbox.nextCall() == nil)
    #expect(inbox.count == 0)
  }

  @Test func randomBytesEndInAnErrorOrACall() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(state: seed)
    for _ in 0..<3_000 {
      var bytes = messages(
        #"{"method":"a.b.C","parameters":{"a":[1,"\u00e9",{"b":null}]},"more":true}"#)
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      var inbox = VarlinkInbox()
      inbox.append(bytes.span)
      while let call = try? inbox.nextCall() {
        _ = call.parameterAtFault
        var writer = JSONWriter()
        testService.answer(call, &writer)
        #expect(call.oneway || writer.bytes.last == 0, "seed \(seed)")
      }
    }
  }
}

/// SplitMix64: the same numbers for the same seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

@Suite struct VarlinkOutboxTests {
  @Test func sendsWhatWaitsInOrder() {
    for step in [1, 3, 1_000, 70_000, 1 << 20] {
      var outbox = VarlinkOutbox()
      var expected: [UInt8] = []
      var sent: [UInt8] = []
      for i in 0..<40 {
        let filler = String(repeating: "x", count: i * 100)
        outbox.writer.varlinkReply { $0.member("i", filler) }
        expected += messages(#"{"parameters":{"i":"\#(filler)"}}"#)
        #expect(outbox.waiting == expected.count - sent.count)
        outbox.flush { bytes in
          let count = min(step, bytes.count)
          for k in 0..<count { sent.append(bytes[k]) }
          return count
        }
      }
      while outbox.waiting > 0 {
        outbox.flush { bytes in
          let count = min(max(step, 100), bytes.count)
          for k in 0..<count { sent.append(bytes[k]) }
          return count
        }
      }
      #expect(sent == expected)
    }
  }

  @Test func nothingWaitingIsNotOffered() {
    var outbox = VarlinkOutbox()
    outbox.flush { _ in
      Issue.record("asked to send nothing")
      return 0
    }
    outbox.writer.varlinkReply()
    outbox.flush { _ in 0 }
    #expect(outbox.waiting == 18)
  }
}
