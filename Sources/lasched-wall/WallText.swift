import Glibc
import LiveActivity

/// What is written on a terminal.
///
/// Only the line that says whose an alert is begins in the first column. What comes from the alert is
/// behind a bar, harmless, and broken so early that no terminal, whatever it thinks of the width of a
/// character, breaks it again: no content can pass for that line.
enum WallText {
  /// What one person is told, for a terminal of so many columns.
  static func of(
    _ announcements: [Announcement], for user: UInt32, columns: Int, name: (UInt32) -> String
  ) -> String {
    var text = announcements.allSatisfy(\.isQuiet) ? "" : "\u{7}"
    for announcement in announcements.prefix(3) {
      let origin = announcement.owner == user ? "yourself" : name(announcement.owner)
      var head = "lasched: alert from \(origin) at \(clock(announcement.date))"
      if announcement.age >= 60_000_000 { head += ", \(announcement.age / 60_000_000) min late" }
      text += "\r\n\(head)\r\n"
      let parts = [(announcement.title, 2), (announcement.body, 8), ("(\(announcement.id))", 2)]
      for (part, most) in parts {
        for row in rows(HarmlessText.of(part), room: columns - 5, most: most) {
          text += "  | \(row)\r\n"
        }
      }
    }
    if announcements.count > 3 {
      text += "\r\nlasched: \(announcements.count - 3) more alerts; see: laschedctl list\r\n"
    }
    return text + "\r\n"
  }

  /// Rows of text, each character counted as wide as any terminal may draw it.
  static func rows(_ text: String, room: Int, most: Int) -> [String] {
    var rows: [String] = []
    var row = ""
    var used = 0
    /// Where the last blank of the row is, to break there.
    var blank: String.Index?
    for character in text {
      let width = cells(character)
      if used + width > max(8, room), !row.isEmpty {
        if rows.count == most - 1 {
          while let last = row.last, used + 2 > max(8, room) {
            used -= cells(last)
            row.removeLast()
          }
          return rows + [row + "…"]
        }
        if let place = blank, character != " " {
          rows.append(String(row[..<place]))
          row = String(row[row.index(after: place)...])
          used = row.reduce(0) { $0 + cells($1) }
        } else {
          rows.append(row)
          (row, used) = ("", 0)
        }
        blank = nil
      }
      if character == " " {
        if row.isEmpty { continue }
        blank = row.endIndex
      }
      row.append(character)
      used += width
    }
    return row.isEmpty ? rows : rows + [row]
  }

  private static func cells(_ character: Character) -> Int {
    character.unicodeScalars.reduce(0) { $0 + ($1.value < 0x80 ? 1 : 2) }
  }

  /// `18:30`, by this machine's zone.
  private static func clock(_ date: Int64) -> String {
    var seconds = time_t(date / 1_000_000)
    var local = unsafe tm()
    unsafe localtime_r(&seconds, &local)
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return unsafe "\(two(local.tm_hour)):\(two(local.tm_min))"
  }
}
