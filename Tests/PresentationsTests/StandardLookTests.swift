import LiveActivity
import Presentations
import Testing

/// The look of a type without a file.
@Suite struct StandardLookTests {
  private func standard(_ subject: PresentationSubject, at now: WallTime = noon) -> Look {
    PresentationLibrary().look(of: subject, at: now, utc)
  }

  @Test func `The title is the alert's, else the attributes' title or name, else the ID`() throws {
    let alert = #""alert":{"title":"Kick-off","body":"Reds against Blues"}"#
    let titled = #""attributes":{"title":"Match","name":"m"}"#
    #expect(standard(try running("\(alert),\(titled)")).title == "Kick-off")
    #expect(standard(try running(titled)).title == "Match")
    #expect(standard(try running(#""attributes":{"name":"m"}"#)).title == "m")
    #expect(standard(try running(#""attributes":{"name":7}"#)).title == "a")
  }

  @Test func `The body is the alert's, else the description, and below it what content says`()
    throws
  {
    let content = #""content":{"state":{"score":"1:0","seatsLeft":4,"progress":0.5}}"#
    let alert = #""alert":{"title":"Kick-off","body":"Reds against Blues"}"#
    #expect(
      standard(try running("\(alert),\(content)")).body
        == "Reds against Blues\nscore 1:0 · seats left 4")
    #expect(standard(try running(#""attributes":{"description":"d"}"#)).body == "d")
    #expect(standard(try running(#""attributes":{}"#)).body == "")
  }

  @Test func `The alert of an event says title and body`() throws {
    let look = standard(
      try running(
        #""alert":{"title":"Kick-off","body":"old"},"content":{"state":{"score":"1:0"}}"#,
        alert: #"{"title":"Goal","body":"Smith","urgency":"critical","sound":"default"}"#))
    #expect(look.title == "Goal")
    #expect(look.body == "Smith\nscore 1:0")
    #expect(look.urgency == .critical)
    #expect(look.sound == .name("message-new-instant"))
  }

  @Test
  func
    `A bar shows what is left to the end, or else what has passed, or what is left to the start`()
    throws
  {
    let toEnd = standard(try running(#""endDate":"2026-12-01T12:04:00Z""#), at: after(0.25))
    #expect(toEnd.compactTrailing == "04:00")
    #expect(toEnd.minimal == "04:00")
    #expect(toEnd.nextTick == after(1))
    #expect(toEnd.nextTick(.compact) == after(1))
    #expect(toEnd.nextTick(.title, .body, .expanded, .progress, .others) == nil)
    let since = standard(try running(#""attributes":{}"#), at: after(3661.5))
    #expect(since.compactTrailing == "01:01:01")
    #expect(since.nextTick == after(3662))
    let pending = standard(
      try subject(#""id":"a","state":"pending","startDate":"2026-12-01T12:00:10Z""#))
    #expect(pending.compactTrailing == "00:10")
    #expect(pending.nextTick == after(1))
  }

  @Test func `Nothing ticks once it has ended`() throws {
    let look = standard(
      try subject(
        #"""
        "id":"tea","state":"ended","startedDate":"2026-12-01T12:00:00Z",
        "endedDate":"2026-12-01T12:04:00Z","alert":{"title":"Tea","body":""},
        "endAlert":{"title":"Ready","body":"Pour it"}
        """#), at: after(600))
    #expect(look.nextTick == nil)
    #expect(look.title == "Ready")
    #expect(look.body == "Pour it")
    #expect(look.compactTrailing == "12:04")
  }

  @Test func `Progress in content is the progress, as a fraction or in percent`() throws {
    func progress(_ json: String) throws -> Double? {
      standard(try running(#""content":{"state":{"progress":\#(json)}}"#)).progress
    }
    #expect(try progress("0.4") == 0.4)
    #expect(try progress("40") == 0.4)
    #expect(try progress("1") == 1)
    #expect(try progress("\"3/8\"") == 0.375)
    #expect(try progress("\"40%\"") == 0.4)
    #expect(try progress("-3") == 0)
    #expect(try progress("1e300") == 1)
    #expect(try progress("\"soon\"") == nil)
    #expect(try progress("[]") == nil)
  }

  @Test func `DefaultLiveActivityAttributes are looked into below their data`() throws {
    let members = #"""
      "attributesType":"DefaultLiveActivityAttributes",
      "attributes":{"data":{"title":"Order 7"}},"content":{"state":{"data":{"progress":0.5,"status":"cooking"}}}
      """#
    let look = standard(try running(members))
    #expect(look.title == "Order 7")
    #expect(look.progress == 0.5)
    #expect(look.body == "status cooking")
    let other = standard(
      try running(members.replacing("DefaultLive", with: "OtherLive")))
    #expect(other.title == "a")
  }

  @Test func `Any JSON has a look`() throws {
    let empty = standard(try subject(""))
    #expect(empty.title == "?")
    #expect(empty.nextTick == nil)
    let odd = standard(
      try subject(
        #""id":7,"state":[],"attributes":3,"content":"x","alert":{},"actions":{"a":1},"owner":-1,"startDate":"soon","latenessUSec":"x""#
      ))
    #expect(odd.title == "?")
  }

  @Test func `SF Symbols are icons of the theme`() throws {
    func icon(_ name: String) throws -> MediaName? {
      standard(try running(#""content":{"state":{"icon":"\#(name)"}}"#)).icon
    }
    #expect(try icon("shippingbox.fill") == .name("package-x-generic"))
    #expect(try icon("cloud.rain.fill") == .name("weather-showers"))
    #expect(try icon("my-app") == .name("my-app"))
    #expect(try icon("../../etc/passwd") == nil)
    #expect(try icon("https://example.org/a.png") == nil)
    #expect(try icon("file:///etc/passwd") == nil)
    #expect(try icon("/etc/passwd") == nil)
    #expect(try icon("/usr/share/icons/../../../etc/passwd") == nil)
    #expect(try icon("/usr/share/iconsx/a.png") == nil)
    #expect(try icon("/usr/share/pixmaps/a.png") == .file("/usr/share/pixmaps/a.png"))
    #expect(try icon("-rf") == nil)
  }
}
