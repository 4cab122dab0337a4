import LiveActivity
import Testing

@testable import Notifications

@Suite struct ServerTests {
  private func shown(_ id: UInt32 = 7) throws -> (Stage, Activity, SessionKey) {
    var stage = Stage.ready(
      presentations: [
        "T": """
        Title=T
        URL={content.url}
        [Action call]
        Label=Call
        Command=dial --number {content.phone}
        """
      ])
    var activity = stage.activity(
      "a", content: #"{"url":"https://example.org/x","phone":"5; rm"}"#, type: "T")
    activity.actions = [try Action(name: "stop", label: "Stop <it>")]
    stage.start(activity, try alert("Go"))
    stage.hear(.shown(id))
    stage.pass(seconds: 5)
    let key = SessionKey(
      source: .system, owner: Stage.reader, id: ActivityID(stored: "a"), session: 1)
    return (stage, activity, key)
  }

  @Test func buttonsAreTheActivitysActionsItsAddressAndTheAgentsOwn() throws {
    let (stage, _, _) = try shown()
    #expect(
      stage.notices.first?.buttons.map(\.key) == [
        "default", "action-stop", "action-call", "open", "snooze-600", "dismiss",
      ])
    #expect(stage.notices.first?.buttons[1].label == "Stop <it>")
  }

  @Test(arguments: [
    ("default", "open"), ("open", "open"), ("action-stop", "act"), ("action-call", "run"),
    ("dismiss", "dismiss"), ("action-none", ""), ("snooze-1", ""), ("snooze-", ""), ("x", ""),
    ("", ""),
  ])
  func eachButtonDoesWhatItSays(_ button: String, _ what: String) throws {
    var (stage, _, key) = try shown()
    stage.done = []
    stage.hear(.pressed(7, key: button))
    let expected: [String: [AgentEffect]] = [
      "open": [.open("https://example.org/x")], "act": [.act(key, action: "stop")],
      "run": [.run(["dial", "--number", "5; rm"])], "dismiss": [.close(7), .dismiss(key)],
    ]
    #expect(stage.done == expected[what] ?? [])
  }

