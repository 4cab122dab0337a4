import Glibc
import LiveActivity

/// The user database (getpwnam(3)).
enum Users {
  /// A user by name or number.
  static func user(_ text: String, _ spelling: String) throws(Failure) -> UserID {
    if let number = UInt32(text) { return UserID(number) }
    if let entry = unsafe getpwnam(text) { return UserID(unsafe entry.pointee.pw_uid) }
    throw .malformed("\(spelling) '\(text)': there is no such user; a name or a uid would be right")
  }

  /// Names that were looked up before: a listing has the same few again and again. One thread.
  private nonisolated(unsafe) static var names: [UserID: String] = [:]

  /// A user's name, or the number where there is none.
  static func name(_ user: UserID) -> String {
    if let name = unsafe names[user] { return name }
    var text = "\(user.rawValue)"
    if let entry = unsafe getpwuid(user.rawValue), let name = unsafe entry.pointee.pw_name {
      text = harmless(unsafe String(cString: name))
    }
    unsafe names[user] = text
    return text
  }

  /// Whether this process may act for every user, unless the daemon's `AdminGroup=` is another.
  static var isAdmin: Bool {
    guard !isRoot, let group = unsafe getgrnam("lasched") else { return isRoot }
    let number = unsafe group.pointee.gr_gid
    // NGROUPS_MAX of Linux.
    var groups = [gid_t](repeating: 0, count: 65536)
    let count = unsafe getgroups(Int32(groups.count), &groups)
    return getegid() == number || (count > 0 && groups.prefix(Int(count)).contains(number))
  }

  /// Whom this process runs for.
  static var own: UserID { UserID(geteuid()) }

  /// Whether this process may act for every user without being named.
  static var isRoot: Bool { geteuid() == 0 }
}
