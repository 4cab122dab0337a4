import JSON
import Testing

@testable import Varlink

@Suite struct VarlinkInterfaceTests {
  private let example = """
    # A comment, with (brackets), and: more.
    interface org.example-2.test

    type Color (red, green, blue)
    type Thing (
      name: string, # trailing
      size: ?int,
      color: Color,
      tags: []string,
      weights: [string]float,
      seen: [string](),
      inner: ?[](a: bool, b: object)
    )
    method Get(name: string, deep_1: ?(x: int))->(thing: ?Thing)
    method Ping() -> ()
    error NotFound (name: string)
    error Empty ()
    """

  @Test func readsAllOfTheLanguage() throws {
    let interface = try VarlinkInterface(example)
    #expect(interface.name == "org.example-2.test")
    #expect(interface.types.map(\.name) == ["Color", "Thing"])
    #expect(interface.types[0].type == .enumeration(["red", "green", "blue"]))
    #expect(interface.methods.map(\.name) == ["Get", "Ping"])
    #expect(interface.errors.map(\.name) == ["NotFound", "Empty"])
    #expect(interface.method("Ping")?.input == .structure([]))
    guard case .structure(let fields) = interface.types[1].type else {
      Issue.record("no structure")
      return
    }
    #expect(fields.map(\.name) == ["name", "size", "color", "tags", "weights", "seen", "inner"])
    #expect(fields[1].type == .optional(.int))
    #expect(fields[2].type == .named("Color"))
    #expect(fields[4].type == .map(.float))
    #expect(fields[5].type == .map(.structure([])))
    guard case .optional(.array(.structure(let inner))) = fields[6].type else {
      Issue.record("no structures")
      return
    }
    #expect(inner.map(\.type) == [.bool, .object])
  }

  @Test(arguments: [
    ("", 1, 1), ("type A ()", 1, 5), ("interface a", 1, 11), ("interface 1a.b", 1, 11),
    ("interface a..b", 1, 11), ("interface a.b-", 1, 11), ("interface a.b\ntype a ()", 2, 6),
    ("interface a.b\nthing A ()", 2, 1), ("interface a.b\ntype A (x: B)", 2, 12),
    ("interface a.b\ntype A (x: int, x: int)", 2, 17), ("interface a.b\ntype A (x: int, y)", 2, 17),
    ("interface a.b\ntype A (x: ??int)", 2, 13), ("interface a.b\ntype A (x: [int]int)", 2, 16),
    ("interface a.b\ntype A (x_: int)", 2, 9), ("interface a.b\ntype A (x: int", 2, 15),
    ("interface a.b\nmethod A() -> (x)", 2, 15), ("interface a.b\nmethod A()", 2, 11),
    ("interface a.b\nerror E (a, b)", 2, 9), ("interface a.b\ntype A ()\nerror A ()", 3, 7),
  ])
  func refusesWithThePlace(text: String, line: Int, column: Int) {
    do throws(VarlinkDefinitionError) {
      _ = try VarlinkInterface(text)
      Issue.record("taken: \(text)")
    } catch {
      #expect("\(error.line):\(error.column)" == "\(line):\(column)", "\(text): \(error)")
    }
  }

  @Test func deepTypesEndInAnError() {
    for opening in ["(a: ", "[]", "[string]", "?[]"] {
      let text = "interface a.b\ntype A (x: " + String(repeating: opening, count: 100_000)
      #expect(throws: VarlinkDefinitionError.self) { try VarlinkInterface(text) }
    }
  }

  @Test(
    arguments: [
      (#"{"thing":{"name":"x","color":"red","tags":[],"weights":{},"seen":{}}}"#, nil),
      (#"{"thing":null}"#, nil), ("{}", nil),
      (
        #"{"thing":{"name":"x","size":1,"color":"blue","tags":["a"],"weights":{"k":1,"l":1.5},"#
          + #""seen":{"s":{}},"inner":[{"a":true,"b":{}}]}}"#, nil
      ),
      ("[]", ""), (#"{"thin":1}"#, "thin"), (#"{"thing":1}"#, "thing"),
      (#"{"thing":{}}"#, "thing.name"),
      (#"{"thing":{"name":"x","color":"pink","tags":[],"weights":{},"seen":{}}}"#, "thing.color"),
      (#"{"thing":{"name":"x","color":"red","tags":[1],"weights":{},"seen":{}}}"#, "thing.tags[0]"),
      (
        #"{"thing":{"name":"x","color":"red","tags":[],"weights":{"k":"1"},"seen":{}}}"#,
        "thing.weights.k"
      ),
      (
        #"{"thing":{"name":"x","size":1.0,"color":"red","tags":[],"weights":{},"seen":{}}}"#,
        "thing.size"
      ),
      (
        #"{"thing":{"name":"x","color":"red","tags":[],"weights":{},"seen":{},"#
          + #""inner":[{"a":true,"b":{}},{"a":true,"b":[]}]}}"#, "thing.inner[1].b"
      ),
    ] as [(String, String?)])
  func namesTheFaultInAValue(text: String, path: String?) throws {
    let interface = try VarlinkInterface(example)
    let method = try #require(interface.method("Get"))
    let node = try JSONNode(validating: text)
    #expect(interface.fault(in: node, as: method.output)?.path == path)
  }

  @Test func randomMutationsOfADefinitionNeverTrap() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(state: seed)
    for _ in 0..<3_000 {
      var bytes = Array(example.utf8)
      for _ in 0..<3 {
        let i = Int.random(in: 0..<bytes.count, using: &random)
        bytes[i] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try? VarlinkInterface(String(decoding: bytes, as: UTF8.self))
    }
  }
}
