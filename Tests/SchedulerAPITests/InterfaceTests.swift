import JSON
import LiveActivity
import Testing
import Varlink

@testable import SchedulerAPI

@Suite struct InterfaceTests {
  private let interface = try? VarlinkInterface(LiveActivitiesInterface.definition)

  @Test func definitionsAreRead() throws {
    let interface = try #require(interface)
    #expect(interface.name == LiveActivitiesInterface.name)
    #expect(
      interface.methods.map { interface.name + "." + $0.name }
        == SchedulerMethod.allCases.map(\.name))
    let clock = try VarlinkInterface(TestClockInterface.definition)
    #expect(clock.name == TestClockInterface.name)
    #expect(
      clock.methods.map { clock.name + "." + $0.name }
        == TestClockMethod.allCases.map(\.name))
  }

  @Test func enumerationsAreThoseOfTheDefinition() throws {
    let interface = try #require(interface)
    func values(_ name: String, _ field: String? = nil) throws -> [String] {
      var type = try #require(interface.types.first { $0.name == name }?.type)
      if let field, case .structure(let fields) = type {
        type = try #require(fields.first { $0.name == field }?.type)
      }
      if case .optional(let inner) = type { type = inner }
      guard case .enumeration(let values) = type else { return [] }
      return values
    }
    #expect(try values("State") == ActivityState.names.names)
    #expect(try values("Reason") == Reason.names.names)
    #expect(try values("Alert", "urgency") == Alert.Urgency.names.names)
    #expect(try values("Event", "kind") == EventKind.names.names)
    #expect(try values("Event", "alertOutcome") == AlertOutcome.names.names)
    #expect(try values("Dismissal", "policy") == DismissalChoice.names.names)
  }

  @Test func methodsAreFoundByTheirName() throws {
    func call(_ method: String) throws -> VarlinkCall {
      try VarlinkCall(Array(#"{"method":"\#(method)"}"#.utf8).span)
    }
    for method in SchedulerMethod.allCases {
      #expect(try SchedulerMethod(call(method.name)) == method)
      #expect(try TestClockMethod(call(method.name)) == nil)
    }
    for method in TestClockMethod.allCases {
      #expect(try TestClockMethod(call(method.name)) == method)
    }
    #expect(try SchedulerMethod(call("io.lasched.LiveActivities.request")) == nil)
    #expect(try SchedulerMethod(call("Request")) == nil)
    #expect(try SchedulerMethod(call("io.lasched.LiveActivities.Re\\u0071uest")) == .request)
  }

  @Test func samplesComeBackAndFitTheDefinition() throws {
    let interface = try #require(interface)
    var seen: [SchedulerMethod: Set<String>] = [:]
    for (method, text) in callSamples {
      let again = try recode(method, JSONNode(validating: text))
      #expect(again.string == text)
      let input = interface.methods[method.rawValue].input
      let node = try again.parsed()
      #expect(interface.fault(in: node, as: input) == nil, "\(text)")
      seen[method, default: []].formUnion(node.members.map { $0.key.string ?? "" })
    }
    // Each field of each method is in a sample.
    for method in SchedulerMethod.allCases {
      guard case .structure(let fields) = interface.methods[method.rawValue].input else { continue }
      #expect(Set(fields.map(\.name)) == seen[method, default: []], "\(method)")
    }
  }

  @Test func whatIsWrongIsRefusedByItsPath() throws {
    let interface = try #require(interface)
    var count = 0
    for (method, text) in callSamples {
      let value = JSONValue(try JSONNode(validating: text))
      for mutant in mutants(
        of: value, as: interface.methods[method.rawValue].input, in: interface)
      {
        let text = try mutant.value.text()
        let path = mutant.path.isEmpty ? "parameters" : mutant.path
        #expect(
          refusal(method, try text.parsed()) == .service(.invalidParameter(path)),
          "\(method): \(text)")
        count += 1
      }
    }
    #expect(count > 500)
  }

  @Test func nullIsAbsentAndObjectsAreFree() throws {
    let nulls =
      #"{"id":null,"content":{"state":{"x":null,"stalDate":1},"staleDate":null},"#
      + #""alert":null,"actions":null,"start":null,"owner":null,"bound":null,"ifExists":null}"#
    #expect(
      try recode(.request, JSONNode(validating: nulls)).string
        == #"{"content":{"state":{"x":null,"stalDate":1}}}"#)
  }

  @Test func aWholeNumberStandsForAFloat() throws {
    let node = try JSONNode(validating: #"{"id":"a","relevanceScore":7}"#)
    #expect(try UpdateParameters(decoding: node).relevanceScore == 7)
  }

  @Test func noMutationOfASampleTraps() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(state: seed)
    for _ in 0..<6_000 {
      guard let (method, text) = callSamples.randomElement(using: &random) else { continue }
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let i = Int.random(in: 0..<bytes.count, using: &random)
        let j = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[i] = UInt8.random(in: 0x20...0x7E, using: &random)
        case 1: bytes[i] = bytes[j]
        default: bytes.insert(contentsOf: bytes[min(i, j)..<max(i, j)].prefix(9), at: i)
        }
      }
      guard let node = try? JSONNode(validating: bytes) else { continue }
      guard let once = try? recode(method, node) else { continue }
      // What is taken is taken again, as it is written.
      let twice = (try? once.parsed()).flatMap { try? recode(method, $0) }
      #expect(twice == once, "seed \(seed): \(once)")
    }
  }
}
