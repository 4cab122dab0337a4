import JSON
import Testing
import Varlink

@testable import SchedulerAPI

@Suite struct PushCodingTests {
  private static let samples: [(method: PushMethod, text: String)] = [
    (.push, #"{"token":"0f","payload":{"aps":{"event":1}}}"#),
    (.push, #"{"token":"0f","payload":{},"priority":5}"#),
    (.createToken, #"{"id":"a","session":1,"owner":5,"voidOthers":true}"#),
    (.createStartToken, #"{"attributesType":"T","application":"p","owner":5,"voidOthers":true}"#),
    (.voidStartTokens, #"{"attributesType":"T","application":"p","owner":5}"#),
  ]

  private static func recode(
    _ method: PushMethod, _ node: JSONNode
  ) throws(SchedulerError) -> JSONText {
    switch method {
    case .push: try PushParameters(decoding: node).text
    case .createToken: try CreateTokenParameters(decoding: node).text
    case .createStartToken: try CreateStartTokenParameters(decoding: node).text
    case .voidStartTokens: try VoidStartTokensParameters(decoding: node).text
    }
  }

  @Test func methodsAreThoseOfTheDefinition() throws {
    let interface = try VarlinkInterface(PushInterface.definition)
    #expect(interface.name == PushInterface.name)
    #expect(
      interface.methods.map { interface.name + "." + $0.name } == PushMethod.allCases.map(\.name))
  }

  @Test func samplesComeBackAndWhatIsWrongIsRefusedByItsPath() throws {
    let interface = try VarlinkInterface(PushInterface.definition)
    for (method, text) in Self.samples {
      let node = try JSONNode(validating: text)
      #expect(try Self.recode(method, node).string == text)
      let input = interface.methods[method.rawValue].input
      #expect(interface.fault(in: node, as: input) == nil)
      for mutant in mutants(of: JSONValue(node), as: input, in: interface) {
        let path = mutant.path.isEmpty ? "parameters" : mutant.path
        #expect(throws: SchedulerError.service(.invalidParameter(path)), "\(text)") {
          try Self.recode(method, try mutant.value.text().parsed())
        }
      }
    }
  }

  @Test(arguments: [
    SchedulerError.invalidToken, .invalidPayload(field: "aps.event", why: "it is missing"),
    .notStarted(id: "a"), .tooManyTokens(limit: 100),
  ])
  func errorsComeBack(_ error: SchedulerError) throws {
    let text = try JSONText { writer in
      writer.beginObject()
      error.encode(&writer)
      writer.endObject()
    }
    #expect(error.name.hasPrefix("io.lasched.Push."))
    #expect(SchedulerError(name: error.name, parameters: try text.parsed()) == error)
  }

  @Test func noMutationOfAPayloadTraps() throws {
    let sample =
      #"{"aps":{"timestamp":1796126400.5,"event":"start","content-state":{"a":[1]},"#
      + #""attributes-type":"T","attributes":{"pushwoosh":{"activityId":"x"}},"#
      + #""alert":{"title":{"loc-key":"%@ %1$@ %%","loc-args":["a",1]},"body":"b","sound":"s"},"#
      + #""stale-date":1796126401,"relevance-score":1e2,"input-push-channel":"c","sound":"y"}}"#
    #expect(throws: Never.self) { try PushPayload(JSONText(validating: sample)) }
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(state: seed)
    var taken = 0
    for _ in 0..<20_000 {
      var bytes = Array(sample.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let i = Int.random(in: 0..<bytes.count, using: &random)
        let j = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[i] = UInt8.random(in: 0x20...0x7E, using: &random)
        case 1: bytes[i] = bytes[j]
        default: bytes.insert(contentsOf: bytes[min(i, j)..<max(i, j)].prefix(9), at: i)
        }
      }
      guard let text = try? JSONText(validating: bytes) else { continue }
      if (try? PushPayload(text)) != nil { taken += 1 }
    }
    #expect(taken > 0, "seed \(seed)")
  }
}
