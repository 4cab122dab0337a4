import LiveActivity
import Presentations
import TimeExpressions

extension NotifyAgent {
  static let clickKey = "default"
  static let openKey = "open"
  static let dismissKey = "dismiss"
  static let actionPrefix = "action-"
  static let snoozePrefix = "snooze-"
  /// The program's name where content has none of its own to give.
  static let programName = "lasched"

  func look(_ activity: Activity, _ key: SessionKey, alert: Alert?) -> Look {
    var settings = context.look
    settings.ticking = server?.popsUp == true ? .clockTimes : .texts
    return context.library.look(
      of: PresentationSubject(activity, alert: alert), at: wall(key.source), settings)
  }

  private func wall(_ source: Source) -> WallTime { sources[source]?.wall(now) ?? now.wall }

  /// What is opened at a click: only what the configuration lets.
  func openable(_ look: Look) -> String? {
    guard let url = look.url, let colon = url.firstIndex(of: ":"),
      context.settings.schemes.contains(url[..<colon].lowercased())
    else { return nil }
    return url
  }

  /// The call that shows a session, and when (BOOTTIME) it would read otherwise.
  func compose(
    _ activity: Activity, _ key: SessionKey, _ bubble: Bubble, alert: WaitingAlert?,
    _ server: NotificationServer
  ) -> (Notice, tick: Int64?) {
    let look = look(activity, key, alert: alert?.alert)
    let isForeign = activity.owner != context.reader
    var summary = PlainText.clean(look.title)
    if isForeign { summary = origin(activity.owner) + summary }
    let lines = body(look, activity, key, bubble, alert, server)
    let texts = texts(summary, lines, server)
    var notice = Notice(
      application: Self.programName, replaces: server.replacesByTag ? 0 : bubble.id ?? 0,
      icon: look.icon?.text ?? "",
      summary: texts.summary, body: texts.body,
      buttons: server.hasButtons ? buttons(look, activity, bubble, alert) : [],
      hints: hints(look, activity, key, alert, server), timeout: -1)
    // What anybody may say of themselves is not believed of others.
    if !isForeign || activity.owner == .root, let application = activity.application {
      notice.application = PlainText.clean(application)
      notice.hints["desktop-entry"] = .string(
        PlainText.clean(
          application.hasSuffix(".desktop") ? String(application.dropLast(8)) : application))
    }
    if activity.state.isRunning {
      if context.settings.stays { notice.timeout = 0 }
      // A button does not take it away.
      notice.hints["resident"] = .boolean(true)
    }
    let tick = look.nextTick(.title, .body, .progress, .others).map {
      now.boottime.microseconds.addingClamped(
        $0.microseconds.subtractingReportingOverflow(wall(key.source).microseconds).partialValue)
    }
    return (notice, activity.state.isRunning ? tick : nil)
  }

  /// Whose it is, with a mark that no content has.
  private func origin(_ owner: UserID) -> String {
    "\(PlainText.originMark) \(PlainText.clean(context.userName(owner))): "
  }

  private func texts(
    _ summary: String, _ lines: [String], _ server: NotificationServer
  ) -> (summary: String, body: String) {
    let body = lines.joined(separator: "\n")
    if server.hasBody { return (summary, server.hasMarkup ? PlainText.markup(body) : body) }
    return (([summary] + lines.prefix(1)).joined(separator: " — "), "")
  }

  private func body(
    _ look: Look, _ activity: Activity, _ key: SessionKey, _ bubble: Bubble, _ alert: WaitingAlert?,
    _ server: NotificationServer
  ) -> [String] {
    var lines = PlainText.clean(look.body, lines: true).split(separator: "\n").map(String.init)
    if let progress = look.progress, !server.showsProgress {
      lines.append("\(Self.percent(progress))%")
    }
    if let alert {
      if let text = late(alert) { lines.append(text) }
      if alert.mayHaveBeenShown { lines.append("(perhaps shown before)") }
    } else if let slowness = bubble.slowness {
      lines.append("\(length(slowness)) late")
    }
    if bubble.isLateSight, activity.state.isRunning, let started = activity.startedDate {
      lines.append("since " + TimeTexts.short(started, now: wall(key.source), context.look.zone))
    }
    if activity.state == .stale { lines.append("(out of date)") }
    return lines
  }

  private func late(_ alert: WaitingAlert) -> String? {
    let (late, overflow) = wall(alert.source).microseconds.subtractingReportingOverflow(
      alert.due.microseconds)
    guard !overflow, late >= context.settings.lateAfter.microseconds else { return nil }
    return "\(length(late)) late"
  }

  private func length(_ microseconds: Int64) -> String {
    String(TimeFormat.distance(from: 0, to: microseconds).dropFirst(3))
  }

