import Testing

@testable import TimeExpressions

/// Zones of this machine with different data, one name each.
let distinctZones: [TimeZoneRules] = {
  let database = ZoneDatabase()
  var seen: Set<TimeZoneRules> = []
  return database.names.compactMap { name in
    guard let rules = try? database.rules(name) else { return nil }
    return seen.insert(rules.named("")).inserted ? rules : nil
  }
}()

@Suite("The system's zones", .serialized)
struct ZdumpTests {
  static let isPossible = hasCommand("zdump") && !ZoneDatabase().names.isEmpty
  /// zdump asks localtime for every half day, which takes a tenth of a second a zone.
  static let shares = 8

  @Test(
    "change when zdump says, from 1900 to 2100", .enabled(if: isPossible), arguments: 0..<shares)
  func agree(share: Int) throws {
    let zones = distinctZones.enumerated().filter { $0.offset % Self.shares == share }
      .map(\.element)
    let names = zones.map(\.name).joined(separator: " ")
    let told = try #require(lines(of: "zdump -i -c 1900,2101 \(names)"))
    let sections = told.filter { !$0.isEmpty }.split { $0.hasPrefix("TZ=") }
    #expect(sections.count == zones.count)
    for (zone, section) in zip(zones, sections) {
      let expected = Array(section)
      let found = zone.briefTransitions
      if found == expected { continue }
      let difference = zip(found, expected).first { $0 != $1 }
      Issue.record(
        "\(zone.name): \(String(describing: difference)), \(found.count) of \(expected.count)")
    }
  }

  @Test("are all readable", .enabled(if: isPossible))
  func readable() throws {
    let database = ZoneDatabase()
    let names = database.names
    #expect(names.count > 300)
    #expect(names.contains("Europe/Berlin") && names.contains("America/Argentina/Ushuaia"))
    for name in names { #expect(throws: Never.self) { try database.rules(name) } }
    #expect(database.version?.hasPrefix("20") == true)
  }
}

extension TimeZoneRules {
  /// As `zdump -i` has them: local date, time, offset, abbreviation if it says more, 1 if daylight.
  var briefTransitions: [String] {
    let first: Int64 = -2_208_988_800
    let end: Int64 = 4_133_980_800
    var result = ["-\t-" + brief(localTimeType(atSeconds: first))]
    for change in transitions(from: first + 1, through: end - 1) {
      let local = CivilTime(
        localSeconds: change.instant + Int64(change.type.offsetSeconds), microsecond: 0)
      var clock = TimeFormat.padded(local.hour, 2)
      if local.minute != 0 || local.second != 0 {
        clock += ":\(TimeFormat.padded(local.minute, 2))"
      }
      if local.second != 0 { clock += ":\(TimeFormat.padded(local.second, 2))" }
      result.append("\(TimeFormat.date(local.date))\t\(clock)" + brief(change.type))
    }
    return result
  }

  private func brief(_ type: LocalTimeType) -> String {
    let size = Int(type.offsetSeconds.magnitude)
    var offset = (type.offsetSeconds < 0 ? "-" : "+") + TimeFormat.padded(size / 3600, 2)
    if size % 3600 != 0 { offset += TimeFormat.padded(size / 60 % 60, 2) }
    if size % 60 != 0 { offset += TimeFormat.padded(size % 60, 2) }
    // Where local time is not known, zdump writes a negative zero.
    if type.offsetSeconds == 0 && type.abbreviation == "-00" { offset = "-00" }
    let name = type.abbreviation == offset ? "" : type.abbreviation
    let daylight = type.isDaylight ? "1" : ""
    if name.isEmpty && daylight.isEmpty { return "\t\(offset)" }
    return "\t\(offset)\t\(name)" + (daylight.isEmpty ? "" : "\t1")
  }
}
