import JSON
import LiveActivity
import Testing
import Varlink

@testable import SchedulerAPI

@Suite struct ReplyTests {
  private let interface = try? VarlinkInterface(LiveActivitiesInterface.definition)

  private func text<Reply: SchedulerReply>(_ reply: Reply) throws -> JSONText {
    try JSONText { writer in
      writer.beginObject()
      reply.encode(&writer)
      writer.endObject()
    }
  }

  /// That a reply comes back, fits its method's definition, and may grow.
  private func check<Reply: SchedulerReply>(
    _ method: SchedulerMethod, _ reply: Reply, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let interface = try #require(interface)
    let text = try text(reply)
    let node = try text.parsed()
    let fault = interface.fault(in: node, as: interface.methods[method.rawValue].output)
    #expect(fault == nil, sourceLocation: sourceLocation)
    #expect(try Reply(decoding: node) == reply, sourceLocation: sourceLocation)
    var value = JSONValue(node)
    try value.set(.array([]), at: ["fieldOfALaterVersion"])
    #expect(try Reply(decoding: value.text().parsed()) == reply, sourceLocation: sourceLocation)
    // Whatever is missing or of the wrong type ends in an error.
    let output = interface.methods[method.rawValue].output
    for mutant in mutants(of: JSONValue(node), as: output, in: interface)
    where !mutant.path.hasSuffix("stalDate") {
      let path = mutant.path.isEmpty ? "parameters" : mutant.path
      guard Reply.self != EmptyReply.self else { continue }
      #expect(
        throws: SchedulerError.service(.invalidParameter(path)), sourceLocation: sourceLocation
      ) {
        try Reply(decoding: mutant.value.text().parsed())
      }
    }
  }

  @Test func repliesComeBackAndFitTheDefinition() throws {
    let activity = try fullActivity()
    let event = try fullEvent()
    try check(.request, RequestReply(activity: activity, created: true))
    try check(.request, RequestReply(activity: bareActivity(), created: false))
    try check(.reschedule, ActivityReply(activity: activity))
    try check(.update, AppliedReply(applied: 1, skipped: 2))
    try check(.end, AppliedReply(applied: 1, skipped: 0))
    var cancel = CancelReply(applied: 10, skipped: 1)
    (cancel.pending, cancel.active, cancel.stale, cancel.ended) = (1, 2, 3, 4)
    try check(.cancel, cancel)
    try check(.stop, StopParameters.Reply(applied: 3))
    try check(.skip, SkipParameters.Reply(activity: activity, skippedDate: .latest))
    for method in [SchedulerMethod.dismiss, .act, .confirmAlert, .setEnabled] {
      try check(method, EmptyReply())
    }
    try check(.get, ActivityReply(activity: bareActivity()))
    try check(.list, ListParameters.Reply(activities: [activity, bareActivity()]))
    try check(.list, ListParameters.Reply(activities: []))
    let bare = ActivityEvent(sequence: 1, date: .earliest, kind: .clockStepped)
    try check(.history, HistoryParameters.Reply(events: [event, bare]))
    try check(.monitor, MonitorReply.snapshot(activity))
    try check(.monitor, MonitorReply.event(event))
    try check(.monitor, MonitorReply.ready(sequence: 7, store: "s", resumed: false))
    try check(.snoozeAlert, SnoozeAlertParameters.Reply(date: .latest))
    var status = ServiceStatus(now: .earliest, version: "1", store: "s", sequence: 9)
    try check(.getStatus, status)
    (status.pending, status.active, status.ended, status.alertAgents) = (1, 2, 3, 4)
    status.nextDate = .latest
    (status.zone, status.tzdata) = ("Europe/Berlin", "2026b")
    status.activitiesEnabled = false
    status.storeFindings = ["one"]
    (status.wakeProblem, status.nextWakeDate) = ("no clock", .latest)
    try check(.getStatus, status)
  }

  @Test func aMonitorReplyCarriesOneOfThree() throws {
    #expect(throws: SchedulerError.service(.invalidParameter("ready"))) {
      try MonitorReply(decoding: JSONNode(validating: "{}"))
    }
  }

  @Test func everyKindOfEventComesBack() throws {
    for kind in EventKind.allCases {
      var event = ActivityEvent(sequence: 1, date: .latest, kind: kind)
      for reason in Reason.allCases {
        event.reason = reason
        let text = try JSONText { event.encode(&$0) }
        #expect(try ActivityEvent(decoding: text.parsed()) == event)
        #expect(text.string.contains("\"kind\":\"\(kind.name)\""))
      }
    }
    let activity = try fullActivity()
    let text = try JSONText { activity.encode(&$0) }
    #expect(try Activity(decoding: text.parsed()) == activity)
  }

  @Test func anActivityIsWrittenInTheOrderOfTheDefinition() throws {
    let interface = try #require(interface)
    func names(_ type: String) -> [String] {
      guard case .structure(let fields) = interface.types.first(where: { $0.name == type })?.type
      else { return [] }
      return fields.map(\.name)
    }
    func keys(_ text: JSONText) throws -> [String] {
      try text.parsed().members.map { $0.key.string ?? "" }
    }
    let activity = try fullActivity()
    let event = try fullEvent()
    #expect(try keys(JSONText { activity.encode(&$0) }) == names("Activity"))
    #expect(try keys(JSONText { event.encode(&$0) }) == names("Event"))
  }
}

