import ActivityStore
import Glibc
import LiveActivity
import Testing

@testable import SchedulerService

@Suite struct DamagedStoreTests {
  @Test func aStoreWhoseSessionsCannotBeReadIsSetAside() throws {
    var template = Array("/tmp/lasched-service-XXXXXX".utf8CString)
    try #require(unsafe mkdtemp(&template) != nil)
    let path = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let now = ClockReading(
      wall: WallTime(microseconds: 1_796_149_800_000_000), boottime: BootTime(microseconds: 1))
    do {
      let store = try ActivityStore.open(directory: path, now: now.wall).store
      var row = EventRow(sequence: 1, kind: 0, date: 0)
      row.first = 1
      row.id = [0x61]
      row.owner = 1000
      row.number = 1
      row.to = 0
      row.fields = [1, 2, 3]
      try store.begin()
      try store.append(row)
      try store.commit()
    }
    let (engine, report) = try Engine.open(
      directory: path, settings: Settings(), at: now, bootID: "b", isSynchronised: true,
      hashKey: (1, 2))
    let aside = try #require(report.setAside)
    #expect(aside.why.contains("fields cannot be read"))
    #expect(engine.store.highestSequence == 0)
    for name in ["activities.sqlite", "reserve", "lock"] { unsafe unlink("\(path)/\(name)") }
    for base in ["\(path)/activities.sqlite", aside.path] {
      for suffix in ["", "-wal", "-shm"] { unsafe unlink(base + suffix) }
    }
    unsafe rmdir(path)
  }
}
