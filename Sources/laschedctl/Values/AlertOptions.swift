import LiveActivity

/// The options about alerts.
struct AlertOptions {
  /// What is told at the start, or now.
  let alert: Alert?
  /// What is told at an end that comes by itself.
  let endAlert: Alert?

  init(_ invocation: Invocation) throws(Failure) {
    let urgency = try invocation.choice(.urgency) { (urgency: Alert.Urgency) in urgency.name }
    let sound = invocation.value(.sound)
    alert = try AlertOptions.alert(invocation, .title, .body, sound, urgency)
    endAlert = try AlertOptions.alert(invocation, .endTitle, .endBody, sound, urgency)
    guard alert == nil, endAlert == nil else { return }
    if let lonely = invocation.last(.sound) ?? invocation.last(.urgency) {
      throw .usage("\(lonely.spelling) is about an alert, which needs --title")
    }
  }

  private static func alert(
    _ invocation: Invocation, _ title: OptionName, _ body: OptionName, _ sound: String?,
    _ urgency: Alert.Urgency?
  ) throws(Failure) -> Alert? {
    guard let text = invocation.last(title) else {
      if let body = invocation.last(body) {
        throw .usage("\(body.spelling) needs --\(title.rawValue) too")
      }
      return nil
    }
    do throws(InvalidValue) {
      return try Alert(
        title: text.value, body: invocation.value(body) ?? "", sound: sound, urgency: urgency)
    } catch {
      throw .malformed("\(text.spelling): \(error.why)")
    }
  }
}
