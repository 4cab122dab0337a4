import LiveActivity
import Notifications
import PresentationFiles
import Presentations
import Systemd
import TimeExpressions

/// What files and the machine say, read at the beginning and at SIGHUP.
enum NotifyConfiguration {
  /// Reads all of it; what is wrong with it is told, and never keeps an alert from a person.
  static func load(_ options: NotifyOptions, _ log: Journal) -> NotifyContext {
    var configuration = Configuration()
    if let file = options.configuration {
      do throws(SystemError) {
        configuration = try Configuration.load(file: file)
      } catch {
        log.log(.warning, "\(error); ignored")
      }
    } else {
      configuration = Configuration.load(
        name: "notify.conf", directories: NotifyOptions.configurationDirectories)
    }
    let (settings, warnings) = settings(configuration)
    for warning in warnings { log.log(.warning, "\(warning)") }
    let files = PresentationFiles()
    for problem in files.problems { log.log(.warning, problem) }
    for diagnostic in files.library.diagnostics { log.log(.warning, "\(diagnostic)") }
    let zones = ZoneDatabase(directory: Surroundings.variable("TZDIR"))
    let zone = (try? zones.localRules(tz: Surroundings.variable("TZ"))) ?? .utc
    return NotifyContext(
      reader: UserID(Surroundings.userID), library: files.library,
      look: LookSettings(zone: zone, dataDirectories: PresentationFiles.dataDirectories),
      settings: settings, userName: name)
  }

  /// A user's name, or the number where there is none.
  @Sendable private static func name(_ user: UserID) -> String {
    (try? Accounts.user(user.rawValue))?.name ?? "user \(user.rawValue)"
  }

  private static func settings(
    _ configuration: Configuration
  ) -> (NotifySettings, [ConfigurationWarning]) {
    var settings = NotifySettings()
    var reader = ConfigurationReader(configuration)
    let section = "Notify"
    if let snoozes = reader.value(
      section, "SnoozeSec", expected: "up to three time spans such as 10min, or no", spans)
    {
      settings.snoozes = snoozes
    }
    if let schemes = reader.value(
      section, "URLSchemes", expected: "schemes such as http https mailto", schemes)
    {
      settings.schemes = schemes
    }
    if let stays = reader.boolean(section, "Stay") { settings.stays = stays }
    if let shows = reader.boolean(section, "Updates") { settings.showsUpdates = shows }
    if let most = reader.count(section, "AtOnceMax") {
      settings.mostAtOnce = max(1, Int(clamping: most))
    }
    if let span = reader.span(section, "LateSec") {
      settings.lateAfter = TimeSpan(microseconds: span)
    }
    return (settings, reader.finish())
  }

  private static func spans(_ text: String) -> [TimeSpan]? {
    if ConfigurationValue.boolean(text) == false { return [] }
    var spans: [TimeSpan] = []
    for word in text.split(separator: " ") {
      // The daemon's longest; a button of no time would be none.
      guard let span = ConfigurationValue.span(String(word)), span >= 1_000_000,
        span <= 7 * 86_400_000_000
      else { return nil }
      spans.append(TimeSpan(microseconds: span / 1_000_000 * 1_000_000))
    }
    return (1...3).contains(spans.count) ? spans : nil
  }

  private static func schemes(_ text: String) -> Set<String>? {
    let words = text.split(separator: " ").map { $0.lowercased() }
    let areSchemes = words.allSatisfy { word in
      word.utf8.first.map { (0x61...0x7A).contains($0) } == true
        && word.utf8.allSatisfy {
          (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
            || [0x2B, 0x2D, 0x2E].contains($0)
        }
    }
    return areSchemes && !words.isEmpty ? Set(words) : nil
  }
}
