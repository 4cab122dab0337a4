internal import LiveActivity

/// Tokens as the store's entries: `token/HASH` holds `SERIAL session OWNER FIRST` or
/// `SERIAL start OWNER TYPE`, where the application follows if there is one.
enum TokenCoding {
  static let prefix = "token/"

  static func key(_ hash: TokenHash) -> String { prefix + hash.digits }

  static func hash(_ key: String) -> TokenHash? {
    key.hasPrefix(prefix) ? TokenHash(stored: key.dropFirst(prefix.count)) : nil
  }

  static func bytes(_ token: TokenBook.Token) -> [UInt8] {
    let use =
      switch token.use {
      case .session(let owner, let first): "session \(owner.rawValue) \(first)"
      case .start(let use):
        "start \(use.owner.rawValue) \(use.attributesType)"
          + (use.application.map { " \($0)" } ?? "")
      }
    return Array("\(token.serial) \(use)".utf8)
  }

  static func token(_ bytes: [UInt8]) -> TokenBook.Token? {
    // An application may hold spaces; it comes last.
    let parts = String(decoding: bytes, as: UTF8.self).split(
      separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count >= 4, let serial = Int64(parts[0]),
      let owner = UInt32(parts[2]).map({ UserID($0) })
    else { return nil }
    switch parts[1] {
    case "session":
      guard parts.count == 4, let first = Int64(parts[3]) else { return nil }
      return TokenBook.Token(serial: serial, use: .session(owner: owner, first: first))
    case "start":
      let use = StartUse(
        owner: owner, attributesType: String(parts[3]),
        application: parts.count > 4 ? String(parts[4]) : nil)
      return TokenBook.Token(serial: serial, use: .start(use))
    default: return nil
    }
  }
}
