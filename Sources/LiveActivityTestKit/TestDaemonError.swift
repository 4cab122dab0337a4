public import FoundationEssentials

/// Why there is no daemon to test with.
public struct TestDaemonError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// One line for a person.
  public let description: String

  init(_ description: String) { self.description = description }

  /// The line, for `localizedDescription`.
  public var errorDescription: String? { description }
}
