import JSON
import LiveActivity
import Presentations
import TimeExpressions

/// What runs, in as little room as a bar has: the activity that matters most in its compact form, a
/// second one in its least, and how many there are beyond these.
struct Island {
  /// An activity and its look.
  struct Part {
    let activity: ActivityView
    let look: Look
  }

  /// The one that matters most.
  private(set) var main: Part?
  /// The one after it.
  private(set) var second: Part?
  /// How many more there are.
  private(set) var rest = 0
  /// All that run, by relevance, with looks in which nothing ticks.
  private(set) var all: [Part] = []
  /// When what is shown becomes another by itself, in microseconds of the daemon's clock of the part
  /// that it comes from, less that clock's now.
  private(set) var patience: Int64?

  /// An activity, and the daemon's now in microseconds; nil of a clock that does not run.
  typealias Candidate = (activity: ActivityView, now: Int64, runs: Bool)

  init(_ candidates: [Candidate], _ library: PresentationLibrary, _ settings: LookSettings) {
    let running = candidates.filter { ["active", "stale"].contains($0.activity.state) }
      .sorted { Island.precedes($0.activity, $1.activity) }
    var still = settings
    still.ticking = .clockTimes
    for (place, candidate) in running.enumerated() {
      let subject = PresentationSubject(candidate.activity.node)
      let now = WallTime(microseconds: candidate.now)
      if place < 2 {
        let look = library.look(of: subject, at: now, settings)
        let part = Part(activity: candidate.activity, look: look)
        if place == 0 { main = part } else { second = part }
        let tick = place == 0 ? look.nextTick(.compact) : look.nextTick(.minimal)
        if let tick, candidate.runs {
          let left = tick.microseconds - candidate.now
          patience = min(patience ?? left, left)
        }
      }
      // What a bar tells at length is bounded.
      if place < 12 {
        let look = library.look(of: subject, at: now, still)
        all.append(Part(activity: candidate.activity, look: look))
      }
    }
    rest = max(0, running.count - 2)
  }

  /// The most relevant first, then, as on an iPhone, the one that began first, then by ID.
  static func precedes(_ a: ActivityView, _ b: ActivityView) -> Bool {
    let relevance = (a.relevance, b.relevance)
    if relevance.0 != relevance.1 { return relevance.0 > relevance.1 }
    let start = (a.date("startedDate") ?? .max, b.date("startedDate") ?? .max)
    if start.0 != start.1 { return start.0 < start.1 }
    return a.rawID < b.rawID
  }

  /// The pieces of the line, each foreign text on one line and not yet escaped.
  var pieces: [String] {
    guard let main else { return [] }
    var texts = [compact(main.look)]
    if let second { texts.append(Cells.fit(BarText.plain(second.look.minimal), 16)) }
    if rest > 0 { texts.append("+\(rest)") }
    return texts.filter { !$0.isEmpty }
  }

  /// All of it on one line.
  var line: String { pieces.joined(separator: " · ") }

  private func compact(_ look: Look) -> String {
    let parts = [(look.compactLeading, 30), (look.compactTrailing, 24)].map {
      Cells.fit(BarText.plain($0.0), $0.1)
    }
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension ActivityView {
  var relevance: Double { node["content"]?["relevanceScore"]?.double ?? 0 }
}
