import Testing

@testable import TimeExpressions

@Suite("The zone database")
struct ZoneDatabaseTests {
  /// A small zoneinfo: Test/Berlin, Test/Fixed, a text, a damaged zone.
  private func withZones(_ body: (ZoneDatabase, String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      try #require(output(of: "mkdir -p '\(directory)/zoneinfo/Test/Deep'") != nil)
      let root = "\(directory)/zoneinfo"
      var fixed = TZifBuilder()
      fixed.times = []
      fixed.indices = []
      fixed.footer = "\nCET-1\n"
      try #require(write(TZifBuilder().bytes, to: "\(root)/Test/Berlin"))
      try #require(write(fixed.bytes, to: "\(root)/Test/Deep/Fixed"))
      try #require(write(Array("# version 2099z\nR x\n".utf8), to: "\(root)/tzdata.zi"))
      try #require(write(Array("TZif".utf8), to: "\(root)/Test/Damaged"))
      try #require(write(Array("hello".utf8), to: "\(root)/leapseconds"))
      try body(ZoneDatabase(directory: root), directory)
    }
  }

  private func refusal(_ body: () throws -> Void) -> TimeZoneError? {
    do {
      try body()
      return nil
    } catch { return error as? TimeZoneError }
  }

  @Test("finds zones by name, lists them and knows its version")
  func reading() throws {
    try withZones { zones, _ throws in
      #expect(try zones.rules("Test/Berlin").name == "Test/Berlin")
      #expect(zones.names == ["Test/Berlin", "Test/Damaged", "Test/Deep/Fixed"])
      #expect(zones.version == "2099z")
      #expect(try zones.rules("UTC") == .utc)
    }
    #expect(ZoneDatabase(directory: "/nonexistent").names.isEmpty)
    #expect(ZoneDatabase(directory: "/nonexistent").version == nil)
    #expect(ZoneDatabase(directory: "").directory == "/usr/share/zoneinfo")
  }

  @Test("refuses what is no zone, and never takes UTC for it")
  func refusals() throws {
    try withZones { zones, _ in
      #expect(refusal { _ = try zones.rules("Test/Paris") }?.code == .unknown)
      #expect(refusal { _ = try zones.rules("test/berlin") }?.hint == "did you mean Test/Berlin?")
      #expect(refusal { _ = try zones.rules("berlin") }?.hint == "did you mean Test/Berlin?")
      #expect(refusal { _ = try zones.rules("Test") }?.code == .unknown)
      #expect(refusal { _ = try zones.rules("Test/Berlin/X") }?.code == .unknown)
      #expect(refusal { _ = try zones.rules("Test/Damaged") }?.code == .damaged)
      #expect(refusal { _ = try zones.rules("leapseconds") }?.code == .damaged)
      for name in [
        "", "/etc/passwd", "../zoneinfo/Test/Berlin", "Test/../Test/Berlin", "Test//Berlin",
        "Test/Berlin/", "Test/Ber lin", "tzdata.zi", "Test/Berlin\0", "\u{1B}[1m",
        String(repeating: "a", count: 256),
      ] {
        let error = refusal { _ = try zones.rules(name) }
        #expect(error?.code == .badName, "\(name)")
        #expect(error?.description.contains("\u{1B}") == false)
      }
    }
    #expect(
      refusal { _ = try ZoneDatabase(directory: "/nonexistent").rules("X/Y") }?.code == .unknown)
  }

  @Test("finds the machine's zone as tzset does, but for unknown names")
  func machine() throws {
    try withZones { zones, directory in
      let root = zones.directory
      func local(_ tz: String?, link: String = "/nonexistent") throws -> TimeZoneRules {
        try zones.localRules(tz: tz, localtime: link, timezone: "\(directory)/timezone")
      }
      #expect(try local("Test/Berlin").name == "Test/Berlin")
      #expect(try local(":Test/Berlin").name == "Test/Berlin")
      #expect(try local("\(root)/Test/Berlin").name == "Test/Berlin")
      #expect(try local("") == .utc)
      #expect(try local(":") == .utc)
      #expect(try local(nil) == .utc)
      #expect(try local("CET-1CEST,M3.5.0,M10.5.0/3").footer?.daylight != nil)
      #expect(try local("UTC0").footer?.standard.offsetSeconds == 0)
      #expect(refusal { _ = try local("Test/Nowhere") }?.code == .unknown)
      #expect(refusal { _ = try local("/nonexistent/zone") }?.code == .unknown)
      #expect(refusal { _ = try local("CET-1CEST") }?.code == .unknown)

      // /etc/localtime as a link, straight, relative, or to a link; as a copy; damaged; dangling.
      _ = output(
        of: "cd '\(directory)' && ln -s zoneinfo/Test/Berlin relative && "
          + "ln -s '\(root)/Test/Deep/Fixed' absolute && ln -s relative chain && "
          + "cp zoneinfo/Test/Deep/Fixed copy && ln -s zoneinfo/Test/None dangling && "
          + "ln -s zoneinfo/Test/Damaged broken")
      #expect(try local(nil, link: "\(directory)/relative").name == "Test/Berlin")
      #expect(try local(nil, link: "\(directory)/absolute").name == "Test/Deep/Fixed")
      #expect(try local(nil, link: "\(directory)/chain").name == "Test/Berlin")
      #expect(try local(nil, link: "\(directory)/copy").name == "localtime")
      try #require(write(Array("Test/Berlin\n".utf8), to: "\(directory)/timezone"))
      #expect(try local(nil, link: "\(directory)/copy").name == "localtime")
      try #require(write(Array("Test/Deep/Fixed\n".utf8), to: "\(directory)/timezone"))
      #expect(try local(nil, link: "\(directory)/copy").name == "Test/Deep/Fixed")
      #expect(refusal { _ = try local(nil, link: "\(directory)/broken") }?.code == .damaged)
      #expect(refusal { _ = try local(nil, link: "\(directory)/dangling") } != nil)
    }
  }

  @Test("is not held up or filled by what is no regular file")
  func strangeFiles() throws {
    try withZones { zones, directory in
      _ = output(
        of: "cd '\(zones.directory)' && mkfifo Pipe && ln -s /dev/zero Endless && ln -s Loop Loop")
      #expect(refusal { _ = try zones.rules("Pipe") }?.code == .damaged)
      #expect(refusal { _ = try zones.rules("Endless") }?.code == .unreadable)
      #expect(refusal { _ = try zones.rules("Loop") }?.code == .unreadable)
      #expect(zones.names.count == 3)
    }
  }
}
