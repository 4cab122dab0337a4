import Testing

@testable import JSON

private func merged(_ target: String, _ patch: String) throws -> String {
  try JSONText.mergePatch(
    target: JSONText(validating: target), patch: JSONText(validating: patch)
  ).string
}

@Suite struct JSONMergePatchTests {
  /// RFC 7396, appendix A.
  @Test(arguments: [
    (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
    (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
    (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
    (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
    (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
    (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
    (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, #"null"#, #"null"#),
    (#"{"a":"foo"}"#, #""bar""#, #""bar""#), (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
    (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
    (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
  ])
  func mergesAsTheRFCSays(target: String, patch: String, result: String) throws {
    #expect(try merged(target, patch) == result)
  }

  @Test func keepsOrderLiteralsAndEscapes() throws {
    #expect(
      try merged(
        #"{"z":1.50,"a":{"k":1e3,"l":0},"\u006d":7}"#, #"{"a":{"l":2.0,"n":"\u00e9"},"b":3}"#)
        == #"{"z":1.50,"a":{"k":1e3,"l":2.0,"n":"\u00e9"},"\u006d":7,"b":3}"#)
  }

  @Test func keysAreTheSameByWhatTheyStandFor() throws {
    #expect(try merged(#"{"\u0061":1}"#, #"{"a":2}"#) == #"{"\u0061":2}"#)
    // Alike to a reader, different bytes.
    #expect(try merged("{\"é\":1}", "{\"e\u{301}\":2}") == "{\"é\":1,\"e\u{301}\":2}")
  }

  @Test func aSixtyFourDeepMergeIsFine() throws {
    func nested(_ inner: String) -> String {
      String(repeating: "{\"a\":", count: 63) + inner + String(repeating: "}", count: 63)
    }
    #expect(try merged(nested("{\"b\":1}"), nested("{\"c\":2}")) == nested("{\"b\":1,\"c\":2}"))
  }

  @Test func trustedBytesThatAreNotJSONEndInAnError() {
    #expect(throws: JSONError.self) {
      try JSONText.mergePatch(target: JSONText(trusted: [0x7B]), patch: .emptyObject)
    }
  }

  @Test func thousandsOfMembersMergeQuickly() throws {
    let target = (0..<20_000).map { "\"k\($0)\":0" }.joined(separator: ",")
    let patch = (10_000..<30_000).map { "\"k\($0)\":1" }.joined(separator: ",")
    let result = try JSONNode(validating: merged("{\(target)}", "{\(patch)}"))
    #expect(result.members.reduce(0) { $0 + Int($1.value.int64 ?? 0) } == 20_000)
    #expect(Array(result.members).count == 30_000)
  }
}
