import Testing

@testable import Systemd

@Suite struct ConfigurationTextTests {
  private func read(_ text: String) -> Configuration {
    var configuration = Configuration()
    configuration.read(Array(text.utf8), file: "f")
    return configuration
  }

  private func lines(_ text: String) -> [String] {
    read(text).entries.map { "\($0.line) \($0.section).\($0.key)=\($0.value)" }
  }

  @Test(
    arguments: [
      ("", []),
      ("[A]\nKey=value", ["2 A.Key=value"]),
      ("[A]\n  Key \t=  a value \t\n", ["2 A.Key=a value"]),
      ("[A]\nKey=\n", ["2 A.Key="]),
      ("[A]\nKey=a=b\n", ["2 A.Key=a=b"]),
      ("[A]\r\nKey=v\r\n", ["2 A.Key=v"]),
      ("\u{feff}[A]\nKey=v\n", ["2 A.Key=v"]),
      ("# c\n; c\n  # c\n\n[A]\nK=v # no comment\n", ["6 A.K=v # no comment"]),
      ("[A]\nK=1\n[B]\nK=2\n[A]\nK=3\n", ["2 A.K=1", "4 B.K=2", "6 A.K=3"]),
      ("[Sec A]\nK=备份\n", ["2 Sec A.K=备份"]),
      // Lines that go on.
      ("[A]\nK=1 \\\n   2\\\n3\nL=4\n", ["2 A.K=1  2 3", "5 A.L=4"]),
      ("[A]\nK=1\\\n# c\n; c\n  2\n", ["2 A.K=1 2"]),
      ("[A]\nK=1\\\n\nL=2\n", ["2 A.K=1", "4 A.L=2"]),
      ("[A]\nK=1\\\\\nL=2\n", [#"2 A.K=1\\"#, "3 A.L=2"]),
      ("[A]\nK=1\\\r\n2\r\n", ["2 A.K=1 2"]),
      ("[A]\nK=1\\", ["2 A.K=1"]),
      ("[A]\nK=1\\\n", ["2 A.K=1"]),
      // Other programs' extensions.
      ("[X-Other]\nK=v\nnonsense\n[A]\nX-K=v\nL=v\n", ["6 A.L=v"]),
    ] as [(String, [String])])
  func entriesAreReadAsSystemdDoes(text: String, expected: [String]) {
    #expect(lines(text) == expected)
    #expect(read(text).warnings == [])
  }

  @Test(arguments: [
    ("K=v\n[A]\nL=v", "f:1: 'K=v' stands before any [Section]; ignored"),
    ("[A]\nnonsense\nL=v", "f:2: 'nonsense' is not of the form Key=Value; ignored"),
    ("[A]\n=v\nL=v", "f:2: '=v' is not of the form Key=Value; ignored"),
    ("[A]\nL=v\n[B\nK=v", "f:3: bad section '[B', not like [Name]; ignored up to the next section"),
    ("[A]\nL=v\n[]\nK=v", "f:3: bad section '[]', not like [Name]; ignored up to the next section"),
    ("[A]\n\nK=\u{0}\nL=v", "f:3: not valid UTF-8; the line is ignored"),
  ])
  func whatIsWrongIsToldAndPassedOver(text: String, warning: String) {
    let configuration = read(text)
    #expect(configuration.warnings.map(\.description) == [warning])
    #expect(configuration.entries.map(\.key) == ["L"])
  }

  @Test func brokenUTF8IsPassedOver() {
    var configuration = Configuration()
    configuration.read(Array("[A]\nK=".utf8) + [0xff, 0x0a] + Array("L=v".utf8), file: "f")
    #expect(configuration.entries.map(\.key) == ["L"])
    #expect(configuration.warnings.map(\.line) == [2])
  }

  @Test func anyBytesAreSurvived() {
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...UInt64.max, using: &random)
    var state = seed
    let alphabet = Array("[]=\\\n\r# ;aA\u{0}é".utf8)
    for _ in 0..<2000 {
      var text: [UInt8] = []
      for _ in 0..<40 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text.append(alphabet[Int(state >> 33) % alphabet.count])
      }
      var configuration = Configuration()
      configuration.read(text, file: "f")
      let isSound = configuration.entries.allSatisfy {
        !$0.section.isEmpty && !$0.key.isEmpty && $0.line > 0
      }
      #expect(isSound, "seed \(seed), text \(text)")
    }
  }
}

