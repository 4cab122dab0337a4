import Glibc

/// Who shows alerts in this person's session.
extension Examination {
  private static let server = "org.freedesktop.Notifications"

  /// The notification server on the session bus, which is not started for that.
  mutating func notificationServer() {
    guard let bus = setting("DBUS_SESSION_BUS_ADDRESS") ?? ownBus else {
      add(.note, "there is no session bus here, so nobody shows notifications in this session")
      return
    }
    func ask(_ arguments: String...) -> ProgramOutput? {
      ProgramOutput.of("busctl", ["--address=\(bus)", "call"] + arguments)
    }
    let broker = ["org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus"]
    guard let owned = ask(broker[0], broker[1], broker[2], "NameHasOwner", "s", Self.server) else {
      add(.note, "without busctl it cannot be told which notification server there is")
      return
    }
    guard owned.end == .exited(0) else {
      add(
        .wrong, "the session bus does not answer: \(owned.firstLine)",
        "log out and in again, or see systemctl --user status dbus")
      return
    }
    if owned.text.contains("true") {
      let path = "/org/freedesktop/Notifications"
      let told = ask(Self.server, path, Self.server, "GetServerInformation")
      guard let told, told.end == .exited(0) else {
        add(
          .wrong, "the notification server does not answer: \(told?.firstLine ?? "")",
          "restart it; alerts wait for it as long as they live")
        return
      }
      let words = told.text.split(separator: "\"").map(String.init)
      let name = words.count > 1 ? words[1] : "one without a name"
      let version = words.count > 5 ? " \(words[5])" : ""
      add(.fine, "the notification server is \(name)\(version)")
    } else if let names = ask(broker[0], broker[1], broker[2], "ListActivatableNames"),
      names.text.contains("\"\(Self.server)\"")
    {
      add(.fine, "a notification server is started when it is first needed")
    } else {
      add(
        .note, "no notification server is on the session bus, so alerts are not shown there",
        "install one, for instance dunst or mako, and have the desktop start it")
    }
  }

  /// Where systemd has a person's bus, for instance over ssh.
  private var ownBus: String? {
    let path = (setting("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())") + "/bus"
    return exists(path) ? "unix:path=\(path)" : nil
  }
}
