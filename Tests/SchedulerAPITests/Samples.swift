import JSON
import LiveActivity
import Varlink

@testable import SchedulerAPI

/// Good parameters of each method, all that can be set together set in one or the other.
let callSamples: [(method: SchedulerMethod, text: String)] = [
  (.request, "{}"),
  (
    .request,
    #"{"id":"match-1","application":"org.example.App","attributesType":"SoccerMatch","#
      + #""attributes":{"home":"A","n":[1.50,{"x":null}]},"#
      + #""content":{"state":{"score":"0:0"},"staleDate":"2026-12-01T20:00:00.000000Z","#
      + #""relevanceScore":0.5},"alert":{"title":"Kick-off","body":"It begins","sound":"bell","#
      + #""urgency":"critical"},"endAlert":{"title":"Over","body":""},"#
      + #""actions":[{"name":"mute","label":"Mute"},{"name":"open","label":"Open"}],"#
      + #""start":{"at":"2026-12-01T18:30:00.000000Z"},"#
      + #""startByDate":"2026-12-01T19:00:00.000000Z","endDate":"2026-12-01T21:00:00.000000Z","#
      + #""ifExists":"update","owner":1000,"audience":["everyone","user:eve","group:staff"],"#
      + #""channel":"matches","pushType":"channel","bound":true,"#
      + #""remindersUSec":[3600000000,600000000],"allowPast":true,"wake":true}"#
  ),
  (
    .request,
    #"{"start":{"local":"2026-12-01T18:30:00","zone":"Europe/Berlin","ofTwo":"second"}}"#
  ),
  (.reschedule, #"{"id":"a","start":{"local":"2026-12-01T18:30","floating":true}}"#),
  (
    .request,
    #"{"content":{"state":{}},"staleAfterUSec":60000000,"start":{"afterUSec":1500000},"#
      + #""startByAfterUSec":0,"endAfterUSec":7200000000}"#
  ),
  (
    .request,
    #"{"repeat":{"calendar":"Mon..Fri 09:00","zone":"Europe/Berlin","#
      + #""untilDate":"2026-12-31T00:00:00.000000Z","count":5}}"#
  ),
  (.request, #"{"repeat":{"everyUSec":5400000000},"wake":false}"#),
  (.reschedule, #"{"id":"a"}"#),
  (
    .reschedule,
    #"{"id":"a","session":3,"ifSequence":17,"start":{"afterUSec":0},"#
      + #""startByDate":"2026-12-01T19:00:00.000000Z","staleAfterUSec":1,"endAfterUSec":2,"#
      + #""alert":{"title":"t","body":"b"},"endAlert":{"title":"t","body":"b"},"owner":0,"#
      + #""remindersUSec":[1000]}"#
  ),
  (
    .reschedule,
    #"{"id":"a","start":{"at":"2026-12-01T18:30:00.000000Z"},"startByAfterUSec":5,"#
      + #""staleDate":"2026-12-01T19:00:00.000000Z","noEnd":true}"#
  ),
  (.reschedule, #"{"id":"a","endDate":"2026-12-01T19:00:00.000000Z"}"#),
  (.update, #"{"id":"a"}"#),
  (
    .update,
    #"{"id":"a","session":1,"ifSequence":2,"content":{"state":{"a":1},"#
      + #""staleDate":"2026-12-01T19:00:00.000000Z","relevanceScore":1},"#
      + #""alert":{"title":"t","body":"b"},"timestamp":"2026-12-01T18:00:00.000000Z","owner":5}"#
  ),
  (
    .update,
    #"{"channel":"c","patch":{"a":null},"staleDate":"2026-12-01T19:00:00.000000Z","#
      + #""relevanceScore":-2.5,"everyOwner":true}"#
  ),
  (
    .update,
    #"{"id":"a","patch":{"a":1},"alert":{"title":"t","body":"b"},"#
      + #""at":"2026-12-01T19:00:00.000000Z","discardPlanned":true}"#
  ),
  (.update, #"{"id":"a","relevanceScore":1,"afterUSec":1500000000}"#),
  (.update, #"{"id":"a","discardPlanned":true}"#),
  (.end, #"{"id":"a"}"#),
  (
    .end,
    #"{"id":"a","session":1,"content":{"state":{"a":1}},"alert":{"title":"t","body":"b"},"#
      + #""dismissal":{"policy":"after","date":"2026-12-01T19:00:00.000000Z"},"#
      + #""timestamp":"2026-12-01T18:00:00.000000Z","owner":5}"#
  ),
  (
    .end,
    #"{"channel":"c","patch":{"a":null},"relevanceScore":3,"dismissal":{"policy":"immediate"},"#
      + #""everyOwner":true}"#
  ),
  (.end, #"{"id":"a","dismissal":{"policy":"default"}}"#),
  (.cancel, #"{"id":"a","session":1,"owner":5}"#),
  (.cancel, #"{"channel":"c","everyOwner":true,"this":true}"#),
  (.stop, "{}"), (.stop, #"{"id":"a","session":1,"owner":5}"#),
  (.dismiss, #"{"id":"a","session":1,"owner":5}"#),
  (.act, #"{"id":"a","session":1,"action":"mute","owner":5}"#),
  (.get, #"{"id":"a"}"#), (.get, #"{"id":"a","session":1,"owner":5}"#),
  (.list, "{}"),
  (.list, #"{"states":["pending","dismissed"],"application":"p","channel":"c","owner":5}"#),
  (.list, #"{"states":[],"everyOwner":true}"#),
  (.history, "{}"), (.history, #"{"id":"a","session":1,"owner":5}"#),
  (
    .history,
    #"{"everyOwner":true,"sinceDate":"1970-01-01T00:00:00.000000Z","#
      + #""untilDate":"9999-12-31T23:59:59.999000Z"}"#
  ),
  (.monitor, "{}"),
  (.monitor, #"{"ids":["a","b"],"application":"p","since":7,"store":"s","owner":5,"alerts":true}"#),
  (.monitor, #"{"everyOwner":true}"#),
  (.confirmAlert, #"{"sequence":7,"outcome":"shown"}"#),
  (.confirmAlert, #"{"sequence":7,"outcome":"failed"}"#),
  (.confirmAlert, #"{"sequence":7,"outcome":"shown","person":5}"#),
  (.snoozeAlert, #"{"sequence":7,"forUSec":300000000}"#),
  (.setEnabled, #"{"enabled":false,"attributesType":"T","application":"p","owner":5}"#),
  (.getStatus, "{}"),
  (.getStatus, #"{"everyOwner":true,"attributesType":"T","application":"p","checkStore":true}"#),
  (.skip, #"{"id":"a","session":1,"ifSequence":2,"owner":5}"#),
]

/// Reads parameters as the daemon does and writes them again.
func recode(_ method: SchedulerMethod, _ node: JSONNode) throws(SchedulerError) -> JSONText {
  switch method {
  case .request: try RequestParameters(decoding: node).text
  case .reschedule: try RescheduleParameters(decoding: node).text
  case .update: try UpdateParameters(decoding: node).text
  case .end: try EndParameters(decoding: node).text
  case .cancel: try CancelParameters(decoding: node).text
  case .stop: try StopParameters(decoding: node).text
  case .dismiss: try DismissParameters(decoding: node).text
  case .act: try ActParameters(decoding: node).text
  case .get: try GetParameters(decoding: node).text
  case .list: try ListParameters(decoding: node).text
  case .history: try HistoryParameters(decoding: node).text
  case .monitor: try MonitorParameters(decoding: node).text
  case .confirmAlert: try ConfirmAlertParameters(decoding: node).text
  case .snoozeAlert: try SnoozeAlertParameters(decoding: node).text
  case .setEnabled: try SetEnabledParameters(decoding: node).text
  case .getStatus: try GetStatusParameters(decoding: node).text
  case .skip: try SkipParameters(decoding: node).text
  }
}

/// The error that parameters are refused with; nil if they are taken.
func refusal(_ method: SchedulerMethod, _ text: String) throws -> SchedulerError? {
  try refusal(method, JSONNode(validating: text))
}

func refusal(_ method: SchedulerMethod, _ node: JSONNode) -> SchedulerError? {
  do throws(SchedulerError) {
    _ = try recode(method, node)
    return nil
  } catch {
    return error
  }
}

/// An activity with all that one can have.
func fullActivity() throws -> Activity {
  var activity = Activity(
    id: "match-1", owner: UserID(1000), session: 3, sequence: 1 << 53 + 1, state: .ended,
    attributesType: "SoccerMatch", attributes: try JSONText(validating: #"{"n":1.50}"#),
    content: Content(
      state: try JSONText(validating: #"{"s":"é"}"#), staleDate: WallTime(microseconds: 1_000),
      relevanceScore: 0.25),
    createdDate: WallTime(microseconds: 1_796_150_000_000_001))
  activity.reason = .timeLimit
  activity.application = "org.example.App"
  activity.alert = try Alert(title: "t", body: "b", sound: "s", urgency: .low)
  activity.endAlert = try Alert(title: "", body: "line\nline")
  activity.actions = [try Action(name: "mute", label: "Mute")]
  activity.audience = ["everyone", "group:staff"]
  activity.channel = "c"
  activity.startDate = WallTime(microseconds: 1_796_150_100_000_000)
  activity.startByDate = .earliest
  activity.endDate = .latest
  activity.dismissalDate = WallTime(microseconds: 1_796_150_300_000_000)
  activity.startedDate = WallTime(microseconds: 1_796_150_100_000_123)
  activity.endedDate = WallTime(microseconds: 1_796_150_200_000_000)
  activity.timestamp = WallTime(microseconds: 1_796_150_150_000_000)
  activity.latenessMicroseconds = 123
  activity.remoteUpdates = false
  activity.reminders = [
    Reminder(
      before: .seconds(600), date: WallTime(microseconds: 1_796_149_500_000_000), state: .skipped)
  ]
  var update = PlannedUpdate(sequence: 12, date: .latest)
  update.content = Content(relevanceScore: 2)
  activity.plannedUpdates = [update]
  update = PlannedUpdate(sequence: 13, date: nil)
  update.patch = try JSONText(validating: #"{"a":null}"#)
  update.staleDate = .earliest
  update.relevanceScore = 0.5
  update.alert = try Alert(title: "t", body: "b")
  activity.plannedUpdates.append(update)
  activity.pushType = .token
  activity.localStart = LocalStart(
    WallStart(
      local: "2026-10-25T02:30:00", zone: "Europe/Berlin", isFloating: true, isSecond: true),
    tzdata: "2026b", movedMicroseconds: 3_600_000_000, isTwice: true)
  activity.repeats = Repeat(calendar: "daily", zone: "UTC")
  activity.repeats?.until = .latest
  activity.repeats?.count = 7
  activity.nextStartDate = .latest
  activity.wake = true
  return activity
}

/// An activity with no more than one must have.
func bareActivity() -> Activity {
  Activity(
    id: "a", owner: .root, session: 1, sequence: 1, state: .pending,
    attributesType: Activity.defaultAttributesType, attributes: .emptyObject, content: Content(),
    createdDate: .earliest)
}

/// An event with all that one can have.
func fullEvent() throws -> ActivityEvent {
  var event = ActivityEvent(
    sequence: 9, date: WallTime(microseconds: 1_796_150_000_000_001), kind: .remoteUpdatesStopped)
  event.dueDate = .earliest
  event.by = UserID(1000)
  event.id = "match-1"
  event.owner = .root
  event.session = 2
  event.from = .pending
  event.to = .active
  event.reason = .dismissedByPerson
  event.latenessMicroseconds = 5
  event.startDate = .earliest
  event.endDate = .latest
  event.activity = try fullActivity()
  event.content = Content()
  event.alert = try Alert(title: "t", body: "b")
  event.alertSequence = 7
  event.alertOutcome = .withdrawn
  event.action = "mute"
  event.enabled = false
  event.attributesType = "T"
  event.application = "p"
  event.stepMicroseconds = -5
  event.localStart = LocalStart(WallStart(local: "2026-10-25T02:30:00", zone: "Home"))
  event.formerStartDate = WallTime(microseconds: 1_796_150_200_000_000)
  event.cause = .tzdata
  event.skippedDate = .latest
  return event
}
