import Glibc
import JSON
import LiveActivity
import Presentations
import SchedulerAPI

/// What keys do with the card that is selected.
extension LiveView {
  mutating func act(on key: Key, page: Int) {
    let armed = notice.armed
    notice = Notice()
    Opener.reap()
    switch key {
    case .up: deck.select(by: -1)
    case .down: deck.select(by: 1)
    case .pageUp: deck.select(by: -page)
    case .pageDown: deck.select(by: page)
    case .first: deck.selectFirst()
    case .last: deck.selectLast()
    case .enter, .escape: break
    case .character(let letter):
      if letter == "?" || letter == "h" {
        notice = Notice(Notice.help)
        return
      }
      guard let entry = deck.selection else { return }
      if let armed, armed.key == letter, armed.card == entry.key,
        armed.session == entry.activity.session
      {
        return carryOut(letter, entry)
      }
      press(letter, entry)
    }
  }

  private mutating func press(_ letter: Character, _ entry: Deck.Entry) {
    let name = Cells.fit(entry.activity.id, 20)
    switch letter {
    case "c": arm(letter, entry, "press c again to cancel \(name)")
    case "e":
      guard entry.activity.state != "ended" else {
        notice = Notice("\(name) has ended")
        return
      }
      arm(letter, entry, "press e again to end \(name)")
    case "d":
      guard entry.activity.state != "ended" else { return carryOut(letter, entry) }
      arm(letter, entry, "press d again to take \(name) off your screen")
    case "o": open(entry)
    case "a": use(0, entry)
    case "1"..."9": use((letter.wholeNumberValue ?? 1) - 1, entry)
    default: break
    }
  }

  private mutating func arm(_ letter: Character, _ entry: Deck.Entry, _ question: String) {
    notice = Notice(
      Notice.Armed(
        key: letter, card: entry.key, session: entry.activity.session, question: question))
  }

  private mutating func carryOut(_ letter: Character, _ entry: Deck.Entry) {
    let activity = entry.activity
    let id = activity.key.id
    switch letter {
    case "c":
      var cancel = CancelParameters(.id(id))
      (cancel.session, cancel.owner) = (activity.session, activity.owner)
      ask(cancel, entry, "cancelled")
    case "e":
      var end = EndParameters(.id(id))
      (end.session, end.owner) = (activity.session, activity.owner)
      ask(end, entry, "ended")
    default:
      var dismiss = DismissParameters(id: id, session: activity.session)
      dismiss.owner = activity.owner
      ask(dismiss, entry, "off your screen")
    }
  }

  private mutating func use(_ number: Int, _ entry: Deck.Entry) {
    let actions = look(entry).actions
    guard let action = actions.dropFirst(number).first else {
      let count = actions.count
      notice = Notice(
        count == 0 ? "\(entry.activity.id) has no actions" : "it has \(count): press 1 to \(count)")
      return
    }
    if let command = action.command, let program = command.first {
      let isStarted = Opener.start(program, Array(command.dropFirst()))
      notice = Notice(isStarted ? harmless(action.label) : "\(harmless(program)) cannot be started")
    }
    guard action.isDeclared else { return }
    var act = ActParameters(
      id: entry.activity.key.id, session: entry.activity.session, action: action.name)
    act.owner = entry.activity.owner
    ask(act, entry, harmless(action.label))
  }

  /// Asks the daemon; what comes of it is told when it comes.
  private mutating func ask<Call: SchedulerCall>(
    _ call: Call, _ entry: Deck.Entry, _ done: String
  ) {
    let (source, id) = (entry.source, entry.activity.id)
    notice = Notice("\(id): …")
    source.asker.ask(call) { answer, _ in
      switch answer {
      case .success: source.say("\(id): \(done)")
      case .failure(let failure): source.say("\(id): \(harmless(failure.message))")
      }
    }
  }

  private func look(_ entry: Deck.Entry) -> Look {
    presentations.look(
      of: PresentationSubject(entry.activity.node),
      at: WallTime(microseconds: entry.source.clock.now), LookSettings(zone: zone))
  }

  private mutating func open(_ entry: Deck.Entry) {
    guard let address = look(entry).url else {
      notice = Notice("\(entry.activity.id) has no address to open")
      return
    }
    notice = Notice(Opener.open(address))
  }
}
