import Glibc
import JSON

/// JSON on the command line: itself, `@FILE`, or `-` for stdin.
enum JSONArgument {
  /// More than any payload may have, and little enough to read at once.
  private static let mostBytes = 1 << 20

  /// The object that an option gives.
  static func object(_ given: Invocation.Given) throws(Failure) -> JSONNode {
    try object(given.value, given.spelling)
  }

  /// The object that an argument gives; `what` is what help calls it.
  static func object(_ value: String, _ what: String) throws(Failure) -> JSONNode {
    let (bytes, source) = try contents(value, what, hasStandardInput: true)
    let node = try parse(bytes, source)
    guard node.kind == .object else {
      throw .malformed("\(source) is not a JSON object, as {\"score\": 2}")
    }
    return node
  }

  /// A word, or the first line of `@FILE`.
  static func word(_ value: String, _ what: String) throws(Failure) -> String {
    let (bytes, _) = try contents(value, what, hasStandardInput: false)
    return String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
  }

  /// What an argument stands for, and what to call its source.
  private static func contents(
    _ value: String, _ what: String, hasStandardInput: Bool
  ) throws(Failure) -> (bytes: [UInt8], source: String) {
    if value == "-", hasStandardInput {
      let source = "\(what) on stdin"
      return (try read(STDIN_FILENO, source), source)
    }
    guard value.hasPrefix("@") else { return (Array(value.utf8), what) }
    let path = String(value.dropFirst())
    let source = "\(what) in \(path)"
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(source) }
    defer { close(descriptor) }
    return (try read(descriptor, source), source)
  }

  /// Any JSON value.
  static func parse(_ bytes: [UInt8], _ source: String) throws(Failure) -> JSONNode {
    do throws(JSONError) {
      return try JSONNode(validating: bytes)
    } catch {
      throw .malformed("\(source): at byte \(error.offset): \(error.reason)")
    }
  }

  private static func read(_ descriptor: Int32, _ source: String) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw unreadable(source) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= mostBytes else {
        throw .malformed("\(source) is larger than \(mostBytes) bytes")
      }
    }
  }

  private static func unreadable(_ source: String) -> Failure {
    .malformed("\(source) cannot be read: \(systemError(errno))")
  }
}

/// What an error number means (strerror(3)).
func systemError(_ number: Int32) -> String {
  unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
}
