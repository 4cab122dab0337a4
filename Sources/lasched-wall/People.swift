import Glibc

/// The names and groups of users (getpwuid(3), getgrouplist(3)).
final class People {
  private var names: [UInt32: String] = [:]
  private var memberships: [UInt32: Set<String>] = [:]

  /// What was looked up is looked up anew.
  func forget() {
    names = [:]
    memberships = [:]
  }

  /// The login name, or the number where there is none.
  func name(_ user: UInt32) -> String {
    if let name = names[user] { return name }
    var name = "\(user)"
    if let entry = unsafe getpwuid(user), let text = unsafe entry.pointee.pw_name {
      name = unsafe String(cString: text)
    }
    names[user] = name
    return name
  }

  /// The names of the groups that a user is in.
  func groups(_ user: UInt32) -> Set<String> {
    if let found = memberships[user] { return found }
    var found: Set<String> = []
    if let entry = unsafe getpwuid(user) {
      let primary = unsafe entry.pointee.pw_gid
      var count: Int32 = 1024
      var groups = [gid_t](repeating: 0, count: Int(count))
      if unsafe getgrouplist(entry.pointee.pw_name, primary, &groups, &count) >= 0 {
        for group in groups.prefix(Int(count)) {
          if let entry = unsafe getgrgid(group), let text = unsafe entry.pointee.gr_name {
            found.insert(unsafe String(cString: text))
          }
        }
      }
    }
    memberships[user] = found
    return found
  }
}
