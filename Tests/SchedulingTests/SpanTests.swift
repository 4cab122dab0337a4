import LiveActivity
import Scheduling
import Testing

/// Rule 12: a span from the start stays a span.
@Suite struct Spans {
  @Test func aStartSpanIgnoresStepsOfTheWallClock() throws {
    for step in [day, -day, 3600, -3600, 1, -1] {
      let stage = Stage()
      try stage.schedule(in: 60)
      stage.wait(30)
      stage.setClock(by: step)
      #expect(try stage.session().startDate(at: stage.now) == date(60 + step))
      stage.wait(29.999)
      #expect(stage.state() == .pending)
      stage.wait(0.001)
      #expect(stage.state() == .active)
      #expect(try stage.session().lateness == 0)
    }
  }

  @Test func aStartDateFollowsStepsOfTheWallClock() throws {
    let stage = Stage()
    try stage.request { $0.start = .at(date(60)) }
    stage.setClock(by: -hour)
    #expect(try stage.session().startDate(at: stage.now) == date(60))
    stage.wait(hour + 59.999)
    #expect(stage.state() == .pending)
    stage.wait(0.001)
    #expect(stage.state() == .active)
  }

  @Test func onceStartedSpansRunOnBoottime() throws {
    for step in [day, -day, 1, -1] {
      let stage = Stage()
      try stage.request {
        $0.start = .at(date(60))
        $0.stale = .fromStart(span(30))
        $0.end = .fromStart(span(60))
      }
      stage.wait(70)
      stage.setClock(by: step)
      #expect(try stage.session().endDate(at: stage.now) == date(120 + step))
      stage.wait(19.999)
      #expect(stage.state() == .active)
      stage.wait(0.001)
      #expect(stage.state() == .stale)
      stage.wait(29.999)
      #expect(stage.state() == .stale)
      stage.wait(0.001)
      #expect(stage.state() == .ended)
      #expect(stage.events.allSatisfy { $0.lateness ?? 0 == 0 })
    }
  }

  @Test func onceStartedDatesFollowSteps() throws {
    let stage = Stage()
    try stage.request { $0.end = .date(date(hour)) }
    stage.setClock(by: hour - 60)
    stage.wait(60)
    #expect(stage.state() == .ended)
  }

  @Test func spansCountFromTheNominalStartHoweverLateItWas() throws {
    let stage = Stage()
    try stage.schedule(in: 10) {
      $0.stale = .fromStart(span(100))
      $0.end = .fromStart(span(200))
    }
    stage.sleep(60)
    #expect(try stage.session().staleDate(at: stage.now) == date(110))
    #expect(try stage.session().endDate(at: stage.now) == date(210))
    stage.wait(50)
    #expect(stage.state() == .stale)
    stage.wait(100)
    #expect(stage.state() == .ended)
  }

  @Test func beforeTheStartSpansMoveWithAStartDateThatAStepBringsNearer() throws {
    let stage = Stage()
    try stage.request {
      $0.start = .at(date(hour))
      $0.end = .fromStart(span(60))
    }
    stage.setClock(by: hour - 1)
    stage.wait(1)
    #expect(stage.state() == .active)
    stage.wait(59.999)
    #expect(stage.state() == .active)
    stage.wait(0.001)
    #expect(stage.state() == .ended)
  }

  @Test func aDateIsTheSameBeforeAndAfterTheStart() throws {
    let stage = Stage(skew: 300)
    try stage.request {
      $0.start = .at(date(10))
      $0.stale = .fromStart(span(20))
      $0.end = .fromStart(span(30))
    }
    stage.wait(15)
    #expect(try stage.session().staleDate(at: stage.now) == date(30))
    #expect(try stage.session().endDate(at: stage.now) == date(40))
    stage.sleep(14.999_999)
    #expect(stage.state() == .active)
    stage.wait(1)
    #expect(stage.state() == .stale)
    try stage.end()
    #expect(try stage.session().dismissalDate(at: stage.now) == date(30.999_999 + 4 * hour))
  }

  @Test func aSpanNamedAfterAStepCountsFromTheStartAllTheSame() throws {
    for step in [day, -day, hour] {
      let stage = Stage()
      try stage.request()
      stage.wait(60)
      stage.setClock(by: step)
      try stage.reschedule { $0.end = .fromStart(span(120)) }
      #expect(try stage.session().endDate(at: stage.now) == date(120 + step))
      try stage.request {
        $0.ifExists = .update
        $0.end = .fromStart(span(90))
        $0.stale = .fromStart(span(70))
      }
      stage.wait(10)
      #expect(stage.state() == .stale)
      stage.wait(20)
      #expect(stage.state() == .ended)
    }
  }

  @Test func anEndDateNamedAfterAStepIsHeldToElapsedTime() throws {
    let stage = Stage()
    try stage.request()
    stage.wait(60)
    stage.setClock(by: day)
    try stage.reschedule { $0.end = .date(date(day + 120)) }
    stage.refuses(date: "endDate") {
      try $0.reschedule { $0.end = .date(date(day + 8 * hour + 1)) }
    }
    stage.wait(60)
    #expect(stage.state() == .ended)
  }

  @Test func theLimitsIgnoreSteps() throws {
    let stage = Stage()
    try stage.request()
    stage.setClock(by: day)
    stage.setClock(by: -2 * day)
    stage.wait(8 * hour - 0.001)
    #expect(stage.state() == .active)
    stage.wait(0.001)
    #expect(try stage.session().reason == .timeLimit)
    stage.setClock(by: day)
    stage.wait(4 * hour - 0.001)
    #expect(stage.state() == .ended)
    stage.wait(0.001)
    #expect(stage.state() == .dismissed)
  }

  @Test func theEightHoursEndASessionWhoseEndDateAStepBackTookAway() throws {
    let stage = Stage()
    try stage.request {
      $0.end = .fromStart(span(0.5))
      $0.end = .date(date(7 * hour))
    }
    stage.setClock(by: -day)
    stage.wait(8 * hour)
    #expect(try stage.session().reason == .timeLimit)
  }

  @Test func aSuspendCountsForSpans() throws {
    let stage = Stage()
    try stage.schedule(in: 60) { $0.end = .fromStart(span(7 * hour)) }
    stage.sleep(hour)
    #expect(stage.state() == .active)
    stage.sleep(6 * hour + 60)
    #expect(stage.state() == .ended)
  }
}
