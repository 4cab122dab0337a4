import JSON
import LiveActivity
import TimeExpressions

/// The cards of the live view: their order, which one is selected, and which are in sight.
struct Deck {
  /// What a card is of, whatever becomes of it.
  struct Key: Hashable {
    let daemon: Int
    let activity: ActivityKey
  }

  /// An activity with the daemon that it is of.
  struct Entry {
    let key: Key
    let activity: ActivityView
    let source: LiveSource
  }

  private(set) var entries: [Entry] = []
  private var selected: Key?
  /// Where the selected one stood, for when it goes.
  private var place = 0
  /// The first that is in sight.
  private var top = 0

  /// The cards, in order: what is over last, the most relevant first, then the earliest start.
  mutating func take(_ sources: [LiveSource]) {
    var all: [(order: (Int, Double, Int64, Int64, String), entry: Entry)] = []
    for (daemon, source) in sources.enumerated() {
      for activity in source.table.all {
        let entry = Entry(
          key: Key(daemon: daemon, activity: activity.key), activity: activity, source: source)
        all.append((Deck.order(activity), entry))
      }
    }
    entries = all.sorted { $0.order < $1.order }.map(\.entry)
    if let found = entries.firstIndex(where: { $0.key == selected }) {
      place = found
    } else {
      place = max(0, min(place, entries.count - 1))
      selected = entries.isEmpty ? nil : entries[place].key
    }
  }

  private static func order(_ activity: ActivityView) -> (Int, Double, Int64, Int64, String) {
    let relevance = activity.node["content"]?["relevanceScore"]?.double ?? 0
    let start = activity.date("startedDate") ?? activity.date("startDate")
    let created = activity.date("createdDate")
    return (
      activity.state == "ended" ? 1 : 0, -relevance, start ?? created ?? .max,
      activity.owner.map { Int64($0.rawValue) } ?? 0, activity.rawID
    )
  }

  /// The card that keys are for.
  var selection: Entry? { entries.indices.contains(place) ? entries[place] : nil }

  mutating func select(by step: Int) {
    guard !entries.isEmpty else { return }
    place = max(0, min(entries.count - 1, place + step))
    selected = entries[place].key
  }

  mutating func selectFirst() { select(by: -entries.count) }
  mutating func selectLast() { select(by: entries.count) }

  /// When the text of a card reads otherwise, by its daemon's clock.
  struct Change {
    let date: Int64
    let clock: DaemonClock

    /// Microseconds until then.
    var distance: Int64 { date.subtractingClamped(clock.now) }
  }

  /// The rows in sight, the selected card among them, and what reads otherwise next. `card` makes a
  /// card of an entry.
  mutating func layOut(
    columns: Int, rows: Int, _ card: (Entry) -> Card
  ) -> (rows: [Card.Row], next: Change?) {
    guard !entries.isEmpty, rows > 0 else { return ([], nil) }
    var made: [Int: (rows: [Card.Row], next: Int64?)] = [:]
    func block(_ place: Int) -> (rows: [Card.Row], next: Int64?) {
      if let block = made[place] { return block }
      let card = card(entries[place])
      let block = (card.rows(columns: columns, isSelected: place == self.place), card.next)
      made[place] = block
      return block
    }
    // Of a row between two and of so many at most, what lies beyond does not matter.
    func height(_ range: ClosedRange<Int>) -> Int {
      var height = range.count - 1
      for place in range where height <= rows { height += block(place).rows.count }
      return height
    }
    var bottom = entries.count - 1
    var room = rows
    if height(0...bottom) <= rows {
      top = 0
    } else {
      // The last row counts what is out of sight.
      room -= 1
      top = max(0, min(top, place))
      while top < place, height(top...place) > room { top += 1 }
      bottom = place
      while bottom + 1 < entries.count, height(top...(bottom + 1)) <= room { bottom += 1 }
      while top > 0, height((top - 1)...bottom) <= room { top -= 1 }
    }
    var shown: [Card.Row] = []
    var next: Change?
    for place in top...bottom {
      if place > top { shown.append(Card.Row()) }
      shown += block(place).rows
      let clock = entries[place].source.clock
      guard !clock.standsStill, let date = block(place).next else { continue }
      let change = Change(date: date, clock: clock)
      if next.map({ change.distance < $0.distance }) ?? true { next = change }
    }
    shown = Array(shown.prefix(max(0, room)))
    let below = entries.count - 1 - bottom
    if top + below > 0 {
      let words = [top > 0 ? "\(top) above" : nil, below > 0 ? "\(below) below" : nil]
      let text = "… " + words.compactMap { $0 }.joined(separator: ", ")
      shown.append(Card.Row(left: [Card.Piece(Cells.fit(text, columns), .dim)]))
    }
    return (shown, next)
  }
}
