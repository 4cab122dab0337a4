// The only file of this module, with FileReading.swift, that touches the system: all else takes
// bytes and instants as arguments.

/// The system's zones: a directory of TZif files, as tzset(3) uses it.
public struct ZoneDatabase: Hashable, Sendable {
  /// The directory the names are relative to.
  public let directory: String

  /// Where the zones are, unless `$TZDIR` says otherwise (tzset(3)).
  public static let systemDirectory = "/usr/share/zoneinfo"

  /// The zones of a directory; nil or an empty path, as from an unset `$TZDIR`, means the system's.
  public init(directory: String? = nil) {
    self.directory =
      directory.flatMap { $0.isEmpty ? nil : $0 } ?? ZoneDatabase.systemDirectory
  }

  /// The rules of a zone such as `Europe/Berlin`.
  ///
  /// - Throws: `badName` or `unknown`, with a suggestion where one is near; `unreadable`, `damaged`,
  ///   `leapSeconds`.
  public func rules(_ name: String) throws(TimeZoneError) -> TimeZoneRules {
    guard ZoneDatabase.isName(name) else {
      throw TimeZoneError(
        .badName, zone: name, problem: "this cannot be a zone's name",
        hint: "zones are named as Europe/Berlin")
    }
    switch FileReading.contents(of: "\(directory)/\(name)") {
    case .success(let bytes):
      return try TimeZoneRules(zone: name, tzif: bytes)
    case .failure(let failure) where failure.isAbsence:
      // UTC needs no data.
      if name == "UTC" || name == "Etc/UTC" { return TimeZoneRules.utc.named(name) }
      throw .unknown(name, suggestion: suggestion(for: name))
    case .failure(let failure):
      throw failure.error(zone: name)
    }
  }

  /// The machine's zone: what `tz`, the value of `$TZ`, says, or else `/etc/localtime`.
  ///
  /// As tzset(3) and localtime(5) have it: an empty `$TZ` and a missing `/etc/localtime` mean UTC.
  /// Unlike there, a `$TZ` that names no zone is an error.
  public func localRules(
    tz: String?, localtime path: String = "/etc/localtime", timezone: String = "/etc/timezone"
  ) throws(TimeZoneError) -> TimeZoneRules {
    guard let tz else { return try rules(ofLink: path, timezone: timezone) }
    let value = tz.hasPrefix(":") ? String(tz.dropFirst()) : tz
    if value.isEmpty { return .utc }
    if value.hasPrefix("/") {
      if let name = name(inPath: value) { return try rules(name) }
      return try TimeZoneRules(zone: value, tzif: bytes(of: value, zone: value))
    }
    do {
      return try rules(value)
    } catch {
      if error.code == .badName || error.code == .unknown,
        let rules = TimeZoneRules(zone: value, posix: value)
      {
        return rules
      }
      throw error
    }
  }

  /// The version of the data, `2025b`, from the first line of `tzdata.zi` or from `+VERSION`; nil if
  /// neither is there.
  public var version: String? {
    let mark = "# version "
    if case .success(let bytes) = FileReading.contents(
      of: "\(directory)/tzdata.zi", beginning: 100),
      let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first,
      line.hasPrefix(mark)
    {
      return String(line.dropFirst(mark.count))
    }
    guard case .success(let bytes) = FileReading.contents(of: "\(directory)/+VERSION") else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first
      .map(String.init)
  }

  /// The names of all zones, sorted; without the copies under `posix/` and `right/`.
  public var names: [String] {
    var result: [String] = []
    collect(prefix: "", depth: 0, into: &result)
    return result.sorted()
  }

  private func collect(prefix: String, depth: Int, into result: inout [String]) {
    for entry in FileReading.entries(of: "\(directory)/\(prefix)") {
      let name = prefix + entry.name
      if entry.isDirectory {
        // America/Argentina/Buenos_Aires is as deep as it goes.
        if depth < 4, name != "posix", name != "right", ZoneDatabase.isName(name) {
          collect(prefix: name + "/", depth: depth + 1, into: &result)
        }
      } else if ZoneDatabase.isName(name), name != "localtime", name != "posixrules",
        FileReading.begins("\(directory)/\(name)", with: "TZif")
      {
        result.append(name)
      }
    }
  }

  /// Letters, digits, `_`, `+`, `-` between slashes: nothing that could lead out of the directory.
  static func isName(_ name: String) -> Bool {
    guard (1...255).contains(name.utf8.count) else { return false }
    return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { part in
        !part.isEmpty
          && part.allSatisfy { byte in
            byte.isASCIILetter || byte.isASCIIDigit || byte == 0x2B || byte == 0x2D || byte == 0x5F
          }
      }
  }

  /// A zone of the same spelling but for case, or whose last part is this name: `berlin`.
  private func suggestion(for name: String) -> String? {
    let wanted = name.lowercased()
    return names.first { candidate in
      let lower = candidate.lowercased()
      return lower == wanted || lower.hasSuffix("/" + wanted)
    }
  }

  private func bytes(of path: String, zone: String) throws(TimeZoneError) -> [UInt8] {
    switch FileReading.contents(of: path) {
    case .success(let bytes): return bytes
    case .failure(let failure) where failure.isAbsence: throw .unknown(zone)
    case .failure(let failure): throw failure.error(zone: zone)
    }
  }

  /// The zone's name in a path through a directory of zones, if it is one.
  private func name(inPath path: String) -> String? {
    for mark in [directory + "/", "/zoneinfo/"] {
      if let range = path.firstRange(of: mark), mark == "/zoneinfo/" || path.hasPrefix(mark) {
        let name = String(path[range.upperBound...])
        if ZoneDatabase.isName(name) { return name }
      }
    }
    return nil
  }

  private func rules(
    ofLink path: String, timezone: String
  ) throws(TimeZoneError) -> TimeZoneRules {
    let bytes: [UInt8]
    switch FileReading.contents(of: path) {
    case .success(let contents): bytes = contents
    case .failure(let failure) where failure.isAbsence && FileReading.target(of: path) == nil:
      return .utc
    case .failure(let failure): throw failure.error(zone: path)
    }
    // The file decides; a name is told only if it leads to the same data.
    let names = [FileReading.target(of: path), FileReading.realPath(of: path)].compactMap {
      $0.flatMap(name(inPath:))
    }
    for name in names + [FileReading.firstLine(of: timezone)].compactMap(\.self)
    where ZoneDatabase.isName(name) {
      if case .success(bytes) = FileReading.contents(of: "\(directory)/\(name)") {
        return try TimeZoneRules(zone: name, tzif: bytes)
      }
    }
    return try TimeZoneRules(zone: names.first ?? "localtime", tzif: bytes)
  }
}
