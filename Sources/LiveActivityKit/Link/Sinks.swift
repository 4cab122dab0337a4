/// Who listens to one thing. Each listener has a buffer of its own, so that a slow one slows nobody.
struct Sinks<Element: Sendable>: Sendable {
  private var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
  private var next = 0

  /// A new listener, which is given `first` at once. `remove` is told its number when it has gone.
  mutating func add(
    first: [Element], newest: Int? = nil, remove: @escaping @Sendable (Int) -> Void
  ) -> AsyncStream<Element> {
    let number = next
    next += 1
    let (stream, continuation) = AsyncStream<Element>.makeStream(
      bufferingPolicy: newest.map { .bufferingNewest($0) } ?? .unbounded)
    for element in first { continuation.yield(element) }
    continuation.onTermination = { _ in remove(number) }
    continuations[number] = continuation
    return stream
  }

  /// How many there are.
  var count: Int { continuations.count }

  /// Tells every listener.
  func yield(_ element: Element) {
    for continuation in continuations.values { continuation.yield(element) }
  }

  /// A listener has gone.
  mutating func remove(_ number: Int) { continuations[number] = nil }

  /// Takes all of them out, to be finished outside of any lock: their end is told to `remove`.
  mutating func takeAll() -> [@Sendable () -> Void] {
    let taken = continuations.values.map { continuation in
      { @Sendable in continuation.finish() }
    }
    continuations = [:]
    return taken
  }
}
