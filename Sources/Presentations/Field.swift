import LiveActivity

/// A place in an activity that a template names.
enum Field: Hashable, Sendable {
  /// What every activity has.
  case own(OwnField)
  /// Inside the attributes or the content state.
  case payload(PayloadRoot, [PathStep])
}

/// The two JSON objects of an activity.
enum PayloadRoot: String, CaseIterable, Hashable, Sendable {
  case attributes, content
}

/// One step into JSON.
enum PathStep: Hashable, Sendable {
  case key(String)
  case index(Int)
}

/// The fields of the activity itself, by their names in a template.
enum OwnField: String, CaseIterable, Hashable, Sendable {
  case id, state, type, application
  case start, end, stale, lateness
  /// What a clock beside it shows: until its start, until its end, else since its start.
  case timer
  /// How much of the time from start to end has passed, 0 to 1.
  case passed
  /// What the look without a file has there.
  case title, body, details
  case alertTitle = "alert.title"
  case alertBody = "alert.body"

  /// What it is, so that a format that cannot fit is found where it is written.
  var formats: Set<FieldFormat.Kind> {
    switch self {
    case .start, .end, .stale: [.time, .date, .countdown, .elapsed]
    case .lateness: [.duration]
    case .passed: [.percent, .bar]
    case .timer, .id, .state, .type, .application, .title, .body, .details, .alertTitle,
      .alertBody:
      []
    }
  }
}
