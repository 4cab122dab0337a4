import Glibc

/// Finds programs as a shell does.
enum ProgramSearch {
  /// The file of a command. Throws 127 where there is none, 126 where it cannot be run.
  static func find(_ command: String) throws(Failure) -> String {
    if command.contains("/") {
      guard exists(command) else { throw notFound(command) }
      guard isExecutable(command) else { throw notExecutable(command) }
      return command
    }
    var forbidden: String?
    for directory in (environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(
      separator: ":", omittingEmptySubsequences: false)
    {
      let path = (directory.isEmpty ? "." : String(directory)) + "/" + command
      if isExecutable(path) { return path }
      if exists(path) { forbidden = path }
    }
    if let forbidden { throw notExecutable(forbidden) }
    throw notFound(command)
  }

  /// The daemon: `$LASCHED_DAEMON`, the one beside this program, or in `$PATH`.
  static func daemon() throws(Failure) -> String {
    if let path = setting("LASCHED_DAEMON") { return try find(path) }
    if let own = ownDirectory, isExecutable(own + "/lasched") { return own + "/lasched" }
    do throws(Failure) {
      return try find("lasched")
    } catch {
      throw .unreachable(
        "there is no lasched beside laschedctl or in $PATH; $LASCHED_DAEMON can say where it is")
    }
  }

  private static var ownDirectory: String? {
    unsafe realpath("/proc/self/exe", nil).map { path in
      defer { unsafe free(path) }
      let text = unsafe String(cString: path)
      return String(text[..<(text.lastIndex(of: "/") ?? text.startIndex)])
    }
  }

  static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return unsafe access(path, X_OK) == 0 && stat(path, &status) == 0
      && status.st_mode & S_IFMT == S_IFREG
  }

  private static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  private static func notFound(_ command: String) -> Failure {
    Failure(.notFound, "laschedctl.Command", "\(command): there is no such command")
  }

  private static func notExecutable(_ path: String) -> Failure {
    Failure(.notExecutable, "laschedctl.Command", "\(path) cannot be run")
  }
}
