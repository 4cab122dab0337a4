/// A command line that was understood: a verb, its operands, its options.
struct Invocation: Sendable {
  struct Given: Sendable {
    let name: OptionName
    /// As it was written: `--content-state`.
    let spelling: String
    let value: String
  }

  var verb: Verb
  var operands: [String] = []
  /// In the order of the command line.
  var given: [Given] = []
  /// Where in argv the command after `--` begins, in a verb that has one.
  var command: Int?

  func has(_ name: OptionName) -> Bool { given.contains { $0.name == name } }

  /// The last value given for an option.
  func value(_ name: OptionName) -> String? { last(name)?.value }

  func last(_ name: OptionName) -> Given? { given.last { $0.name == name } }

  /// All that was given for some options, in order.
  func all(_ names: OptionName...) -> [Given] { given.filter { names.contains($0.name) } }

  /// All values of an option that takes a list with commas and may come several times.
  func list(_ name: OptionName) -> [String]? {
    let all = all(name)
    guard !all.isEmpty else { return nil }
    return all.flatMap { $0.value.split(separator: ",", omittingEmptySubsequences: false) }
      .map(String.init)
  }

  /// Throws if two options are given that exclude each other.
  func exclude(_ names: OptionName...) throws(Failure) {
    let spellings = names.compactMap { last($0)?.spelling }
    guard spellings.count > 1 else { return }
    throw .usage("\(spellings[0]) and \(spellings[1]) exclude each other; give one of them")
  }

  /// One of an option's words.
  func choice<Value: CaseIterable>(
    _ name: OptionName, _ text: (Value) -> String
  ) throws(Failure) -> Value? {
    guard let given = last(name) else { return nil }
    if let value = Value.allCases.first(where: { text($0) == given.value }) { return value }
    let words = Value.allCases.map(text).joined(separator: ", ")
    throw .usage("\(given.spelling) '\(given.value)' is none of \(words)")
  }

  /// A whole number from 0.
  func number(_ name: OptionName) throws(Failure) -> Int64? {
    guard let given = last(name) else { return nil }
    guard let number = Int64(given.value), number >= 0 else {
      throw .malformed("\(given.spelling) '\(given.value)' is not a whole number from 0")
    }
    return number
  }
}
