import Testing

/// A real daemon in mocked time, as `laschedctl test` starts it, for as long as this lives. Its time
/// stands at 2026-11-30 10:00 UTC, 11:00 in Berlin.
final class Ground {
  let socket: String
  private let program: RunningProgram

  init(clock: String = "2026-11-30T10:00:00Z") throws {
    program = RunningProgram(
      [
        Programs.laschedctl, "test", "--clock", clock, "--", "/bin/sh", "-c",
        "echo \"$LASCHED_SOCKET\"; exec cat",
      ], environment: ctlEnvironment())
    let line = try #require(program.expect("/socket\n"), "\(program.outcome)")
    socket = String(line.dropLast())
  }

  deinit { _ = program.finish() }

  /// Runs laschedctl against it.
  func callAsFunction(_ arguments: String..., input: String = "") -> Outcome {
    ctl(arguments, socket: socket, input: input)
  }
}
