import Glibc

/// The programs under test: they are built into the directory of the test bundle.
enum Programs {
  static let directory: String = {
    guard let path = unsafe realpath("/proc/self/exe", nil) else { return "." }
    defer { unsafe free(path) }
    let text = unsafe String(cString: path)
    return text.lastIndex(of: "/").map { String(text[..<$0]) } ?? "."
  }()

  static var laschedctl: String { directory + "/laschedctl" }
}

/// What came of a program.
struct Outcome: CustomStringConvertible {
  /// The exit status, or 128 and the signal's number.
  var status: Int32 = -1
  var output = ""
  var errors = ""

  var description: String { "status \(status)\nstdout: \(output)\nstderr: \(errors)" }

  /// The lines of stdout.
  var lines: [String] { output.split(separator: "\n").map(String.init) }
}
