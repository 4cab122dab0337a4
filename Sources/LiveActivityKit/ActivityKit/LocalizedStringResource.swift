/// Text for a person. Foundation has such a type on Apple's systems and none on Linux; this one takes
/// literals and interpolations and keeps the text: there are no tables to look it up in.
public struct LocalizedStringResource: Hashable, Codable, Sendable {
  /// The text.
  public let text: String

  /// That text, such as one that the program has looked up already.
  public init(_ text: String) { self.text = text }

  /// The default value, else the key.
  public init(
    _ key: String, defaultValue: String? = nil, table: String? = nil, comment: String? = nil
  ) {
    text = defaultValue ?? key
  }

  /// The text, by the name that it has in Foundation.
  public var key: String { text }
}

extension LocalizedStringResource: ExpressibleByStringInterpolation {
  /// A literal, or one with values in it.
  public init(stringLiteral value: String) { text = value }
}

extension LocalizedStringResource: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}

extension String {
  /// The text of a resource.
  public init(localized resource: LocalizedStringResource) { self = resource.text }
}
