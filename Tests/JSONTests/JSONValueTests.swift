import Testing

@testable import JSON

@Suite struct JSONValueTests {
  @Test func setsAlongAPath() throws {
    var value = JSONValue.object([])
    try value.set(.number("1"), at: ["a", "b"])
    try value.set(.string("x"), at: ["a", "c"])
    try value.set(.null, at: ["a", "b"])
    try value.set(.bool(true), at: ["d"])
    #expect(try value.text().string == #"{"a":{"b":null,"c":"x"},"d":true}"#)
    try value.set(.array([]), at: ["d", "e"])
    #expect(value["d"]?["e"] == .array([]))
    #expect(throws: JSONError.self) {
      try value.set(.null, at: [String](repeating: "a", count: 100_000))
    }
  }

  @Test func refusesToWriteWhatIsNotJSON() {
    #expect(throws: JSONError.self) { try JSONValue.number("1.").text() }
    #expect(throws: JSONError.self) {
      try JSONValue.object([.init("a", .null), .init("a", .null)]).text()
    }
    #expect(throws: JSONError.self) { try JSONValue.string("\0").text() }
    var deep = JSONValue.null
    for _ in 0..<65 { deep = .array([deep]) }
    #expect(throws: JSONError.self) { try deep.text() }
  }
}

@Suite struct JSONFuzzTests {
  @Test func randomValuesComeBack() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let value = randomValue(&random)
      let text = try value.text()
      let node = try text.parsed()
      #expect(JSONValue(node) == value, "seed \(seed)")
      #expect(node.text == text, "seed \(seed)")
      let shown = node.displayed(indented: Bool.random(using: &random))
      #expect(try JSONValue(JSONNode(validating: shown)) == value, "seed \(seed)")
      let patched = try JSONText.mergePatch(target: text, patch: text)
      _ = try patched.parsed()
    }
  }

  @Test func noMutationTraps() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    var good = 0
    for _ in 0..<4_000 {
      var bytes = Array(try randomValue(&random).text().bytes)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        mutate(&bytes, &random)
      }
      let recorded = try? JSONDocument(recording: bytes.span)
      if let recorded {
        visit(recorded.root)
        _ = recorded.violating?.path(in: recorded.root)
      }
      guard let text = try? JSONText(validating: bytes) else { continue }
      good += 1
      // What is taken is taken again, unchanged, and breaks no limit.
      #expect(try JSONText(validating: text.bytes) == text, "seed \(seed)")
      #expect(recorded?.violation == nil && recorded?.bytes == text.bytes, "seed \(seed)")
    }
    #expect(good > 0, "seed \(seed)")
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let i = Int.random(in: 0..<bytes.count, using: &random)
    let pieces: [[UInt8]] = [
      [0xFF], [0xED, 0xA0, 0x80], [0xEF, 0xBF, 0xBF], [0x20], [0x5C], [0x22], [0x7B], [0x7D],
      [0x5B],
      [0x5D], [0x2C], [0x3A], [0x65], [0x30], Array("\\ud800".utf8), Array("1e999".utf8), [0],
    ]
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes[i] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.remove(at: i)
    case 2: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: i)
    default: bytes.insert(contentsOf: bytes[i...].prefix(7), at: i)
    }
  }

  private func visit(_ node: JSONNode) {
    _ = (node.string, node.int64, node.double, node.bool, node.height, node.text)
    for member in node.members {
      _ = member.key.string
      visit(member.value)
    }
    for element in node.elements { visit(element) }
  }
}
