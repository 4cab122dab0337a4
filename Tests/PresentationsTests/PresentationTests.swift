import LiveActivity
import Presentations
import Testing

/// What a file says, and what becomes of its mistakes.
@Suite struct PresentationTests {
  private func mistakes(_ text: String) -> [String] {
    Presentation(parsing: text, type: "t", file: "t.conf").diagnostics.map(\.description)
  }

  @Test func `A file says how everything looks`() throws {
    let look = look(
      """
      # An order.
      [Presentation]
      Title = Order {attributes.number}
      Body={content.status|accepted}[ · {content.rider} rides]
      CompactLeading={attributes.number}
      CompactTrailing={content.eta:countdown}
      Minimal={content.progress:percent}
      Expanded=From {attributes.shop}
      Expanded={content.progress:bar 4}
      Progress={content.progress}
      Icon=shippingbox.fill
      Tint=#3c7
      URL=https://example.org/orders/{attributes.number}?q={attributes.shop}
      Urgency=low
      X-Mine=whatever

      [Action call]
      Label=Call {content.rider|the shop}
      Command=notify-call --to "{attributes.shop}" 'a b' {content.rider}
      """,
      try running(
        #"""
        "attributes":{"number":7,"shop":"A & B/1"},"alert":{"title":"x","body":"y","urgency":"critical"},
        "content":{"state":{"rider":"Bo","progress":0.5,"eta":1796126460}},
        "actions":[{"name":"stop","label":"Stop"}]
        """#))
    #expect(look.title == "Order 7")
    #expect(look.body == "accepted · Bo rides")
    #expect(look.compactLeading == "7")
    #expect(look.compactTrailing == "01:00")
    #expect(look.minimal == "50%")
    #expect(look.expanded == ["From A & B/1", "██░░"])
    #expect(look.progress == 0.5)
    #expect(look.icon == .name("package-x-generic"))
    #expect(look.tint == "#33cc77")
    #expect(look.url == "https://example.org/orders/7?q=A%20%26%20B%2F1")
    #expect(look.urgency == .low)
    #expect(look.nextTick == after(1))
    #expect(look.actions.map(\.name) == ["stop", "call"])
    #expect(look.actions.map(\.label) == ["Stop", "Call Bo"])
    #expect(look.actions[0].command == nil)
    #expect(look.actions[1].command == ["notify-call", "--to", "A & B/1", "a b", "Bo"])
    #expect(look.actions.map(\.isDeclared) == [true, false])
  }

  @Test(
    arguments: [
      ("Titel=x", "1:1: there is no key Titel=; these are: Title, Body"),
      ("\n  Title=a {content.x", "2:11: '{' is not closed by '}'"),
      ("Title=a {contents.x}", "1:10: there is no field 'contents.x'; these are: content.NAME"),
      ("Title={content}", "1:8: 'content' is all of it; name a field, as in content.status"),
      ("Title={content.a:tme}", "1:18: 'tme' is no format; these are: duration, countdown"),
      ("Title={content.a:percent 3}", "1:18: 'percent 3': only bar takes a number"),
      ("Title={content.a:bar 999}", "1:18: 'bar 999': only bar takes a number, its length"),
      ("Title={id:time}", "1:11: id has no format time"),
      ("Title={end:bar}", "1:12: end has no format bar; it has: countdown, elapsed, time, date"),
      ("Title={content.}", "1:16: a name of a field is missing here"),
      ("Title={content.a[x]}", "1:17: '[' is not followed by a number and ']'"),
      ("Title=a}", "1:8: '}' without a '{'"),
      ("Title=[{id}", "1:7: '[' is not closed by ']'"),
      ("Title=a\\", "1:8: '\\' at the end"),
      ("Title={id|\"x}", "1:11: '\"' is not closed by another"),
      ("[Foo]", "1:1: there is no section [Foo]"),
      ("[Presentation", "1:1: '[Presentation' is not closed by ']'"),
      ("nonsense", "1:1: 'nonsense' is not of the form Key=Value"),
      ("Dates=mars", "1:7: Dates=mars; unix (from 1970) or swift (from 2001) would be right"),
      ("Urgency=huge", "1:9: Urgency=huge; low, normal or critical would be right"),
      ("Tint=#12", "1:6: Tint=#12; a colour like #34c759"),
      ("Progress=half", "1:10: Progress=half; a field would be right"),
      ("URL=example.org", "1:5: URL=example.org; a scheme and an address would be right"),
      ("Icon=/etc/x.png", "1:6: Icon=/etc/x.png; the name of an icon would be right"),
      ("[Action a b]\nLabel=x", "1:1: there is no section [Action a b]"),
      ("[Action .a]\nLabel=x", "1:1: the name of an action is not 1 to 128 of"),
      ("[Action a]", "1:1: [Action a] has neither Label= nor Command="),
      (
        "[Action a]\nTitle=x", "2:1: there is no key Title= in an action; these are: Label, Command"
      ),
      ("[Action a]\nCommand={content.x} y", "2:9: the program must stand there as it is"),
      ("[Action a]\nCommand=a \"b", "2:11: \" is not closed by another"),
      ("[Action a]\nCommand=a \"b {content.}\"", "2:23: a name of a field is missing here"),
    ]) func `A mistake has a place`(_ text: String, _ expected: String)
  {
    let found = mistakes(text)
    #expect(found.first?.hasPrefix("t.conf:" + expected) == true, "\(found)")
  }

  @Test func `Everything else of a file is in force`() throws {
    let presentation = Presentation(
      parsing: "Title={oops}\nBody=good\nTitel=x\n[Nonsense]\nBody=bad\n[Presentation]\nMinimal=m",
      type: "t", file: "t.conf")
    #expect(presentation.diagnostics.map(\.line) == [1, 3, 4])
    let look = presentation.look(of: try running(#""attributes":{"name":"n"}"#), at: noon, utc)
    #expect(look.title == "n")
    #expect(look.body == "good")
    #expect(look.minimal == "m")
  }

  @Test func `Nothing that a payload holds becomes an option or another word of a command`() throws
  {
    let lines = "[Action a]\nCommand=tool {content.x} --id={content.x}"
    func command(_ x: String) throws -> [String]? {
      look(lines, try running(#""content":{"state":{"x":"\#(x)"}}"#)).actions.first?.command
    }
    #expect(try command("a b; rm") == ["tool", "a b; rm", "--id=a b; rm"])
    #expect(try command("--exec=evil") == nil)
    #expect(try command("") == ["tool", "", "--id="])
  }

  @Test func `An address is one, whatever a payload says`() throws {
    func url(_ template: String, _ x: String) throws -> String? {
      look("URL=\(template)", try running(#""content":{"state":{"x":"\#(x)"}}"#)).url
    }
    #expect(try url("{content.x}", "myapp://order/7") == "myapp://order/7")
    #expect(try url("{content.x}", "no address") == nil)
    #expect(try url("{content.x}", "https://a/\\n") == nil)
    #expect(try url("https://a/{content.x}", "../b?c#d") == "https://a/..%2Fb%3Fc%23d")
    #expect(try url("{content.x}://a", "javascript") == nil)
  }

  @Test func `An empty value is the look without a file, a minus is nothing`() throws {
    let subject = try running(#""attributes":{"name":"n"},"endDate":"2026-12-01T12:01:00Z""#)
    #expect(look("CompactTrailing=x\nCompactTrailing=", subject).compactTrailing == "01:00")
    #expect(look("CompactTrailing=-", subject).compactTrailing == "")
    #expect(look("Title=-", subject).title == "n")
  }

  @Test func `Line breaks and blanks of a payload stay in their place`() throws {
    let subject = try running(#""content":{"state":{"x":"a\n\n  b\tc","y":"\n"}}"#)
    let look = look(
      "Title={content.x}\nBody={content.x}\\nend\nCompactLeading={content.y}", subject)
    #expect(look.title == "a b c")
    #expect(look.body == "a\nb c\nend")
    #expect(look.compactLeading == "")
  }

  @Test func `What is too long is cut off`() throws {
    let long = String(repeating: "x", count: 5000)
    let look = look(
      "Title={content.x}\nMinimal={content.x}",
      try running(#""content":{"state":{"x":"\#(long)"}}"#))
    #expect(look.title.count == 257)
    #expect(look.minimal.count == 41)
  }

  @Test func `A mistake is told in one line`() {
    let presentation = Presentation(parsing: #"URL=no\n\naddress"#, type: "t", file: "t.conf")
    #expect(presentation.diagnostics.count == 1)
    #expect(presentation.diagnostics.first?.message.hasPrefix("URL=no address;") == true)
  }

  @Test func `Any text is read, and any template drawn, without end or trap`() throws {
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0 ... .max, using: &random)
    var dice = SplitMix(seed: seed)
    let pieces = [
      "{", "}", "[", "]", "|", ":", "\\", "\"", "content", ".", "state", "end", "countdown", "bar ",
      "9", "\n", "=", "Title", "Body=", "[Action a]", "Command=", "é", "\u{1F389}", " ", "-",
    ]
    let subject = try running(
      #""endDate":"2026-12-01T12:01:00Z","content":{"state":{"state":[1]}}"#)
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 0...14, using: &dice)).map { _ in
        pieces.randomElement(using: &dice) ?? ""
      }.joined()
      let presentation = Presentation(parsing: "Title=" + text, type: "t", file: "t.conf")
      let look = presentation.look(of: subject, at: noon, utc)
      #expect(!look.title.isEmpty, "seed \(seed): \(text)")
      for mistake in presentation.diagnostics {
        #expect(mistake.line >= 1 && mistake.column >= 1, "seed \(seed): \(text)")
      }
    }
  }
}

/// A seeded generator (SplitMix64), so that a failure can be had again.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
