import JSON
import LiveActivity
import PresentationFiles
import Presentations
import TimeExpressions

extension Verb {
  static let presentation = Verb(
    "presentation", "check FILE|TYPE [--sample JSON|@FILE|-]",
    "tell what is wrong with a presentation, and how it will look", operands: 2...2,
    options: [.sample, .zone],
    notes: [
      "A mistake a line, with file, line and column; exits with 1 if there is one. A name with a "
        + "slash or .conf is a file, any other an attributes type. The sample is an activity as "
        + "'show --json' prints it, of which anything may be missing: "
        + "{\"attributes\": {\"number\": 7}, \"content\": {\"state\": {\"progress\": 0.4}}}."
    ]
  ) { context throws(Failure) in
    let operands = context.invocation.operands
    guard operands[0] == "check" else {
      throw .usage("presentation '\(operands[0])' is not known; check is")
    }
    let presentation = try context.presentation(operands[1])
    for mistake in presentation.diagnostics { context.tell(mistake) }
    if let sample = context.invocation.last(.sample) {
      try context.tell(presentation, sample: try JSONArgument.object(sample))
    }
    return presentation.diagnostics.isEmpty ? .done : .refused
  }
}

extension Context {
  fileprivate func presentation(_ name: String) throws(Failure) -> Presentation {
    guard name.contains("/") || name.hasSuffix(".conf") else {
      guard (try? TextRules.checkName(name, "")) != nil else {
        throw .malformed("'\(name)' is neither an attributes type nor a file, TYPE.conf")
      }
      let files = PresentationFiles()
      for problem in files.problems { console.warn(harmless(problem)) }
      let presentation = files.library.presentation(for: name)
      if presentation.file.isEmpty {
        console.note(
          "there is no file for \(name); it has the look without one. Looked for in: "
            + harmless(PresentationFiles.directories.joined(separator: ", ")))
      } else {
        console.note("\(harmless(presentation.file)) is in force")
      }
      return presentation
    }
    switch PresentationFiles.text(of: name) {
    case .success(let text):
      let type = PresentationLibrary.type(path: name)
      if type == nil {
        console.note(
          "the name of '\(harmless(name))' is not TYPE.conf; there it would be passed over",
          .yellow)
      }
      return Presentation(
        parsing: text, type: type ?? Activity.defaultAttributesType, file: name)
    case .failure(let problem):
      throw .malformed("'\(name)' cannot be read: \(problem.text)")
    }
  }

  fileprivate func tell(_ mistake: PresentationDiagnostic) {
    guard console.form != .text else { return console.line(harmless("\(mistake)")) }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("file", mistake.file)
    writer.member("line", Int64(mistake.line))
    writer.member("column", Int64(mistake.column))
    writer.member("message", mistake.message)
    writer.endObject()
    if let node = try? JSONNode(validating: writer.take()) { console.value(node) }
  }

  fileprivate func tell(_ presentation: Presentation, sample: JSONNode) throws(Failure) {
    let now = WallTime(microseconds: machineMicroseconds())
    let activity = try filled(sample, presentation.type, now)
    let zone = try TimeReader.zone(invocation)
    let look = presentation.look(
      of: PresentationSubject(activity), at: now,
      LookSettings(zone: zone, dataDirectories: PresentationFiles.dataDirectories))
    if console.form == .text {
      for line in LookLines.lines(look, now: now, isColoured: console.output.isColoured) {
        console.line(line)
      }
    } else if let node = try? LookJSON.text(look).parsed() {
      console.value(node)
    }
  }

  /// The sample with what it does not say: that it runs since now.
  private func filled(
    _ sample: JSONNode, _ type: String, _ now: WallTime
  ) throws(Failure) -> JSONNode {
    let given: [(String, String)] = [
      ("id", "sample"), ("state", "active"), ("attributesType", type),
      ("startDate", now.rfc3339), ("startedDate", now.rfc3339),
    ]
    var value = JSONValue(sample)
    do throws(JSONError) {
      for (key, text) in given where sample[key] == nil {
        try value.set(.string(text), at: [key])
      }
      return try value.text().parsed()
    } catch {
      throw .malformed("--sample: \(error.reason)")
    }
  }
}
