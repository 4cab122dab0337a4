internal import Synchronization

/// A value that threads share, one at a time. Unlike `Mutex` it takes what the compiler does not know to
/// be sendable: values that were decoded, of which each reader gets a copy.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = Mutex(())
  private var stored: Value

  init(_ value: Value) { stored = value }

  var value: Value {
    get { lock.withLock { _ in stored } }
    set { lock.withLock { _ in stored = newValue } }
  }
}