@Suite struct SchedulerErrorTests {
  static let errors: [SchedulerError] = [
    .noSuchActivity(id: "a\"b"), .noSuchAlert(sequence: 7), .noSuchAction("mute"),
    .activityExists(id: "a", session: 2, state: .pending),
    .activityOver(id: "a", session: 2, state: .dismissed, reason: .missed),
    .activityOver(id: "a", session: 2, state: .ended, reason: nil),
    .alreadyStarted(id: "a", session: 2, state: .stale),
    .noNextOccurrence(id: "a"),
    .conflict(id: "a", session: 2, sequence: 1 << 60),
    .startDateNotInFuture(startDate: .earliest, now: .latest),
    .invalidDate(field: "content.staleDate", value: "x", why: "it is none"),
    .outdated(timestamp: .earliest, applied: .latest), .remoteUpdatesStopped(id: "a"),
    .payloadTooLarge(bytes: 4097, limit: 4096), .tooManyActivities(limit: 10_000),
    .tooManyRequests(retryAfter: TimeSpan(microseconds: 1_500)), .notPermitted(why: "no"),
    .activitiesDisabled(attributesType: "T", application: nil),
    .activitiesDisabled(attributesType: nil, application: "p"), .storeUnavailable(why: "disk full"),
    .wakeUnavailable(why: "no clock"),
    .service(.invalidParameter("content.stalDate")), .service(.expectedMore),
    .service(.methodNotFound("io.lasched.LiveActivities.X")), .service(.permissionDenied),
  ]

  @Test(arguments: errors)
  func errorsComeBackAndFitTheDefinition(error: SchedulerError) throws {
    var writer = JSONWriter()
    error.reply(&writer)
    let reply = try VarlinkReply(Array(writer.bytes.dropLast()).span)
    let name = try #require(reply.error)
    #expect(SchedulerError(name: name, parameters: reply.parameters) == error)
    #expect(!error.description.isEmpty && !error.description.contains("\n"))
    if case .service = error { return }
    let interface = try VarlinkInterface(LiveActivitiesInterface.definition)
    let type = try #require(interface.error(String(name.dropFirst(interface.name.count + 1)))?.type)
    #expect(interface.fault(in: reply.parameters, as: type) == nil)
  }

  @Test func eachErrorOfTheDefinitionIsKnown() throws {
    let interface = try VarlinkInterface(LiveActivitiesInterface.definition)
    let known = Set(Self.errors.map(\.name))
    for error in interface.errors { #expect(known.contains(interface.name + "." + error.name)) }
  }

  @Test func whatIsNotKnownIsKept() throws {
    let parameters = try JSONNode(validating: #"{"x":[1.50]}"#)
    for name in [
      "org.example.Other", "io.lasched.LiveActivities.NewOne",
      "io.lasched.LiveActivities.NoSuchActivity",
    ] {
      let error = SchedulerError(name: name, parameters: parameters)
      #expect(error == .other(name: name, parameters: try JSONText(validating: #"{"x":[1.50]}"#)))
      #expect(error.name == name)
      var writer = JSONWriter()
      error.reply(&writer)
      let again = try VarlinkReply(Array(writer.bytes.dropLast()).span)
      #expect(SchedulerError(name: again.error ?? "", parameters: again.parameters) == error)
    }
  }
}
