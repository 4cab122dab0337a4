/// One thing that happens. Its details are drawn from its seed when it happens, so that a step means
/// something whatever came before it, and a history can be shortened by leaving steps out.
struct Step: Hashable {
  enum Kind: String, CaseIterable {
    // Calls.
    case request, reschedule, update, end, cancel, stop, dismiss, act, confirm, snooze, setEnabled
    case plan, skip, fanOut, fanOn, disconnect, rename
    // Questions.
    case list, history
    // Time.
    case tick, toNext, turn, suspend, stepClock, drift, sync, zones
    // Batches.
    case commit, failCommits, fillDisk, heal
    // Crashes.
    case crash, powerCut, reboot, restart
    // Housekeeping.
    case fold, checkpoint, retain, configure, compare
  }

  var kind: Kind
  var seed: UInt64

  /// How often each comes up.
  static let weights: [(Kind, Int)] = [
    (.request, 90), (.reschedule, 25), (.update, 40), (.plan, 20), (.skip, 8), (.end, 22),
    (.cancel, 14), (.stop, 6),
    (.dismiss, 8), (.act, 6), (.confirm, 18), (.snooze, 12), (.setEnabled, 4), (.fanOut, 16),
    (.fanOn, 16), (.disconnect, 4), (.rename, 1), (.list, 6), (.history, 4), (.tick, 30),
    (.toNext, 60), (.turn, 70), (.suspend, 8), (.stepClock, 8), (.drift, 2), (.sync, 3),
    (.zones, 12),
    (.commit, 110), (.failCommits, 6), (.fillDisk, 4), (.heal, 8), (.crash, 7), (.powerCut, 4),
    (.reboot, 5), (.restart, 3), (.fold, 16), (.checkpoint, 5), (.retain, 8), (.configure, 2),
    (.compare, 10),
  ]
}

/// A whole run: what the world is like, and what happens in it.
struct History {
  var seed: UInt64
  var steps: [Step]

  init(seed: UInt64, count: Int) {
    self.seed = seed
    var dice = Dice(seed)
    steps = (0..<count).map { _ in
      Step(kind: dice.weighted(Step.weights) ?? .turn, seed: dice.next())
    }
  }
}

/// What must not have happened.
struct SimulationFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
