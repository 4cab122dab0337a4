import Glibc
import Testing

/// Seeded random calls, times, crashes and failures, against real files, beside a model. A failure
/// prints its seed and the shortest history that still shows it.
///
/// `swift test` takes some seconds. Longer, with a new seed each time:
/// `LASCHED_SIMULATE_SECONDS=600 swift test --filter Simulation`; one history again:
/// `LASCHED_SIMULATE_SEED=123 swift test --filter Simulation`.
@Suite(.serialized) struct SimulationTests {
  private static func setting(_ name: String) -> UInt64? {
    unsafe getenv(name).flatMap { unsafe UInt64(String(cString: $0)) }
  }

  @Test func histories() throws {
    if let seed = Self.setting("LASCHED_SIMULATE_SEED") {
      try Simulation.run(seed: seed, steps: Simulation.steps)
      return
    }
    for seed in 1...UInt64(8) { try Simulation.run(seed: seed, steps: Simulation.steps) }
  }

  @Test func newHistories() throws {
    guard Self.setting("LASCHED_SIMULATE_SEED") == nil else { return }
    let seconds = Self.setting("LASCHED_SIMULATE_SECONDS") ?? 2
    let end = ContinuousClock.now + .seconds(Int64(clamping: seconds))
    let first = UInt64.random(in: 0..<(1 << 48))
    print("simulation: seeds from \(first) on")
    var seed = first
    var isFine = true
    repeat {
      isFine = try Simulation.run(seed: seed, steps: Simulation.steps)
      seed += 1
    } while isFine && ContinuousClock.now < end
    print("simulation: \(seed - first) histories of \(Simulation.steps) steps")
  }
}

enum Simulation {
  static let steps = 300

  /// Lives through a history; whether nothing went wrong. A failure is shortened before it is told.
  @discardableResult
  static func run(seed: UInt64, steps: Int) throws -> Bool {
    let history = History(seed: seed, count: steps)
    guard let found = failure(of: history) else { return true }
    let (shortest, failure, log) = Shrinking.shorten(history, found.failure)
    let names = shortest.steps.map { "\($0.kind)" }.joined(separator: ", ")
    Issue.record(
      """
      seed \(seed): \(failure)
      after \(shortest.steps.count) of \(history.steps.count) steps: \(names)
      \(log.joined(separator: "\n"))
      """)
    return false
  }

  /// What goes wrong in a history, and after how many steps; nil if nothing does.
  static func failure(
    of history: History
  ) -> (failure: SimulationFailure, steps: Int, log: [String])? {
    var world: World?
    do throws(SimulationFailure) {
      let made = try World(history)
      world = made
      for step in history.steps { try made.perform(step) }
      try made.finish()
      return nil
    } catch {
      return (error, world?.stepCount ?? 0, world?.log ?? [])
    }
  }
}

/// Finds a short history that fails as a long one does.
enum Shrinking {
  static func shorten(
    _ history: History, _ failure: SimulationFailure
  ) -> (History, SimulationFailure, [String]) {
    var best = history
    var found = (failure: failure, log: [String]())
    if let again = Simulation.failure(of: best) {
      best.steps = Array(best.steps.prefix(again.steps))
      found = (again.failure, again.log)
    }
    var tries = 0
    var size = max(1, best.steps.count / 2)
    while size >= 1, tries < 3000 {
      var isShorter = false
      var at = 0
      while at < best.steps.count, tries < 3000 {
        var shorter = best
        shorter.steps.removeSubrange(at..<min(at + size, shorter.steps.count))
        tries += 1
        if let again = Simulation.failure(of: shorter) {
          best.steps = Array(shorter.steps.prefix(again.steps))
          found = (again.failure, again.log)
          isShorter = true
        } else {
          at += size
        }
      }
      if size == 1, !isShorter { break }
      size = size == 1 ? 1 : size / 2
    }
    return (best, found.failure, found.log)
  }
}