@Suite struct ConfigurationFilesTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func load() -> Configuration {
    Configuration.load(name: "x.conf", directories: [directory["etc"], directory["usr"]])
  }

  private func files() -> [String] {
    load().files.map { String($0.dropFirst(directory.path.count + 1)) }
  }

  @Test func nothingIsThere() {
    #expect(load() == Configuration())
  }

  @Test func onlyTheHighestMainFileCounts() throws {
    try directory.write("usr/x.conf", "[A]\nK=usr\nL=usr\n")
    #expect(files() == ["usr/x.conf"])
    try directory.write("etc/x.conf", "[A]\nK=etc\n")
    #expect(files() == ["etc/x.conf"])
    #expect(load().entries.map(\.value) == ["etc"])
  }

  @Test func aMainFileLinkedToNothingHidesTheOthers() throws {
    try directory.write("usr/x.conf", "[A]\nK=usr\n")
    try Files.makeDirectories(directory["etc"], mode: 0o700)
    try directory.link("etc/x.conf", to: "/dev/null")
    #expect(files() == [])
  }

  @Test func dropInsAreSortedByNameAcrossDirectories() throws {
    try directory.write("etc/x.conf", "[A]\nK=main\n")
    try directory.write("etc/x.conf.d/50-b.conf", "[A]\nK=50etc\n")
    try directory.write("usr/x.conf.d/10-a.conf", "[A]\nK=10usr\n")
    try directory.write("usr/x.conf.d/90-c.conf", "[A]\nK=90usr\n")
    try directory.write("usr/x.conf.d/Z.conf", "[A]\nK=Z\n")
    try directory.write("usr/x.conf.d/a.conf", "[A]\nK=a\n")
    #expect(
      files() == [
        "etc/x.conf", "usr/x.conf.d/10-a.conf", "etc/x.conf.d/50-b.conf", "usr/x.conf.d/90-c.conf",
        "usr/x.conf.d/Z.conf", "usr/x.conf.d/a.conf",
      ])
    var reader = ConfigurationReader(load())
    #expect(reader.text("A", "K") == "a")
  }

  @Test func aDropInOfHigherPriorityMasksItsNamesake() throws {
    try directory.write("usr/x.conf.d/10-a.conf", "[A]\nK=usr\n")
    try directory.write("usr/x.conf.d/20-b.conf", "[A]\nK=usr\n")
    try directory.write("usr/x.conf.d/30-c.conf", "[A]\nK=usr\n")
    try directory.write("etc/x.conf.d/10-a.conf", "")
    try directory.link("etc/x.conf.d/20-b.conf", to: "/dev/null")
    #expect(files() == ["etc/x.conf.d/10-a.conf", "usr/x.conf.d/30-c.conf"])
    #expect(load().entries.count == 1)
  }

  @Test func onlyConfFilesAreDropIns() throws {
    try directory.write("usr/x.conf.d/a.conf~", "[A]\nK=1\n")
    try directory.write("usr/x.conf.d/.a.conf", "[A]\nK=1\n")
    try directory.write("usr/x.conf.d/README", "[A]\nK=1\n")
    try directory.write("usr/x.conf.d/a.conf", "[A]\nK=1\n")
    try Files.makeDirectories(directory["etc/x.conf.d/a.conf"], mode: 0o700)
    try directory.link("etc/x.conf.d/b.conf", to: "nowhere")
    #expect(files() == ["usr/x.conf.d/a.conf"])
    #expect(load().warnings == [])
  }

  @Test func aSingleFileIsReadAlone() throws {
    let path = try directory.write("etc/x.conf", "[A]\nK=1\n")
    try directory.write("etc/x.conf.d/a.conf", "[A]\nK=2\n")
    #expect(try Configuration.load(file: path).entries.map(\.value) == ["1"])
    #expect(errorNumber { _ = try Configuration.load(file: directory["missing"]) } == 2)
  }

  @Test func aFileThatIsTooLongIsAWarning() throws {
    let path = try directory.write(
      "etc/x.conf", String(repeating: "#", count: Configuration.longestFile + 1))
    #expect(load().warnings.map(\.description) == ["\(path): File too large; ignored"])
  }
}

