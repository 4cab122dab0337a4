import Glibc

/// What was wrong with the command line.
struct UsageError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

func printError(_ line: String) {
  let text = line + "\n"
  _ = unsafe write(STDERR_FILENO, text, text.utf8.count)
}

func quit(_ status: Int32) -> Never { exit(status) }

/// Reads `--NAME N` options: for each name, the numbers given for it.
func numberOptions(
  _ arguments: [String], names: Set<String>
) throws(UsageError) -> [String: [Int]] {
  var values: [String: [Int]] = [:]
  var rest = arguments[...]
  while let name = rest.popFirst() {
    guard names.contains(name) else { throw UsageError("no option \"\(name)\"") }
    guard let text = rest.popFirst() else { throw UsageError("\(name) needs a number") }
    guard let number = Int(text), number > 0 else {
      throw UsageError("\(name) \"\(text)\" is not a positive number")
    }
    values[name, default: []].append(number)
  }
  return values
}

/// The process's resident memory in bytes, from `/proc/self/statm`; 0 if that cannot be read.
func residentBytes() -> Int {
  let file = unsafe open("/proc/self/statm", O_RDONLY)
  guard file >= 0 else { return 0 }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 256)
  let length = unsafe read(file, &bytes, bytes.count)
  guard length > 0 else { return 0 }
  let fields = bytes[..<length].split(separator: UInt8(ascii: " "))
  guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else {
    return 0
  }
  return pages * sysconf(Int32(_SC_PAGESIZE))
}

/// Nanoseconds that `body` takes, by the monotonic clock.
func nanoseconds(_ body: () -> Void) -> Double {
  let (seconds, attoseconds) = ContinuousClock().measure(body).components
  return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
}

/// Nanoseconds of processor time that `body` takes, so that what else runs counts less.
func cpuNanoseconds(_ body: () -> Void) -> Double {
  let start = cpuTime()
  body()
  return cpuTime() - start
}

private func cpuTime() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// A number with one decimal place for small ones, right-aligned.
func cell(_ number: Double, width: Int = 10) -> String {
  let tenths = Int((number * 10).rounded())
  let text = number < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(number.rounded()))"
  return String(repeating: " ", count: max(0, width - text.count)) + text
}

/// SplitMix64: the same numbers from the same seed everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
