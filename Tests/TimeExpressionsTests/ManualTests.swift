import Testing
import TimeExpressions

/// The tables of lasched-time(7), row by row: what it says is what is done.
@Suite("The manual's tables")
struct ManualTests {
  /// The rows of each table, cells as a reader sees them.
  static let tables: [[[String]]] = {
    let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    guard let page = lines(of: "cat '/\(path)/units/lasched-time.7'") else { return [] }
    var tables: [[[String]]] = []
    var isInTable = false
    for line in page {
      if line == "_" {
        tables.append([])
        isInTable = true
      } else if line == ".TE" {
        isInTable = false
      } else if isInTable, line != "T}" {
        let text = line.replacing("\\-", with: "-").replacing("\\&", with: "")
        // `T{`, the cell and `T}` stand on lines of their own.
        if let open = tables[tables.count - 1].last, open.last == "T{" {
          tables[tables.count - 1][tables[tables.count - 1].count - 1] = open.dropLast() + [text]
        } else {
          tables[tables.count - 1].append(text.split(separator: "|").map(String.init))
        }
      }
    }
    return tables
  }()

  @Test("are found")
  func found() {
    #expect(Self.tables.map(\.count).min() ?? 0 > 10)
    #expect(Self.tables.map { $0.first?.count } == [2, 2, 2, 3])
  }

  @Test("of dates hold", arguments: tables.first ?? [])
  func dates(row: [String]) throws {
    let date = try #require(try resolved(row[0], now: "2026-11-30T11:00:00Z"))
    #expect(TimeFormat.local(microseconds: date.microseconds, zone: berlin) == row[1])
  }

  @Test("of spans hold", arguments: tables.dropFirst().first ?? [])
  func spans(row: [String]) throws {
    #expect(try SpanExpression.parse(row[0]).description == row[1])
    #expect(try meaning(row[0]) == row[1])
  }

  @Test("of repeats hold", arguments: tables.dropFirst(2).first ?? [])
  func repeats(row: [String]) throws {
    let calendar = try CalendarExpression.parse(row[0])
    let rules = try calendar.rules(zone: berlin, zones: lookUp)
    let next = try #require(calendar.next(after: utc("2026-11-30T11:00:00Z"), in: rules))
    #expect(TimeFormat.local(microseconds: next.microseconds, zone: berlin) == row[1])
  }

  @Test("of refusals hold", arguments: tables.dropFirst(3).first ?? [])
  func refusals(row: [String]) throws {
    let error = try #require(try refusal(row[0], now: "2026-11-30T11:00:00Z"))
    #expect(error.problem == row[2])
    #expect("\(error.column)" == row[1])
  }
}
