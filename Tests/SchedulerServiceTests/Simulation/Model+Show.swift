import JSON
import LiveActivity
import SchedulerAPI

@testable import SchedulerService

extension Model {
  func date(_ when: When, start: Int64? = nil, at reading: ClockReading) -> WallTime? {
    when.date(reading, start: start).map { WallTime(microseconds: $0) }
  }

  /// A session as the interface shows it.
  func show(_ life: Life, at reading: ClockReading) -> Activity {
    let start = life.start.date(reading)
    var activity = Activity(
      id: life.id, owner: life.owner, session: life.number, sequence: life.sequence,
      state: life.state,
      attributesType: life.request.attributesType ?? Activity.defaultAttributesType,
      attributes: life.request.attributes ?? .emptyObject, content: content(life, at: reading),
      createdDate: WallTime(microseconds: life.createdDate))
    activity.reason = life.reason
    activity.application = life.request.application
    activity.alert = life.alert
    activity.endAlert = life.endAlert
    activity.actions = life.request.actions ?? []
    activity.audience = (life.request.audience ?? []).map(\.text)
    activity.channel = life.request.channel
    activity.startDate = date(life.start, at: reading)
    activity.startByDate = date(life.startBy, start: start, at: reading)
    activity.endDate = date(life.end, start: start, at: reading)
    if life.state == .ended || life.state == .dismissed {
      let dates = [life.dismissal, life.limit].compactMap { date($0, at: reading) }
      activity.dismissalDate = dates.min()
    }
    activity.startedDate = life.startedDate.map { WallTime(microseconds: $0) }
    activity.endedDate = life.endedDate.map { WallTime(microseconds: $0) }
    activity.timestamp = life.timestamp.map { WallTime(microseconds: $0) }
    activity.latenessMicroseconds = life.lateness
    activity.remoteUpdates = life.remoteUpdates
    activity.localStart = life.localStart
    activity.reminders = life.reminders.compactMap { before, state in
      life.when(before).date(reading).map {
        Reminder(
          before: TimeSpan(microseconds: before), date: WallTime(microseconds: max(0, $0)),
          state: state)
      }
    }
    activity.plannedUpdates = showPlans(life, at: reading)
    activity.repeats = life.serie?.rule
    activity.wake = life.wakes
    activity.nextStartDate = life.serie.flatMap { date($0.next, at: reading) }
    return activity
  }

  func content(_ life: Life, at reading: ClockReading) -> Content {
    Content(
      state: life.content,
      staleDate: date(life.stale, start: life.start.date(reading), at: reading),
      relevanceScore: life.relevanceScore)
  }
}
