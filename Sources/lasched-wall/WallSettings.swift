import Systemd

/// What lasched.conf says of terminals.
struct WallSettings {
  /// Which alerts are shown on terminals.
  enum Show: String {
    case no
    /// Those of activities that have an audience.
    case shared
    /// A person's own too.
    case all
  }

  private(set) var show = Show.no
  /// How old an alert may be, in microseconds.
  private(set) var timeToLive: Int64 = 900_000_000
  private(set) var warnings: [ConfigurationWarning] = []

  /// Reads one file alone, or lasched.conf with its drop-ins. What is wrong with other sections the
  /// daemon tells.
  init(_ file: String?) {
    let configuration: Configuration
    if let file {
      do throws(SystemError) {
        configuration = try Configuration.load(file: file)
      } catch {
        let message = "\(error.reason); ignored"
        warnings = [ConfigurationWarning(file: file, line: nil, message: message)]
        return
      }
    } else {
      configuration = Configuration.load(
        name: "lasched.conf", directories: ["/etc/lasched", "/usr/lib/lasched"])
    }
    var reader = ConfigurationReader(configuration)
    show =
      reader.value("Terminals", "Show", expected: "no, shared or all", Show.init(rawValue:)) ?? .no
    timeToLive = reader.span("Alerts", "TimeToLiveSec") ?? timeToLive
    warnings = reader.finish().filter { $0.message.contains("Show=") }
  }
}
