import Glibc

/// One reader of text from outside, as libFuzzer drives it: `$FUZZ_TARGET` says which.
struct FuzzTarget: Sendable {
  /// Reads an input and checks what came of it; ends the process where that is wrong.
  let read: @Sendable ([UInt8]) -> Void
  /// Whether an input can be made longer by repeating a piece of it.
  let isText: Bool

  static let all: [String: FuzzTarget] = [
    "time": FuzzTarget(read: readTime, isText: true),
    "calendar": FuzzTarget(read: readCalendar, isText: true),
    "zone": FuzzTarget(read: readZone, isText: false),
    "json": FuzzTarget(read: readJSON, isText: true),
    "varlink": FuzzTarget(read: readVarlink, isText: true),
    "presentation": FuzzTarget(read: readPresentation, isText: true),
  ]

  static let chosen: FuzzTarget = {
    let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
    guard let target = all[name] else {
      fail("FUZZ_TARGET=\(name); these are: \(all.keys.sorted().joined(separator: " "))")
    }
    return target
  }()
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  let target = FuzzTarget.chosen
  timed(input, target.read)
  // Linear time: now and then a piece of the input repeats until it is long. The input itself says
  // when and which, so that a finding can be run again.
  let hash = fingerprint(input)
  if target.isText, count > 0, hash & 0x3FF == 0 {
    let low = Int(hash >> 8 & 0xFFFF) % count
    let length = 1 + Int(hash >> 24 & 0xFFFF) % (count - low)
    let piece = input[low..<low + length]
    var long = Array(input[..<low])
    while long.count < longInput { long += piece }
    timed(long + input[(low + length)...], target.read)
  }
  return 0
}

/// Whatever is quadratic takes many seconds for so many bytes, whatever is linear a few hundredths.
private let longInput = 150_000

private func timed(_ input: [UInt8], _ read: ([UInt8]) -> Void) {
  let start = processorSeconds()
  read(input)
  let took = processorSeconds() - start
  if took > 2 { fail("\(input.count) bytes took \(took) s of processor time") }
}

private func processorSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// FNV-1a: a number that an input chooses for itself.
func fingerprint(_ input: [UInt8]) -> UInt64 {
  input.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
}

func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
  if !holds { fail(what()) }
}

func fail(_ what: String) -> Never {
  let line = "FAILED: \(what)\n"
  _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
  abort()
}
