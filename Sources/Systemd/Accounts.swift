internal import Glibc

/// An entry of the user database; getpwnam(3).
public struct Account: Hashable, Sendable {
  /// The login name.
  public let name: String
  /// The user.
  public let userID: UInt32
  /// The primary group.
  public let groupID: UInt32
  /// The home directory.
  public let home: String
}

/// Look-ups in the user and group databases. They may ask the network and take long: only for
/// helper threads.
public enum Accounts {
  /// The kernel's stand-in for a user it cannot tell: never one to trust.
  public static let overflowUserID: UInt32 = 65534

  /// The account of that name; nil if there is none.
  public static func user(named name: String) throws(SystemError) -> Account? {
    try unsafe lookUp("getpwnam", name) { entry, buffer, size, found in
      unsafe getpwnam_r(name, entry, buffer, size, found)
    } read: { (entry: inout passwd) in
      unsafe account(entry)
    }
  }

  /// The account with that number; nil if there is none.
  public static func user(_ id: UInt32) throws(SystemError) -> Account? {
    try unsafe lookUp("getpwuid", "\(id)") { entry, buffer, size, found in
      unsafe getpwuid_r(id, entry, buffer, size, found)
    } read: { (entry: inout passwd) in
      unsafe account(entry)
    }
  }

  /// The number of the group of that name; nil if there is none.
  public static func group(named name: String) throws(SystemError) -> UInt32? {
    try unsafe lookUp("getgrnam", name) { entry, buffer, size, found in
      unsafe getgrnam_r(name, entry, buffer, size, found)
    } read: { (entry: inout group) in
      unsafe entry.gr_gid
    }
  }

  private static func account(_ entry: passwd) -> Account {
    func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
      guard let pointer = unsafe pointer else { return "" }
      return unsafe String(cString: pointer)
    }
    return unsafe Account(
      name: text(entry.pw_name), userID: entry.pw_uid, groupID: entry.pw_gid,
      home: text(entry.pw_dir))
  }

  /// Calls one of the `_r` functions with a buffer that grows until the entry fits.
  private static func lookUp<Entry, Result>(
    _ call: String, _ subject: String,
    _ ask: (
      UnsafeMutablePointer<Entry>, UnsafeMutablePointer<CChar>, Int,
      UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
    ) -> Int32,
    read: (inout Entry) -> Result
  ) throws(SystemError) -> Result? {
    var size = 1024
    while true {
      let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
      let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
      defer {
        unsafe entry.deallocate()
        unsafe buffer.deallocate()
      }
      var found: UnsafeMutablePointer<Entry>?
      let code = unsafe ask(entry, buffer, size, &found)
      switch code {
      case 0:
        guard let found = unsafe found else { return nil }
        return unsafe read(&found.pointee)
      case ERANGE where size < 1 << 24: size *= 4
      case EINTR: continue
      // getpwnam(3): what systems answer when nobody has that name.
      case ENOENT, ESRCH, EBADF, EPERM: return nil
      default: throw SystemError(call, code, subject)
      }
    }
  }
}
