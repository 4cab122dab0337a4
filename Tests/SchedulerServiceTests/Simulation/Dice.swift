import JSON
import LiveActivity

/// SplitMix64 (Steele, Lea and Flood 2014): the same throws for the same seed.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  mutating func one<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }

  mutating func weighted<Element>(_ elements: [(Element, Int)]) -> Element? {
    var left = below(elements.reduce(0) { $0 + $1.1 })
    for (element, weight) in elements {
      if left < weight { return element }
      left -= weight
    }
    return elements.first?.0
  }

  private static let spans: [(Int64, Int)] = [
    (0, 3), (1, 2), (999, 2), (1000, 3), (second, 12), (10 * second, 12), (minute, 12),
    (15 * minute, 6), (hour, 12), (4 * hour, 4), (8 * hour, 3), (8 * hour + 1000, 2), (day, 2),
    (40 * day, 2),
  ]
  static let second: Int64 = 1_000_000
  static let minute = 60 * second
  static let hour = 60 * minute
  static let day = 24 * hour
  static let century = 36_525 * day

  /// A span in microseconds: round ones, so that deadlines meet, and some that are not.
  mutating func span() -> Int64 {
    let unit = weighted(Self.spans) ?? 0
    return unit * Int64(1 + below(3)) + (chance(5) ? Int64(below(2000)) : 0)
  }
}

/// JSON for the simulation: flat objects of small numbers.
enum Plain {
  static func object(_ dice: inout Dice, isPatch: Bool = false) -> JSONText {
    let keys = ["p", "q", "r"].filter { _ in dice.chance(50) }
    let members = keys.map { key in
      isPatch && dice.chance(30) ? "\"\(key)\":null" : "\"\(key)\":\(dice.below(10))"
    }
    var text = "{" + members.joined(separator: ",") + "}"
    if dice.chance(4) { text = "{\"big\":\"\(String(repeating: "x", count: 150))\"}" }
    return JSONText(trusted: Array(text.utf8))
  }

  /// RFC 7396 for flat objects.
  static func merge(_ target: JSONText, _ patch: JSONText) -> JSONText {
    var members = self.members(target)
    for (key, value) in self.members(patch) {
      let place = members.firstIndex { $0.key == key }
      if value == "null" {
        if let place { members.remove(at: place) }
      } else if let place {
        members[place].value = value
      } else {
        members.append((key, value))
      }
    }
    let text = members.map { "\($0.key):\($0.value)" }.joined(separator: ",")
    return JSONText(trusted: Array("{\(text)}".utf8))
  }

  private static func members(_ object: JSONText) -> [(key: String, value: String)] {
    object.string.dropFirst().dropLast().split(separator: ",").map { member in
      let colon = member.firstIndex(of: ":") ?? member.endIndex
      return (String(member[..<colon]), String(member[colon...].dropFirst()))
    }
  }
}
