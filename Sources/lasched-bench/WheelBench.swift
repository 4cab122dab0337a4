import TimingWheel

/// Nanoseconds of processor time an operation, and resident bytes a timer.
private struct Figures {
  var insert = Double.infinity
  var cancel = Double.infinity
  var fire = Double.infinity
  var bytes = 0.0

  var cells: [Double] { [insert, cancel, fire, bytes] }
}

private let firstDate: Int64 = 1_764_000_000_000

private func deadlines(_ count: Int, seed: UInt64) -> [Int64] {
  var random = SeededGenerator(seed: seed)
  return (0..<count).map { _ in firstDate + .random(in: 1...86_400_000, using: &random) }
}

/// The timing wheel beside a binary heap with lazy cancel: the same timers in the same run.
func runWheelBench(_ arguments: [String]) throws(UsageError) {
  let options = try numberOptions(arguments, names: ["--count", "--seed", "--runs"])
  let counts = options["--count"] ?? [1_000_000, 10_000_000]
  if let count = counts.first(where: { $0 > 1 << 30 }) {
    throw UsageError("--count \(count) is more than \(1 << 30)")
  }
  let (seed, runs) = (UInt64(options["--seed"]?.last ?? 1), options["--runs"]?.last ?? 3)

  // Memory before all else, while the allocator has nothing freed to give again.
  var kept: [MemoryProbe] = []
  for count in counts { kept.append(MemoryProbe(deadlines(count, seed: seed))) }
  let bytes = kept.map { ($0.wheelBytes, $0.heapBytes) }
  kept = []

  for (count, bytes) in zip(counts, bytes) {
    let deadlines = deadlines(count, seed: seed)
    var random = SeededGenerator(seed: ~seed)
    let order = (0..<count).shuffled(using: &random)
    var (wheel, heap) = (Figures(bytes: bytes.0), Figures(bytes: bytes.1))
    for _ in 0..<runs {
      measureWheel(deadlines, order, &wheel)
      measureHeap(deadlines, order, &heap)
    }
    print("\(count) timers over 24 h at 1 ms, in random order; least of \(runs) runs, seed \(seed)")
    print("CPU ns            insert    cancel      fire   bytes/timer")
    print("timing wheel  " + wheel.cells.map { cell($0) }.joined())
    print("binary heap   " + heap.cells.map { cell($0) }.joined())
    print("heap / wheel  " + zip(heap.cells, wheel.cells).map { cell($0 / $1) }.joined())
  }
}

/// A wheel and a heap of the same timers, and by how much each made the process grow.
private final class MemoryProbe {
  private var wheel = TimingWheel()
  private var heap = TimerHeap()
  private(set) var wheelBytes = 0.0
  private(set) var heapBytes = 0.0

  init(_ deadlines: [Int64]) {
    let atFirst = residentBytes()
    for deadline in deadlines { _ = wheel.insert(deadline: deadline, token: 0) }
    let withWheel = residentBytes()
    for deadline in deadlines { heap.insert(deadline) }
    wheelBytes = Double(withWheel - atFirst) / Double(deadlines.count)
    heapBytes = Double(residentBytes() - withWheel) / Double(deadlines.count)
  }
}

private func measureWheel(_ deadlines: [Int64], _ order: [Int], _ figures: inout Figures) {
  let count = Double(deadlines.count)
  do {
    var wheel = TimingWheel()
    var handles = [TimerHandle](repeating: .none, count: deadlines.count)
    let insert = cpuNanoseconds {
      for index in deadlines.indices {
        handles[index] = wheel.insert(
          deadline: deadlines[index], token: UInt32(truncatingIfNeeded: index))
      }
    }
    let shuffled = order.map { handles[$0] }
    let cancel = cpuNanoseconds { for handle in shuffled { wheel.cancel(handle) } }
    precondition(wheel.isEmpty)
    figures.insert = min(figures.insert, insert / count)
    figures.cancel = min(figures.cancel, cancel / count)
  }
  var wheel = TimingWheel()
  for index in deadlines.indices {
    _ = wheel.insert(deadline: deadlines[index], token: UInt32(truncatingIfNeeded: index))
  }
  var fired = 0
  let fire = cpuNanoseconds {
    while let now = wheel.nextDeadline {
      while wheel.popNext(upTo: now) != nil { fired += 1 }
    }
  }
  precondition(fired == deadlines.count)
  figures.fire = min(figures.fire, fire / count)
}

private func measureHeap(_ deadlines: [Int64], _ order: [Int], _ figures: inout Figures) {
  let count = Double(deadlines.count)
  do {
    var heap = TimerHeap()
    let insert = cpuNanoseconds { for deadline in deadlines { heap.insert(deadline) } }
    let cancel = cpuNanoseconds {
      for index in order { heap.cancel(UInt32(truncatingIfNeeded: index)) }
    }
    precondition(heap.isEmpty)
    figures.insert = min(figures.insert, insert / count)
    figures.cancel = min(figures.cancel, cancel / count)
  }
  var heap = TimerHeap()
  for deadline in deadlines { heap.insert(deadline) }
  var fired = 0
  let fire = cpuNanoseconds {
    while let now = heap.nextDeadline {
      while heap.popNext(upTo: now) != nil { fired += 1 }
    }
  }
  precondition(fired == deadlines.count)
  figures.fire = min(figures.fire, fire / count)
}
