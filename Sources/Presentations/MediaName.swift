/// A picture or a sound by its name in the theme, or a file in a data directory. Never another path,
/// and nothing that would have to be fetched.
public enum MediaName: Hashable, Sendable {
  /// What the icon or sound theme calls it (freedesktop.org's naming specifications).
  case name(String)
  /// An absolute path, without `.` and `..`, below a folder for pictures or sounds.
  case file(String)

  /// The name or the path.
  public var text: String {
    switch self {
    case .name(let name): name
    case .file(let path): path
    }
  }

  /// What sort of file it is.
  public enum Kind: Sendable {
    /// A picture.
    case icon
    /// A sound.
    case sound

    var folders: [String] {
      switch self {
      case .icon: ["icons", "pixmaps", "lasched"]
      case .sound: ["sounds", "lasched"]
      }
    }
  }

  /// What text from a payload or a file may name; nil for all else. SF Symbols and the sounds of an
  /// iPhone are taken for what is nearest in a theme.
  public init?(_ text: String, _ kind: Kind, dataDirectories: [String]) {
    if text.hasPrefix("/") {
      guard MediaName.isBelow(text, kind, dataDirectories) else { return nil }
      self = .file(text)
      return
    }
    switch kind {
    case .icon:
      guard let name = MediaName.themeName(SymbolNames.icon(text) ?? text) else { return nil }
      self = .name(name)
    case .sound:
      guard let name = MediaName.themeName(SymbolNames.sound(text)) else { return nil }
      self = .name(name)
    }
  }

  /// The name, if a theme can have it: no path, no option, no scheme.
  private static func themeName(_ text: String) -> String? {
    guard (1...128).contains(text.utf8.count), let first = text.utf8.first, first != 0x2E,
      first != 0x2D
    else { return nil }
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x5F, 0x2D, 0x2B: continue
      default: return nil
      }
    }
    return text
  }

  private static func isBelow(_ path: String, _ kind: Kind, _ directories: [String]) -> Bool {
    guard path.utf8.count <= 1024, path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      return false
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return false }
    return directories.contains { directory in
      directory.hasPrefix("/") && kind.folders.contains { path.hasPrefix("\(directory)/\($0)/") }
    }
  }
}
