internal import LiveActivity
internal import Scheduling

/// What is refused to an owner, as keys of the store's entries:
/// `disabled/UID/TYPE/APPLICATION`, where `%` and `/` in the names are written `%25` and `%2F`.
enum DisabledCoding {
  static let prefix = "disabled/"

  static func text(_ key: EnabledKey) -> String {
    let type = key.attributesType.map(escaped) ?? ""
    let application = key.application.map(escaped) ?? ""
    return "\(prefix)\(key.owner.rawValue)/\(type)/\(application)"
  }

  static func key(_ text: String) -> EnabledKey? {
    guard text.hasPrefix(prefix) else { return nil }
    let parts = text.dropFirst(prefix.count).split(
      separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let owner = UInt32(parts[0]) else { return nil }
    return EnabledKey(
      owner: UserID(owner), attributesType: parts[1].isEmpty ? nil : unescaped(parts[1]),
      application: parts[2].isEmpty ? nil : unescaped(parts[2]))
  }

  private static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": out += "%25"
      case "/": out += "%2F"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  private static func unescaped(_ text: Substring) -> String {
    var out = ""
    var rest = text
    while let first = rest.first {
      if rest.hasPrefix("%25") {
        out += "%"
        rest = rest.dropFirst(3)
      } else if rest.hasPrefix("%2F") {
        out += "/"
        rest = rest.dropFirst(3)
      } else {
        out.append(first)
        rest = rest.dropFirst()
      }
    }
    return out
  }
}

/// Who took a shared session off their own screen, as keys of the store's entries:
/// `hidden/SESSION/UID`.
enum HiddenCoding {
  static func text(_ first: Int64, _ user: UserID) -> String { "hidden/\(first)/\(user.rawValue)" }

  static func place(_ text: String) -> (first: Int64, user: UserID)? {
    let parts = text.split(separator: "/")
    guard parts.count == 3, parts[0] == "hidden", let first = Int64(parts[1]),
      let user = UInt32(parts[2])
    else { return nil }
    return (first, UserID(user))
  }
}
