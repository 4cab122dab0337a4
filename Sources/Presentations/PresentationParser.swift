import LiveActivity

extension Presentation {
  /// Reads the text of a file. Never fails: what is wrong is in `diagnostics`, and left out.
  public init(parsing text: String, type: String, file: String) {
    var parser = PresentationParser(Presentation(type: type, file: file))
    // CR belongs to the line break, also where only some lines have it.
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      parser.take(line)
    }
    self = parser.finished()
  }
}

/// Reads a file line by line.
private struct PresentationParser {
  private enum Section {
    case presentation
    case action(Int)
    /// Of nobody: what is in it was reported, or is meant for other programs.
    case none
  }

  private var presentation: Presentation
  private var section = Section.presentation
  private var number = 0
  private var actionLines: [Int] = []
  private var seen: Set<String> = []

  init(_ presentation: Presentation) { self.presentation = presentation }

  private mutating func report(_ column: Int, _ message: String, line: Int? = nil) {
    presentation.diagnostics.append(
      PresentationDiagnostic(
        file: presentation.file, line: line ?? number, column: column + 1, message: message))
  }

  mutating func take(_ text: Substring) {
    number += 1
    var line = text
    if number == 1, line.unicodeScalars.first == "\u{FEFF}" { line.unicodeScalars.removeFirst() }
    let indent = line.prefix(while: \.isWhitespace).count
    let trimmed = line.dropFirst(indent)
    guard let first = trimmed.first, first != "#", first != ";" else { return }
    if trimmed.unicodeScalars.contains("\u{FFFD}") {
      return report(indent, "not valid UTF-8; the line is left out")
    }
    if first == "[" { return open(String(trimmed), indent) }
    if case .none = section { return }
    guard let equals = trimmed.firstIndex(of: "="), equals > trimmed.startIndex else {
      return report(indent, "'\(trimmed)' is not of the form Key=Value")
    }
    var key = trimmed[..<equals]
    while key.last?.isWhitespace == true { key.removeLast() }
    var value = trimmed[trimmed.index(after: equals)...]
    let blanks = value.prefix(while: \.isWhitespace).count
    value = value.dropFirst(blanks)
    while value.last?.isWhitespace == true { value.removeLast() }
    let column = indent + trimmed.distance(from: trimmed.startIndex, to: equals) + 1 + blanks
    assign(String(key), String(value), indent, column)
  }

  private mutating func open(_ text: String, _ column: Int) {
    section = .none
    var name = Substring(text)
    while name.last?.isWhitespace == true { name.removeLast() }
    guard name.hasSuffix("]") else { return report(column, "'\(name)' is not closed by ']'") }
    let words = name.dropFirst().dropLast().split(separator: " ")
    switch words.first {
    case "Presentation" where words.count == 1: section = .presentation
    case "Action" where words.count == 2:
      let action = String(words[1])
      do throws(InvalidValue) {
        try TextRules.checkName(action, "the name of an action")
      } catch {
        return report(column, error.why)
      }
      if let index = presentation.actions.firstIndex(where: { $0.name == action }) {
        section = .action(index)
      } else if presentation.actions.count == LiveActivity.Action.most {
        report(column, "more than \(LiveActivity.Action.most) actions; this one is left out")
      } else {
        section = .action(presentation.actions.count)
        presentation.actions.append(Presentation.Action(name: action))
        actionLines.append(number)
      }
    default:
      if words.first?.hasPrefix("X-") == true { return }
      report(
        column, "there is no section \(name); these are: [Presentation], [Action NAME]")
    }
  }

  private mutating func assign(_ key: String, _ value: String, _ place: Int, _ column: Int) {
    if key.hasPrefix("X-") { return }
    switch section {
    case .none: return
    case .presentation:
      if key == "Dates" { return readDates(value, column) }
      guard let known = Presentation.Key(rawValue: key) else {
        let names = Presentation.Key.allCases.map(\.rawValue).joined(separator: ", ")
        return report(place, "there is no key \(key)=; these are: \(names), Dates")
      }
      readTemplates(known, value, column)
    case .action(let index):
      switch key {
      case "Label":
        guard let template = template(value, column) else { return }
        presentation.actions[index].label = value.isEmpty ? nil : template
      case "Command": readCommand(value, column, index)
      default: report(place, "there is no key \(key)= in an action; these are: Label, Command")
      }
    }
  }

  private mutating func readDates(_ value: String, _ column: Int) {
    if value.isEmpty {
      presentation.dates = .unix
    } else if let dates = DateCounting(rawValue: value) {
      presentation.dates = dates
    } else {
      report(column, "Dates=\(value); unix (from 1970) or swift (from 2001) would be right")
    }
  }

  private mutating func readTemplates(_ key: Presentation.Key, _ value: String, _ column: Int) {
    if value.isEmpty {
      presentation.templates[key] = nil
      return
    }
    guard let template = template(value, column) else { return }
    if let message = Presentation.flaw(of: template, as: key) { return report(column, message) }
    if key == .expanded, let before = presentation.templates[key] {
      if before.count == 8 { return report(column, "more than 8 lines of Expanded=") }
      presentation.templates[key] = before + [template]
    } else {
      presentation.templates[key] = [template]
    }
  }

  private mutating func template(_ text: String, _ column: Int) -> Template? {
    do throws(TemplateError) {
      // One minus: nothing is shown there.
      return try Template(parsing: text == "-" ? "" : text)
    } catch {
      report(column + error.offset, error.message)
      return nil
    }
  }

  private mutating func readCommand(_ value: String, _ column: Int, _ index: Int) {
    do throws(TemplateError) {
      presentation.actions[index].command = try CommandWords.parse(value)
    } catch {
      report(column + error.offset, error.message)
    }
  }

  consuming func finished() -> Presentation {
    for (action, line) in zip(presentation.actions, actionLines)
    where action.label == nil && action.command.isEmpty {
      report(0, "[Action \(action.name)] has neither Label= nor Command=", line: line)
    }
    return presentation
  }
}

extension Presentation {
  /// What can be told of a value before there is an activity.
  fileprivate static func flaw(of template: Template, as key: Key) -> String? {
    guard !template.hasFields, case .text(let text)? = template.pieces.first else { return nil }
    switch key {
    case .urgency:
      return Look.Urgency(rawValue: text) == nil
        ? "Urgency=\(text); low, normal or critical would be right" : nil
    case .tint:
      return Tint.hex(text) == nil
        ? "Tint=\(text); a colour like #34c759, or a name like green, would be right" : nil
    case .progress:
      return FieldValue.text(text).fraction == nil
        ? "Progress=\(text); a field would be right, as in {content.progress}" : nil
    case .url:
      return WebAddress.check(text) == nil
        ? "URL=\(text); a scheme and an address would be right, as in https://example.org/" : nil
    case .icon:
      return text.hasPrefix("/") || text.contains(":")
        ? "Icon=\(text); the name of an icon would be right, as in package-x-generic" : nil
    case .title, .body, .compactLeading, .compactTrailing, .minimal, .expanded: return nil
    }
  }
}
