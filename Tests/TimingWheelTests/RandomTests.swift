import Testing

@testable import TimingWheel

/// Seeded random operations, compared with the model after each.
struct RandomTests {
  static let year: Int64 = 31_556_952_000
  static let lastMillisecondOf9999: Int64 = 253_402_300_799_999

  @Test(arguments: 1...UInt64(12))
  func agreesWithTheModelWhateverIsAsked(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Divided as in earnest, or much sooner, so that few entries make many wheels.
    let sizes: [(crowd: UInt32, handful: Int)] = [(4, 1), (8, 3), (64, 4), (512, 16)]
    let (crowd, handful) = sizes[Int(seed % 4)]
    var pair = Pair(crowd: crowd, handful: handful)
    var clock: Int64 = Bool.random(using: &random) ? 0 : 1_764_000_000_000
    for _ in 0..<600 where pair.failures.isEmpty {
      step(&pair, &clock, &random)
    }
    pair.popAll(upTo: .max)
    #expect(pair.failures == [], "seed \(seed): \(pair.failures)")
    #expect(pair.wheel.isEmpty == true, "seed \(seed)")
  }

  private func step(_ pair: inout Pair, _ clock: inout Int64, _ random: inout SeededGenerator) {
    let known = UInt32(pair.handles.count)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<45:
      pair.insert(deadline(from: clock, &random))
    case 45..<47:
      // A crowd: many in a short span, or all at once.
      let start = deadline(from: clock, &random)
      let span = Int64([1, 2, 64, 5000].randomElement(using: &random) ?? 1)
      for _ in 0..<Int.random(in: 1...180, using: &random) {
        pair.insert(start &+ Int64.random(in: 0..<span, using: &random))
      }
    case 47..<62 where known > 0:
      pair.cancel(.random(in: 0..<known, using: &random))
    case 62..<65 where known > 0:
      // The earliest, again and again.
      for _ in 0..<10 { if let token = pair.model.timers.first?.token { pair.cancel(token) } }
    case 65..<78 where known > 0:
      pair.move(.random(in: 0..<known, using: &random), to: deadline(from: clock, &random))
    case 78..<88:
      clock += Int64.random(in: 0...5000, using: &random)
      pair.popAll(upTo: clock)
    case 88..<92:
      // A turn that fires some and is then undone.
      var popped: [Model.Timer] = []
      for _ in 0..<8 { if let timer = pair.pop(upTo: clock) { popped.append(timer) } }
      for timer in popped.reversed() { pair.putBack(timer) }
    case 92..<94:
      clock += Int64.random(in: 1...3, using: &random) * RandomTests.year
      for _ in 0..<40 { pair.pop(upTo: clock) }
    case 94..<97:
      // The clock goes back.
      clock -= Int64.random(in: 0...(RandomTests.year / 4), using: &random)
      pair.pop(upTo: clock)
    default:
      pair.pop(upTo: clock)
    }
  }

  private func deadline(from clock: Int64, _ random: inout SeededGenerator) -> Int64 {
    let edges: [Int64] = [
      0, 1, 63, 64, 65, 4095, 4096, 4097, 1 << 18, 1 << 24, 1 << 30, 1 << 31, 1 << 32, 1 << 36,
      1 << 42, 1 << 48, 1 << 54, 1 << 60,
    ]
    let span = edges.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return clock &+ span &- 1
    case 1: return clock &+ span
    case 2: return clock &+ span &+ 1
    case 3: return (clock | (span &- 1)) &+ 1
    case 4: return clock &- Int64.random(in: 0...max(1, span >> 20), using: &random)
    case 5: return clock &+ Int64.random(in: 0...max(1, span), using: &random)
    case 6: return clock &+ Int64.random(in: 0...100, using: &random)
    case 7: return clock &+ Int64.random(in: 0...86_400_000, using: &random)
    case 8:
      return [.min, -1, RandomTests.lastMillisecondOf9999, .max].randomElement(using: &random) ?? 0
    default: return clock &+ Int64.random(in: 0...5, using: &random)
    }
  }

  @Test(arguments: 1...UInt64(4))
  func isEmptiedOfManyEntriesInOrder(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var wheel = TimingWheel()
    var expected: [Model.Timer] = []
    for token in 0..<UInt32(10_000) {
      let deadline = Int64.random(
        in: 0..<(seed.isMultiple(of: 2) ? 10_000 : 86_400_000), using: &random)
      _ = wheel.insert(deadline: deadline, token: token)
      expected.append(.init(deadline: deadline, token: token))
    }
    #expect(wheel.checkInvariants() == [], "seed \(seed)")
    expected.sort { ($0.deadline, $0.token) < ($1.deadline, $1.token) }
    var popped: [Model.Timer] = []
    while let (token, deadline) = wheel.popNext(upTo: .max) {
      popped.append(.init(deadline: deadline, token: token))
    }
    #expect(popped == expected, "seed \(seed)")
    #expect(wheel.checkInvariants() == [], "seed \(seed)")
  }
}
