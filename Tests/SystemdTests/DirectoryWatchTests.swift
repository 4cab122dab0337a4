import Testing

@testable import Systemd

@Suite struct DirectoryWatchTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func aLinkPutInThePlaceOfAnotherIsSeen() throws {
    try directory.write("zones/A", "a")
    try directory.link("localtime", to: "zones/A")
    let watch = try DirectoryWatch()
    try watch.add(directory.path, names: ["localtime"])
    #expect(!watch.read())
    try directory.link("new", to: "zones/B")
    #expect(!watch.read())
    try Files.rename(directory["new"], to: directory["localtime"])
    #expect(watch.read())
    #expect(!watch.read())
  }

  @Test func otherEntriesDoNotMatter() throws {
    let watch = try DirectoryWatch()
    try watch.add(directory.path, names: ["localtime"])
    try directory.write("passwd", "x")
    try directory.write("localtime2", "x")
    #expect(!watch.read())
    try directory.write("localtime", "x")
    #expect(watch.read())
    _ = try Files.remove(directory["localtime"])
    #expect(watch.read())
  }

  @Test func aDirectoryWatchedWholeTellsOfEverything() throws {
    try directory.write("zones/A", "a")
    let watch = try DirectoryWatch()
    try watch.add(directory["zones"])
    // Once more is no harm.
    try watch.add(directory["zones"])
    try directory.write("zones/B.dpkg-new", "b")
    #expect(watch.read())
    try Files.rename(directory["zones/B.dpkg-new"], to: directory["zones/B"])
    #expect(watch.read())
    // Another put in its place, and watched anew.
    try Files.rename(directory["zones"], to: directory["old"])
    #expect(watch.read())
    try directory.write("zones/C", "c")
    try watch.add(directory["zones"])
    try directory.write("zones/D", "d")
    #expect(watch.read())
  }

  @Test func whatIsNoDirectoryIsAnError() throws {
    try directory.write("file", "")
    let watch = try DirectoryWatch()
    #expect(throws: SystemError.self) { try watch.add(directory["file"]) }
    #expect(throws: SystemError.self) { try watch.add(directory["nothing"]) }
  }
}
