import JSON
import LiveActivity
import Testing
import Varlink

@testable import SchedulerAPI

@Suite struct RefusalTests {
  private let date = #""2026-12-01T19:00:00Z""#

  private func expect(
    _ method: SchedulerMethod, _ text: String, refusedFor path: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(
      try refusal(method, text) == .service(.invalidParameter(path)), "\(text)",
      sourceLocation: sourceLocation)
  }

  @Test func ofAPairOneIsSetAtMost() throws {
    try expect(
      .request, #"{"content":{"state":{},"staleDate":\#(date)},"staleAfterUSec":1}"#,
      refusedFor: "staleAfterUSec")
    for prefix in ["startBy", "end"] {
      try expect(
        .request, #"{"\#(prefix)AfterUSec":1,"\#(prefix)Date":\#(date)}"#,
        refusedFor: prefix + "AfterUSec")
    }
    for prefix in ["startBy", "stale", "end"] {
      try expect(
        .reschedule, #"{"id":"a","\#(prefix)Date":\#(date),"\#(prefix)AfterUSec":1}"#,
        refusedFor: prefix + "AfterUSec")
    }
    for end in [#""endDate":\#(date)"#, #""endAfterUSec":1"#] {
      try expect(.reschedule, #"{"id":"a","noEnd":true,\#(end)}"#, refusedFor: "noEnd")
      #expect(try refusal(.reschedule, #"{"id":"a","noEnd":false,\#(end)}"#) == nil)
    }
    for method in [SchedulerMethod.request, .reschedule] {
      let id = method == .request ? "" : #""id":"a","#
      try expect(
        method, #"{\#(id)"start":{"at":\#(date),"afterUSec":1}}"#, refusedFor: "start.afterUSec")
      try expect(method, #"{\#(id)"start":{}}"#, refusedFor: "start")
      try expect(method, #"{\#(id)"start":{"at":null}}"#, refusedFor: "start")
    }
  }

  @Test func aChangeIsForOneIDOrOneChannel() throws {
    for method in [SchedulerMethod.update, .end, .cancel] {
      try expect(method, "{}", refusedFor: "id")
      try expect(method, #"{"id":null}"#, refusedFor: "id")
      try expect(method, #"{"channel":"c","id":"a"}"#, refusedFor: "channel")
      try expect(method, #"{"channel":"c","session":1}"#, refusedFor: "session")
      try expect(method, #"{"id":"a","owner":1,"everyOwner":true}"#, refusedFor: "everyOwner")
      #expect(try refusal(method, #"{"id":"a","owner":1,"everyOwner":false}"#) == nil)
    }
    try expect(.update, #"{"channel":"c","ifSequence":1}"#, refusedFor: "ifSequence")
    try expect(.stop, #"{"session":1}"#, refusedFor: "session")
    try expect(.history, #"{"session":1}"#, refusedFor: "session")
    for method in [SchedulerMethod.list, .history, .monitor] {
      try expect(method, #"{"everyOwner":true,"owner":1}"#, refusedFor: "everyOwner")
    }
  }

  @Test func nothingIsNamedTwice() throws {
    let content = #""content":{"state":{},"staleDate":\#(date),"relevanceScore":1}"#
    for method in [SchedulerMethod.update, .end] {
      try expect(method, #"{"id":"a",\#(content),"patch":{}}"#, refusedFor: "patch")
      try expect(
        method, #"{"id":"a",\#(content),"relevanceScore":2}"#, refusedFor: "relevanceScore")
    }
    try expect(.update, #"{"id":"a",\#(content),"staleDate":\#(date)}"#, refusedFor: "staleDate")
    let merged = try UpdateParameters(
      decoding: JSONNode(
        validating: #"{"id":"a","content":{"state":{}},"staleDate":\#(date),"relevanceScore":2}"#))
    #expect(merged.content?.relevanceScore == 2)
    #expect(merged.content?.staleDate != nil)
    #expect(merged.staleDate == nil && merged.relevanceScore == nil)
  }

  @Test func aDismissalDateGoesWithAfter() throws {
    try expect(.end, #"{"id":"a","dismissal":{"policy":"after"}}"#, refusedFor: "dismissal.date")
    for policy in ["immediate", "default"] {
      try expect(
        .end, #"{"id":"a","dismissal":{"policy":"\#(policy)","date":\#(date)}}"#,
        refusedFor: "dismissal.date")
    }
  }

  @Test func anAgentTellsOnlyOfWhatItDid() throws {
    for outcome in ["expired", "withdrawn"] {
      try expect(
        .confirmAlert, #"{"sequence":1,"outcome":"\#(outcome)"}"#, refusedFor: "outcome")
    }
  }

  @Test func spansAndUsersHaveTheirRange() throws {
    for field in ["staleAfterUSec", "startByAfterUSec", "endAfterUSec"] {
      try expect(.request, #"{"\#(field)":-1}"#, refusedFor: field)
      #expect(try refusal(.request, #"{"\#(field)":9223372036854775807}"#) == nil)
    }
    try expect(.request, #"{"start":{"afterUSec":-1}}"#, refusedFor: "start.afterUSec")
    try expect(.snoozeAlert, #"{"sequence":1,"forUSec":-1}"#, refusedFor: "forUSec")
    for owner in ["-1", "4294967295", "4294967296"] {
      try expect(.get, #"{"id":"a","owner":\#(owner)}"#, refusedFor: "owner")
    }
    #expect(try refusal(.get, #"{"id":"a","owner":4294967294}"#) == nil)
  }

  @Test(arguments: [
    (#"{"id":"@"}"#, "id", 255, true), (#"{"application":"@"}"#, "application", 255, true),
    (#"{"channel":"@"}"#, "channel", 255, true),
    (#"{"attributesType":"@"}"#, "attributesType", 128, true),
    (#"{"alert":{"title":"@","body":""}}"#, "alert.title", 256, false),
    (#"{"alert":{"title":"","body":"@"}}"#, "alert.body", 2048, false),
    (#"{"endAlert":{"title":"","body":"","sound":"@"}}"#, "endAlert.sound", 256, true),
    (#"{"actions":[{"name":"@","label":""}]}"#, "actions[0].name", 128, true),
    (
      #"{"actions":[{"name":"b","label":""},{"name":"a","label":"@"}]}"#, "actions[1].label", 256,
      false
    ),
    (#"{"audience":["everyone","user:@"]}"#, "audience[1]", 250, true),
  ])
  func textsHaveTheirLength(text: String, path: String, most: Int, needsText: Bool) throws {
    func with(_ value: String) -> String { text.replacing("@", with: value) }
    #expect(try refusal(.request, with(String(repeating: "x", count: most))) == nil)
    try expect(.request, with(String(repeating: "x", count: most + 1)), refusedFor: path)
    if needsText {
      try expect(.request, with(""), refusedFor: path)
    } else {
      #expect(try refusal(.request, with("")) == nil)
    }
    // Bytes count, not characters.
    try expect(.request, with(String(repeating: "é", count: most / 2 + 1)), refusedFor: path)
    let isBody = path.hasSuffix("body")
    for hostile in [#"\n"#, #"\u001b[31m"#, #"\u202e"#, #"\u2066"#, #"\u2028"#, #"\u0085"#] {
      if isBody {
        #expect(try refusal(.request, with(hostile)) == nil)
      } else {
        try expect(.request, with("a" + hostile), refusedFor: path)
      }
    }
  }

  @Test(arguments: [".a", "a b", "a/b", "é", "a:b"])
  func typesAreMadeOfAFewCharacters(text: String) throws {
    try expect(.request, #"{"attributesType":"\#(text)"}"#, refusedFor: "attributesType")
    try expect(
      .setEnabled, #"{"enabled":true,"attributesType":"\#(text)"}"#, refusedFor: "attributesType")
  }

  @Test(arguments: ["all", "user:", "group:", "User:a", "", "everyone "])
  func audiencesAreOfThreeKinds(text: String) throws {
    try expect(.request, #"{"audience":["\#(text)"]}"#, refusedFor: "audience[0]")
  }

  @Test func listsHaveTheirLength() throws {
    func list(_ element: String, _ count: Int) -> String {
      "[" + [String](repeating: element, count: count).joined(separator: ",") + "]"
    }
    let action = #"{"name":"a","label":"b"}"#
    #expect(try refusal(.request, #"{"actions":\#(list(action, 8))}"#) == nil)
    try expect(.request, #"{"actions":\#(list(action, 9))}"#, refusedFor: "actions[8]")
    #expect(try refusal(.request, #"{"audience":\#(list(#""everyone""#, 32))}"#) == nil)
    try expect(.request, #"{"audience":\#(list(#""everyone""#, 33))}"#, refusedFor: "audience[32]")
  }

  @Test func payloadsAreNestedSixtyFourDeep() throws {
    func nested(_ count: Int) -> String {
      String(repeating: #"{"a":"#, count: count - 1) + "{}"
        + String(repeating: "}", count: count - 1)
    }
    func call(_ state: String) throws -> VarlinkCall {
      let text =
        #"{"method":"io.lasched.LiveActivities.Request","#
        + #""parameters":{"content":{"state":\#(state)}}}"#
      return try VarlinkCall(Array(text.utf8).span)
    }
    #expect(try RequestParameters(call(nested(64))).content?.state.string == nested(64))
    #expect(throws: SchedulerError.service(.invalidParameter("content.state"))) {
      try RequestParameters(call(nested(65)))
    }
    for hostile in [#"{"x":"\ud800"}"#, #"{"x":"\u0000"}"#, #"{"x":1e999}"#] {
      #expect(throws: SchedulerError.service(.invalidParameter("content.state.x"))) {
        try RequestParameters(call(hostile))
      }
    }
  }
}
