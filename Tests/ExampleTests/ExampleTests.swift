import Foundation
import Testing

/// What a command printed and how it ended.
private struct Outcome {
  let output: String
  let status: Int32
}

/// The directory that the programs were built in: this bundle's own.
private let programs =
  (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
  .map { URL(fileURLWithPath: $0).deletingLastPathComponent().path } ?? "."

private let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
  path: "../../Sources/Examples/Scripts"
).standardized.path

/// Runs a shell command beside a private daemon whose clock stands at now.
private func mocked(_ command: String, privately: Bool = true) throws -> Outcome {
  let process = Process()
  let clock = ISO8601DateFormatter().string(from: Date())
  process.executableURL = URL(fileURLWithPath: privately ? "\(programs)/laschedctl" : "/bin/sh")
  process.arguments =
    (privately ? ["test", "--clock", clock, "--", "/bin/sh"] : []) + ["-ec", command]
  var environment = ProcessInfo.processInfo.environment
  environment["PATH"] = "\(programs):\(environment["PATH"] ?? "/usr/bin:/bin")"
  environment["PYTHONDONTWRITEBYTECODE"] = "1"
  process.environment = environment
  process.currentDirectoryURL = URL(fileURLWithPath: scripts)
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = FileHandle.nullDevice
  process.standardInput = FileHandle.nullDevice
  try process.run()
  let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return Outcome(output: output, status: process.terminationStatus)
}

@Suite struct ExampleTests {
  @Test func theStopwatchRuns() throws {
    let outcome = try mocked(
      "example-stopwatch 2 && laschedctl --json=short history --every-owner 2>&1")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("pauseLiveActivity: not implemented"))
    #expect(outcome.output.contains(#""state":{"elapsedSeconds":2}"#))
    #expect(outcome.output.contains(#""to":"dismissed""#))
  }

  @Test func theFoodDeliveryIsScheduledStartedUpdatedAndCancelled() throws {
    let outcome = try mocked(
      """
      file=$(mktemp)
      trap 'rm -f "$file"' EXIT
      stdbuf -oL example-food-delivery > "$file" &
      until grep -q 'state pending' "$file"; do sleep 0.02; done
      laschedctl clock to "$(laschedctl show order-1234567 -p startDate --value)" > /dev/null
      wait $!
      cat "$file"
      """)
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        scheduled order-1234567
        state pending
        state active
        content On its way
        state dismissed
        over: cancelled

        """)
  }

  @Test func theCoachsOrderIsFollowed() throws {
    let outcome = try mocked("example-coach-order")
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        started for 王小明
        updated, 30 min left
        updated, 15 min left
        ended: dismissed

        """)
  }

  @Test func withoutADaemonTheySayWhatIsWrong() throws {
    for program in ["example-stopwatch", "example-coach-order", "example-food-delivery"] {
      let outcome = try mocked(
        "LASCHED_SOCKET=/nonexistent/socket exec \(program) 2>&1", privately: false)
      #expect(outcome.status != 0, "\(program)")
      #expect(!outcome.output.isEmpty, "\(program)")
    }
  }

  @Test func thePythonStopwatchRunsWithTheStandardLibraryAlone() throws {
    let outcome = try mocked("python3 -I -S ./stopwatch.py 2")
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        created True
        active 1
        active 2
        created False
        dismissed 2

        """)
  }

  @Test func thePythonTestsPass() throws {
    let outcome = try mocked("python3 test_stopwatch.py", privately: false)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(
      outcome.output == """
        passed test_it_runs_and_stops
        passed test_it_ends_by_itself_after_eight_hours

        """)
  }

  @Test func theFixtureWorksUnderPytestWhereThereIsOne() throws {
    guard try mocked("python3 -c 'import pytest'", privately: false).status == 0 else { return }
    let outcome = try mocked(
      "python3 -m pytest -q -p no:cacheprovider test_stopwatch.py", privately: false)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("2 passed"))
  }

  @Test func theShellExampleWorks() throws {
    let outcome = try mocked("./mocked-time.sh")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.hasSuffix("the tea timer works\n"))
  }
}