@Suite struct ConfigurationReaderTests {
  private func reader(_ text: String) -> ConfigurationReader {
    var configuration = Configuration()
    configuration.read(Array(text.utf8), file: "f")
    return ConfigurationReader(configuration)
  }

  @Test func theLastGoodAssignmentWins() {
    var settings = reader(
      "[L]\nA=1\nA=2\nB=1\nB=\nC=1\nC=x\nD=x\nE=\nE=5\n[M]\nA=9\n")
    #expect(settings.count("L", "A") == 2)
    #expect(settings.count("L", "B") == nil)
    #expect(settings.count("L", "C") == 1)
    #expect(settings.count("L", "D") == nil)
    #expect(settings.count("L", "E") == 5)
    #expect(settings.count("L", "F") == nil)
    #expect(settings.count("M", "A") == 9)
    #expect(
      settings.finish().map(\.description) == [
        "f:7: bad value in C=x: a number from 0 expected; ignored",
        "f:8: bad value in D=x: a number from 0 expected; ignored",
      ])
  }

  @Test func whatNobodyAsksForIsUnknown() {
    var settings = reader("[L]\nA=1\na=1\n[N]\nA=1\nB=2\n")
    _ = settings.span("L", "A")
    _ = settings.boolean("L", "Z")
    _ = settings.size("M", "A")
    #expect(
      settings.finish().map(\.description) == [
        "f:3: unknown key 'a' in [L], which has A, Z; ignored",
        "f:5: unknown section [N]; there are [L], [M]; ignored",
      ])
  }

  @Test(
    arguments: [
      ("0", 0), ("50", 50_000_000), ("8h", 28_800_000_000), ("15min", 900_000_000),
      ("1h 30min", 5_400_000_000), ("1h30min", 5_400_000_000), ("30d", 2_592_000_000_000),
      ("2min 200ms", 120_200_000), (" 2  s ", 2_000_000), ("1.5s", 1_500_000),
      ("0.1h", 360_000_000),
      ("1us", 1), ("3 µs", 3), ("1w", 604_800_000_000), ("1 month", 2_629_800_000_000),
      ("1y", 31_557_600_000_000), ("1m", 60_000_000), ("292000y", 9_214_819_200_000_000_000),
      ("1.0000001s", 1_000_000),
    ] as [(String, Int64)])
  func spansAreSystemds(text: String, microseconds: Int64) {
    #expect(ConfigurationValue.span(text) == microseconds)
  }

  @Test(arguments: [
    "", " ", "h", "-1s", "+1s", "1x", "1M", "1h 30", "1h30", "30 1h", "1..5s", "1.s", ".5s",
    "123.45.67", "1,5s", "infinity", "293000y", "99999999999999999999", "9223372036854775807us 1us",
    "1h min", "1 000", "１s", "1s\u{0}",
  ])
  func whatIsNoSpanIsRefused(text: String) {
    #expect(ConfigurationValue.span(text) == nil)
  }

  @Test(
    arguments: [
      ("0", 0), ("4096", 4096), ("16M", 16 << 20), ("16 M", 16 << 20), ("1K", 1024),
      ("2G", 2 << 30),
      ("1T", 1 << 40), ("7E", 7 << 60), ("", nil), ("M", nil), ("-1", nil), ("1k", nil),
      ("1.5M", nil),
      ("8E", nil), ("1MB", nil), ("0x10", nil), ("9223372036854775808", nil),
    ] as [(String, Int64?)])
  func sizesAreTakenOrRefused(text: String, bytes: Int64?) {
    #expect(ConfigurationValue.size(text) == bytes)
  }

  @Test(
    arguments: [
      ("yes", true), ("1", true), ("On", true), ("TRUE", true), ("no", false), ("0", false),
      ("off", false), ("False", false), ("", nil), ("2", nil), ("yess", nil), ("yes ", nil),
    ] as [(String, Bool?)])
  func booleansAreTakenOrRefused(text: String, value: Bool?) {
    #expect(ConfigurationValue.boolean(text) == value)
  }
}
