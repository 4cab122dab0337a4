import Foundation
import JSON
import LiveActivity
import Presentations
import Testing

/// What lasched.presentation(5) says of templates is so.
@Suite struct ManualTests {
  private static let units = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "units")

  private static func lines() throws -> [String] {
    let text = try String(
      contentsOf: units.appending(path: "lasched.presentation.5"), encoding: .utf8)
    return text.split(separator: "\n").map { line in
      // roff's spellings.
      var line = String(line)
      for (from, to) in [
        ("\\fB", ""), ("\\fI", ""), ("\\fR", ""), ("\\-", "-"), ("\\(aq", "'"), ("\\(dq", "\""),
        ("\\(pc", "·"), ("\\e", "\\"),
      ] { line = line.replacing(from, with: to) }
      return line
    }
  }

  private static func section(_ name: String) throws -> [String] {
    let lines = try lines()
    let start = try #require(lines.firstIndex(of: ".SH \(name)"))
    return Array(lines[(start + 1)...].prefix { !$0.hasPrefix(".SH ") })
  }

  @Test func `Each field in use says what stands below it`() throws {
    let section = try ManualTests.section("\"FIELDS IN USE\"")
    let first = try #require(section.firstIndex(of: ".EX"))
    let last = try #require(section.firstIndex(of: ".EE"))
    let sample = section[(first + 1)..<last].joined(separator: "\n").dropFirst()
    let subject = PresentationSubject(
      try JSONNode(
        validating: """
          {"id":"order-7","state":"active","attributesType":"order",
          "startedDate":"2026-12-01T12:00:00Z","endDate":"2026-12-01T13:00:00Z",\(sample)
          """))
    var count = 0
    for (place, line) in section.enumerated() where line == ".TP" {
      let (template, expected) = (section[place + 1], section[place + 2])
      #expect(title(template, subject, at: after(300)) == expected, "\(template)")
      count += 1
    }
    #expect(count == 15)
  }

  @Test func `Its example and the shipped files have no mistake`() throws {
    let section = try ManualTests.section("EXAMPLES")
    let example = section.dropFirst().prefix { $0 != ".EE" }.joined(separator: "\n")
    #expect(
      Presentation(parsing: example, type: "t", file: "page").diagnostics == [])
    let directory = ManualTests.units.appending(path: "presentations")
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path())
    #expect(
      names.sorted() == [
        "delivery.conf", "deploy.conf", "match.conf", "ride.conf", "stopwatch.conf",
        "training.conf", "weather.conf",
      ])
    for name in names {
      let text = try String(contentsOf: directory.appending(path: name), encoding: .utf8)
      let presentation = Presentation(parsing: text, type: "t", file: name)
      #expect(presentation.diagnostics == [])
      // With nothing to go by there is something to see.
      let look = presentation.look(of: try running(#""attributes":{}"#), at: noon, utc)
      #expect(!look.title.isEmpty && !look.compactLeading.isEmpty && !look.minimal.isEmpty)
      #expect(look.icon != nil && look.tint != nil)
    }
  }

  @Test func `It has all keys, fields and formats`() throws {
    let page = try ManualTests.lines().joined(separator: "\n")
    let wrong = Presentation(
      parsing: "Foo=x\nTitle={foo}\nTitle={content.x:foo}", type: "t", file: "f")
    let lists = wrong.diagnostics.map { $0.message.split(separator: "these are: ").last ?? "" }
    #expect(lists.count == 3)
    let names = lists.flatMap { $0.split(separator: ", ") }.map(String.init)
    #expect(names.count > 30)
    for name in names { #expect(page.contains(name), "\(name)") }
  }
}
