import LiveActivity

/// A text that changes by itself as time goes on, and when it does so next (microseconds since
/// 1970; nil for never).
struct Ticking: Equatable {
  let text: String
  let next: Int64?

  /// A text that stays.
  init(_ text: String) { self.init(text, next: nil) }

  private init(_ text: String, next: Int64?) {
    self.text = text
    self.next = next
  }

  /// The same with a text before it.
  func after(_ before: String) -> Ticking { Ticking(before + text, next: next) }

  /// The time left until a date, rounded up: `04:33`, `01:04:33`, `3d 4h`; `00:00` once it is past.
  static func countdown(from now: Int64, to date: Int64) -> Ticking {
    let left = date.subtractingClamped(now)
    guard left > 0 else { return Ticking("00:00") }
    let unit = unit(left)
    let count = (left - 1) / unit + 1
    return Ticking(
      clock(count, unit), next: date.subtractingClamped((count - 1) * unit))
  }

  /// The time since a date, rounded down.
  static func elapsed(from date: Int64, to now: Int64) -> Ticking {
    let gone = max(0, now.subtractingClamped(date))
    let unit = unit(gone + 1)
    let count = gone / unit
    return Ticking(clock(count, unit), next: date.addingClamped((count + 1) * unit))
  }

  /// Up to a day it counts seconds, else hours.
  private static func unit(_ span: Int64) -> Int64 {
    span <= 86_400_000_000 ? 1_000_000 : 3_600_000_000
  }

  private static func clock(_ count: Int64, _ unit: Int64) -> String {
    if unit != 1_000_000 {
      return "\(count / 24)d \(count % 24)h"
    }
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let minutes = count / 60
    let rest = "\(two(minutes % 60)):\(two(count % 60))"
    return minutes < 60 ? rest : "\(two(minutes / 60)):\(rest)"
  }
}

extension Int64 {
  /// The difference, or the nearest number that there is.
  func subtractingClamped(_ other: Int64) -> Int64 {
    let (value, isOver) = subtractingReportingOverflow(other)
    return isOver ? (self < 0 ? .min : .max) : value
  }
}
