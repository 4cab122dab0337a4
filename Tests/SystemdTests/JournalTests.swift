import Glibc
import Testing

@testable import Systemd

@Suite struct JournalTests {
  private func line(_ level: LogLevel, _ message: String) -> String {
    String(decoding: LogLines.render(level, message), as: UTF8.self)
  }

  @Test func linesCarryTheirLevel() {
    #expect(line(.info, "started") == "<6>started\n")
    #expect(line(.emergency, "") == "<0>\n")
    #expect(line(.debug, "a\nb\r\nc") == "<7>a\n<7>b\n<7>c\n")
    #expect(line(.error, "备份 🎉\tx") == "<3>备份 🎉\tx\n")
  }

  @Test func foreignTextCannotMoveTheCursor() {
    #expect(line(.error, "\u{1b}[2J\u{7}\u{9b}1m\u{7f}\u{0}") == "<3>?[2J??1m??\n")
  }

  @Test func levelsHaveNamesAndOrder() {
    #expect(LogLevel(name: "err") == .error)
    #expect(LogLevel(name: "error") == nil)
    #expect(LogLevel.warning < .debug)
    let journal = Journal(.standardError, threshold: .notice)
    #expect(journal.writes(.notice) && journal.writes(.error) && !journal.writes(.info))
  }

  @Test func theStreamIsKnownByDeviceAndInode() throws {
    let directory = try TemporaryDirectory()
    let file = try Files.open(try directory.write("f", ""), O_RDONLY)
    var status = stat()
    #expect(unsafe fstat(file.number, &status) == 0)
    let (device, inode) = (status.st_dev, status.st_ino)
    #expect(Journal.isStream("\(device):\(inode)", file.number))
    #expect(!Journal.isStream("\(device):\(inode + 1)", file.number))
    #expect(!Journal.isStream("\(device):\(inode)", -1))
    for text in [nil, "", ":", "\(device)", "\(device):\(inode):", "-1:\(inode)", "x:y"] {
      #expect(!Journal.isStream(text, file.number))
    }
  }

  @Test func anEntryWithAnyBytesStopsNobody() {
    let journal = Journal(.journal, threshold: .debug)
    journal.log(
      .debug, "a test entry\nof two lines",
      [
        JournalField("LASCHED_TEST_BYTES", [0, 10, 255]), JournalField("LASCHED_TEST_NUMBER", 7),
        JournalField("LASCHED_TEST_TEXT", ""),
      ])
  }
}
