import Foundation
import JSON
import LiveActivityKit
import LiveActivityTestKit
import Testing
import Varlink

struct ExactAttributes: ActivityAttributes, Equatable {
  enum Side: String, Codable, Hashable { case left, right }

  struct Inner: Codable, Hashable {
    var teamName: String
    var goals: [Int]
    var side: Side?

    enum CodingKeys: String, CodingKey {
      case teamName = "team_name"
      case goals
      case side
    }
  }

  struct ContentState: Codable, Hashable {
    var inner: [String: Inner]
    var big: Int64
    var bigger: UInt64
    var one: Double
    var small: Double
    var date: Date
    var text: String
    var url: URL
    var nothing: Int?
  }

  var uuid: UUID
  var date: Date
  var data: Data
}

@Suite struct JSONTests {
  private func state(_ generator: inout some RandomNumberGenerator) -> ExactAttributes.ContentState
  {
    .init(
      inner: ["a/b": .init(teamName: "Ğalatasaray \"x\" \\ \t", goals: [1, 2], side: .right)],
      big: .random(in: .min ... .max, using: &generator),
      bigger: .random(in: (1 << 63)...(.max), using: &generator), one: 1.0,
      small: .random(in: -1e-300...1e-300, using: &generator),
      date: Date(timeIntervalSinceReferenceDate: .random(in: 0...1e9, using: &generator)),
      text: "👨‍👩‍👧 فريق‏ e\u{301}", url: URL(string: "https://example.org/a?b=c%20d")!,
      nothing: nil)
  }

  @Test func whatComesBackEqualsWhatWentIn() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = Seeded(state: seed)
    try await TestDaemon.with { daemon in
      for _ in 0..<20 {
        let attributes = ExactAttributes(
          uuid: UUID(),
          date: Date(timeIntervalSinceReferenceDate: .random(in: 0...1e9, using: &generator)),
          data: Data([0, 255, 10]))
        let first = state(&generator)
        let requested = try Activity.request(
          attributes: attributes, content: .init(state: first, staleDate: nil))
        let found = try #require(
          Activity<ExactAttributes>.activities.first { $0.id == requested.id })
        #expect(found.attributes == attributes, "seed \(seed)")
        #expect(found.content.state == first, "seed \(seed)")
        let second = state(&generator)
        await found.update(.init(state: second, staleDate: nil))
        #expect(requested.content.state == second, "seed \(seed)")
      }
    }
  }

  @Test func theDaemonHasTheCodersKeysAndDates() async throws {
    try await TestDaemon.with { daemon in
      var generator = Seeded(state: 1)
      var state = state(&generator)
      state.date = Date(timeIntervalSinceReferenceDate: 786_000_000.25)
      state.big = 9_007_199_254_740_993
      let activity = try Activity.request(
        attributes: ExactAttributes(uuid: UUID(), date: state.date, data: Data()),
        content: .init(state: state, staleDate: nil))
      let kept = try get(activity.id, daemon)["content"]?["state"]
      #expect(kept?["date"]?.text?.string == "786000000.25")
      #expect(kept?["big"]?.text?.string == "9007199254740993")
      #expect(kept?["inner"]?["a/b"]?["team_name"]?.string == "Ğalatasaray \"x\" \\ \t")
      #expect(kept?["url"]?.string == "https://example.org/a?b=c%20d")
    }
  }

  @Test func untypedNumbersStayAsTheyAre() async throws {
    try await TestDaemon.with { daemon in
      let content: [String: Any] = [
        "one": 1.0, "whole": 1, "big": UInt64.max, "truth": true, "nothing": Int?.none as Any,
        "list": [1, 2.5, "three", ["four": 4]] as [Any],
      ]
      LiveActivities.defaultStart("x", attributes: ["name": "static"], content: content)
      let kept = try get("x", daemon)
      #expect(
        kept["content"]?["state"]?.text?.string
          == #"{"data":{"big":18446744073709551615,"list":[1,2.5,"three",{"four":4}],"nothing":null,"one":1.0,"truth":true,"whole":1}}"#
      )
      #expect(
        kept["attributes"]?.text?.string
          == #"{"data":{"name":"static"},"pushwoosh":{"activityId":"x"}}"#)
      let activity = try #require(Activity<DefaultLiveActivityAttributes>.activities.first)
      #expect(activity.content.state.data["one"]?.value is Double)
      #expect(activity.content.state.data["whole"]?.value as? Int == 1)
      #expect(activity.content.state.data["big"]?.value as? UInt64 == .max)
    }
  }

  @Test func whatFoundationReadKeepsItsKinds() async throws {
    try await TestDaemon.with { daemon in
      let text = #"{"a":true,"b":1,"c":2.5,"d":null,"e":[false,9007199254740993]}"#
      let read = try #require(
        JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      LiveActivities.defaultStart("x", attributes: [:], content: read)
      let kept = try get("x", daemon)["content"]?["state"]?["data"]?.text?.string
      #expect(kept == text)
    }
  }

  @Test func whatJSONCannotSayIsRefused() async throws {
    try await TestDaemon.with { _ in
      #expect(throws: LiveActivityError.self) {
        try Activity.request(
          attributes: NamedAttributes(activityID: "x"),
          content: .init(state: .init(step: 1), staleDate: nil, relevanceScore: .nan))
      }
      var errors: [String] = []
      LiveActivities.defaultStart("x", attributes: [:], content: ["a": Double.infinity]) {
        errors.append("\($0.map { "\($0)" } ?? "none")")
      }
      LiveActivities.defaultStart("x", attributes: [:], content: ["a": Mutable()]) {
        errors.append("\($0.map { "\($0)" } ?? "none")")
      }
      #expect(
        errors == ["inf cannot be said in JSON", "a value of type Mutable cannot be said in JSON"])
    }
  }

  @Test func aSessionThatDoesNotDecodeIsLeftOutAndLogged() async throws {
    try await TestDaemon.with { daemon in
      let connection = try VarlinkConnection(connectingTo: daemon.daemon.socket)
      let reply = try connection.call("io.lasched.LiveActivities.Request") { writer in
        writer.key("application")
        writer.string(daemon.daemon.application)
        writer.key("attributesType")
        writer.string("DeliveryAttributes")
        writer.key("id")
        writer.string("foreign-\(getpid())")
      }
      #expect(reply.error == nil)
      let lines = Collected()
      let earlier = LiveActivityLog.handler
      LiveActivityLog.handler = { lines.add($0) }
      defer { LiveActivityLog.handler = earlier }
      let own = try deliver()
      #expect(Delivery.activities.map(\.id) == [own.id])
      #expect(lines.all.contains { $0.contains("'foreign-\(getpid())' does not decode") })
    }
  }

  private final class Mutable {}

  private func get(_ id: String, _ daemon: TestDaemon) throws -> JSONNode {
    let connection = try VarlinkConnection(connectingTo: daemon.daemon.socket)
    let reply = try connection.call("io.lasched.LiveActivities.Get") { writer in
      writer.key("id")
      writer.string(id)
    }
    return try #require(reply.parameters["activity"], "\(reply.error ?? "")")
  }
}

/// SplitMix64 (https://prng.di.unimi.it/splitmix64.c).
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Lines from several threads.
final class Collected: Sendable {
  private let lines = Locked<[String]>([])

  func add(_ line: String) { lines.with { $0.append(line) } }
  var all: [String] { lines.with { $0 } }
}

final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func with<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&value) } }
}
