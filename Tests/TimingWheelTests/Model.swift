@testable import TimingWheel

/// What a timing wheel has to do, done plainly: an array in order of (deadline, arrival).
struct Model {
  struct Timer: Equatable {
    var deadline: Int64
    var token: UInt32
  }

  private(set) var timers: [Timer] = []

  var nextDeadline: Int64? { timers.first?.deadline }

  mutating func insert(_ timer: Timer, first: Bool = false) {
    var (low, high) = (0, timers.count)
    while low < high {
      let middle = (low + high) / 2
      let goesAfter =
        first ? timers[middle].deadline < timer.deadline : timers[middle].deadline <= timer.deadline
      if goesAfter { low = middle + 1 } else { high = middle }
    }
    timers.insert(timer, at: low)
  }

  mutating func remove(token: UInt32) -> Bool {
    guard let place = timers.firstIndex(where: { $0.token == token }) else { return false }
    timers.remove(at: place)
    return true
  }

  mutating func popNext(upTo now: Int64) -> Timer? {
    guard let timer = timers.first, timer.deadline <= now else { return nil }
    timers.removeFirst()
    return timer
  }
}

/// SplitMix64: small, seeded, the same everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// A wheel and the model of it, told the same and compared after each step.
struct Pair: ~Copyable {
  var wheel: TimingWheel
  private(set) var model = Model()
  private(set) var handles: [TimerHandle] = []
  /// What did not agree, and the steps that led there.
  private(set) var failures: [String] = []
  private var history: [String] = []
  private var stepsSinceCheck = 0

  init(crowd: UInt32 = 512, handful: Int = 16) {
    wheel = TimingWheel(crowd: crowd, handful: handful)
  }

  private mutating func note(_ step: @autoclosure () -> String) {
    history.append(step())
    if history.count > 20 { history.removeFirst() }
  }

  mutating func expect(_ holds: Bool, _ failure: @autoclosure () -> String) {
    guard !holds, failures.isEmpty else { return }
    failures.append(failure() + "; last steps: " + history.joined(separator: ", "))
  }

  mutating func insert(_ deadline: Int64) {
    let token = UInt32(handles.count)
    note("insert \(deadline)")
    model.insert(.init(deadline: deadline, token: token))
    handles.append(wheel.insert(deadline: deadline, token: token))
    compare()
  }

  /// Puts back at the front what was popped; it gets a new handle.
  mutating func putBack(_ timer: Model.Timer) {
    note("put back \(timer.deadline)")
    model.insert(timer, first: true)
    handles[Int(timer.token)] = wheel.insertFirst(deadline: timer.deadline, token: timer.token)
    compare()
  }

  mutating func cancel(_ token: UInt32) {
    note("cancel \(token)")
    let isThere = model.remove(token: token)
    let didCancel = wheel.cancel(handles[Int(token)])
    expect(didCancel == isThere, "cancel \(token) said \(didCancel)")
    compare()
  }

  mutating func move(_ token: UInt32, to deadline: Int64) {
    note("move \(token) to \(deadline)")
    let isThere = model.remove(token: token)
    if isThere { model.insert(.init(deadline: deadline, token: token)) }
    let didMove = wheel.move(handles[Int(token)], deadline: deadline)
    expect(didMove == isThere, "move \(token) said \(didMove)")
    compare()
  }

  @discardableResult
  mutating func pop(upTo now: Int64) -> Model.Timer? {
    note("pop up to \(now)")
    let expected = model.popNext(upTo: now)
    let popped = wheel.popNext(upTo: now).map {
      Model.Timer(deadline: $0.deadline, token: $0.token)
    }
    expect(popped == expected, "popped \(popped as Any), not \(expected as Any)")
    compare()
    return expected
  }

  mutating func popAll(upTo now: Int64) {
    while pop(upTo: now) != nil, failures.isEmpty {}
  }

  private mutating func compare() {
    let (next, expected) = (wheel.nextDeadline, model.nextDeadline)
    expect(next == expected, "next deadline \(next as Any), not \(expected as Any)")
    let (count, modelled) = (wheel.count, model.timers.count)
    expect(count == modelled, "count \(count), not \(modelled)")
    // Looking at all of many entries after every step would take most of the time.
    stepsSinceCheck += 1
    guard stepsSinceCheck > count / 20 else { return }
    stepsSinceCheck = 0
    let violations = wheel.checkInvariants()
    expect(violations.isEmpty, violations.joined(separator: "; "))
  }
}
