internal import Scheduling

/// The store's history of boots as entries, `boot/00000000` and on: text, so that a person can read
/// them.
enum BootCoding {
  static let prefix = "boot/"

  static func key(_ index: Int) -> String {
    let digits = String(index)
    return prefix + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  }

  /// `ID OFFSET ANCHOR`, the anchor `-` where there is none.
  static func bytes(_ boot: BootHistory.Boot) -> [UInt8] {
    let anchor = boot.anchor.map { String($0) } ?? "-"
    return Array("\(boot.id) \(boot.offset) \(anchor)".utf8)
  }

  static func boot(_ bytes: [UInt8]) -> BootHistory.Boot? {
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard parts.count == 3, let offset = Int64(parts[1]) else { return nil }
    return BootHistory.Boot(id: String(parts[0]), offset: offset, anchor: Int64(parts[2]))
  }
}
