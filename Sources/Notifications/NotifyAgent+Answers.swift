import LiveActivity
import Presentations

extension NotifyAgent {
  private var boottime: Int64 { now.boottime.microseconds }

  // MARK: The server comes and goes

  mutating func begin(_ server: NotificationServer) {
    if self.server != nil { loseServer() }
    self.server = server
    pauseUntil = 0
    for (key, bubble) in bubbles where bubble.wasLost {
      bubbles[key]?.wasLost = false
      if sources[key.source]?.activities[key]?.state.isRunning == true {
        want(key, .show, isLateSight: true)
      } else if bubble.want != .end {
        bubbles[key] = nil
      }
    }
  }

  mutating func loseServer() {
    if flight != nil { wasUnanswered() }
    pauseUntil = 0
    server = nil
    isInhibited = false
    owners = [:]
    for (key, bubble) in bubbles where bubble.id != nil {
      bubbles[key]?.id = nil
      bubbles[key]?.last = nil
      bubbles[key]?.tickAt = nil
      bubbles[key]?.wasLost = true
    }
  }

  // MARK: Answers to Notify

  mutating func wasShown(_ id: UInt32) {
    guard let flight else { return }
    self.flight = nil
    switch flight.purpose {
    case .alert(let alert): confirm([alert], wasShown: true)
    case .summary(let alerts): confirm(alerts, wasShown: true)
    case .content, .overview: break
    }
    guard let key = flight.session else { return }
    if flight.isMoot || bubbles[key] == nil {
      var isEnd = false
      if case .alert(let alert) = flight.purpose { isEnd = alert.kind == .ended }
      if id != 0, flight.isMoot || !isEnd { effects.append(.close(id)) }
      return
    }
    place(id, key, flight)
  }

  private mutating func place(_ id: UInt32, _ key: SessionKey, _ flight: Flight) {
    guard var bubble = bubbles[key] else { return }
    if let old = bubble.id, old != id {
      // What was to be replaced was not: there shall not be two.
      owners[old] = nil
      effects.append(.close(old))
    }
    bubble.sentAt = flight.began
    bubble.last = flight.notice
    bubble.isLateSight = false
    bubble.tickAt = flight.tickAt
    // No bubble has the number 0: what has it can be neither changed nor closed.
    bubble.id = id == 0 ? nil : id
    bubble.isHidden = id == 0
    if case .alert(let alert) = flight.purpose {
      bubble.alert = alert.key
      if alert.kind == .ended { bubble.endShownAt = boottime }
      if boottime - flight.began >= context.settings.lateAfter.microseconds {
        bubble.slowness = boottime - flight.began
        bubble.want = max(bubble.want, .content)
      }
    }
    if bubble.want == .show { bubble.want = .nothing }
    bubbles[key] = bubble
    if id != 0 { owners[id] = key }
  }

  private mutating func confirm(_ alerts: [WaitingAlert], wasShown: Bool) {
    for alert in alerts {
      // One that failed is settled too; it is not tried again.
      notes[alert.key] = .shown
      effects.append(.note(alert.key, .shown))
      effects.append(
        .confirm(alert.source, sequence: alert.key.sequence, wasShown: wasShown))
    }
  }

  private static let mostAttempts = 3

  mutating func wasRefused(_ why: String) {
    guard flight != nil else { return }
    effects.append(.say("the notification server refused: \(why)"))
    retry(mayHaveBeenShown: false)
  }

  mutating func wasUnanswered() {
    guard flight != nil else { return }
    retry(mayHaveBeenShown: true)
  }

  private mutating func retry(mayHaveBeenShown: Bool) {
    guard let flight else { return }
    self.flight = nil
    pauseUntil = boottime + Self.pace
    var alerts: [WaitingAlert] = []
    switch flight.purpose {
    case .alert(let alert): alerts = [alert]
    case .summary(let several): alerts = several
    case .content(let key):
      // Told again where it matters; mere content waits for the next change.
      if mayHaveBeenShown, bubbles[key]?.id != nil { bubbles[key]?.wasLost = true }
      return
    case .overview: return
    }
    if flight.isMoot { return }
    var again: [WaitingAlert] = []
    for var alert in alerts {
      alert.attempts += 1
      alert.mayHaveBeenShown = alert.mayHaveBeenShown || mayHaveBeenShown
      if alert.attempts < Self.mostAttempts {
        again.append(alert)
      } else {
        effects.append(.say("alert \(alert.key.sequence) could not be shown; given up"))
        confirm([alert], wasShown: false)
      }
    }
    waiting.insert(contentsOf: again, at: 0)
  }

  // MARK: What the person does

  mutating func wasClosed(_ id: UInt32, _ reason: CloseReason) {
    guard let key = owners.removeValue(forKey: id), var bubble = bubbles[key], bubble.id == id
    else { return }
    bubble.id = nil
    bubble.last = nil
    bubble.tickAt = nil
    bubble.isHidden = true
    bubble.want = .nothing
    let isGone = sources[key.source]?.activities[key] == nil
    bubbles[key] = isGone ? nil : bubble
    // Servers close a bubble whose button was used, and call that the person's doing.
    let wasPressed = bubble.pressedAt.map { boottime - $0 < Self.pace } ?? false
    if reason == .byPerson, !wasPressed { dismiss(key) }
  }

  private mutating func dismiss(_ key: SessionKey) {
    guard sources[key.source]?.activities[key] != nil else { return }
    effects.append(.dismiss(key))
  }

  mutating func wasPressed(_ id: UInt32, _ button: String) {
    guard let key = owners[id], let activity = sources[key.source]?.activities[key] else { return }
    let pressed = boottime
    bubbles[key]?.pressedAt = pressed
    let look = look(activity, key, alert: nil)
    if button == Self.clickKey || button == Self.openKey {
      if let url = openable(look) { effects.append(.open(url)) }
    } else if button == Self.dismissKey {
      hide(key, id)
      dismiss(key)
    } else if button.hasPrefix(Self.actionPrefix) {
      let name = button.dropFirst(Self.actionPrefix.count)
      guard let action = look.actions.first(where: { $0.name == name }) else { return }
      if action.isDeclared { effects.append(.act(key, action: action.name)) }
      if let command = action.command { effects.append(.run(command)) }
    } else if button.hasPrefix(Self.snoozePrefix) {
      guard let seconds = Int64(button.dropFirst(Self.snoozePrefix.count)),
        context.settings.snoozes.contains(.seconds(seconds)), let alert = bubbles[key]?.alert
      else { return }
      effects.append(.snooze(key.source, sequence: alert.sequence, .seconds(seconds)))
      hide(key, id)
    }
  }

  private mutating func hide(_ key: SessionKey, _ id: UInt32) {
    owners[id] = nil
    bubbles[key]?.id = nil
    bubbles[key]?.last = nil
    bubbles[key]?.tickAt = nil
    bubbles[key]?.isHidden = true
    bubbles[key]?.want = .nothing
    effects.append(.close(id))
  }
}
