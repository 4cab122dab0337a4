/// The options, by their long spelling.
enum OptionName: String, CaseIterable, Sendable {
  case help, version, quiet, json, socket, user, system
  case owner
  case everyOwner = "every-owner"
  case session
  case ifSequence = "if-sequence"
  case at, title, body, remind, count, this
  case `repeat`
  case repeatEvery = "repeat-every"
  case afterStart = "after-start"
  case discardPlanned = "discard-planned"
  case end
  case `for`
  case endTitle = "end-title"
  case endBody = "end-body"
  case startBy = "start-by"
  case content, set, unset, stale, relevance
  case attributes, attr, type, application, action, urgency, sound, zone
  case ifExists = "if-exists"
  case channel, audience
  case timestamp, dismiss
  case ignoreMissing = "ignore-missing"
  case all, state
  case property
  case value
  case since, until, timeout, clock
  case baseTime = "base-time"
  case iterations
  case sample, follow, format, line
  case priority
  case voidOthers = "void-others"
  case allowPast = "allow-past"
  case wake
}

/// What an option takes after it.
enum OptionValue: Sendable {
  case none
  /// A value, by what help calls it.
  case required(String)
  /// A value after `=`, or one of these words as the next argument.
  case optional(String, [String])
}

/// How an option is written and what it means.
struct OptionForm: Sendable {
  let name: OptionName
  let short: Character?
  let aliases: [String]
  let value: OptionValue
  let help: String

  init(
    _ name: OptionName, _ value: OptionValue, short: Character? = nil, aliases: [String] = [],
    _ help: String
  ) {
    self.name = name
    self.short = short
    self.aliases = aliases
    self.value = value
    self.help = help
  }

  /// One that takes no value.
  init(_ name: OptionName, short: Character? = nil, _ help: String) {
    self.init(name, .none, short: short, help)
  }

  /// As help writes it: `-p, --property=FIELD,…`.
  var synopsis: String {
    var text = short.map { "-\($0), " } ?? ""
    text += "--" + name.rawValue
    switch value {
    case .none: return text
    case .required(let what): return text + "=" + what
    case .optional(let what, _): return text + "[=\(what)]"
    }
  }
}
