import JSON
import LiveActivity
import SchedulerAPI
import TimeExpressions

/// Makes a `Request` of the options of `schedule`, `start` and `run`.
struct RequestBuilder {
  private let invocation: Invocation
  private let content: ContentOptions
  private var request = RequestParameters()

  /// Reads all that needs no clock, so that what is wrong there is told before a daemon is asked.
  init(_ invocation: Invocation) throws(Failure) {
    self.invocation = invocation
    try invocation.exclude(.end, .for)
    let inputs = invocation.all(.content, .attributes).filter { $0.value == "-" }
    guard inputs.count < 2 else { throw .usage("only one of --content and --attributes can be -") }
    if !invocation.operands.isEmpty { request.id = try invocation.id() }
    content = try ContentOptions(invocation)
    request.attributes = try RequestBuilder.attributes(invocation)
    request.attributesType = invocation.value(.type)
    request.application = invocation.value(.application)
    request.channel = invocation.value(.channel)
    let alerts = try AlertOptions(invocation)
    request.alert = alerts.alert
    request.endAlert = alerts.endAlert
    request.actions = try RequestBuilder.actions(invocation)
    request.audience = try RequestBuilder.audience(invocation)
    request.ifExists =
      try invocation.choice(.ifExists) { (choice: IfExists) in "\(choice)" } ?? .fail
    request.owner = try invocation.owner()
    request.wake = invocation.has(.wake) ? true : nil
    request.reminders = try invocation.reminders()
    request.repeats = try invocation.repeats()
  }

  /// The request, its dates read against a clock.
  mutating func request(_ time: inout TimeReader) throws(Failure) -> RequestParameters {
    if let at = invocation.last(.at) {
      (request.start, request.wallStart) = try time.start(at)
    }
    request.allowPast = invocation.value(.allowPast) == "start"
    if let startBy = invocation.last(.startBy) {
      request.startBy = try time.moment(startBy.value, startBy.spelling)
    }
    if let end = invocation.last(.end) { request.end = try time.moment(end.value, end.spelling) }
    if let length = invocation.last(.for) {
      request.end = .after(try TimeReader.span(length.value, length.spelling))
    }
    if request.repeats != nil {
      if let until = invocation.last(.until) {
        request.repeats?.until = try time.date(until.value, until.spelling)
      }
      if request.repeats?.calendar != nil {
        request.repeats?.isFloating = time.isFloating
        if !time.isFloating { request.repeats?.zone = time.zone.name }
      }
    }
    (request.content, request.staleAfter) = try content.initial(&time)
    return request
  }

  private static func attributes(_ invocation: Invocation) throws(Failure) -> JSONText? {
    let edits = try ObjectEdits(invocation.all(.attr))
    guard let given = invocation.last(.attributes) else {
      return edits.isEmpty ? nil : try edits.applied(to: nil)
    }
    return try edits.applied(to: JSONArgument.object(given))
  }

  private static func actions(_ invocation: Invocation) throws(Failure) -> [Action]? {
    let all = invocation.all(.action)
    guard !all.isEmpty else { return nil }
    return try all.map { given throws(Failure) in
      let parts = given.value.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw .usage("\(given.spelling) '\(given.value)' is not NAME=LABEL")
      }
      do throws(InvalidValue) {
        return try Action(name: String(parts[0]), label: String(parts[1]))
      } catch {
        throw .malformed("\(given.spelling): \(error.why)")
      }
    }
  }

  private static func audience(_ invocation: Invocation) throws(Failure) -> [Audience]? {
    let all = invocation.all(.audience)
    guard !all.isEmpty else { return nil }
    return try all.map { given throws(Failure) in
      do throws(InvalidValue) {
        return try Audience(given.value)
      } catch {
        throw .malformed("\(given.spelling): \(error.why)")
      }
    }
  }
}
