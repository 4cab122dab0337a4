// One subcommand a subject; each prints its own figures.
let benches: [(name: String, options: String, run: ([String]) throws(UsageError) -> Void)] = [
  ("wheel", "[--count N]… [--runs N] [--seed N]", runWheelBench),
  ("store", "[--rows N] [--sessions N]", runStoreBench),
  ("daemon", "[--calls N] [--pending N] [--starts N] [--idle-seconds N]", runDaemonBench),
]

var usage: String {
  (["usage: lasched-bench SUBJECT"]
    + benches.map { "  lasched-bench \($0.name) \($0.options)" }).joined(separator: "\n")
}

do throws(UsageError) {
  let arguments = CommandLine.arguments.dropFirst()
  guard let bench = benches.first(where: { $0.name == arguments.first }) else {
    throw UsageError(arguments.first.map { "no subject \"\($0)\"" } ?? "no subject given")
  }
  try bench.run(Array(arguments.dropFirst()))
} catch {
  printError("lasched-bench: \(error.message)\n\(usage)")
  quit(2)
}
