import JSON
import LiveActivity
import Testing
import Varlink

@testable import SchedulerAPI

@Suite struct DateTests {
  private func end(_ date: String) throws -> RequestParameters {
    try RequestParameters(decoding: JSONNode(validating: #"{"endDate":"\#(date)"}"#))
  }

  @Test(arguments: [
    ("2026-12-01T18:30:00Z", "2026-12-01T18:30:00.000000Z"),
    ("2026-12-01t18:30:00z", "2026-12-01T18:30:00.000000Z"),
    ("2026-12-01 18:30:00+00:00", "2026-12-01T18:30:00.000000Z"),
    ("2026-12-01T19:30:00+01:00", "2026-12-01T18:30:00.000000Z"),
    ("2026-12-01T00:00:00-05:45", "2026-12-01T05:45:00.000000Z"),
    ("2026-12-01T18:30:00.1Z", "2026-12-01T18:30:00.100000Z"),
    ("2026-12-01T18:30:00.000001Z", "2026-12-01T18:30:00.001000Z"),
    ("2026-12-01T18:30:00.999001Z", "2026-12-01T18:30:01.000000Z"),
    ("2026-12-01T18:30:00.001000Z", "2026-12-01T18:30:00.001000Z"),
    ("2026-12-31T23:59:60Z", "2027-01-01T00:00:00.000000Z"),
    ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000Z"),
    ("2038-01-19T03:14:08Z", "2038-01-19T03:14:08.000000Z"),
    ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999000Z"),
  ])
  func datesAreReadInAnyOffsetAndNeverEarly(text: String, utc: String) throws {
    #expect(try end(text).text.string == #"{"endDate":"\#(utc)"}"#)
  }

  @Test(arguments: [
    "", "tomorrow", "2026-12-01", "2026-12-01T18:30Z", "2026-12-01T18:30:00",
    "2026-02-29T00:00:00Z",
    "2026-12-01T18:30:61Z", "2026-12-01T24:00:00Z", "2026-12-01T18:30:00.0000001Z",
    "1969-12-31T23:59:59Z", "1970-01-01T00:30:00+01:00", "10000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.9991Z", "9999-12-31T23:59:60Z", "2026-12-01T18:30:00Z ", "@1893456000",
  ])
  func whatIsNoDateIsRefusedByName(text: String) throws {
    do throws(SchedulerError) {
      _ = try RequestParameters(
        decoding: node(#"{"content":{"state":{},"staleDate":"\#(text)"}}"#))
      Issue.record("taken: \(text)")
    } catch .invalidDate(let field, let value, let why) {
      #expect(field == "content.staleDate")
      #expect(value == text || text.hasPrefix("9999"))
      #expect(!why.isEmpty && !why.contains("\n"))
    } catch {
      Issue.record("\(error)")
    }
  }

  private func node(_ text: String) -> JSONNode {
    (try? JSONNode(validating: text)) ?? JSONDocument.emptyObject.root
  }

  @Test func aHugeDateIsNotSentBackWhole() throws {
    let long = String(repeating: "9", count: 1 << 20)
    let error = try refusal(.request, #"{"endDate":"\#(long)"}"#)
    var writer = JSONWriter()
    try #require(error).reply(&writer)
    #expect(writer.bytes.count < 1_000)
  }

  @Test func repliesKeepMicroseconds() throws {
    let date = "2026-12-01T18:30:00.000001Z"
    let reply = try SnoozeAlertParameters.Reply(
      decoding: JSONNode(validating: #"{"date":"\#(date)"}"#))
    #expect(reply.date.rfc3339 == date)
  }
}

@Suite struct CanonicalTests {
  private func canonical(_ text: String) throws -> JSONText {
    try RequestParameters(decoding: JSONNode(validating: text)).canonical
  }

  @Test func identicalIsWhatWasSentBarSpelling() throws {
    let first = try canonical(
      #"{"id":"a","content":{"state":{"x":1.50,"y":"é"}},"start":{"at":"2026-12-01T18:30:00Z"},"#
        + #""endAfterUSec":60}"#)
    let second = try canonical(
      #" { "endAfterUSec" : 60 , "ifExists":"keep", "start":{"at":"2026-12-01T19:30:00.0+01:00"},"#
        + #" "owner":null, "content":{"state": { "x":1.50, "y" : "é" }, "staleDate":null}, "#
        + #""id":"\u0061", "bound":false } "#)
    #expect(first == second)
    #expect(
      first.string
        == #"{"id":"a","content":{"state":{"x":1.50,"y":"é"}},"#
        + #""start":{"at":"2026-12-01T18:30:00.000000Z"},"endAfterUSec":60}"#)
  }

  @Test(arguments: [
    #"{"id":"b","endAfterUSec":60}"#, #"{"id":"a","endAfterUSec":61}"#, #"{"id":"a"}"#,
    #"{"id":"a","endAfterUSec":60,"attributes":{}}"#, #"{"id":"a","endAfterUSec":60,"actions":[]}"#,
    #"{"id":"a","endAfterUSec":60,"bound":true}"#, #"{"id":"a","endAfterUSec":60,"owner":0}"#,
    #"{"id":"a","endDate":"2026-12-01T18:30:00Z"}"#,
  ])
  func anythingElseIsDifferent(text: String) throws {
    #expect(try canonical(text) != canonical(#"{"id":"a","endAfterUSec":60}"#))
  }

  @Test func payloadsAreEqualByTheirText() throws {
    let texts = [
      #"{"x":1}"#, #"{"x":1.0}"#, #"{"x":1,"y":2}"#, #"{"y":2,"x":1}"#, #"{"\u0078":1}"#,
    ]
    let kept = try texts.map { try canonical(#"{"attributes":\#($0)}"#) }
    #expect(Set(kept).count == texts.count)
  }

  @Test func itIsReadBack() throws {
    for (method, text) in callSamples where method == .request {
      var parameters = try RequestParameters(decoding: JSONNode(validating: text))
      let canonical = parameters.canonical
      parameters.ifExists = .fail
      #expect(try RequestParameters(canonical: canonical) == parameters)
      #expect(!canonical.string.contains("ifExists"))
      #expect(try JSONText(validating: canonical.bytes) == canonical)
    }
    for bytes in [[], Array("{".utf8), Array("[]".utf8), Array(#"{"x":1}"#.utf8)] {
      #expect(throws: SchedulerError.self) {
        try RequestParameters(canonical: JSONText(trusted: bytes))
      }
    }
  }

  @Test func staleIsADateOrASpan() throws {
    var parameters = RequestParameters()
    #expect(parameters.stale == nil)
    parameters.staleAfter = .seconds(1)
    #expect(parameters.stale == .after(.seconds(1)))
    parameters.content = Content(staleDate: .earliest)
    #expect(parameters.stale == .at(.earliest))
  }
}
