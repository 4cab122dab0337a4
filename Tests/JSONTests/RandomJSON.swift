@testable import JSON

/// SplitMix64: the same numbers for the same seed, everywhere.
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

/// A random value; members have keys of their own.
func randomValue(_ random: inout SeededGenerator, depth: Int = 4) -> JSONValue {
  switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
  case 0: return .null
  case 1: return .bool(Bool.random(using: &random))
  case 2:
    return .number(
      ["0", "-1", "1.50", "1e3", "9223372036854775807"].randomElement(using: &random) ?? "0")
  case 3, 4: return .string(randomString(&random))
  case 5:
    let count = Int.random(in: 0..<5, using: &random)
    return .array((0..<count).map { _ in randomValue(&random, depth: depth - 1) })
  default:
    let count = Int.random(in: 0..<24, using: &random)
    return .object(
      (0..<count).map {
        JSONValue.Member("\($0)" + randomString(&random), randomValue(&random, depth: depth - 3))
      })
  }
}

func randomString(_ random: inout SeededGenerator) -> String {
  let pieces = [
    "a", "Match", "\"", "\\", "\n", "\u{7}", "é", "日", "🏆", "/", "\u{2028}", "{", "]", " ",
  ]
  let count = Int.random(in: 0..<12, using: &random)
  return (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
}
