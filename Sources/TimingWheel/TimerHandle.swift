/// Names one entry of a `TimingWheel`, and that entry only: once it has fired or been cancelled, the
/// handle names nothing, even when its place in memory is used again.
public struct TimerHandle: Hashable, Sendable, BitwiseCopyable {
  let index: UInt32
  let generation: UInt32

  /// A handle that names no entry of any wheel.
  public static let none = TimerHandle(index: .max, generation: .max)
}
