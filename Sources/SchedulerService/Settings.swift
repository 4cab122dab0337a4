public import LiveActivity
internal import Scheduling
public import Systemd

/// What `lasched.conf` and its drop-ins say (lasched.conf(5)).
public struct Settings: Sendable {
  /// What to do with a damaged store.
  public enum OnDamage: String, Sendable {
    /// Put it beside and start afresh.
    case setAside = "set-aside"
    /// Refuse to start.
    case refuse
  }

  /// What to do with a request to wake a machine that nothing can wake.
  public enum Wake: String, Sendable {
    /// Take it, and say so.
    case warn
    /// Refuse it.
    case refuse
  }

  /// `ActiveMaxSec=`: how long an activity may run.
  public var activeMax = TimeSpan.seconds(8 * 3600)
  /// `EndedMaxSec=`: how long an ended one stays.
  public var endedMax = TimeSpan.seconds(4 * 3600)
  /// `PayloadMaxBytes=`: attributes and content state together.
  public var payloadMaxBytes = 4096
  /// `ActivitiesPerUserMax=`: sessions not dismissed of an ordinary user.
  public var activitiesPerUser = 10_000
  /// `ConnectionsPerUserMax=`: of an ordinary user.
  public var connectionsPerUser = 64
  /// `UpdatesPerSecond=`: of an ordinary user, once the burst is spent.
  public var updatesPerSecond = 100
  /// `UpdatesBurst=`: of an ordinary user.
  public var updatesBurst = 1000
  /// `UnsettledAlertsPerUserMax=`: of an ordinary user.
  public var unsettledAlertsPerUser = 1000
  /// `RetentionSec=`: how long what is over is kept.
  public var retention = TimeSpan.seconds(30 * 86_400)
  /// `EventsPerUserMax=`: how many events of an owner are kept.
  public var eventsPerUser = 100_000
  /// `TimeToLiveSec=`: how long an alert waits.
  public var alertTimeToLive = TimeSpan.seconds(15 * 60)
  /// `OnDamage=`: what to do with a damaged store.
  public var onDamage = OnDamage.setAside
  /// `ReserveBytes=`: kept back for a full disk.
  public var reserveBytes = 16 << 20
  /// `HighPriorityPerHour=`: pushes of priority 10 that an activity takes in an hour.
  public var pushesPerHour = 60
  /// `HighPriorityFrequentPerHour=`: the same, of the types in `FrequentTypes`.
  public var frequentPushesPerHour = 600
  /// `FrequentTypes=`: attributes types that are updated often.
  public var frequentTypes: Set<String> = []
  /// `Enabled=`: whether requests are taken at all.
  public var isEnabled = true
  /// `AdminGroup=`: whose members may act for others.
  public var adminGroup = "lasched"
  /// `StepThresholdSec=`: a clock step of less is no event.
  public var stepThreshold = TimeSpan.seconds(1)
  /// `Wake=`: what to do with a request to wake a machine that nothing can wake.
  public var wake = Wake.warn

  /// The defaults.
  public init() {}

  /// Reads a configuration; what cannot be used is a warning, and the default stays.
  public static func read(
    _ configuration: Configuration
  ) -> (settings: Settings, warnings: [ConfigurationWarning]) {
    var settings = Settings()
    var reader = ConfigurationReader(configuration)
    settings.readLimits(&reader)
    reader.take("History", "RetentionSec", &settings.retention)
    reader.take("History", "EventsPerUserMax", &settings.eventsPerUser)
    reader.take("Alerts", "TimeToLiveSec", &settings.alertTimeToLive)
    if let onDamage = reader.value(
      "Store", "OnDamage", expected: "set-aside or refuse", OnDamage.init(rawValue:))
    {
      settings.onDamage = onDamage
    }
    if let bytes = reader.size("Store", "ReserveBytes") {
      settings.reserveBytes = Int(clamping: bytes)
    }
    reader.take("Push", "HighPriorityPerHour", &settings.pushesPerHour)
    reader.take("Push", "HighPriorityFrequentPerHour", &settings.frequentPushesPerHour)
    if let types = reader.value(
      "Push", "FrequentTypes", expected: "attributes types with spaces between", attributesTypes)
    {
      settings.frequentTypes = types
    }
    if let isEnabled = reader.boolean("Access", "Enabled") { settings.isEnabled = isEnabled }
    if let group = reader.text("Access", "AdminGroup") { settings.adminGroup = group }
    reader.take("Clock", "StepThresholdSec", &settings.stepThreshold)
    if let wake = reader.value(
      "Clock", "Wake", expected: "warn or refuse", Wake.init(rawValue:))
    {
      settings.wake = wake
    }
    // Of lasched-wall; here only so that a mistake in it is told.
    _ = reader.value("Terminals", "Show", expected: "no, shared or all") { text in
      ["no", "shared", "all"].contains(text) ? text : nil
    }
    return (settings, reader.finish())
  }

  private static func attributesTypes(_ text: String) -> Set<String>? {
    let names = text.split(whereSeparator: \.isWhitespace).map { String($0) }
    for name in names {
      do throws(InvalidValue) { try TextRules.checkName(name, "the attributes type") } catch {
        return nil
      }
    }
    return Set(names)
  }

  private mutating func readLimits(_ reader: inout ConfigurationReader) {
    reader.take("Limits", "ActiveMaxSec", &activeMax)
    reader.take("Limits", "EndedMaxSec", &endedMax)
    if let bytes = reader.size("Limits", "PayloadMaxBytes") {
      payloadMaxBytes = Int(clamping: bytes)
    }
    reader.take("Limits", "ActivitiesPerUserMax", &activitiesPerUser)
    reader.take("Limits", "ConnectionsPerUserMax", &connectionsPerUser)
    reader.take("Limits", "UpdatesPerSecond", &updatesPerSecond)
    reader.take("Limits", "UpdatesBurst", &updatesBurst)
    reader.take("Limits", "UnsettledAlertsPerUserMax", &unsettledAlertsPerUser)
  }

  /// What the core is held to.
  var limits: Limits {
    var limits = Limits()
    limits.active = activeMax
    limits.ended = endedMax
    limits.activitiesPerUser = activitiesPerUser
    limits.unsettledAlertsPerUser = unsettledAlertsPerUser
    limits.alertTimeToLive = alertTimeToLive
    limits.stepThreshold = stepThreshold
    return limits
  }
}

extension ConfigurationReader {
  fileprivate mutating func take(_ section: String, _ key: String, _ value: inout TimeSpan) {
    if let span = span(section, key) { value = TimeSpan(microseconds: span) }
  }

  fileprivate mutating func take(_ section: String, _ key: String, _ value: inout Int) {
    if let count = count(section, key) { value = Int(clamping: count) }
  }
}
