import JSON
import LiveActivity
import SchedulerAPI

/// The options about content, as they were given.
struct ContentOptions {
  private let whole: JSONNode?
  private let edits: ObjectEdits
  let stale: Invocation.Given?
  let relevance: Double?

  init(_ invocation: Invocation) throws(Failure) {
    whole = try invocation.last(.content).map { given throws(Failure) in
      try JSONArgument.object(given)
    }
    edits = try ObjectEdits(invocation.all(.set, .unset))
    stale = invocation.last(.stale)
    relevance = try invocation.last(.relevance).map { given throws(Failure) in
      guard let value = Double(given.value), value.isFinite else {
        throw .malformed("\(given.spelling) '\(given.value)' is not a number")
      }
      return value
    }
  }

  /// Whether the state, or part of it, is given.
  var hasState: Bool { whole != nil || !edits.isEmpty }

  /// The whole state, if `--content` is given.
  func replacement() throws(Failure) -> JSONText? {
    try whole.map { node throws(Failure) in try edits.applied(to: node) }
  }

  /// The changes of single keys, if there are any.
  func patch() throws(Failure) -> JSONText? {
    edits.isEmpty || whole != nil ? nil : try edits.patch()
  }

  /// The state to begin with, and what goes with it; nil where nothing of it is given.
  func initial(_ time: inout TimeReader) throws(Failure) -> (
    content: Content?, staleAfter: TimeSpan?
  ) {
    var staleDate: WallTime?
    var staleAfter: TimeSpan?
    if let stale {
      switch try time.moment(stale.value, stale.spelling) {
      case .at(let date): staleDate = date
      case .after(let span): staleAfter = span
      }
    }
    guard hasState || staleDate != nil || relevance != nil else { return (nil, staleAfter) }
    let state = try edits.applied(to: whole)
    return (
      Content(state: state, staleDate: staleDate, relevanceScore: relevance), staleAfter
    )
  }
}
