import LiveActivity

extension NotifyAgent {
  /// At most one update a bubble in this time.
  static let pace: Int64 = 1_000_000
  /// A server that takes longer than this is said to hang.
  static let slow: Int64 = 10_000_000

  private var boottime: Int64 { now.boottime.microseconds }

  /// Sends what is due, if nothing is under way.
  mutating func deliver() {
    if var flight, !flight.saidSlow, boottime - flight.began >= Self.slow {
      flight.saidSlow = true
      self.flight = flight
      effects.append(.say("the notification server does not answer; waiting for it"))
    }
    guard flight == nil, let server, boottime >= pauseUntil else { return }
    if let until = gatherUntil {
      guard boottime >= until else { return }
      gatherUntil = nil
    }
    let alerts = waiting.filter { !isInhibited || $0.alert.urgency == .critical }
    if alerts.count > context.settings.mostAtOnce { return sendSummary(alerts, server) }
    if let alert = alerts.first { return sendAlert(alert, server) }
    guard !isInhibited else { return }
    sendContent(server)
  }

  private mutating func sendAlert(_ alert: WaitingAlert, _ server: NotificationServer) {
    waiting.removeAll { $0.key == alert.key }
    let bubble = bubbles[alert.session] ?? Bubble()
    bubbles[alert.session] = bubble
    let (notice, tick) = compose(alert.activity, alert.session, bubble, alert: alert, server)
    note([alert])
    send(.alert(alert), notice, tick)
  }

  private mutating func sendSummary(_ alerts: [WaitingAlert], _ server: NotificationServer) {
    let keys = Set(alerts.map(\.key))
    waiting.removeAll { keys.contains($0.key) }
    for alert in alerts where alert.activity.state.isRunning {
      var bubble = bubbles[alert.session] ?? Bubble()
      if bubble.id == nil {
        bubble.isHidden = true
        bubble.want = .nothing
      }
      bubbles[alert.session] = bubble
    }
    note(alerts)
    send(.summary(alerts), summary(alerts, server), nil)
  }

  private mutating func note(_ alerts: [WaitingAlert]) {
    for alert in alerts {
      notes[alert.key] = .begun
      effects.append(.note(alert.key, .begun))
      recentAlerts.append(boottime)
    }
  }

  private mutating func sendContent(_ server: NotificationServer) {
    let wanted = bubbles.filter { $0.value.want == .show && !$0.value.isHidden }
    if wanted.count > context.settings.mostAtOnce {
      let activities = wanted.keys.compactMap { activity($0) }
      for key in wanted.keys {
        bubbles[key]?.want = .nothing
        bubbles[key]?.isHidden = true
      }
      if !activities.isEmpty { return send(.overview, overview(activities, server), nil) }
    }
    let due = bubbles.filter { isDue($0.value, server) }
    // In the order in which they fell due; of those that did at once the older activity first.
    for key in due.keys.sorted(by: { order($0) < order($1) }) {
      guard let bubble = bubbles[key], let activity = activity(key) else {
        bubbles[key] = nil
        continue
      }
      bubbles[key]?.want = .nothing
      bubbles[key]?.tickAt = nil
      bubbles[key]?.slowness = nil
      let (notice, tick) = compose(activity, key, bubble, alert: nil, server)
      if let last = bubble.last, bubble.id != nil, bubble.want != .end, notice.looksLike(last) {
        bubbles[key]?.tickAt = tick
        continue
      }
      return send(.content(key), notice, tick)
    }
  }

  private func activity(_ key: SessionKey) -> Activity? { sources[key.source]?.activities[key] }

  private func order(_ key: SessionKey) -> (Int64, Int64, String) {
    (bubbles[key]?.sentAt ?? 0, activity(key)?.sequence ?? 0, key.id.text)
  }

  private func isDue(_ bubble: Bubble, _ server: NotificationServer) -> Bool {
    dueAt(bubble, server).map { $0 <= boottime } ?? false
  }

  /// When (BOOTTIME) a bubble is to be sent again; nil while nothing calls for that.
  private func dueAt(_ bubble: Bubble, _ server: NotificationServer) -> Int64? {
    let paced = bubble.sentAt.addingClamped(Self.pace)
    switch bubble.want {
    case .show: return bubble.isHidden ? nil : .min
    case .end: return .min
    case .content where isUpdated(bubble, server): return paced
    case .content where bubble.slowness != nil: return paced
    case .content, .nothing:
      guard let tick = bubble.tickAt, isUpdated(bubble, server) else { return nil }
      return max(tick, paced)
    }
  }

  /// Whether content alone is sent to it.
  private func isUpdated(_ bubble: Bubble, _ server: NotificationServer) -> Bool {
    bubble.id != nil && !server.popsUp && context.settings.showsUpdates
  }

  private mutating func send(_ purpose: Flight.Purpose, _ notice: Notice, _ tick: Int64?) {
    flight = Flight(purpose: purpose, notice: notice, began: boottime, tickAt: tick)
    effects.append(.notify(notice))
  }

  /// When (BOOTTIME, in microseconds) `take(.time)` has something to do; nil for never.
  public var nextDeadline: Int64? {
    if let flight { return flight.saidSlow ? nil : flight.began + Self.slow }
    guard let server else { return nil }
    let alerts = waiting.contains { !isInhibited || $0.alert.urgency == .critical }
    var due: Int64?
    if alerts {
      due = .min
    } else if !isInhibited {
      due = bubbles.values.compactMap { dueAt($0, server) }.min()
    }
    return due.map { max($0, gatherUntil ?? .min, pauseUntil) }
  }
}
