import LiveActivity
import Presentations
import Testing
import TimeExpressions

/// What templates say of an activity.
@Suite struct TemplateTests {
  private func order() throws -> PresentationSubject {
    try running(
      #"""
      "application":"org.example.Shop","attributesType":"order","latenessUSec":125000000,
      "endDate":"2026-12-01T14:00:00Z","alert":{"title":"Order","body":"b"},
      "attributes":{"number":7,"a.b":"dot","customer":{"name":"Ada"}},
      "content":{"staleDate":"2026-12-01T13:00:00Z","state":{
        "status":"cooking","seconds":3725,"progress":0.455,"done":true,"none":null,"empty":"",
        "riders":[{"name":"Bo"},{"name":"Cy"}],"tags":["x","y"],"nothing":{},
        "eta":1796131800,"swift":817824600,"text":"2026-12-01T13:30:00+01:00"}}
      """#)
  }

  @Test(
    arguments: [
      ("{attributes.number}", "7"), ("No. {attributes.number}!", "No. 7!"),
      ("{attributes.customer.name}", "Ada"), ("{attributes.a\\.b}", "dot"),
      ("{content.riders[1].name}", "Cy"), ("{content.tags}", "x, y"), ("{content.done}", "yes"),
      ("{id} {state} {type} {application}", "a active order org.example.Shop"),
      ("{alert.title}: {alert.body}", "Order: b"),
      ("{start}", "2026-12-01 12:00"), ("{start:time}", "12:00"), ("{start:date}", "2026-12-01"),
      ("{end:time}", "14:00"), ("{stale:time}", "13:00"), ("{lateness}", "2min 5s"),
      ("{lateness:duration}", "02:05"), ("{content.seconds:duration}", "01:02:05"),
      ("{content.progress:percent}", "46%"), ("{content.progress:bar}", "█████░░░░░"),
      ("{content.progress:bar 4}", "██░░"), ("{content.eta:time}", "13:30"),
      ("{content.text:time}", "12:30"), ("{content.text:countdown}", "30:00"),
      ("{content.none|nobody}", "nobody"), ("{content.empty|nobody}", "nobody"),
      ("{content.nothing|nobody}", "nobody"), ("{content.riders[2].name|nobody}", "nobody"),
      ("{content.missing|attributes.customer.name|nobody}", "Ada"),
      ("{content.status:time|soon}", "soon"), ("{content.missing|\"a | b } c\"}", "a | b } c"),
      ("{content.missing|state}", "active"), ("{content.missing|\"state\"}", "state"),
      ("x[ · {content.missing} of 3] y", "x y"),
      ("x[ · {content.status} of 3]", "x · cooking of 3"),
      ("[1/3] {content.status}", "[1/3] cooking"), ("\\{id\\} \\[\\] \\\\", "{id} [] \\"),
      ("{passed}", "0%"), ("{timer}", "02:00:00"),
    ]) func `A template`(_ template: String, _ expected: String) throws
  {
    #expect(title(template, try order()) == expected)
  }

  @Test func `Dates of Swift count from 2001`() throws {
    let body = look("Title={content.swift:time}\nDates=swift", try order()).title
    #expect(body == "13:30")
  }

  @Test func `A countdown says zero when it is over, and not before`() throws {
    let order = try order()
    func left(_ now: WallTime) -> (String, WallTime?) {
      let look = look("Title={end:countdown}", order, at: now)
      return (look.title, look.nextTick)
    }
    #expect(left(after(7199.000001)).0 == "00:01")
    #expect(left(after(7200)) == ("00:00", nil))
    #expect(left(after(9000)).0 == "00:00")
  }

  @Test func `Each tick is the next text's beginning`() throws {
    let order = try order()
    for template in ["{end:countdown}", "{start:elapsed}", "{passed}", "{passed:bar 20}"] {
      let lines = "Title=\(template)\nCompactTrailing=-\nMinimal=-"
      var now = after(6900.3)
      var texts = [title(template, order, at: now)]
      var ticks = 0
      while let tick = look(lines, order, at: now).nextTick, now < after(7200), ticks < 2000 {
        #expect(tick > now)
        let before = WallTime(microseconds: tick.microseconds - 1)
        #expect(title(template, order, at: before) == texts.last)
        now = tick
        texts.append(title(template, order, at: now))
        ticks += 1
      }
      #expect(ticks < 2000)
      #expect(Set(texts).count > 1, "\(template): \(texts)")
    }
  }

  @Test func `Spans of days tick by the hour`() throws {
    let far = try subject(#""id":"a","state":"pending","startDate":"2026-12-05T13:30:00Z""#)
    let look = look("Title={start:countdown}", far)
    #expect(look.title == "4d 2h")
    #expect(look.nextTick == after(1800))
  }

  @Test func `Where nothing may tick, clock times stand instead`() throws {
    let order = try order()
    let look = look("Title={end:countdown}\nBody={start:elapsed} {passed}", order, clockTimes)
    #expect(look.title == "14:00")
    #expect(look.body == "12:00 0%")
    #expect(look.nextTick == nil)
    let tomorrow = try running(#""endDate":"2026-12-02T00:30:00Z""#)
    #expect(title("{end:countdown}", tomorrow, clockTimes) == "2026-12-02 00:30")
  }

  @Test func `What is left out does not tick`() throws {
    let order = try order()
    let look = look(
      "Title=x[{end:countdown}{content.missing}]\nCompactTrailing=-\nMinimal=-", order)
    #expect(look.title == "x")
    #expect(look.nextTick == nil)
  }

  @Test func `Times are those of the zone`() throws {
    let zone = try #require(TimeZoneRules(fixedOffsetSeconds: 3 * 3600))
    #expect(title("{start:time}", try order(), LookSettings(zone: zone)) == "15:00")
  }
}

private func look(
  _ lines: String, _ subject: PresentationSubject, _ settings: LookSettings
) -> Look { look(lines, subject, at: noon, settings) }

private func title(
  _ template: String, _ subject: PresentationSubject, _ settings: LookSettings
) -> String { title(template, subject, at: noon, settings) }
