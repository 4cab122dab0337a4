import Testing

@testable import JSON

private func code(_ text: String) -> JSONError.Code? { code(Array(text.utf8)) }

private func code(_ bytes: [UInt8]) -> JSONError.Code? {
  do throws(JSONError) {
    _ = try JSONText(validating: bytes)
    return nil
  } catch {
    return error.code
  }
}

@Suite struct JSONValidationTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "-1", "1.5", "1e3", "1E+3", "0.1e-7", "1e308", "1e-400",
    "12345678901234567890123", "\"\"", "\"a\"", "\"\\u0041\\n\\/\\\"\\\\\"", "\"\u{7F}\"",
    "\"é日🏆\"",
    "\"\\ud83c\\udfc6\"", "[]", "{}", "[1,2,[3]]", "{\"a\":{\"b\":[]}}", "{\"\":0}",
    "{\"a\":1,\"A\":2}", "{\"é\":1,\"e\u{301}\":2}", "0e99999999999999999999",
  ])
  func takesJSONAndKeepsIt(text: String) throws {
    let kept = try JSONText(validating: text)
    #expect(kept.string == text)
    #expect(try JSONText(validating: kept.bytes) == kept)
  }

  @Test(arguments: [
    (" { \"a b\" :\t[ 1 ,\r\n2 ] , \"c\":\" \" } ", "{\"a b\":[1,2],\"c\":\" \"}"), ("  7", "7"),
    ("7\n", "7"), ("[ ]", "[]"), ("{ }", "{}"), ("[ [ ] , { } ]", "[[],{}]"),
  ])
  func dropsWhiteSpaceBetweenTokensOnly(text: String, compact: String) throws {
    #expect(try JSONText(validating: text).string == compact)
  }

  @Test(arguments: [
    "", " ", "nul", "nulll", "truefalse", "True", "+1", "01", "-", "-01", "1.", ".5", "1.e3", "1e",
    "1e+",
    "0x10", "NaN", "Infinity", "'a'", "\"", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\",
    "[",
    "[1", "[1,", "[1,]", "[,1]", "[1 2]", "]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,",
    "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}", "{\"a\":1]", "[1}", "1 2", "{} []", "\"\n\"",
    "\"\t\"",
    "\u{FEFF}1", "[1]//", "/*x*/1", "\u{A0}1", "\u{C}1",
  ])
  func refusesWhatTheGrammarDoesNotKnow(text: String) {
    #expect(code(text) == .syntax)
  }

  @Test func refusesNULBetweenAndWithin() {
    #expect(code([0]) == .syntax)
    #expect(code([0x31, 0]) == .syntax)
    #expect(code([0x22, 0, 0x22]) == .syntax)
    #expect(code("\"\\u0000\"") == .nul)
    #expect(code("{\"a\\u0000\":1}") == .nul)
  }

  @Test(arguments: [
    "\\ud800", "\\udc00", "\\ud800x", "\\ud800\\n", "\\ud800\\ud800", "\\udfff\\ud800", "\\uD83C",
  ])
  func refusesLoneSurrogates(inside: String) {
    #expect(code("\"\(inside)\"") == .surrogate)
    #expect(code("{\"\(inside)\":1}") == .surrogate)
  }

  @Test(arguments: [
    "\\uffff", "\\uFFFE", "\\ufdd0", "\\ufdef", "\\ud83f\\udfff", "\\udbff\\udfff",
  ])
  func refusesNoncharacters(inside: String) {
    #expect(code("\"\(inside)\"") == .noncharacter)
    #expect(code("[{\"\(inside)\":1}]") == .noncharacter)
  }

  @Test func refusesNoncharactersWrittenOut() {
    for value: UInt32 in [0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF] {
      let character = Unicode.Scalar(value).map { Array(String($0).utf8) } ?? []
      #expect(code([0x22] + character + [0x22]) == .noncharacter)
    }
  }

  @Test func takesWhatIsNextToANoncharacter() {
    for scalar in ["\u{FDCF}", "\u{FDF0}", "\u{FFFD}", "\u{10000}", "\u{10FFFD}"] {
      #expect(code("\"\(scalar)\"") == nil)
    }
  }

  @Test(
    arguments: [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80],
      [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xC3], [0xE2, 0x82],
      [0xF0, 0x9F, 0x8F], [0xC3, 0x28],
    ] as [[UInt8]])
  func refusesWhatIsNotUTF8(bytes: [UInt8]) {
    #expect(code([0x22] + bytes + [0x22]) == .utf8)
    // Past the eighth byte, where words are looked at.
    #expect(code(Array("\"aaaaaaaaaaa".utf8) + bytes + Array("aaaaaaaaaaaa\"".utf8)) == .utf8)
    #expect(code(bytes) == .syntax)
  }

  @Test func refusesNumbersThatNoDoubleIsNear() {
    for text in ["1e309", "-1e309", "2e308", "1.7976931348623159e308", "1e99999999999999999999"] {
      #expect(code(text) == .number)
    }
    #expect(code("1" + String(repeating: "0", count: 309)) == .number)
    #expect(code("1" + String(repeating: "0", count: 308)) == nil)
    #expect(code("1.7976931348623157e308") == nil)
    #expect(code("1.797693134862315807e308") == nil)
    #expect(code("1.797693134862315808e308") == .number)
    #expect(code("1" + String(repeating: "0", count: 400) + "e-300") == nil)
    #expect(code("0." + String(repeating: "0", count: 400) + "1e700") == nil)
    #expect(code("0." + String(repeating: "0", count: 400) + "1e709") == nil)
    #expect(code("0." + String(repeating: "0", count: 400) + "1e710") == .number)
  }

  @Test func nestsSixtyFourDeepAndNoDeeper() {
    func arrays(_ n: Int) -> String {
      String(repeating: "[", count: n) + String(repeating: "]", count: n)
    }
    #expect(code(arrays(64)) == nil)
    #expect(code(arrays(65)) == .depth)
    #expect(code(arrays(3_000)) == .depth)
    #expect(code(String(repeating: "[", count: 1 << 20)) == .depth)
    #expect(code(String(repeating: "{\"a\":", count: 1 << 18)) == .depth)
    let objects = String(repeating: "{\"a\":", count: 64) + "1" + String(repeating: "}", count: 64)
    #expect(code(objects) == nil)
    #expect(code("[" + objects + "]") == .depth)
    #expect(code("[" + arrays(63) + "," + arrays(63) + "]") == nil)
  }

  @Test func takesALongString() throws {
    let long = "\"" + String(repeating: "x", count: 1 << 20) + "\""
    #expect(try JSONText(validating: long).byteCount == (1 << 20) + 2)
    #expect(code(String(long.dropLast())) == .syntax)
  }

  @Test(arguments: [
    "{\"a\":1,\"a\":2}", "{\"a\":1,\"b\":2,\"a\":3}", "{\"a\":1,\"\\u0061\":2}", "{\"\":1,\"\":2}",
    "{ \"x\" : 1 , \"a\":1, \"x\" : 3}", "[{\"k\":{\"a\":1,\"a\":2}}]", "{\"é\":1,\"\\u00e9\":2}",
  ])
  func refusesAKeyTwiceInOneObject(text: String) {
    #expect(code(text) == .duplicateKey)
  }

  @Test func findsADuplicateAmongManyKeys() {
    for count in [15, 16, 17, 18, 5_000] {
      let members = (0..<count).map { "\"key\($0)\":\($0)" }.joined(separator: ", ")
      #expect(code("{\(members)}") == nil)
      #expect(code("{\(members),\"key0\":0}") == .duplicateKey)
      #expect(code("{\(members),\"\\u006bey\(count - 1)\":0}") == .duplicateKey)
    }
  }

  @Test func manyKeysOfOneFingerprintAreNoTrouble() {
    // 60 000 keys of the same length, first, middle and last byte.
    let members = (0..<60_000).map { "\"k\(100_000 + $0)kk\(100_000 + $0)k\":0" }
    #expect(code("{" + members.joined(separator: ",") + "}") == nil)
  }

  @Test func tellsWhereItWentWrong() throws {
    let cases: [(String, Int)] = [
      ("[1, 2, x]", 7), ("{\"a\": \"\\ud800\"}", 7),
      ("{ \"a\" : 1 , \"b\\\" \" : 2 , \"a\" : 3 }", 25),
      ("[", 1), ("[1e999]", 1),
    ]
    for (text, offset) in cases {
      let error = #expect(throws: JSONError.self) { try JSONText(validating: text) }
      #expect(error?.offset == offset, "\(text)")
      #expect(error?.description.contains("\n") == false)
    }
  }
}
