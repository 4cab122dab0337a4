/// stub
public struct JSONText: Hashable, Sendable {
  public let bytes: [UInt8]
  public static let emptyObject = JSONText(bytes: [0x7B, 0x7D])
}
