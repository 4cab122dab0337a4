import JSON
import LiveActivity

/// What the look without a file says: the best of what is there.
extension Rendering {
  /// The alert that is the activity's own by now: the event's, that of its end, that of its start.
  var shownAlert: PresentationSubject.AlertText? {
    if let alert = subject.alert { return alert }
    if subject.state == "ended", let alert = subject.endAlert { return alert }
    return subject.startAlert
  }

  var ownTitle: String {
    if let title = shownAlert?.title, !title.isEmpty { return title }
    return first(["title", "name"]) ?? subject.id
  }

  var ownBody: String? {
    if let body = shownAlert?.body, !body.isEmpty { return body }
    return first(["body", "description", "subtitle"])
  }

  /// The first of these keys that the attributes, or else the content, have a text for.
  private func first(_ keys: [String]) -> String? {
    for root in PayloadRoot.allCases {
      for key in keys {
        if let text = subject.value(root, [.key(key)])?.string, !text.isEmpty { return text }
      }
    }
    return nil
  }

  /// `status cooking · seats left 4`: what the content holds, as far as it is short.
  var details: String? {
    var words: [String] = []
    for object in subject.objects(.content).prefix(1) {
      for member in object.members {
        guard words.count < 6, let key = member.key.string,
          !["progress", "title", "name", "body", "description"].contains(key),
          let text = detail(member.value)
        else { continue }
        words.append("\(Rendering.words(ofKey: key)) \(text)")
      }
    }
    return words.isEmpty ? nil : words.joined(separator: " · ")
  }

  private func detail(_ node: JSONNode) -> String? {
    guard let value = FieldValue(node) else { return nil }
    switch value {
    case .text(let text):
      if let date = value.date(dates) {
        return TimeTexts.short(date, now: now, settings.zone)
      }
      return text.isEmpty ? nil : LookText.line(text, most: 60)
    case .number(_, let literal): return literal
    case .date, .span: return nil
    }
  }

  /// `remainingTime` and `remaining_time` as `remaining time`.
  static func words(ofKey key: String) -> String {
    var result = ""
    var wasLower = false
    for character in key {
      if character == "_" || character == "-" {
        result += " "
        wasLower = false
        continue
      }
      if character.isUppercase, wasLower {
        result += " " + character.lowercased()
      } else {
        result.append(character)
      }
      wasLower = character.isLowercase || character.isNumber
    }
    return result
  }
}
