import Notifications
import Systemd

/// Which alerts were begun and which were shown, so that none is shown twice after a restart. A line
/// each: `b` or `s`, the number, the store.
final class NoteFile {
  private let file: AppendedFile

  /// More lines than this are cut at the next start.
  private static let mostLines = 4096
  /// As many are kept then: many more than a person can have unsettled.
  private static let keptLines = 2048

  private init(_ file: AppendedFile) { self.file = file }

  /// Reads the notes of those before, and goes on from there.
  static func open(_ directory: String) throws(SystemError) -> (NoteFile, [AlertKey: AlertNote]) {
    try Files.makeDirectories(directory, mode: 0o700)
    let path = directory + "/alerts"
    var lines: [Substring] = []
    do throws(SystemError) {
      let text = String(decoding: try Files.read(path, limit: 1 << 24), as: UTF8.self)
      lines = text.split(separator: "\n")
    } catch {
      guard error.isAbsence else { throw error }
    }
    if lines.count > mostLines {
      lines = lines.suffix(keptLines)
      try AppendedFile.replace(path, with: Array((lines.joined(separator: "\n") + "\n").utf8))
    }
    var notes: [AlertKey: AlertNote] = [:]
    for line in lines {
      // A line that a crash has cut in two says nothing.
      let words = line.split(separator: " ")
      guard words.count == 3, let sequence = Int64(words[1]) else { continue }
      let key = AlertKey(store: String(words[2]), sequence: sequence)
      if words[0] == "s" { notes[key] = .shown } else if notes[key] == nil { notes[key] = .begun }
    }
    return (NoteFile(try AppendedFile(path)), notes)
  }

  /// Writes one down; what is about to be shown is on the disk when this returns.
  func note(_ key: AlertKey, _ note: AlertNote) throws(SystemError) {
    let line = "\(note == .begun ? "b" : "s") \(key.sequence) \(key.store)\n"
    try file.append(Array(line.utf8), syncing: note == .begun)
  }
}
