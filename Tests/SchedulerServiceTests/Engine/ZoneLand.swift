import Glibc
import Testing

@testable import SchedulerService

/// Zones of a test's own, which it can change.
final class ZoneLand {
  let directory: Directory
  let zones: Zones

  init(_ home: String) throws {
    directory = try Directory()
    zones = Zones(directory: directory.path, tz: "Home")
    try set("Home", home)
    try set("Away", "Europe/Berlin")
  }

  /// Gives a zone the rules of another.
  func set(_ zone: String, _ rules: String) throws {
    try directory.copy("/usr/share/zoneinfo/" + rules, to: zone)
  }

  func version(_ text: String) throws {
    try directory.write("# version \(text)\n", to: "tzdata.zi")
  }

  /// Takes a zone's file away.
  func remove(_ zone: String) throws {
    try #require(unsafe unlink(directory.path + "/" + zone) == 0)
  }
}

extension Directory {
  func copy(_ file: String, to name: String) throws {
    let input = unsafe try #require(fopen(file, "r"), "\(file)")
    defer { unsafe fclose(input) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe fread(&bytes, 1, bytes.count, input)
    try write(Array(bytes[..<count]), to: name)
  }

  func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }

  private func write(_ bytes: [UInt8], to name: String) throws {
    let output = unsafe try #require(fopen(path + "/" + name, "w"))
    defer { unsafe fclose(output) }
    unsafe fwrite(bytes, 1, bytes.count, output)
  }
}
