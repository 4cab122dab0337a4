import Testing

@testable import JSON

@Suite struct JSONWriterTests {
  @Test func setsCommas() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("a", Int64(1))
    writer.member("none", nil as String?)
    writer.key("b")
    writer.beginArray()
    writer.null()
    writer.beginObject()
    writer.endObject()
    writer.bool(true)
    writer.beginArray()
    writer.endArray()
    writer.endArray()
    writer.member("c", ["x", "y"])
    writer.object("d") { $0.member("e", false) }
    writer.key(escaping: "f\"")
    writer.text(.emptyObject)
    writer.member("g", 0.5)
    writer.endObject()
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == "{\"a\":1,\"b\":[null,{},true,[]],\"c\":[\"x\",\"y\"],\"d\":{\"e\":false},\"f\\\"\":{},\"g\":0.5}"
    )
  }

  @Test func appendsToBytesAndStartsAnewAfterAMessage() {
    var writer = JSONWriter(appendingTo: [0x78])
    writer.int(1)
    writer.byte(0)
    writer.int(2)
    #expect(writer.take() == [0x78, 0x31, 0, 0x32])
    #expect(writer.bytes.isEmpty)
  }

  @Test func escapesWhatItMustAndReadsItBack() throws {
    var text = ""
    for value in 1...0x2FF { text.unicodeScalars.append(Unicode.Scalar(UInt32(value)) ?? " ") }
    text += "\u{2028}日🏆"
    let json = try JSONText { $0.string(text) }
    #expect(try json.parsed().string == text)
    #expect(
      try JSONText { $0.string("\"\\\u{8}\u{C}\n\r\t\u{1F}/") }.string
        == "\"\\\"\\\\\\b\\f\\n\\r\\t\\u001f/\"")
  }

  @Test(arguments: [0, 1, -1, 10, .max, .min, 1_000_000_007] as [Int64])
  func wholeNumbersComeBack(value: Int64) throws {
    let json = try JSONText { $0.int(value) }
    #expect(json.string == String(value))
    #expect(try json.parsed().int64 == value)
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "-0.0"), (50, "50"), (-3, "-3"), (0.1, "0.1"), (1e21, "1e+21"),
      (.leastNonzeroMagnitude, "5e-324"),
      (9_007_199_254_740_991, "9007199254740991"), (.infinity, "null"), (.nan, "null"),
    ] as [(Double, String)])
  func doublesAreShort(value: Double, text: String) throws {
    #expect(try JSONText { $0.double(value) }.string == text)
  }

  @Test func randomDoublesComeBack() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let back = try JSONText { $0.double(value) }.parsed().double
      #expect(back?.bitPattern == value.bitPattern, "seed \(seed)")
    }
  }

  @Test func displaysForPeople() throws {
    let node = try JSONNode(validating: "{\"a\":[1,{}, []],\"b\":{\"c\":null}}")
    #expect(
      node.displayed(indented: true)
        == "{\n  \"a\": [\n    1,\n    {},\n    []\n  ],\n  \"b\": {\n    \"c\": null\n  }\n}")
    #expect(node.displayed(indented: false) == "{\"a\":[1,{},[]],\"b\":{\"c\":null}}")
  }

  @Test func displayedTextSteersNoTerminal() throws {
    let hostile = "a\u{1B}[31m\u{9B}2J\u{202E}x\u{7F}\u{2066}\u{85}\u{61C}"
    let json = try JSONText { $0.string(hostile) }
    let shown = try json.parsed().displayed(indented: true)
    #expect(shown == "\"a\\u001b[31m\\u009b2J\\u202ex\\u007f\\u2066\\u0085\\u061c\"")
    #expect(try JSONNode(validating: shown).string == hostile)
  }
}
