import LiveActivity
import Testing

@testable import Scheduling

@Suite struct BootHistories {
  let elapsed = Term.elapsed(BootTime(microseconds: 500))

  @Test func aNewBootIsAddedAndAKnownOneIsNot() {
    var history = BootHistory(boots: [], id: "a", offset: 10)
    #expect(history.current == 0)
    history.see(offset: 20)
    #expect(history.boots == [.init(id: "a", offset: 20)])
    history = BootHistory(boots: history.boots, id: "a", offset: 30)
    #expect(history.boots == [.init(id: "a", offset: 30)])
    history = BootHistory(boots: history.boots, id: "b", offset: 40)
    #expect(history.boots == [.init(id: "a", offset: 30), .init(id: "b", offset: 40)])
    #expect(history.boot.id == "b")
  }

  @Test func theFirstSyncIsKept() {
    var history = BootHistory(boots: [], id: "a", offset: 10)
    history.anchor(offset: 20)
    history.anchor(offset: 30)
    #expect(history.boot == .init(id: "a", offset: 30, anchor: 20))
  }

  @Test func termsOfThisBootAreAsTheyAre() {
    let history = BootHistory(boots: [.init(id: "a", offset: 10)], id: "b", offset: 99)
    #expect(history.translate(elapsed, from: 1) == elapsed)
  }

  @Test func datesAndSpansAreTheSameInEveryBoot() {
    var history = BootHistory(boots: [.init(id: "a", offset: 10)], id: "b", offset: 99)
    history.anchor(offset: 7)
    let terms = [
      Term.none, .date(WallTime(microseconds: 5)), .fromStart(TimeSpan(microseconds: 5)),
    ]
    for term in terms {
      for boot in -1...2 { #expect(history.translate(term, from: boot) == term) }
    }
  }

  @Test func whatIsLeftIsTakenFromTheWallClockAndStaysOnIt() {
    let history = BootHistory(boots: [.init(id: "a", offset: 1000)], id: "b", offset: 9000)
    #expect(history.translate(elapsed, from: 0) == .carried(WallTime(microseconds: 1500)))
  }

  @Test func afterTheSyncItIsElapsedAgain() {
    var history = BootHistory(boots: [.init(id: "a", offset: 1000)], id: "b", offset: 900)
    history.anchor(offset: 800)
    history.see(offset: 5000)
    #expect(history.translate(elapsed, from: 0) == .elapsed(BootTime(microseconds: 700)))
  }

  @Test func stepsAfterTheSyncOfABootBetweenMoveItOnTheWallClock() {
    let boots = [
      BootHistory.Boot(id: "a", offset: 1000),
      BootHistory.Boot(id: "b", offset: 600, anchor: 400),
      BootHistory.Boot(id: "c", offset: 777),
    ]
    let history = BootHistory(boots: boots, id: "d", offset: 0)
    #expect(history.translate(elapsed, from: 0) == .carried(WallTime(microseconds: 1700)))
    #expect(history.translate(elapsed, from: 1) == .carried(WallTime(microseconds: 1100)))
  }

  @Test func aBootThatIsNotKnownIsNoTrap() {
    let history = BootHistory(boots: [], id: "a", offset: 10)
    for boot in [-1, 1, Int.max, Int.min] {
      _ = history.translate(elapsed, from: boot)
      _ = history.translate(.carried(WallTime(microseconds: 5)), from: boot)
    }
  }

  @Test func offsetsAtTheEndsAreNoTrap() {
    for value in [Int64.min, .max, 0] {
      for other in [Int64.min, .max, -1] {
        let boots = [
          BootHistory.Boot(id: "a", offset: value, anchor: other),
          BootHistory.Boot(id: "b", offset: other, anchor: value),
        ]
        var history = BootHistory(boots: boots, id: "c", offset: value)
        _ = history.translate(.elapsed(BootTime(microseconds: .max)), from: 0)
        history.anchor(offset: other)
        _ = history.translate(.elapsed(BootTime(microseconds: .min)), from: 0)
        _ = history.translate(.carried(WallTime(microseconds: .min)), from: 1)
      }
    }
  }

  @Test(arguments: 1...30)
  func readAtOnceOrBootByBootItIsTheSame(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func offset() -> Int64 { Int64(generator.next(upperBound: 1_000_000 as UInt64)) }
    var history = BootHistory(boots: [], id: "0", offset: offset())
    if generator.oneIn(2) { history.anchor(offset: offset()) }
    history.see(offset: offset())
    let written = elapsed
    // Each boot writes down again what it found.
    var rewritten = written
    var writtenIn = 0
    for boot in 1...6 {
      history = BootHistory(boots: history.boots, id: "\(boot)", offset: offset())
      if generator.oneIn(2) {
        rewritten = history.translate(rewritten, from: writtenIn)
        writtenIn = boot
      }
      if generator.oneIn(2) {
        history.see(offset: offset())
        history.anchor(offset: history.boot.offset)
      }
      history.see(offset: generator.oneIn(2) ? offset() : history.boot.offset)
      let direct = history.translate(written, from: 0)
      #expect(history.translate(rewritten, from: writtenIn) == direct, "seed \(seed)")
    }
  }
}