  private func hints(
    _ look: Look, _ activity: Activity, _ key: SessionKey, _ alert: WaitingAlert?,
    _ server: NotificationServer
  ) -> [String: Notice.Hint] {
    let tag = "lasched-\(key.source.rawValue)-\(key.owner.rawValue)-\(key.session)-\(key.id.text)"
    var hints: [String: Notice.Hint] = [
      "urgency": .byte(look.urgency.level), "x-dunst-stack-tag": .string(tag),
      "x-canonical-private-synchronous": .string(tag),
      "category": .string("x-lasched." + (alert == nil ? "content" : "alert")),
    ]
    if alert == nil {
      hints["suppress-sound"] = .boolean(true)
    } else {
      switch look.sound {
      case .name(let name): hints["sound-name"] = .string(name)
      case .file(let path): hints["sound-file"] = .string(path)
      case nil: break
      }
    }
    if let progress = look.progress, server.showsProgress {
      hints["value"] = .int32(Self.percent(progress))
    }
    return hints
  }

  private static func percent(_ progress: Double) -> Int32 {
    Int32(max(0, min(1, progress)) * 100 + 0.5)
  }

  private func buttons(
    _ look: Look, _ activity: Activity, _ bubble: Bubble, _ alert: WaitingAlert?
  ) -> [Notice.Button] {
    var buttons: [Notice.Button] = []
    if activity.state != .dismissed {
      buttons += look.actions.map { action in
        let label = PlainText.clean(action.label)
        return Notice.Button(Self.actionPrefix + action.name, label.isEmpty ? action.name : label)
      }
    }
    if openable(look) != nil {
      buttons.insert(Notice.Button(Self.clickKey, "Open"), at: 0)
      buttons.append(Notice.Button(Self.openKey, "Open"))
    }
    guard activity.state != .dismissed else { return buttons }
    if alert != nil || bubble.alert != nil {
      buttons += context.settings.snoozes.map { span in
        Notice.Button(
          Self.snoozePrefix + String(span.microseconds / 1_000_000),
          "Again in \(length(span.microseconds))")
      }
    }
    buttons.append(Notice.Button(Self.dismissKey, "Dismiss"))
    return buttons
  }

  // MARK: Several in one

  private static let mostLines = 8

  /// Many alerts in one bubble.
  func summary(_ alerts: [WaitingAlert], _ server: NotificationServer) -> Notice {
    let lines = alerts.map { alert in
      line(look(alert.activity, alert.session, alert: alert.alert).title, alert.activity.owner)
        + (late(alert).map { " (\($0))" } ?? "")
    }
    var extra: [String] = []
    if alerts.contains(where: \.mayHaveBeenShown) { extra.append("(some perhaps shown before)") }
    let isCritical = alerts.contains { $0.alert.urgency == .critical }
    return gathered(
      "\(alerts.count) alerts", lines, extra, server, urgency: isCritical ? .critical : .normal,
      category: "x-lasched.alert")
  }

  /// What is active, many in one bubble.
  func overview(_ activities: [Activity], _ server: NotificationServer) -> Notice {
    let sorted = activities.sorted {
      ($0.startedDate?.microseconds ?? 0, $0.id) < ($1.startedDate?.microseconds ?? 0, $1.id)
    }
    let lines = sorted.map { activity in
      let since = activity.startedDate.map {
        " (since \(TimeTexts.short($0, now: now.wall, context.look.zone)))"
      }
      let look = context.library.look(
        of: PresentationSubject(activity), at: now.wall, context.look)
      return line(look.title, activity.owner) + (since ?? "")
    }
    return gathered(
      "\(activities.count) activities are active", lines, [], server, urgency: .low,
      category: "x-lasched.content")
  }

  private func line(_ title: String, _ owner: UserID) -> String {
    (owner == context.reader ? "" : origin(owner)) + PlainText.clean(title)
  }

  private func gathered(
    _ summary: String, _ lines: [String], _ extra: [String], _ server: NotificationServer,
    urgency: Look.Urgency, category: String
  ) -> Notice {
    var shown = lines
    if lines.count > Self.mostLines {
      shown = lines.prefix(Self.mostLines - 1) + ["and \(lines.count - Self.mostLines + 1) more"]
    }
    let texts = texts(summary, shown + extra, server)
    return Notice(
      application: Self.programName, replaces: 0, icon: "", summary: texts.summary,
      body: texts.body, buttons: [],
      hints: ["urgency": .byte(urgency.level), "category": .string(category)], timeout: -1)
  }
}

extension Look.Urgency {
  /// The number in the specification.
  fileprivate var level: UInt8 {
    switch self {
    case .low: 0
    case .normal: 1
    case .critical: 2
    }
  }
}
