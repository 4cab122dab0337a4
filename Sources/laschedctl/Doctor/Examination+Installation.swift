import Following
import Glibc
import LiveActivity

/// What is installed, and who may do what with it.
extension Examination {
  /// The units, the service's user, the admin group.
  mutating func installation(_ choice: SocketChoice) {
    switch choice.origin {
    case .system:
      enabled("systemctl enable lasched", isUser: false)
      if unsafe getpwnam("_lasched") == nil {
        add(.wrong, "the service's user _lasched does not exist", "systemd-sysusers")
      }
      administration()
    case .user: enabled("systemctl --user enable lasched", isUser: true)
    case .option, .environment: break
    }
  }

  private mutating func enabled(_ remedy: String, isUser: Bool) {
    guard let text = systemctl("is-enabled", "lasched.service", isUser: isUser) else { return }
    let state = text.split(separator: "\n").first.map(String.init) ?? ""
    switch state {
    case "enabled", "enabled-runtime", "static", "linked":
      add(.fine, "lasched.service is \(state): it is there after a boot")
    case "disabled", "indirect", "masked":
      add(
        .wrong, "lasched.service is \(state): after a boot nothing starts until somebody calls",
        remedy)
    default:
      add(.note, "systemd does not know lasched.service, so nothing starts it after a boot")
    }
  }

  /// Whether the caller may act for others.
  private mutating func administration() {
    if unsafe getgrnam("lasched") == nil {
      add(
        .note, "there is no group lasched, so root alone acts for other users", "systemd-sysusers")
    } else if Users.isAdmin {
      add(.fine, "\(Users.name(UserID(getuid()))) may act for every user")
    }
  }

  /// Where the state is, whether it lasts, and who can read it.
  mutating func state(_ choice: SocketChoice) {
    guard choice.origin == .system || choice.origin == .user else { return }
    let state = setting("XDG_STATE_HOME") ?? (setting("HOME") ?? "") + "/.local/state"
    let path = choice.origin == .system ? "/var/lib/lasched" : state + "/lasched"
    guard exists(path) else { return }
    fileSystem(path)
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return }
    if status.st_mode & 0o077 != 0 {
      let mode = String(status.st_mode & 0o777, radix: 8)
      add(.wrong, "\(path) has mode 0\(mode): others can look into it", "chmod 0700 \(path)")
    }
    guard choice.origin == .system, let user = unsafe getpwnam("_lasched") else { return }
    let owner = unsafe user.pointee.pw_uid
    if status.st_uid != owner {
      add(
        .wrong, "\(path) belongs to \(Users.name(UserID(status.st_uid))), not to _lasched",
        "chown -R _lasched: \(path)")
    }
  }

  private mutating func fileSystem(_ path: String) {
    if let mount = MountPoint.of(path) {
      if ["tmpfs", "ramfs"].contains(mount.type) {
        add(
          .wrong, "\(path) is on a \(mount.type): what is scheduled does not survive a reboot",
          "give it a place on a disk")
      } else if mount.isNetwork {
        add(
          .wrong, "\(path) is on \(mount.type): a network's locks and syncs cannot be relied on",
          "give it a place on a local disk")
      } else {
        add(.fine, "\(path) is on \(mount.type)")
      }
    }
    var room = statvfs()
    guard unsafe statvfs(path, &room) == 0, room.f_blocks > 0 else { return }
    let free = UInt64(room.f_bavail) * UInt64(room.f_frsize) / (1 << 20)
    if free < 64 {
      add(
        .note, "\(path) has \(free) MB left: when it is full, nothing new is taken",
        "make room; what is scheduled is safe and starts all the same")
    }
  }

  /// Whether a person's own daemon outlives their session.
  mutating func lingering(_ choice: SocketChoice) {
    guard choice.origin == .user, !Users.isRoot else { return }
    let name = Users.name(UserID(getuid()))
    guard exists("/run/systemd/system"), !exists("/var/lib/systemd/linger/\(name)") else { return }
    add(
      .note, "the user's daemon ends when the last session of \(name) does",
      "loginctl enable-linger, or the system's daemon")
  }
}
