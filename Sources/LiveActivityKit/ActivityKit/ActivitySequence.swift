/// What happens to activities, as it happens; each iteration has a buffer of its own, begins with
/// what is there, and ends with the activity.
///
/// A daemon that is restarted meanwhile goes unnoticed: nothing is left out and nothing comes twice.
public struct ActivitySequence<Element>: AsyncSequence, Sendable {
  private let start: @Sendable () -> Iterator

  /// What `base` gives, as `transform` sees it; nil of that is passed over.
  init<Base: Sendable>(
    _ base: @escaping @Sendable () -> AsyncStream<Base>,
    _ transform: @escaping @Sendable (Base) -> Element?
  ) {
    start = {
      var iterator = base().makeAsyncIterator()
      return Iterator { actor in
        while let next = await iterator.next(isolation: actor) {
          if let element = transform(next) { return element }
        }
        return nil
      }
    }
  }

  /// Begins to listen.
  public func makeAsyncIterator() -> Iterator { start() }

  /// One who listens.
  public struct Iterator: AsyncIteratorProtocol {
    let step: (isolated (any Actor)?) async -> Element?

    /// The next element; nil at the end, or when the task is cancelled.
    public mutating func next() async -> Element? { await step(nil) }

    /// The same, for a caller on an actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never)
      -> Element?
    { await step(actor) }
  }
}
