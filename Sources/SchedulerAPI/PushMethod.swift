import JSON
public import Varlink

/// The methods of `io.lasched.Push`.
public enum PushMethod: Int, CaseIterable, Sendable {
  /// Applies a payload.
  case push
  /// Makes a token for an activity.
  case createToken
  /// Makes a push-to-start token.
  case createStartToken
  /// Voids push-to-start tokens.
  case voidStartTokens

  /// The full name.
  public var name: String { PushMethod.names.names[rawValue] }

  private static let names = methodNames(
    PushMethod.allCases.map { "\($0)" }, of: PushInterface.name)

  /// The method that a call names; nil for one of another interface, and for an unknown one.
  public init?(_ call: VarlinkCall) {
    guard let place = PushMethod.names.place(of: call.methodNode) else { return nil }
    self.init(rawValue: place)
  }
}
