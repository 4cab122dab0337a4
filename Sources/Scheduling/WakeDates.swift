internal import LiveActivity

/// When the machine is to be woken, by key, in order on each clock. It follows from what sessions and
/// alerts are, so whoever keeps those keeps it in step, and there is nothing in it to undo.
struct WakeDates {
  private var onWall = OrderedDates()
  private var onBoottime = OrderedDates()

  /// No dates.
  init() {}

  /// Whether there are none.
  var isEmpty: Bool { onWall.isEmpty && onBoottime.isEmpty }

  /// Those who have one.
  var keys: [Int64] { onWall.keys + onBoottime.keys }

  /// The earliest on each clock.
  var next: NextDeadlines {
    NextDeadlines(
      wall: onWall.first.map { WallTime(microseconds: $0) },
      boottime: onBoottime.first.map { BootTime(microseconds: $0) })
  }

  /// Gives a key another date, or none; a term that waits for a start is none yet.
  mutating func set(_ key: Int64, to term: Term) {
    var (wall, boottime): (Int64?, Int64?) = (nil, nil)
    switch term {
    case .none, .fromStart: break
    case .date(let date), .carried(let date): wall = date.microseconds
    case .elapsed(let instant): boottime = instant.microseconds
    }
    onWall.set(key, to: wall)
    onBoottime.set(key, to: boottime)
  }
}

/// Dates by key, the earliest first: a binary heap that knows where each key stands.
private struct OrderedDates {
  private var heap: [(date: Int64, key: Int64)] = []
  private var places: [Int64: Int] = [:]

  var isEmpty: Bool { heap.isEmpty }
  var keys: [Int64] { heap.map(\.key) }
  var first: Int64? { heap.first?.date }

  mutating func set(_ key: Int64, to date: Int64?) {
    guard let date else {
      if let place = places.removeValue(forKey: key) { remove(at: place) }
      return
    }
    if let place = places[key] {
      heap[place].date = date
      settle(place)
    } else {
      heap.append((date, key))
      places[key] = heap.count - 1
      settle(heap.count - 1)
    }
  }

  private mutating func remove(at place: Int) {
    let last = heap.removeLast()
    guard place < heap.count else { return }
    heap[place] = last
    places[last.key] = place
    settle(place)
  }

  /// Moves what stands at a place to where its date belongs.
  private mutating func settle(_ place: Int) {
    var place = place
    while place > 0, heap[place].date < heap[(place - 1) / 2].date {
      swap(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
    while true {
      let children = [2 * place + 1, 2 * place + 2].filter { $0 < heap.count }
      guard let child = children.min(by: { heap[$0].date < heap[$1].date }),
        heap[child].date < heap[place].date
      else { return }
      swap(place, child)
      place = child
    }
  }

  private mutating func swap(_ a: Int, _ b: Int) {
    heap.swapAt(a, b)
    places[heap[a].key] = a
    places[heap[b].key] = b
  }
}
