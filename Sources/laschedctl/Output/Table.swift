/// Rows of cells under headings, each column as wide as it needs.
struct Table {
  struct Cell {
    let text: String
    let style: Style

    init(_ text: String, _ style: Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  let headings: [String]
  /// The column that gives way where a line is too long for the terminal.
  let flexible: Int
  var rows: [[Cell]] = []

  init(_ headings: [String], flexible: Int) {
    self.headings = headings
    self.flexible = flexible
  }

  /// The lines, no wider than `room` as far as the flexible column can help that.
  func lines(room: Int, isColoured: Bool) -> [String] {
    var widths = headings.map { Cells.width(of: $0) }
    for row in rows {
      for (column, cell) in row.enumerated() where column < widths.count {
        widths[column] = max(widths[column], Cells.width(of: cell.text))
      }
    }
    let total = widths.reduce(0, +) + 2 * (widths.count - 1)
    if total > room, widths.indices.contains(flexible) {
      widths[flexible] = max(8, widths[flexible] - (total - room))
    }
    let all = [headings.map { Cell($0, .bold) }] + rows
    return all.map { row in line(row, widths, room, isColoured) }
  }

  private func line(_ row: [Cell], _ widths: [Int], _ room: Int, _ isColoured: Bool) -> String {
    var line = ""
    var left = room
    for (column, cell) in row.enumerated() where left > 0 {
      let isLast = column == row.count - 1
      let text = Cells.fit(cell.text, min(left, isLast ? left : widths[column]))
      left -= isLast ? Cells.width(of: text) : widths[column] + 2
      line += cell.style.applied(to: text, isColoured)
      if !isLast, row[(column + 1)...].contains(where: { !$0.text.isEmpty }) {
        line += String(repeating: " ", count: max(0, widths[column] + 2 - Cells.width(of: text)))
      }
    }
    return line
  }
}
