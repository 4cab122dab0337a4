import LiveActivity
import Testing

@testable import Notifications

@Suite struct ContentTests {
  private func shown(
    _ activity: (Stage) -> Activity, _ server: NotificationServer = .full,
    presentations: [String: String] = [:]
  ) throws -> (Stage, Activity) {
    var stage = Stage.ready(server, presentations: presentations)
    let activity = activity(stage)
    stage.start(activity, try alert("Go"))
    stage.hear(.shown(7))
    stage.pass(seconds: 5)
    stage.done = []
    return (stage, activity)
  }

  @Test func anUpdateReplacesTheBubbleInSilence() throws {
    var (stage, activity) = try shown { $0.activity("a", title: "Deploy") }
    stage.update(activity, #"{"progress":0.4,"stage":"tests"}"#)
    let notice = try #require(stage.notices.first)
    #expect(stage.notices.count == 1)
    #expect(notice.replaces == 7)
    #expect(notice.hints["suppress-sound"] == .boolean(true))
    #expect(notice.hints["value"] == .int32(40))
    #expect(notice.hints["category"] == .string("x-lasched.content"))
    #expect(notice.body.contains("tests"))
  }

  @Test func updatesComeOnceASecondAndTheNewestWins() throws {
    var (stage, activity) = try shown { $0.activity("a") }
    for place in 0..<40 {
      stage.update(activity, #"{"step":"s\#(place)"}"#)
      if !stage.notices.isEmpty { stage.hear(.shown(7)) }
      stage.pass(seconds: 0.1)
    }
    stage.pass(seconds: 2)
    // Four seconds of updates: at 0, 1, 2 and 3, and the last of all.
    #expect(stage.notices.count == 5)
    #expect(stage.notices.last?.body.contains("s39") == true)
    stage.hear(.shown(7))
    stage.done = []
    stage.pass(seconds: 3600)
    #expect(stage.done.isEmpty && stage.agent.nextDeadline == nil)
  }

  @Test func anUpdateThatLooksTheSameIsNotSent() throws {
    var (stage, activity) = try shown { $0.activity("a", type: "T") }
    stage.update(activity, #"{"hidden":{"x":1}}"#)
    stage.hear(.shown(7))
    stage.pass(seconds: 2)
    stage.done = []
    stage.update(activity, #"{"hidden":{"x":1}}"#)
    stage.pass(seconds: 2)
    #expect(stage.notices.isEmpty)
  }

  @Test func anEndIsShownAtOnceWhateverThePace() throws {
    var (stage, activity) = try shown { $0.activity("a") }
    stage.update(activity, #"{"step":"x"}"#)
    stage.hear(.shown(7))
    activity.state = .ended
    var ended = stage.event(.ended, activity)
    ended.content = Content(state: stage.json(#"{"step":"done"}"#))
    stage.tell(ended)
    #expect(stage.notices.count == 2)
    #expect(stage.notices.last?.timeout == -1)
    #expect(stage.notices.last?.hints["resident"] == nil)
    stage.hear(.shown(7))
    activity.state = .dismissed
    stage.pass(seconds: 4 * 3600)
    stage.tell(stage.event(.dismissed, activity))
    #expect(stage.closed == [7])
  }

  @Test func tickingTextsTickOnceASecondOnlyWhileTheyAreShown() throws {
    var (stage, activity) = try shown(
      { stage in
        var activity = stage.activity("a", type: "T")
        activity.endDate = WallTime(microseconds: stage.now.wall.microseconds + 600_000_000)
        return activity
      }, presentations: ["T": "Title=Match\nBody={end:countdown}\n"])
    for _ in 0..<10 {
      stage.pass(seconds: 1)
      stage.hear(.shown(7))
    }
    #expect(stage.notices.count == 10)
    #expect(stage.notices.last?.body == "09:45")
    stage.hear(.closed(7, .expired))
    stage.done = []
    stage.pass(seconds: 60)
    #expect(stage.notices.isEmpty && stage.agent.nextDeadline == nil)
    activity.state = .active
    stage.update(activity, #"{"x":1}"#)
    stage.pass(seconds: 60)
    #expect(stage.notices.isEmpty, "content does not bring back what is gone from the screen")
  }

  @Test func gnomeShellIsNotSentContentAndGetsClockTimes() throws {
    let gnome = NotificationServer.with(
      ["actions", "body", "body-markup"], name: "gnome-shell", vendor: "GNOME")
    var stage = Stage.ready(
      gnome, presentations: ["T": "Title=Match\nBody={end:countdown}\n"])
    var activity = stage.activity("a", type: "T")
    activity.endDate = WallTime(microseconds: Stage.noon + 3600_000_000)
    stage.start(activity, try alert("Go"))
    stage.hear(.shown(7))
    #expect(stage.notices.map(\.body) == ["13:00"])
    stage.update(activity, #"{"progress":0.5}"#)
    stage.pass(seconds: 600)
    #expect(stage.notices.count == 1 && stage.agent.nextDeadline == nil)
    stage.update(activity, #"{"progress":0.7}"#, alert: try alert("Goal"))
    stage.hear(.shown(7))
    activity.state = .ended
    stage.tell(stage.event(.ended, activity))
    #expect(stage.notices.count == 3)
    #expect(stage.notices[1].summary == "Goal")
  }

  @Test func makoIsGivenTheTagAndNoNumber() throws {
    let mako = NotificationServer.with(["body"], name: "mako", vendor: "emersion")
    var (stage, activity) = try shown({ $0.activity("a") }, mako)
    stage.update(activity, #"{"x":"1"}"#)
    stage.hear(.shown(7))
    #expect(stage.notices.map(\.replaces) == [0])
    #expect(stage.notices.first?.hints["x-dunst-stack-tag"] == .string("lasched-system-1000-1-a"))
    #expect(stage.closed.isEmpty)
  }

  @Test func xfceIsNeverGivenProgress() throws {
    let xfce = NotificationServer.with(["body"], name: "Xfce Notify Daemon", vendor: "Xfce")
    var (stage, activity) = try shown({ $0.activity("a") }, xfce)
    stage.update(activity, #"{"progress":0.4}"#)
    #expect(stage.notices.count == 1)
    #expect(stage.notices.first?.hints["value"] == nil)
    #expect(stage.notices.first?.buttons == [])
  }

  @Test func withoutMarkupOrBodyTextStaysText() throws {
    var plain = Stage.ready(.with(["body"]))
    plain.start(plain.activity("a"), try alert("A & B", "<i>x</i>\u{1b}[31m\u{202e}"))
    #expect(plain.notices.first?.summary == "A & B")
    #expect(plain.notices.first?.body == "<i>x</i>[31m")
    var none = Stage.ready(.with([]))
    none.start(none.activity("a"), try alert("A", "first\nsecond"))
    #expect(none.notices.first?.summary == "A — first")
    #expect(none.notices.first?.body == "")
  }

  @Test func whatIsActiveAtLoginIsShownWithSince() throws {
    var stage = Stage()
    stage.hear(.server(.full))
    var activity = stage.activity("a", title: "Match")
    activity.startedDate = WallTime(microseconds: Stage.noon - 5400_000_000)
    stage.hear(.snapshot(.system, activity))
    var pending = stage.activity("p", title: "Later")
    pending.state = .pending
    stage.hear(.snapshot(.system, pending))
    stage.hear(.ready(.system, store: Stage.store, resumed: false))
    stage.pass(seconds: 1)
    #expect(stage.notices.map(\.summary) == ["Match"])
    #expect(stage.notices.first?.body.hasSuffix("since 10:30") == true)
    #expect(stage.notices.first?.hints["suppress-sound"] == .boolean(true))
  }

  @Test func manyAtLoginAreOneOverview() throws {
    var stage = Stage()
    stage.hear(.server(.full))
    for place in 1...5 {
      stage.hear(.snapshot(.user, stage.activity("a\(place)", title: "T\(place)")))
    }
    stage.hear(.ready(.user, store: "u", resumed: false))
    stage.pass(seconds: 1)
    stage.hear(.shown(3))
    stage.pass(seconds: 60)
    #expect(stage.notices.map(\.summary) == ["5 activities are active"])
    #expect(stage.notices.first?.body.hasPrefix("T1 (since 12:00)\nT2") == true)
  }
}
