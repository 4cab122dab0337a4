import LiveActivity
import SchedulerAPI

extension Invocation {
  /// The spans of `--remind`, given once or several times; `none` is none of them.
  func reminders() throws(Failure) -> [TimeSpan]? {
    let all = all(.remind)
    guard let last = all.last else { return nil }
    if last.value == "none" { return [] }
    var spans: [TimeSpan] = []
    for given in all {
      for word in given.value.split(separator: ",", omittingEmptySubsequences: false) {
        let span = try TimeReader.span(String(word), given.spelling)
        guard span.microseconds >= 1000 else {
          throw .malformed("\(given.spelling) '\(word)': a reminder comes before the start")
        }
        spans.append(span)
      }
    }
    guard spans.count <= Reminder.most else {
      throw .usage("\(last.spelling): an activity has at most \(Reminder.most) reminders")
    }
    return spans
  }
}
