public import Presentations

/// Where presentation files are, and what is in them: the part of presentations that touches disks.
public struct PresentationFiles: Sendable {
  /// The files of all directories, in force.
  public private(set) var library = PresentationLibrary()
  /// What could not be read, a line each: `PATH: why`. Its type has the look of a file elsewhere, or
  /// the one without a file.
  public private(set) var problems: [String] = []

  /// No presentation is longer.
  public static let longest = 1 << 16

  /// Reads `TYPE.conf` of these directories, later ones win. A directory that is not there is no
  /// problem.
  public init(directories: [String] = PresentationFiles.directories) {
    for directory in directories {
      let names: [String]
      switch FileAccess.names(in: directory) {
      case .success(let found): names = found.filter { $0.hasSuffix(".conf") }.sorted()
      case .failure(let problem):
        if !problem.isAbsence { problems.append("\(directory): \(problem.text)") }
        continue
      }
      for name in names where PresentationLibrary.type(path: name) != nil {
        let path = "\(directory)/\(name)"
        switch PresentationFiles.text(of: path) {
        case .success(let text): library.add(path: path, text: text)
        case .failure(let problem): problems.append("\(path): \(problem.text)")
        }
      }
    }
  }

  /// The text of a file of at most 64 KiB; what is no UTF-8 in it becomes U+FFFD, which the reader
  /// of presentations reports with its line.
  public static func text(of path: String) -> Result<String, FileProblem> {
    FileAccess.contents(of: path, limit: longest).map { String(decoding: $0, as: UTF8.self) }
  }

  /// `presentations` under `/usr/lib/lasched`, `/etc/lasched` and `$XDG_CONFIG_HOME/lasched`
  /// (`~/.config/lasched`), in that order: later ones win.
  public static var directories: [String] {
    var all = ["/usr/lib/lasched/presentations", "/etc/lasched/presentations"]
    if let own = home("XDG_CONFIG_HOME", ".config") { all.append("\(own)/lasched/presentations") }
    return all
  }

  /// The data directories of the XDG Base Directory Specification, the person's own first.
  public static var dataDirectories: [String] {
    let own = home("XDG_DATA_HOME", ".local/share")
    let shared = FileAccess.variable("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
    return (own.map { [$0] } ?? [])
      + shared.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
  }

  /// What a variable says, if it is an absolute path; else that below the home directory.
  private static func home(_ variable: String, _ fallback: String) -> String? {
    if let path = FileAccess.variable(variable), path.hasPrefix("/") { return path }
    return FileAccess.variable("HOME").map { "\($0)/\(fallback)" }
  }
}
