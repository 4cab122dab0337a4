import JSON

/// Changes of single keys of an object: `--set`, `--unset` and `--attr`, in the order given.
struct ObjectEdits {
  private struct Edit {
    let spelling: String
    let path: [String]
    /// nil removes the key.
    let value: JSONValue?
  }

  private var edits: [Edit] = []

  var isEmpty: Bool { edits.isEmpty }

  init(_ given: [Invocation.Given]) throws(Failure) {
    for given in given {
      let isRemoval = given.name == .unset
      edits.append(try isRemoval ? ObjectEdits.removal(given) : ObjectEdits.change(given))
    }
  }

  private static func removal(_ given: Invocation.Given) throws(Failure) -> Edit {
    Edit(spelling: given.spelling, path: try path(given.value, given), value: nil)
  }

  private static func change(_ given: Invocation.Given) throws(Failure) -> Edit {
    guard let sign = given.value.firstIndex(of: "=") else {
      throw .usage("\(given.spelling) '\(given.value)' is not KEY=VALUE or KEY:=JSON")
    }
    var key = given.value[..<sign]
    let text = String(given.value[given.value.index(after: sign)...])
    guard key.hasSuffix(":") else {
      return Edit(
        spelling: given.spelling, path: try path(String(key), given), value: .string(text))
    }
    key = key.dropLast()
    let node = try JSONArgument.parse(Array(text.utf8), "\(given.spelling) \(key):=")
    return Edit(
      spelling: given.spelling, path: try path(String(key), given), value: JSONValue(node))
  }

  /// `score.home` is two keys, `a\.b` one.
  private static func path(
    _ text: String, _ given: Invocation.Given
  ) throws(Failure) -> [String] {
    var path = [""]
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if !isEscaped, scalar == "\\" {
        isEscaped = true
        continue
      }
      if !isEscaped, scalar == "." {
        path.append("")
      } else {
        path[path.count - 1].unicodeScalars.append(scalar)
      }
      isEscaped = false
    }
    guard path.allSatisfy({ !$0.isEmpty }) else {
      throw .usage("\(given.spelling) '\(given.value)': a key is empty; dots stand between keys")
    }
    return path
  }

  /// An object with the changes made.
  func applied(to object: JSONNode?) throws(Failure) -> JSONText {
    var value = object.map { JSONValue($0) } ?? .object([])
    for edit in edits {
      if let new = edit.value {
        try set(&value, new, edit)
      } else {
        value.remove(edit.path[...])
      }
    }
    return try text(value)
  }

  /// The changes as a merge patch (RFC 7396), in which null removes and an object is merged.
  func patch() throws(Failure) -> JSONText {
    var value = JSONValue.object([])
    for edit in edits {
      if let new = edit.value, new.hasNullMember {
        throw .malformed(
          "\(edit.spelling) \(edit.path.joined(separator: ".")): a change cannot set null; "
            + "--unset removes a key, --content replaces the whole state")
      }
      try set(&value, edit.value ?? .null, edit)
    }
    return try text(value)
  }

  private func set(
    _ value: inout JSONValue, _ new: JSONValue, _ edit: Edit
  ) throws(Failure) {
    do throws(JSONError) {
      try value.set(new, at: edit.path)
    } catch {
      throw .malformed("\(edit.spelling) \(edit.path.first ?? ""): \(error.reason)")
    }
  }

  private func text(_ value: JSONValue) throws(Failure) -> JSONText {
    do throws(JSONError) {
      return try value.text()
    } catch {
      throw .malformed("\(edits.last?.spelling ?? "--set"): \(error.reason)")
    }
  }
}

extension JSONValue {
  /// Removes the member at a path, if there is one.
  fileprivate mutating func remove(_ path: ArraySlice<String>) {
    guard let key = path.first, case .object(var members) = self,
      let place = members.firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) })
    else { return }
    if path.count == 1 {
      members.remove(at: place)
    } else {
      members[place].value.remove(path.dropFirst())
    }
    self = .object(members)
  }

  /// Whether it is null, or an object with a null somewhere that a merge patch would take for a
  /// removal. Recursion is bound by the depth of a document.
  fileprivate var hasNullMember: Bool {
    switch self {
    case .null: true
    case .object(let members): members.contains { $0.value.hasNullMember }
    case .bool, .number, .string, .array: false
    }
  }
}
