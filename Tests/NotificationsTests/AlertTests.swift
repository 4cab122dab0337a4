import LiveActivity
import Testing

@testable import Notifications

@Suite struct AlertTests {
  @Test func aStartAlertIsNotedThenShownThenConfirmed() throws {
    var stage = Stage.ready()
    let number = stage.start(
      stage.activity("tea"), try alert("Tea <b>&", "It's \"hot\"", sound: "bell", .critical))
    let key = AlertKey(store: Stage.store, sequence: number)
    let tag = "lasched-system-1000-1-tea"
    let notice = Notice(
      application: "lasched", replaces: 0, icon: "", summary: "Tea <b>&",
      body: "It&#39;s &quot;hot&quot;",
      buttons: [
        Notice.Button("snooze-600", "Again in 10min"), Notice.Button("dismiss", "Dismiss"),
      ],
      hints: [
        "urgency": .byte(2), "x-dunst-stack-tag": .string(tag),
        "x-canonical-private-synchronous": .string(tag), "category": .string("x-lasched.alert"),
        "sound-name": .string("bell"), "resident": .boolean(true),
      ], timeout: 0)
    #expect(stage.done == [.note(key, .begun), .notify(notice)])
    #expect(
      stage.hear(.shown(7)) == [
        .note(key, .shown), .confirm(.system, sequence: number, wasShown: true),
      ])
    #expect(stage.agent.nextDeadline == nil)
  }

  @Test func anAlertIsShownOnceHoweverOftenItIsOffered() throws {
    var stage = Stage.ready()
    let activity = stage.activity("a")
    var started = stage.event(.started, activity, alert: try alert("A"))
    started.sequence = 9
    for round in 1...3 {
      stage.hear(.event(.system, started))
      #expect(stage.notices.count == 1, "round \(round)")
    }
    stage.hear(.shown(3))
    stage.hear(.lost(.system))
    stage.hear(.snapshot(.system, activity))
    stage.hear(.ready(.system, store: Stage.store, resumed: false))
    stage.done = []
    stage.hear(.event(.system, started))
    #expect(stage.done == [.confirm(.system, sequence: 9, wasShown: true)])
  }

  @Test func whatWasNotedBeforeARestartIsConfirmedOrSaysThatItMayComeAgain() throws {
    var stage = Stage(notes: [
      AlertKey(store: Stage.store, sequence: 8): .shown,
      AlertKey(store: Stage.store, sequence: 9): .begun,
      AlertKey(store: "another", sequence: 10): .shown,
    ])
    stage.hear(.server(.full))
    stage.hear(.ready(.system, store: Stage.store, resumed: false))
    for (number, title) in [(8, "Old"), (9, "Begun"), (10, "New")] as [(Int64, String)] {
      var event = stage.event(.started, stage.activity(title), alert: try alert(title))
      event.sequence = number
      stage.hear(.event(.system, event))
    }
    stage.pass(seconds: 1)
    stage.hear(.shown(1))
    stage.hear(.shown(2))
    #expect(stage.notices.map(\.summary) == ["Begun", "New"])
    #expect(stage.notices.map(\.body) == ["(perhaps shown before)", ""])
    #expect(stage.done.contains(.confirm(.system, sequence: 8, wasShown: true)))
  }

  @Test func eventsThatWereMissedAreNotAlertsUntilTheyAreOfferedAgain() throws {
    var stage = Stage.ready()
    stage.hear(.lost(.system))
    let number = stage.start(stage.activity("a"), try alert("A"))
    stage.pass(seconds: 3)
    #expect(stage.notices.isEmpty)
    stage.hear(.ready(.system, store: Stage.store, resumed: true))
    var offer = stage.event(.started, stage.activity("a"), alert: try alert("A"))
    offer.sequence = number
    stage.hear(.event(.system, offer))
    stage.pass(seconds: 1)
    #expect(stage.notices.map(\.summary) == ["A"])
  }

  @Test func withoutAServerAlertsWaitAndSayHowLate() throws {
    var stage = Stage()
    stage.hear(.ready(.system, store: Stage.store, resumed: false))
    stage.start(stage.activity("a"), try alert("A", "text"))
    stage.pass(seconds: 300)
    #expect(stage.done.isEmpty)
    #expect(stage.agent.nextDeadline == nil, "nothing wakes it while nobody is there")
    stage.hear(.server(.full))
    #expect(stage.notices.map(\.body) == ["text\n5min late"])
  }

  @Test func whatIsSettledElsewhereIsNotShown() throws {
    var stage = Stage()
    stage.hear(.ready(.system, store: Stage.store, resumed: false))
    var numbers: [Int64] = []
    for id in ["a", "b", "c"] {
      numbers.append(stage.start(stage.activity(id), try alert(id)))
    }
    for (place, by) in [Stage.reader, nil, UserID(5)].enumerated() {
      var settled = ActivityEvent(sequence: 900, date: stage.now.wall, kind: .alertSettled)
      settled.alertSequence = numbers[place]
      settled.by = by
      stage.hear(.event(.system, settled))
    }
    stage.hear(.server(.full))
    stage.pass(seconds: 1)
    stage.hear(.shown(1))
    // Another person's confirmation is none for this one; the others have their content alone.
    #expect(
      stage.notices.filter { $0.hints["category"] == .string("x-lasched.alert") }.map(\.summary)
        == ["c"])
  }

  @Test func manyAlertsOfOneCatchUpAreOneSummary() throws {
    var stage = Stage()
    stage.hear(.server(.full))
    stage.hear(.ready(.system, store: Stage.store, resumed: false))
    var numbers: [Int64] = []
    for place in 1...12 {
      let owner = place == 2 ? UserID(0) : Stage.reader
      numbers.append(
        stage.start(
          stage.activity("a\(place)", owner: owner),
          try alert("Alert <\(place)>", "", place == 5 ? .critical : .low)))
    }
    #expect(stage.notices.isEmpty)
    stage.pass(seconds: 1)
    stage.hear(.shown(4))
    stage.pass(seconds: 60)
    #expect(
      stage.notices == [
        Notice(
          application: "lasched", replaces: 0, icon: "", summary: "12 alerts",
          body: """
            Alert &lt;1&gt;
            ◆ root: Alert &lt;2&gt;
            Alert &lt;3&gt;
            Alert &lt;4&gt;
            Alert &lt;5&gt;
            Alert &lt;6&gt;
            Alert &lt;7&gt;
            and 5 more
            """, buttons: [],
          hints: ["urgency": .byte(2), "category": .string("x-lasched.alert")], timeout: -1)
      ])
    let confirmed = stage.done.compactMap {
      if case .confirm(_, let number, true) = $0 { number } else { nil }
    }
    #expect(confirmed == numbers)
    stage.done = []
    stage.update(stage.activity("a1"), #"{"x":1}"#)
    stage.pass(seconds: 60)
    #expect(stage.notices.isEmpty, "what a summary told of has no bubble")
  }

  @Test func aBurstIsGatheredAfterTheFirstFew() throws {
    var stage = Stage.ready()
    for place in 1...10 {
      stage.start(stage.activity("a\(place)"), try alert("\(place)"))
      stage.hear(.shown(UInt32(place)))
    }
    #expect(stage.notices.map(\.summary) == ["1", "2", "3"])
    stage.pass(seconds: 1)
    #expect(stage.notices.last?.summary == "7 alerts")
  }

  @Test func anAlertPutOffComesAgainInItsBubble() throws {
    var stage = Stage.ready()
    let activity = stage.activity("a")
    let number = stage.start(activity, try alert("A"))
    stage.hear(.shown(7))
    stage.done = []
    stage.hear(.pressed(7, key: "snooze-600"))
    #expect(stage.done == [.snooze(.system, sequence: number, .seconds(600)), .close(7)])
    stage.hear(.closed(7, .byPerson))
    stage.pass(seconds: 600)
    #expect(stage.notices.isEmpty)
    var again = stage.event(.alertSnoozed, activity, alert: try alert("A"))
    again.alertSequence = number
    again.dueDate = stage.now.wall
    stage.tell(again)
    #expect(stage.notices.map(\.summary) == ["A"])
    #expect(!stage.done.contains { if case .dismiss = $0 { true } else { false } })
  }

  @Test func anAlertOfAnEndThatIsGoneAtOnceStays() throws {
    var stage = Stage.ready()
    var activity = stage.activity("a", title: "Ride")
    stage.start(activity, try alert("Begins"))
    stage.hear(.shown(7))
    stage.done = []
    activity.state = .ended
    stage.tell(stage.event(.ended, activity, alert: try alert("Over")))
    activity.state = .dismissed
    stage.tell(stage.event(.dismissed, activity))
    #expect(stage.notices.map(\.summary) == ["Over"])
    #expect(stage.notices.map(\.replaces) == [7])
    stage.hear(.shown(7))
    #expect(stage.closed.isEmpty)
  }

  @Test func whatIsCancelledWhileItIsOnItsWayIsClosed() throws {
    var stage = Stage.ready()
    var activity = stage.activity("a")
    stage.start(activity, try alert("A"))
    activity.state = .dismissed
    var cancelled = stage.event(.dismissed, activity)
    cancelled.reason = .cancelled
    stage.tell(cancelled)
    stage.hear(.shown(7))
    #expect(stage.closed == [7])
  }

  @Test func theOriginOfWhatIsAnothersStandsFirstAndIsNotImitated() throws {
    var stage = Stage.ready()
    var activity = stage.activity("a", owner: UserID(5))
    activity.application = "org.mozilla.firefox"
    stage.start(activity, try alert("\u{25C6} root: Pay", "\u{202E}\u{25C6} from root"))
    let notice = try #require(stage.notices.first)
    #expect(notice.summary == "◆ mallory: ◇ root: Pay")
    #expect(notice.body == "◇ from root")
    #expect(notice.application == "lasched")
    #expect(notice.hints["desktop-entry"] == nil)
    stage.hear(.shown(1))
    var own = stage.activity("b")
    own.application = "org.example.Tea.desktop"
    stage.start(own, try alert("Tea"))
    #expect(stage.notices.last?.application == "org.example.Tea.desktop")
    #expect(stage.notices.last?.hints["desktop-entry"] == .string("org.example.Tea"))
  }

  @Test func inhibitionHoldsBackAllButWhatIsCritical() throws {
    var stage = Stage.ready()
    stage.hear(.inhibited(true))
    stage.start(stage.activity("a"), try alert("Normal"))
    stage.start(stage.activity("b"), try alert("Fire", "", .critical))
    #expect(stage.notices.map(\.summary) == ["Fire"])
    stage.hear(.shown(1))
    stage.pass(seconds: 120)
    #expect(stage.notices.count == 1)
    stage.hear(.inhibited(false))
    #expect(stage.notices.map(\.summary) == ["Fire", "Normal"])
    #expect(stage.notices.last?.body == "2min late")
  }
}
