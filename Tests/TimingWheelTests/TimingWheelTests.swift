import Testing

@testable import TimingWheel

struct TimingWheelTests {
  private func drain(_ wheel: inout TimingWheel, upTo now: Int64 = .max) -> [UInt32] {
    var tokens: [UInt32] = []
    while let (token, _) = wheel.popNext(upTo: now) { tokens.append(token) }
    return tokens
  }

  @Test func isEmptyAtFirst() {
    var wheel = TimingWheel()
    #expect(wheel.isEmpty == true)
    #expect(wheel.nextDeadline == nil)
    let popped = wheel.popNext(upTo: .max)
    #expect(popped == nil)
    #expect(wheel.checkInvariants() == [])
  }

  private static let spans: [Int64] = [
    1, 63, 64, 65, 255, 256, 4095, 4096, 4097, 262_143, 262_144, 16_777_217, 2_147_483_647,
    2_147_483_648, 4_294_967_296, 68_719_476_736, 281_474_976_710_656, 18_014_398_509_481_984,
    315_569_520_000, 6_311_390_400_000,
  ]

  @Test(arguments: spans)
  func firesAtItsDeadlineAndNotOneMillisecondEarlier(span: Int64) {
    for start: Int64 in [0, 1, 63, 64, 1_764_000_000_255, 253_402_300_799_999] {
      var wheel = TimingWheel()
      _ = wheel.insert(deadline: start + span, token: 7)
      let early = wheel.popNext(upTo: start + span - 1)
      #expect(early == nil, "\(start) + \(span)")
      #expect(wheel.nextDeadline == start + span)
      let popped = wheel.popNext(upTo: start + span)
      #expect(popped?.token == 7 && popped?.deadline == start + span, "\(start) + \(span)")
    }
  }

  /// Every set of three deadlines around the edges of the first levels, popped one millisecond before
  /// and at each.
  @Test func keepsOrderForEveryTripleAroundLevelEdges() {
    let deadlines: [Int64] = [
      .min, -4096, -65, -1, 0, 1, 62, 63, 64, 65, 127, 128, 255, 256, 4095, 4096, 4097, 8191, .max,
    ]
    for a in deadlines {
      for b in deadlines {
        for c in deadlines {
          var wheel = TimingWheel()
          let triple = [a, b, c]
          for (token, deadline) in triple.enumerated() {
            _ = wheel.insert(deadline: deadline, token: UInt32(token))
          }
          let order = triple.indices.sorted { (triple[$0], $0) < (triple[$1], $1) }
          for token in order {
            if triple[token] > .min, wheel.nextDeadline == triple[token] {
              let early = wheel.popNext(upTo: triple[token] - 1)
              if early != nil { Issue.record("\(triple): \(token) early") }
            }
            let popped = wheel.popNext(upTo: triple[token])
            if popped?.token != UInt32(token) || popped?.deadline != triple[token] {
              Issue.record("\(triple): \(popped as Any) instead of \(token)")
            }
          }
          if !wheel.isEmpty { Issue.record("\(triple): not empty") }
        }
      }
    }
  }

  /// Every order of up to six operations on few deadlines.
  @Test func agreesWithTheModelInEveryShortHistory() {
    let deadlines: [Int64] = [0, 63, 64]
    let operations = 7
    for length in 1...5 {
      var code = 0
      let codes = Int(powers(operations, length))
      while code < codes {
        var pair = Pair(crowd: 2, handful: 1)
        var rest = code
        for _ in 0..<length {
          let operation = rest % operations
          rest /= operations
          let newest = UInt32(max(0, pair.handles.count - 1))
          switch operation {
          case 0...2: pair.insert(deadlines[operation])
          case 3: pair.pop(upTo: 63)
          case 4 where !pair.handles.isEmpty: pair.cancel(0)
          case 5 where !pair.handles.isEmpty: pair.move(newest, to: 63)
          case 6 where !pair.handles.isEmpty: pair.move(0, to: 64)
          default: break
          }
        }
        pair.popAll(upTo: 64)
        if !pair.failures.isEmpty {
          Issue.record("\(pair.failures)")
          return
        }
        code += 1
      }
    }
  }

  private func powers(_ base: Int, _ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }

