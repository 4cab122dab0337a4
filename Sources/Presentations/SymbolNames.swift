/// What the names on an iPhone come nearest to in a theme.
enum SymbolNames {
  /// A freedesktop icon for one of the common SF Symbols; nil for any other name. Of a symbol's
  /// variants (`.fill`, `.circle`) the plain one counts.
  static func icon(_ symbol: String) -> String? {
    var name = symbol
    while true {
      if let icon = icons[name] { return icon }
      guard let dot = name.lastIndex(of: ".") else { return nil }
      name = String(name[..<dot])
    }
  }

  /// A sound by freedesktop's sound naming specification: an iPhone's `default` is the one for
  /// messages, and a name has no ending.
  static func sound(_ name: String) -> String {
    if name == "default" { return "message-new-instant" }
    for ending in [".caf", ".wav", ".aiff", ".aif", ".m4a", ".mp3", ".oga", ".ogg"]
    where name.lowercased().hasSuffix(ending) {
      return String(name.dropLast(ending.count))
    }
    return name
  }

  private static let icons: [String: String] = [
    "airplane": "airplane-mode", "alarm": "alarm-symbolic",
    "antenna.radiowaves.left.and.right":
      "network-wireless", "archivebox": "package-x-generic", "arrow.clockwise": "view-refresh",
    "arrow.down": "go-down", "arrow.left": "go-previous", "arrow.right": "go-next",
    "arrow.up":
      "go-up", "arrow.down.circle": "folder-download", "backward": "media-seek-backward",
    "bag":
      "package-x-generic", "battery.100": "battery-full", "battery.0": "battery-empty",
    "bell":
      "preferences-system-notifications", "bell.slash": "notifications-disabled",
    "bicycle":
      "emblem-default", "bolt": "battery-full-charging", "book": "accessories-dictionary",
    "bookmark": "user-bookmarks", "box": "package-x-generic", "box.truck": "package-x-generic",
    "bubble.left": "mail-message-new", "calendar": "x-office-calendar", "camera": "camera-photo",
    "car": "mark-location", "cart": "package-x-generic", "checkmark": "emblem-ok-symbolic",
    "chevron.left": "go-previous", "chevron.right": "go-next", "clock": "preferences-system-time",
    "cloud": "weather-overcast", "cloud.bolt": "weather-storm",
    "cloud.drizzle":
      "weather-showers-scattered", "cloud.fog": "weather-fog",
    "cloud.heavyrain":
      "weather-showers", "cloud.rain": "weather-showers", "cloud.snow": "weather-snow",
    "cloud.sun": "weather-few-clouds", "cloud.moon": "weather-few-clouds-night",
    "creditcard":
      "emblem-money", "desktopcomputer": "computer", "doc": "text-x-generic",
    "envelope":
      "mail-unread", "exclamationmark": "dialog-warning", "exclamationmark.octagon": "dialog-error",
    "exclamationmark.triangle": "dialog-warning", "externaldrive": "drive-harddisk",
    "eye":
      "view-reveal-symbolic", "figure.run": "emblem-default", "figure.walk": "emblem-default",
    "film": "video-x-generic", "flag": "flag", "flame": "dialog-warning", "folder": "folder",
    "fork.knife": "emblem-favorite", "forward": "media-seek-forward",
    "gamecontroller":
      "input-gaming", "gauge": "utilities-system-monitor", "gear": "preferences-system",
    "gearshape": "preferences-system", "gift": "emblem-favorite",
    "globe":
      "applications-internet", "hammer": "applications-engineering",
    "headphones":
      "audio-headphones", "heart": "emblem-favorite", "hourglass": "preferences-system-time",
    "house": "user-home", "info": "dialog-information", "internaldrive": "drive-harddisk",
    "key": "dialog-password", "keyboard": "input-keyboard", "laptopcomputer": "computer",
    "lightbulb": "dialog-information", "link": "insert-link", "location": "find-location",
    "lock": "changes-prevent", "lock.open": "changes-allow", "magnifyingglass": "edit-find",
    "map":
      "mark-location", "mappin": "mark-location", "megaphone": "dialog-information",
    "message":
      "mail-message-new", "mic": "audio-input-microphone",
    "mic.slash":
      "microphone-sensitivity-muted", "minus": "list-remove", "moon": "weather-clear-night",
    "music.note": "audio-x-generic", "network": "network-wired",
    "newspaper":
      "application-rss+xml", "paperclip": "mail-attachment", "paperplane": "mail-send",
    "pause":
      "media-playback-pause", "pencil": "document-edit", "person": "avatar-default",
    "person.2":
      "system-users", "phone": "call-start", "phone.down": "call-stop", "photo": "image-x-generic",
    "play": "media-playback-start", "plus": "list-add", "power": "system-shutdown",
    "printer":
      "printer", "questionmark": "dialog-question", "record": "media-record",
    "repeat":
      "media-playlist-repeat", "server.rack": "network-server",
    "shippingbox":
      "package-x-generic", "shield": "security-high", "shuffle": "media-playlist-shuffle",
    "snowflake": "weather-snow", "speaker": "audio-volume-high",
    "speaker.slash":
      "audio-volume-muted", "sportscourt": "applications-games", "soccerball": "applications-games",
    "basketball": "applications-games", "star": "starred", "stop": "media-playback-stop",
    "stopwatch": "preferences-system-time", "sun.max": "weather-clear", "sun.min": "weather-clear",
    "sunrise": "daytime-sunrise-symbolic", "sunset": "daytime-sunset-symbolic",
    "tag":
      "user-bookmarks", "takeoutbag.and.cup.and.straw": "package-x-generic",
    "terminal":
      "utilities-terminal", "thermometer": "weather-clear", "timer": "preferences-system-time",
    "trash": "user-trash", "tray": "mail-inbox", "truck": "package-x-generic",
    "tv":
      "video-display", "umbrella": "weather-showers", "video": "camera-video",
    "wifi":
      "network-wireless", "wifi.slash": "network-wireless-offline", "wind": "weather-windy",
    "wrench": "applications-utilities", "wrench.and.screwdriver": "applications-utilities",
    "xmark": "window-close", "xmark.circle": "dialog-error", "xmark.octagon": "dialog-error",
    "checkmark.seal": "emblem-default", "wineglass": "emblem-favorite",
    "cup.and.saucer":
      "preferences-system-time", "trophy": "starred", "medal": "starred", "bus": "mark-location",
    "tram": "mark-location", "ferry": "mark-location", "fuelpump": "mark-location",
    "cross": "list-add", "bandage": "dialog-warning", "pills": "dialog-information",
    "graduationcap": "accessories-dictionary", "ticket": "x-office-document",
    "chart.bar":
      "x-office-spreadsheet", "chart.line.uptrend.xyaxis": "x-office-spreadsheet",
    "cpu":
      "utilities-system-monitor", "memorychip": "utilities-system-monitor",
  ]
}
