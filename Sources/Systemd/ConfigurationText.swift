/// One `Key=Value` of a configuration file, and where it stands.
public struct ConfigurationEntry: Hashable, Sendable {
  /// The section's name, without brackets.
  public let section: String
  /// The key, as written.
  public let key: String
  /// The value, trimmed; empty resets the key to its default.
  public let value: String
  /// The file.
  public let file: String
  /// The line it begins on, from 1.
  public let line: Int
}

/// Something in a configuration file that is passed over.
public struct ConfigurationWarning: Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public let file: String
  /// The line, from 1; nil if it is about the whole file.
  public let line: Int?
  /// What is wrong, and what would be right.
  public let message: String

  /// A warning about a line, or about the whole file.
  public init(file: String, line: Int?, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  /// One line: `FILE:LINE: message`.
  public var description: String {
    line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
  }
}

/// Configuration read so far: entries in the order in which later ones override earlier ones.
public struct Configuration: Hashable, Sendable {
  /// All assignments.
  public internal(set) var entries: [ConfigurationEntry] = []
  /// What was passed over.
  public internal(set) var warnings: [ConfigurationWarning] = []
  /// The files that were read, in that order.
  public internal(set) var files: [String] = []

  /// Without entries.
  public init() {}

  /// Reads the text of one file behind what is there; systemd.syntax(7).
  ///
  /// Sections and keys that begin with `X-` are other programs' business and are left out.
  public mutating func read(_ text: [UInt8], file: String) {
    files.append(file)
    var reader = LineReader(file: file)
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    if let first = lines.first, first.starts(with: [0xef, 0xbb, 0xbf]) {
      lines[0] = first.dropFirst(3)
    }
    for line in lines { reader.take(line) }
    reader.finish()
    entries += reader.entries
    warnings += reader.warnings
  }
}

/// Puts continued lines together and takes them apart.
private struct LineReader {
  let file: String
  var entries: [ConfigurationEntry] = []
  var warnings: [ConfigurationWarning] = []
  private var section: String?
  private var skipsSection = false
  private var number = 0
  private var continued: [UInt8] = []
  private var continuedFrom: Int?

  init(file: String) { self.file = file }

  mutating func take(_ physical: ArraySlice<UInt8>) {
    number += 1
    var line = physical.drop { isBlank($0) }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    // Comments do not end a continued line.
    if let first = line.first, first == UInt8(ascii: "#") || first == UInt8(ascii: ";") { return }
    let backslashes = line.reversed().prefix { $0 == UInt8(ascii: "\\") }.count
    continued += line
    if backslashes % 2 == 1 {
      continued[continued.count - 1] = UInt8(ascii: " ")
      continuedFrom = continuedFrom ?? number
    } else {
      finish()
    }
  }

  mutating func finish() {
    let start = continuedFrom ?? number
    let line = trimmed(continued[...])
    continued = []
    continuedFrom = nil
    guard let first = line.first else { return }
    guard let text = String(validating: line, as: UTF8.self), !line.contains(0) else {
      return warn(start, "not valid UTF-8; the line is ignored")
    }
    if first == UInt8(ascii: "[") { open(text, start) } else { assign(line, text, start) }
  }

  private mutating func open(_ text: String, _ number: Int) {
    let name = text.dropFirst().dropLast()
    if text.hasSuffix("]"), !name.isEmpty, !name.contains(where: { "[]".contains($0) }) {
      section = String(name)
      skipsSection = name.hasPrefix("X-")
    } else {
      section = nil
      skipsSection = true
      warn(number, "bad section '\(text)', not like [Name]; ignored up to the next section")
    }
  }

  private mutating func assign(_ line: ArraySlice<UInt8>, _ text: String, _ number: Int) {
    if skipsSection { return }
    guard let section else {
      return warn(number, "'\(text)' stands before any [Section]; ignored")
    }
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > line.startIndex else {
      return warn(number, "'\(text)' is not of the form Key=Value; ignored")
    }
    let key = String(decoding: trimmed(line[..<equals]), as: UTF8.self)
    if key.hasPrefix("X-") { return }
    let value = String(decoding: trimmed(line[(equals + 1)...]), as: UTF8.self)
    entries.append(
      ConfigurationEntry(section: section, key: key, value: value, file: file, line: number))
  }

  private mutating func warn(_ line: Int, _ message: String) {
    warnings.append(ConfigurationWarning(file: file, line: line, message: message))
  }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }

private func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  var line = line.drop { isBlank($0) }
  while let last = line.last, isBlank(last) { line.removeLast() }
  return line
}
