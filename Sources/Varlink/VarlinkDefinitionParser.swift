/// Reads the interface definition language; errors end it where they are found.
struct VarlinkDefinitionParser {
  private let bytes: [UInt8]
  private var position = 0
  /// Types named anywhere, and where, to be checked at the end.
  private var named: [(name: String, position: Int)] = []
  private static let maximumDepth = 64

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func interface() throws(VarlinkDefinitionError) -> VarlinkInterface {
    guard word() == "interface" else { throw error("'interface' expected first") }
    skip()
    let start = position
    let name = word()
    guard Self.isInterfaceName(name) else {
      throw error("an interface's name in reverse-domain notation expected", at: start)
    }
    var types: [VarlinkDefinition] = []
    var methods: [VarlinkMethod] = []
    var errors: [VarlinkDefinition] = []
    var known: Set<String> = []
    while !atEnd() {
      let keywordStart = position
      let keyword = word()
      skip()
      let start = position
      guard ["type", "method", "error"].contains(keyword) else {
        throw error("'type', 'method' or 'error' expected", at: keywordStart)
      }
      let name = word()
      guard Self.isTypeName(name) else {
        throw error("a name that begins with a capital letter expected", at: start)
      }
      guard known.insert(name).inserted else { throw error("'\(name)' twice", at: start) }
      switch keyword {
      case "type": types.append(VarlinkDefinition(name: name, type: try parentheses(0)))
      case "error": errors.append(VarlinkDefinition(name: name, type: try structure()))
      default:
        let input = try structure()
        guard take("-"), take(">") else { throw error("'->' expected") }
        methods.append(VarlinkMethod(name: name, input: input, output: try structure()))
      }
    }
    for use in named where !types.contains(where: { $0.name == use.name }) {
      throw error("there is no type '\(use.name)'", at: use.position)
    }
    return VarlinkInterface(name: name, types: types, methods: methods, errors: errors)
  }

  private mutating func structure() throws(VarlinkDefinitionError) -> VarlinkType {
    skip()
    let start = position
    let type = try parentheses(0)
    guard case .structure = type else { throw error("fields with types expected", at: start) }
    return type
  }

  /// `(…)`: a structure or an enumeration. Empty it is a structure.
  private mutating func parentheses(_ depth: Int) throws(VarlinkDefinitionError) -> VarlinkType {
    guard take("(") else { throw error("'(' expected") }
    if take(")") { return .structure([]) }
    var fields: [VarlinkField] = []
    var values: [String] = []
    var known: Set<String> = []
    repeat {
      skip()
      let start = position
      let name = word()
      guard Self.isFieldName(name) else { throw error("a field's name expected", at: start) }
      guard known.insert(name).inserted else { throw error("'\(name)' twice", at: start) }
      if take(":") {
        fields.append(VarlinkField(name: name, type: try type(depth + 1)))
      } else {
        values.append(name)
      }
      guard fields.isEmpty || values.isEmpty else {
        throw error("either all have types or none", at: start)
      }
    } while take(",")
    guard take(")") else { throw error("',' or ')' expected") }
    return fields.isEmpty ? .enumeration(values) : .structure(fields)
  }

  private mutating func type(_ depth: Int) throws(VarlinkDefinitionError) -> VarlinkType {
    guard depth <= Self.maximumDepth else { throw error("nested too deep") }
    skip()
    let start = position
    if take("?") {
      skip()
      guard peek() != UInt8(ascii: "?") else { throw error("'?' twice") }
      return .optional(try type(depth + 1))
    }
    if take("[") {
      if take("]") { return .array(try type(depth + 1)) }
      guard word() == "string", take("]") else { throw error("'[]' or '[string]' expected") }
      return .map(try type(depth + 1))
    }
    if peek() == UInt8(ascii: "(") { return try parentheses(depth) }
    switch word() {
    case "bool": return .bool
    case "int": return .int
    case "float": return .float
    case "string": return .string
    case "object": return .object
    case let name:
      guard Self.isTypeName(name) else { throw error("a type expected", at: start) }
      named.append((name, start))
      return .named(name)
    }
  }
}

extension VarlinkDefinitionParser {
  /// Skips white space and comments, which run from `#` to the end of the line.
  private mutating func skip() {
    while let byte = peek() {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case UInt8(ascii: "#"):
        while let byte = peek(), byte != 0x0A { position += 1 }
      default: return
      }
    }
  }

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func atEnd() -> Bool {
    skip()
    return position == bytes.count
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skip()
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// The letters, digits, `.`, `-` and `_` that come next.
  private mutating func word() -> String {
    skip()
    let start = position
    while let byte = peek(), Self.isAlphanumeric(byte) || [0x2E, 0x2D, 0x5F].contains(byte) {
      // The arrow after a method's parameters is no part of a name.
      if byte == 0x2D, position + 1 < bytes.count, bytes[position + 1] == 0x3E { break }
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private func error(_ reason: String, at position: Int? = nil) -> VarlinkDefinitionError {
    let before = bytes[..<max(0, min(position ?? self.position, bytes.count))]
    let line = before.count { $0 == 0x0A }
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return VarlinkDefinitionError(
      line: line + 1, column: before.count - lineStart + 1, reason: reason)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  /// At least two parts between dots, each alphanumeric at both ends with hyphens between.
  private static func isInterfaceName(_ name: String) -> Bool {
    let parts = Array(name.utf8).split(separator: 0x2E, omittingEmptySubsequences: false)
    guard parts.count >= 2, let first = parts[0].first, !(0x30...0x39).contains(first) else {
      return false
    }
    return parts.allSatisfy { part in
      guard let first = part.first, let last = part.last else { return false }
      return isAlphanumeric(first) && isAlphanumeric(last)
        && part.allSatisfy { isAlphanumeric($0) || $0 == 0x2D }
    }
  }

  private static func isTypeName(_ name: String) -> Bool {
    guard let first = name.utf8.first, (0x41...0x5A).contains(first) else { return false }
    return name.utf8.allSatisfy(isAlphanumeric)
  }

  /// Alphanumeric from a letter on, with single underscores inside.
  private static func isFieldName(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, isAlphanumeric(first), !(0x30...0x39).contains(first) else {
      return false
    }
    return bytes.split(separator: 0x5F, omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.allSatisfy(isAlphanumeric)
    }
  }
}
