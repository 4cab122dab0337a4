import JSON
import LiveActivity
import SchedulerAPI

extension Verb {
  static let update = Verb(
    "update",
    "ID|--channel NAME [content options] [--title TEXT [--body TEXT]] [--timestamp WHEN] "
      + "[--at WHEN|--after-start SPAN] [--discard-planned]",
    "change content, and alert the person if a title is given",
    operands: 0...1,
    options: contentOptions + [
      .title, .body, .urgency, .sound, .timestamp, .channel, .zone, .session, .ifSequence,
      .at, .afterStart, .discardPlanned,
    ] + ownerOptions,
    forms: [OptionForm(.at, .required("WHEN"), "when it is to change, by itself; else now")],
    notes: contentNotes + [
      "--content replaces state, stale date and relevance; the others change what they name. An "
        + "object that is set is merged into the one that is there.",
      "With --at or --after-start the update is planned: it changes by itself at that date what is "
        + "there then. Several may wait; show lists them, and they go with the activity.",
    ]
  ) { context throws(Failure) in
    let invocation = context.invocation
    try invocation.exclude(.at, .afterStart)
    var update = UpdateParameters(try invocation.address())
    let content = try ContentOptions(invocation)
    update.patch = try content.patch()
    update.alert = try AlertOptions(invocation).alert
    update.session = try invocation.number(.session)
    update.ifSequence = try invocation.number(.ifSequence)
    update.owner = try invocation.owner()
    update.everyOwner = invocation.has(.everyOwner)
    guard
      content.hasState || content.stale != nil || content.relevance != nil
        || update.alert != nil || invocation.has(.discardPlanned)
    else {
      throw .usage("update needs what is to change, as --set KEY=VALUE or --title TEXT")
    }
    let daemon = try context.connect()
    var time = try daemon.timeReader(invocation)
    update.staleDate = try content.stale.map { given throws(Failure) in
      try time.date(given.value, given.spelling)
    }
    update.relevanceScore = content.relevance
    if let state = try content.replacement() {
      update.content = Content(
        state: state, staleDate: update.staleDate, relevanceScore: content.relevance)
      (update.staleDate, update.relevanceScore) = (nil, nil)
    }
    update.timestamp = try context.timestamp(&time)
    update.discardsPlanned = invocation.has(.discardPlanned)
    if let at = invocation.last(.at) { update.due = .at(try time.date(at.value, at.spelling)) }
    if let span = invocation.last(.afterStart) {
      update.due = .after(try TimeReader.span(span.value, span.spelling))
    }
    let answer = try daemon.call(update)
    let what = update.due != nil ? "planned" : update.isPlan ? "planned no more" : "updated"
    context.applied(answer.reply, answer.node, what, time.notes)
    if case .at(let date) = update.due {
      let notice = CreationNotice.line(
        "changes", date.microseconds, now: time.now, zone: time.zone)
      context.console.note(notice)
    }
    return .done
  }

  static let end = Verb(
    "end",
    "ID|--channel NAME [content options] [--title TEXT [--body TEXT]] "
      + "[--dismiss immediate|default|WHEN] [--timestamp WHEN]",
    "end an activity, with final content and an alert if given",
    operands: 0...1,
    options: [.content, .set, .unset, .relevance] + [
      .title, .body, .urgency, .sound, .dismiss, .timestamp, .channel, .zone, .session,
    ] + ownerOptions,
    notes: [
      "It stays to be seen for four hours; --dismiss immediate takes it away at once, --dismiss "
        + "WHEN at that date, four hours after the end at the latest."
    ]
  ) { context throws(Failure) in
    let invocation = context.invocation
    var end = EndParameters(try invocation.address())
    let content = try ContentOptions(invocation)
    end.patch = try content.patch()
    end.relevanceScore = content.relevance
    if let state = try content.replacement() {
      end.content = Content(state: state, relevanceScore: content.relevance)
      end.relevanceScore = nil
    }
    end.alert = try AlertOptions(invocation).alert
    end.session = try invocation.number(.session)
    end.owner = try invocation.owner()
    end.everyOwner = invocation.has(.everyOwner)
    let daemon = try context.connect()
    var time = try daemon.timeReader(invocation)
    end.timestamp = try context.timestamp(&time)
    if let dismiss = invocation.last(.dismiss) {
      end.dismissal =
        switch dismiss.value {
        case "immediate": .immediate
        case "default": .default
        default: .after(try time.date(dismiss.value, dismiss.spelling))
        }
    }
    let answer = try daemon.call(end)
    context.applied(answer.reply, answer.node, "ended", time.notes)
    return .done
  }
}

extension Context {
  fileprivate func timestamp(_ time: inout TimeReader) throws(Failure) -> WallTime? {
    try invocation.last(.timestamp).map { given throws(Failure) in
      try time.date(given.value, given.spelling)
    }
  }

  /// Tells to how many activities something was applied.
  fileprivate func applied(
    _ reply: AppliedReply, _ node: JSONNode, _ what: String, _ notes: [String]
  ) {
    show(node) {}
    let target = (try? invocation.targets().first?.text) ?? ""
    var text = "\(target): \(what)"
    if invocation.has(.channel) || reply.applied > 1 || reply.skipped != 0 {
      text = "\(target): \(reply.applied) \(what), \(reply.skipped) skipped"
    } else if reply.applied == 0 {
      // The same again, under the same timestamp.
      text = "\(target): nothing changed"
    }
    console.note(text)
    for note in notes { console.note("  note    " + harmless(note), .yellow) }
  }
}
