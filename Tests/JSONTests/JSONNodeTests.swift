import Testing

@testable import JSON

@Suite struct JSONNodeTests {
  @Test func readsScalars() throws {
    let node = try JSONNode(
      validating: #" { "s" : "a\n\u00e9\ud83c\udfc6/", "i":-42, "d": 1.5,"#
        + #" "t":true, "f":false, "n":null } "#)
    #expect(node.kind == .object)
    #expect(node["s"]?.string == "a\né🏆/")
    #expect(node["i"]?.int64 == -42)
    #expect(node["i"]?.double == -42)
    #expect(node["d"]?.double == 1.5)
    #expect(node["d"]?.int64 == nil)
    #expect(node["t"]?.bool == true)
    #expect(node["f"]?.bool == false)
    #expect(node["n"]?.isNull == true)
    #expect(node["x"] == nil)
    #expect(node["s"]?.int64 == nil)
    #expect(node["t"]?.string == nil)
    #expect(node["t"]?.double == nil)
    #expect(node.members.map { $0.key.string ?? "" } == ["s", "i", "d", "t", "f", "n"])
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("999999999999999999", 999_999_999_999_999_999),
      ("1000000000000000000", 1_000_000_000_000_000_000),
      ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.0", nil), ("1e3", nil),
      ("92233720368547758070", nil), ("-0.0", nil), ("\"1\"", nil),
    ] as [(String, Int64?)])
  func wholeNumbersAreExact(text: String, value: Int64?) throws {
    #expect(try JSONNode(validating: text).int64 == value)
  }

  @Test(
    arguments: [
      ("0", 0), ("50", 50), ("999999999999999", 999_999_999_999_999),
      ("9007199254740993", 9_007_199_254_740_992),
      ("0.1", 0.1), ("-2.5e-3", -0.0025), ("1e-400", 0), ("2.5e-300", 2.5e-300),
    ] as [(String, Double)])
  func numbersAreTheNearestDouble(text: String, value: Double) throws {
    #expect(try JSONNode(validating: text).double == value)
  }

  @Test func minusZeroKeepsItsSign() throws {
    #expect(try JSONNode(validating: "-0").double?.sign == .minus)
  }

  @Test func walksArraysAndTakesTexts() throws {
    let node = try JSONNode(validating: "{\"a\": [ 1 , [ 2 ], {\"b\" : 3.10 } ], \"c\": 1}")
    let array = try #require(node["a"])
    #expect(array.elements.map { $0.text?.string } == ["1", "[2]", "{\"b\":3.10}"])
    #expect(array.height == 2)
    #expect(node.height == 3)
    #expect(array.byteCount == 18)
    #expect(Array(array.members).isEmpty)
    #expect(Array(node.elements).isEmpty)
    #expect(try array.text?.parsed().elements.map(\.kind) == [.number, .array, .object])
  }

  @Test func namesAPath() throws {
    let text = "{\"content\":{\"stalDate\":1},\"actions\":[{},{\"x\":[0,[1]]},{\"label\":2}]}"
    let node = try JSONNode(validating: text)
    let content = try #require(node["content"])
    let actions = try #require(node["actions"])
    #expect(content["stalDate"]?.path(in: node) == "content.stalDate")
    for member in content.members { #expect(member.key.path(in: node) == "content.stalDate") }
    let last = Array(actions.elements)[2]
    #expect(last["label"]?.path(in: node) == "actions[2].label")
    #expect(last["label"]?.path(in: actions) == "[2].label")
    let deep = Array(Array(actions.elements)[1]["x"]!.elements)[1].elements.first { _ in true }
    #expect(deep?.path(in: node) == "actions[1].x[1][0]")
    #expect(node.path(in: node) == "")
    #expect(node.path(in: content) == nil)
    #expect(try node.path(in: JSONNode(validating: text)) == nil)
  }

  @Test func findsFieldsByPlace() throws {
    let names = JSONFieldNames(["id", "startDate", "owner", "é"])
    let node = try JSONNode(
      validating: "{\"owner\":7,\"\\u0069d\":\"x\",\"startDate\":null,\"é\":0}")
    let fields = try JSONFields(node, names)
    #expect(fields[0]?.string == "x")
    #expect(fields[1] == nil)
    #expect(fields[2]?.int64 == 7)
    #expect(fields[3]?.int64 == 0)
    let none = try JSONFields(JSONNode(validating: "{}"), names)
    #expect(none[0] == nil)
  }

  @Test func refusesFieldsItDoesNotKnow() throws {
    let names = JSONFieldNames(["id", "date"])
    func culprit(_ text: String, ignoringUnknown: Bool = false) throws -> String? {
      let node = try JSONNode(validating: text)
      do throws(JSONFieldsError) {
        _ = try JSONFields(node, names, ignoringUnknown: ignoringUnknown)
        return nil
      } catch {
        switch error {
        case .unknown(let key): return key.string
        case .notAnObject: return "no object"
        }
      }
    }
    #expect(try culprit("{\"id\":1,\"Id\":2}") == "Id")
    #expect(try culprit("{\"dote\":1}") == "dote")
    #expect(try culprit("{\"\":1}") == "")
    #expect(try culprit("{\"idx\":null}") == "idx")
    #expect(try culprit("[]") == "no object")
    #expect(try culprit("{\"due\":2,\"date\":3}", ignoringUnknown: true) == nil)
    #expect(try culprit("null", ignoringUnknown: true) == "no object")
  }

  @Test(arguments: [
    ("{\"a\":{\"t\":\"\\ud800\"}}", "a.t", JSONError.Code.surrogate),
    ("{\"a\":[1,\"\\u0000\"]}", "a[1]", .nul),
    ("{\"a\":[1,1e999]}", "a[1]", .number), ("{\"a\":{\"b\":1,\"b\":2}}", "a.b", .duplicateKey),
    ("{\"a\":[[[[]]]]}", "a[0][0][0]", .depth), ("{\"a\u{FFFF}\":1}", "a\u{FFFD}", .noncharacter),
    ("{\"a\":{\"\\u0000\":1}}", "a.\u{FFFD}", .nul),
  ])
  func recordsWhereALimitIsBroken(text: String, path: String, code: JSONError.Code) throws {
    let bytes = Array(text.utf8)
    let document = try JSONDocument(recording: bytes.span, maximumDepth: 4)
    #expect(document.violation?.code == code)
    #expect(document.violating?.path(in: document.root) == path)
    #expect(document.root.text == nil)
  }

  @Test func recordingGoesOnToTheEnd() throws {
    let bytes = Array("{\"a\":\"\\ud800\",\"b\": \"x".utf8) + [0xFF] + Array("y\", \"c\":1}".utf8)
    let document = try JSONDocument(recording: bytes.span)
    #expect(document.violation?.code == .surrogate)
    #expect(document.root["a"]?.string == "\u{FFFD}")
    #expect(document.root["b"]?.string == "x?y")
    #expect(document.root["c"]?.int64 == 1)
    let short = Array(bytes.dropLast())
    #expect(throws: JSONError.self) {
      let span = short.span
      _ = try JSONDocument(recording: span)
    }
  }

  @Test func deepInputIsRecordedWithoutHarm() throws {
    for count in [3_000, 100_000] {
      let text = String(repeating: "[", count: count) + String(repeating: "]", count: count)
      let document = try JSONDocument(recording: Array(text.utf8).span)
      #expect(document.violation?.code == .depth)
      #expect(document.violating?.path(in: document.root)?.isEmpty == false)
    }
  }
}
