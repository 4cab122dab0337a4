import LiveActivity
import SchedulerAPI
import TimeExpressions

extension Invocation {
  /// What `--repeat`, `--repeat-every` and `--count` say; `--until` needs a clock.
  func repeats() throws(Failure) -> Repeat? {
    try exclude(.repeat, .repeatEvery)
    var repeats: Repeat
    if let calendar = last(.repeat) {
      do throws(TimeExpressionError) {
        _ = try CalendarExpression.parse(calendar.value)
      } catch {
        throw .time(calendar.spelling, calendar.value, error)
      }
      repeats = Repeat(calendar: calendar.value)
    } else if let every = last(.repeatEvery) {
      let span = try TimeReader.span(every.value, every.spelling)
      guard span >= .seconds(1) else {
        throw .malformed("\(every.spelling) '\(every.value)': the shortest that there is is 1s")
      }
      repeats = Repeat(every: span)
    } else {
      if let lonely = last(.count) ?? last(.until) {
        throw .usage("\(lonely.spelling) is about --repeat or --repeat-every")
      }
      return nil
    }
    repeats.count = try number(.count)
    if let count = repeats.count, count < 1 {
      throw .usage("--count '\(count)': it comes once at least")
    }
    return repeats
  }
}
