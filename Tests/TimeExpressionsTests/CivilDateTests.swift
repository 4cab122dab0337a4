import Testing

@testable import TimeExpressions

@Suite("Civil dates")
struct CivilDateTests {
  @Test("count days as a walk through the calendar does")
  func walk() throws {
    var year = 1599
    var month = 1
    var day = 1
    var weekday = Weekday.friday.rawValue
    var number = CivilDate(year: 1599, month: 1, day: 1)?.daysSince1970 ?? 0
    #expect(number == -135_505)
    while year < 2401 {
      let date = CivilDate(daysSince1970: number)
      guard date.year == year, date.month == month, date.day == day, date.daysSince1970 == number,
        date.weekday.rawValue == weekday
      else {
        Issue.record("\(date) is not \(year)-\(month)-\(day), weekday \(weekday)")
        return
      }
      number += 1
      weekday = weekday % 7 + 1
      day += 1
      if day > CivilDate.days(inMonth: month, of: year) {
        day = 1
        month += 1
        if month > 12 {
          month = 1
          year += 1
        }
      }
    }
  }

  @Test("exist or do not")
  func existence() {
    #expect(CivilDate(year: 2026, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2024, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 2100, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2000, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 2026, month: 0, day: 1) == nil)
    #expect(CivilDate(year: Int.max, month: 1, day: 1) == nil)
    #expect(CivilDate(year: Int.min, month: 1, day: 1) == nil)
  }

  @Test("know the first day of each year")
  func firstDays() {
    for year in -1000...12_000 {
      #expect(
        PosixRule.firstDay(ofYear: Int64(year))
          == CivilDate(year: year, month: 1, day: 1)?.daysSince1970)
    }
  }
}
