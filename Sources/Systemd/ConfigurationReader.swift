/// Takes settings out of a configuration and keeps book of what was wrong with it.
///
/// Ask for every key there is, then call `finish`: what nobody asked for is unknown.
public struct ConfigurationReader: Sendable {
  private let configuration: Configuration
  private var known: [String: [String]] = [:]
  private var warnings: [ConfigurationWarning]

  /// Begins with the warnings of the configuration itself.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
    warnings = configuration.warnings
  }

  /// The last good value of a key; nil if it has none or was reset: the default holds.
  ///
  /// A value that `parse` refuses is a warning and changes nothing. `expected` says what would be
  /// right, `yes or no` for one.
  public mutating func value<Value>(
    _ section: String, _ key: String, expected: String, _ parse: (String) -> Value?
  ) -> Value? {
    known[section, default: []].append(key)
    var found: Value?
    for entry in configuration.entries where entry.section == section && entry.key == key {
      if entry.value.isEmpty {
        found = nil
      } else if let value = parse(entry.value) {
        found = value
      } else {
        warn(entry, "bad value in \(key)=\(entry.value): \(expected) expected; ignored")
      }
    }
    return found
  }

  /// A time span in microseconds.
  public mutating func span(_ section: String, _ key: String) -> Int64? {
    value(section, key, expected: "a time span such as 8h or 1h 30min", ConfigurationValue.span)
  }

  /// A size in bytes.
  public mutating func size(_ section: String, _ key: String) -> Int64? {
    value(section, key, expected: "a size such as 4096 or 16M", ConfigurationValue.size)
  }

  /// A count, from 0.
  public mutating func count(_ section: String, _ key: String) -> Int64? {
    value(section, key, expected: "a number from 0", ConfigurationValue.count)
  }

  /// Yes or no.
  public mutating func boolean(_ section: String, _ key: String) -> Bool? {
    value(section, key, expected: "yes or no", ConfigurationValue.boolean)
  }

  /// Text as it stands.
  public mutating func text(_ section: String, _ key: String) -> String? {
    value(section, key, expected: "text") { $0 }
  }

  /// All warnings: of the files, of the values, and of what nobody asked for.
  public consuming func finish() -> [ConfigurationWarning] {
    var told: Set<String> = []
    for entry in configuration.entries {
      if let keys = known[entry.section] {
        if keys.contains(entry.key) { continue }
        warn(
          entry,
          "unknown key '\(entry.key)' in [\(entry.section)], which has "
            + "\(keys.joined(separator: ", ")); ignored")
      } else if told.insert("\(entry.file)\0\(entry.section)").inserted {
        let sections = known.keys.sorted().map { "[\($0)]" }
        warn(
          entry,
          "unknown section [\(entry.section)]; there are \(sections.joined(separator: ", ")); "
            + "ignored")
      }
    }
    return warnings
  }

  private mutating func warn(_ entry: ConfigurationEntry, _ message: String) {
    warnings.append(
      ConfigurationWarning(file: entry.file, line: entry.line, message: message))
  }
}
