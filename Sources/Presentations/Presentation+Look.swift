public import LiveActivity

extension Presentation {
  /// How an activity looks at a time (CLOCK_REALTIME; in mocked time the daemon's).
  public func look(
    of subject: PresentationSubject, at now: WallTime, _ settings: LookSettings
  ) -> Look {
    var drawing = Drawing(
      presentation: self, rendering: Rendering(subject, dates, now, settings))
    return drawing.look()
  }
}

/// Draws one look.
private struct Drawing {
  let presentation: Presentation
  var rendering: Rendering

  private var subject: PresentationSubject { rendering.subject }

  mutating func look() -> Look {
    var ticks: [Look.Place: WallTime] = [:]
    let title = title()
    ticks[.title] = rendering.takeTick()
    let body = body()
    ticks[.body] = rendering.takeTick()
    let compact = (line(.compactLeading, 80), line(.compactTrailing, 80))
    ticks[.compact] = rendering.takeTick()
    var minimal = line(.minimal, 40)
    ticks[.minimal] = rendering.takeTick()
    if minimal.isEmpty, presentation.templates(.minimal).contains(where: { !$0.pieces.isEmpty }) {
      minimal = compact.1.isEmpty ? compact.0 : compact.1
      ticks[.minimal] = ticks[.compact]
    }
    let expanded = lines(.expanded)
    ticks[.expanded] = rendering.takeTick()
    let progress = progress()
    ticks[.progress] = rendering.takeTick()
    let others = (icon: media(line(.icon, 1024), .icon), tint: Tint.hex(line(.tint, 40)))
    let (url, urgency, actions) = (url(), urgency(), actions())
    ticks[.others] = rendering.takeTick()
    return Look(
      title: title, body: body, compactLeading: compact.0, compactTrailing: compact.1,
      minimal: minimal, expanded: expanded, progress: progress, icon: others.icon,
      tint: others.tint, url: url, sound: sound, urgency: urgency, actions: actions, ticks: ticks)
  }

  /// The texts of a key, a line break between its lines.
  private mutating func text(_ key: Presentation.Key) -> String {
    var texts: [String] = []
    for template in presentation.templates(source(key)) { texts.append(rendering.text(template)) }
    return texts.joined(separator: "\n")
  }

  /// Where a file says nothing of them, a bar has its title and a card its body.
  private func source(_ key: Presentation.Key) -> Presentation.Key {
    guard presentation.templates[key] == nil else { return key }
    switch key {
    case .compactLeading: return .title
    case .expanded: return .body
    default: return key
    }
  }

  private mutating func line(_ key: Presentation.Key, _ most: Int) -> String {
    LookText.line(text(key), most: most)
  }

  private mutating func lines(_ key: Presentation.Key) -> [String] {
    LookText.lines(text(key), most: 400)
  }

  private mutating func title() -> String {
    if let alert = subject.alert {
      let title = LookText.line(alert.title, most: 256)
      if !title.isEmpty { return title }
    }
    for text in [text(.title), rendering.ownTitle, subject.id] {
      let title = LookText.line(text, most: 256)
      if !title.isEmpty { return title }
    }
    return "?"
  }

  private mutating func body() -> String {
    var body = lines(.body)
    if let alert = subject.alert {
      let said = LookText.lines(alert.body, most: 400)
      body = said + body.filter { !said.contains($0) }
    }
    return body.joined(separator: "\n")
  }

  private mutating func progress() -> Double? {
    presentation.templates(.progress).first.flatMap { rendering.fraction($0) }
  }

  private func media(_ text: String, _ kind: MediaName.Kind) -> MediaName? {
    text.isEmpty
      ? nil : MediaName(text, kind, dataDirectories: rendering.settings.dataDirectories)
  }

  private var sound: MediaName? { rendering.shownAlert?.sound.flatMap { media($0, .sound) } }

  /// A field that is all of it is taken as it is; within an address a field cannot change what the
  /// rest of it means.
  private mutating func url() -> String? {
    guard let template = presentation.templates(.url).first else { return nil }
    if template.isOneField || !template.hasFields {
      return WebAddress.check(rendering.text(template))
    }
    guard template.beginsWithText else { return nil }
    return WebAddress.check(rendering.text(template, WebAddress.escaped))
  }

  private mutating func urgency() -> Look.Urgency {
    let own = rendering.shownAlert?.urgency.flatMap { Look.Urgency(rawValue: $0) }
    let said = Look.Urgency(rawValue: line(.urgency, 20))
    // What an event says of itself is meant for this moment.
    return (subject.alert == nil ? said ?? own : own ?? said) ?? .normal
  }

  private mutating func actions() -> [Look.Action] {
    var actions = subject.actions.map { name, label in
      Look.Action(
        name: name, label: LookText.line(label, most: 256), command: nil, isDeclared: true)
    }
    for own in presentation.actions {
      let label = own.label.map { LookText.line(rendering.text($0), most: 256) } ?? ""
      let command = command(own.command)
      if let index = actions.firstIndex(where: { $0.name == own.name }) {
        if !label.isEmpty { actions[index].label = label }
        actions[index].command = command
      } else if let command {
        actions.append(
          Look.Action(
            name: own.name, label: label.isEmpty ? own.name : label, command: command,
            isDeclared: false))
      }
    }
    return actions
  }

  /// nil where a word would be an option only because a payload says so, or hold what no argument
  /// can.
  private mutating func command(_ templates: [Template]) -> [String]? {
    var words: [String] = []
    for template in templates {
      let word = rendering.text(template)
      if word.utf8.contains(0) || (word.hasPrefix("-") && !template.beginsWithText) { return nil }
      words.append(word)
    }
    return words.isEmpty ? nil : words
  }
}