  @Test func fireTiesInOrderOfArrivalHoweverManyThereAre() {
    for size: UInt32 in [2, 16, 17, 18, 511, 512, 513, 514, 2000] {
      var wheel = TimingWheel()
      // Half of them while the deadline lies in a coarse slot, half when it is the earliest.
      _ = wheel.insert(deadline: 5, token: .max)
      for token in 0..<size / 2 { _ = wheel.insert(deadline: 1 << 33, token: token) }
      for token in 0..<200 { _ = wheel.insert(deadline: 1 << 33 + Int64(token), token: 5000) }
      let popped = wheel.popNext(upTo: 5)
      #expect(popped?.token == .max)
      for token in size / 2..<size { _ = wheel.insert(deadline: 1 << 33, token: token) }
      #expect(wheel.checkInvariants() == [])
      let ties = drain(&wheel, upTo: 1 << 33).filter { $0 != 5000 }
      #expect(ties == Array(0..<size))
    }
  }

  @Test func aDeadlineAlreadyPastComesBeforeLaterOnes() {
    var wheel = TimingWheel()
    _ = wheel.insert(deadline: 1000, token: 0)
    _ = wheel.insert(deadline: 2000, token: 1)
    _ = wheel.insert(deadline: 2000, token: 2)
    let first = wheel.popNext(upTo: 3000)
    #expect(first?.token == 0)
    _ = wheel.insert(deadline: 10, token: 3)
    _ = wheel.insert(deadline: -10, token: 4)
    _ = wheel.insert(deadline: 2000, token: 5)
    _ = wheel.insert(deadline: 1000, token: 6)
    #expect(wheel.nextDeadline == -10)
    #expect(drain(&wheel, upTo: 3000) == [4, 3, 6, 1, 2, 5])
  }

  @Test func aClockThatWentBackFindsEverythingInPlace() {
    var wheel = TimingWheel()
    let (now, hour): (Int64, Int64) = (1_764_000_000_000, 3_600_000)
    for token in 0..<UInt32(500) {
      _ = wheel.insert(deadline: now + Int64(token) * 977, token: token)
    }
    #expect(drain(&wheel, upTo: now) == [0])
    // An hour back: nothing is due, and what comes between is exact.
    #expect(drain(&wheel, upTo: now - hour) == [])
    _ = wheel.insert(deadline: now - 1, token: 1001)
    _ = wheel.insert(deadline: now - hour + 1, token: 1000)
    _ = wheel.insert(deadline: now - 1, token: 1002)
    #expect(wheel.nextDeadline == now - hour + 1)
    #expect(drain(&wheel, upTo: .max) == [1000, 1001, 1002] + Array(1..<500))
  }

  @Test func aJumpOfAThousandYearsFiresWhatIsDueAndNothingElse() {
    var wheel = TimingWheel()
    let year: Int64 = 31_556_952_000
    for token in 0..<UInt32(300) {
      _ = wheel.insert(deadline: Int64(token) * 7 * year, token: token)
    }
    #expect(drain(&wheel, upTo: 1000 * year) == Array(0...142))
    #expect(wheel.nextDeadline == 143 * 7 * year)
    #expect(drain(&wheel, upTo: .max) == Array(143..<300))
  }

  @Test func stepsOfOneMillisecondFireEachEntryInItsOwn() {
    var wheel = TimingWheel()
    for token in 0..<UInt32(9000) {
      _ = wheel.insert(deadline: Int64(token) * 3, token: token)
    }
    for now in Int64(0)..<27_000 {
      let popped = wheel.popNext(upTo: now)
      let expected: Int64? = now % 3 == 0 ? now : nil
      if popped?.deadline != expected { Issue.record("at \(now): \(popped as Any)") }
    }
    #expect(wheel.isEmpty == true)
  }

  @Test func aHandleOfWhatFiredOrWasCancelledNamesNothing() {
    var wheel = TimingWheel()
    let cancelled = wheel.insert(deadline: 10, token: 1)
    let didCancel = wheel.cancel(cancelled)
    #expect(didCancel)
    let fired = wheel.insert(deadline: 10, token: 2)
    _ = wheel.popNext(upTo: 10)
    let live = wheel.insert(deadline: 10, token: 3)
    for stale in [cancelled, fired, .none] {
      #expect(stale != live)
      #expect(wheel.contains(stale) == false)
      #expect(wheel.deadline(of: stale) == nil)
      let (didCancel, didMove) = (wheel.cancel(stale), wheel.move(stale, deadline: 5))
      #expect(!didCancel && !didMove)
    }
    #expect(wheel.deadline(of: live) == 10)
    #expect(wheel.count == 1)
  }