  @Test(arguments: ["javascript:alert(1)", "file:///etc/passwd", "HTTPS://example.org", "data:x"])
  func onlySchemesOfTheConfigurationAreOpened(_ url: String) throws {
    var (stage, activity, _) = try shown()
    stage.update(activity, #"{"url":"\#(url)"}"#)
    stage.hear(.shown(7))
    stage.done = []
    stage.hear(.pressed(7, key: "default"))
    #expect(stage.done.isEmpty == !url.hasPrefix("HTTPS"))
  }

  @Test(arguments: [(1, false), (2, true), (3, false), (4, false), (77, false)] as [(Int64, Bool)])
  func onlyThePersonsOwnClosingDismisses(_ reason: Int64, _ dismisses: Bool) throws {
    var (stage, activity, key) = try shown()
    stage.done = []
    stage.hear(.closed(7, CloseReason(reason)))
    #expect(stage.done == (dismisses ? [.dismiss(key)] : []))
    stage.hear(.closed(7, .byPerson))
    stage.hear(.pressed(7, key: "action-stop"))
    stage.update(activity, #"{"x":2}"#)
    stage.pass(seconds: 60)
    #expect(stage.done.count == (dismisses ? 1 : 0), "the bubble is gone")
  }

  @Test func aBubbleThatClosesSinceAButtonWasUsedIsNoDismissal() throws {
    var (stage, _, key) = try shown()
    stage.done = []
    stage.hear(.pressed(7, key: "action-stop"))
    stage.hear(.closed(7, .byPerson))
    #expect(stage.done == [.act(key, action: "stop")])
  }

  @Test func anotherNumberThanTheOneAskedForIsTakenAndTheOldBubbleClosed() throws {
    var (stage, activity, _) = try shown()
    stage.done = []
    stage.update(activity, #"{"x":1}"#)
    stage.hear(.shown(9))
    #expect(stage.closed == [7])
    stage.pass(seconds: 2)
    stage.update(activity, #"{"x":2}"#)
    #expect(stage.notices.map(\.replaces) == [7, 9])
  }

  @Test func theNumberZeroIsNeverReplacedOrClosed() throws {
    var (stage, activity, _) = try shown(0)
    stage.done = []
    stage.update(activity, #"{"x":1}"#)
    activity.state = .dismissed
    stage.tell(stage.event(.dismissed, activity))
    stage.pass(seconds: 60)
    #expect(stage.done.isEmpty)
  }

  @Test func aNewServerNeverHearsOfOldNumbersAndIsShownWhatIsActive() throws {
    var (stage, activity, _) = try shown()
    stage.done = []
    stage.hear(.serverGone)
    stage.update(activity, #"{"x":1}"#)
    stage.pass(seconds: 60)
    #expect(stage.done.isEmpty && stage.agent.nextDeadline == nil)
    stage.hear(.server(.with(["body"])))
    #expect(stage.notices.map(\.replaces) == [0])
    #expect(stage.notices.first?.body.contains("since 12:00") == true)
    #expect(stage.notices.first?.hints["category"] == .string("x-lasched.content"))
    #expect(!stage.done.contains { if case .confirm = $0 { true } else { false } })
    stage.hear(.shown(1))
    stage.hear(.closed(7, .byPerson))
    stage.hear(.pressed(7, key: "action-stop"))
    #expect(stage.notices.count == 1 && stage.done.count == 1)
  }

  @Test func aServerThatDiesDuringTheCallIsFollowedByOneThatSaysPerhapsBefore() throws {
    var stage = Stage.ready()
    let number = stage.start(stage.activity("a"), try alert("A"))
    stage.hear(.unanswered)
    stage.hear(.serverGone)
    stage.pass(seconds: 60)
    #expect(stage.notices.count == 1)
    stage.hear(.server(.full))
    #expect(stage.notices.last?.body == "1min late\n(perhaps shown before)")
    stage.hear(.shown(1))
    #expect(stage.done.last == .confirm(.system, sequence: number, wasShown: true))
  }

  @Test func aServerThatHangsIsSentNothingElseAndItsLateAnswerCounts() throws {
    var stage = Stage.ready()
    let activity = stage.activity("a")
    let number = stage.start(activity, try alert("A"))
    stage.start(stage.activity("b"), try alert("B"))
    for place in 0..<60 {
      stage.update(activity, #"{"n":"\#(place)"}"#)
      stage.pass(seconds: 1)
    }
    #expect(stage.notices.count == 1)
    #expect(stage.done.contains(.say("the notification server does not answer; waiting for it")))
    stage.done = []
    stage.hear(.shown(3))
    #expect(stage.done.contains(.confirm(.system, sequence: number, wasShown: true)))
    stage.hear(.shown(4))
    stage.pass(seconds: 1)
    stage.hear(.shown(3))
    #expect(stage.notices.map(\.summary) == ["B", "A"])
    #expect(stage.notices.first?.body == "1min late")
    #expect(stage.notices.last?.body.hasSuffix("1min late") == true)
    #expect(stage.notices.last?.body.contains("59") == true)
  }

  @Test func aServerThatRefusesIsAskedThreeTimesThenTheAlertHasFailed() throws {
    var stage = Stage.ready()
    let number = stage.start(stage.activity("a"), try alert("A"))
    for _ in 0..<3 {
      stage.hear(.refused("no"))
      stage.pass(seconds: 3)
    }
    #expect(stage.notices.count == 3)
    #expect(stage.done.contains(.confirm(.system, sequence: number, wasShown: false)))
    #expect(stage.agent.nextDeadline == nil)
  }

  @Test func aDismissalForThisPersonTakesTheBubbleAway() throws {
    var (stage, activity, _) = try shown()
    stage.done = []
    var personal = stage.event(.dismissed, activity)
    personal.reason = .dismissedByPerson
    stage.tell(personal)
    #expect(stage.closed == [7])
  }

  @Test func twoDaemonsWithTheSameIDsAreKeptApart() throws {
    var stage = Stage.ready()
    stage.hear(.ready(.user, store: "u", resumed: false))
    stage.pass(seconds: 1)
    let activity = stage.activity("a")
    for (source, id) in [(.system, 1), (.user, 2)] as [(Source, UInt32)] {
      var started = stage.event(.started, activity, alert: try alert(source.rawValue))
      started.activity = activity
      stage.tell(started, source)
      stage.hear(.shown(id))
    }
    #expect(stage.notices.map(\.replaces) == [0, 0])
    stage.hear(.pressed(2, key: "dismiss"))
    guard case .dismiss(let key) = stage.done.last else { return #expect(Bool(false)) }
    #expect(key.source == .user)
  }
}