  @Test func aPlaceIsNotUsedAgainAfterItsLastGeneration() {
    var wheel = TimingWheel()
    let first = wheel.insert(deadline: 1, token: 1)
    wheel.cancel(first)
    wheel.entries[first.index].generation = .max - 1
    let last = wheel.insert(deadline: 1, token: 2)
    #expect(last.index == first.index)
    wheel.cancel(last)
    let other = wheel.insert(deadline: 1, token: 3)
    #expect(other.index != first.index)
    #expect(wheel.checkInvariants() == [])
  }

  @Test func movingKeepsTheHandleAndCountsAsANewArrival() {
    var wheel = TimingWheel()
    let a = wheel.insert(deadline: 10, token: 0)
    let b = wheel.insert(deadline: 10, token: 1)
    _ = wheel.insert(deadline: 10, token: 2)
    wheel.move(a, deadline: 10)
    #expect(wheel.contains(a) == true)
    wheel.move(b, deadline: 1 << 40)
    #expect(wheel.deadline(of: b) == 1 << 40)
    wheel.move(b, deadline: 9)
    #expect(wheel.nextDeadline == 9)
    wheel.move(b, deadline: 8)
    #expect(wheel.nextDeadline == 8)
    #expect(drain(&wheel) == [1, 2, 0])
  }

  @Test func whatIsPutBackInReverseComesAgainInTheSameOrder() {
    var wheel = TimingWheel()
    for token in 0..<UInt32(400) { _ = wheel.insert(deadline: Int64(token / 50), token: token) }
    var popped: [(token: UInt32, deadline: Int64)] = []
    for _ in 0..<120 { if let timer = wheel.popNext(upTo: 100) { popped.append(timer) } }
    for timer in popped.reversed() {
      _ = wheel.insertFirst(deadline: timer.deadline, token: timer.token)
    }
    #expect(wheel.checkInvariants() == [])
    #expect(drain(&wheel) == Array(0..<400))
  }

  /// An adversary cancels the earliest of many again and again: each time the next deadline is exact,
  /// and no entry is looked at more than a few times.
  @Test func cancellingTheEarliestOfManyStaysExact() {
    var wheel = TimingWheel()
    var random = SeededGenerator(seed: 99)
    var timers: [(deadline: Int64, handle: TimerHandle)] = []
    for _ in 0..<50_000 {
      let deadline = (1 << 40) + Int64.random(in: 0..<(1 << 24), using: &random)
      timers.append((deadline, wheel.insert(deadline: deadline, token: 0)))
    }
    timers.sort { $0.deadline < $1.deadline }
    for (place, timer) in timers.enumerated() {
      if wheel.nextDeadline != timer.deadline {
        Issue.record("\(place): \(wheel.nextDeadline as Any), not \(timer.deadline)")
        return
      }
      // Those of one deadline may go in any order.
      wheel.cancel(timer.handle)
    }
    #expect(wheel.isEmpty == true)
    #expect(wheel.checkInvariants() == [])
  }

  @Test func usesItsPlacesAgain() {
    var wheel = TimingWheel()
    var random = SeededGenerator(seed: 5)
    for round in 0..<20 {
      let start = Int64(round) << 30
      for token in 0..<UInt32(3000) {
        _ = wheel.insert(
          deadline: start + Int64.random(in: 0..<1 << 20, using: &random), token: token)
      }
      #expect(drain(&wheel).count == 3000)
    }
    #expect(wheel.entries.count == 3000)
    #expect(wheel.wheels.count < 200, "\(wheel.wheels.count)")
    #expect(wheel.checkInvariants() == [])
  }

  @Test func showsEachEntryOnce() {
    var wheel = TimingWheel()
    var handles: [TimerHandle] = []
    for token in 0..<UInt32(300) {
      handles.append(wheel.insert(deadline: Int64(token), token: token))
    }
    for token in stride(from: 0, to: 300, by: 2) { wheel.cancel(handles[token]) }
    var seen: Set<UInt32> = []
    wheel.visitAll { handle, deadline, token in
      #expect(handle == handles[Int(token)] && deadline == Int64(token))
      seen.insert(token)
    }
    #expect(seen == Set(stride(from: 1, to: 300, by: 2)))
  }
}
