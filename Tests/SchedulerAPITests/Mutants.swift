import JSON
import Varlink

/// Parameters with one thing wrong, and the path that the refusal must name.
struct Mutant {
  var value: JSONValue
  var path: String
}

/// All the ways in which one part of a good value can be of the wrong type, unknown or missing, by
/// what the interface's definition says of it.
func mutants(
  of value: JSONValue, as type: VarlinkType, in interface: VarlinkInterface, at path: String = ""
) -> [Mutant] {
  func wrong(_ values: JSONValue...) -> [Mutant] { values.map { Mutant(value: $0, path: path) } }
  switch type {
  case .bool: return wrong(.number("1"), .string("true"))
  case .int: return wrong(.string("1"), .number("1.0"), .number("9223372036854775808"), .bool(true))
  case .float: return wrong(.string("1"), .bool(false))
  case .string: return wrong(.number("1"), .object([]), .array([]))
  case .object: return wrong(.string("{}"), .array([]))
  case .optional(let inner): return mutants(of: value, as: inner, in: interface, at: path)
  case .named(let name):
    guard let inner = interface.types.first(where: { $0.name == name })?.type else { return [] }
    return mutants(of: value, as: inner, in: interface, at: path)
  case .enumeration: return wrong(.string("nonsense"), .string(""), .number("0"))
  case .array(let inner):
    guard case .array(let elements) = value else { return [] }
    var found = wrong(.object([]), .string(""))
    for (i, element) in elements.enumerated() {
      for mutant in mutants(of: element, as: inner, in: interface, at: path + "[\(i)]") {
        var changed = elements
        changed[i] = mutant.value
        found.append(Mutant(value: .array(changed), path: mutant.path))
      }
    }
    return found
  case .map: return []
  case .structure(let fields):
    guard case .object(let members) = value else { return [] }
    func below(_ name: String) -> String { path.isEmpty ? name : path + "." + name }
    var found = wrong(.array([]), .string("x"))
    found.append(
      Mutant(value: .object(members + [.init("stalDate", .null)]), path: below("stalDate")))
    for (i, member) in members.enumerated() {
      guard let field = fields.first(where: { $0.name == member.key }) else { continue }
      for mutant in mutants(
        of: member.value, as: field.type, in: interface, at: below(member.key))
      {
        var changed = members
        changed[i].value = mutant.value
        found.append(Mutant(value: .object(changed), path: mutant.path))
      }
      if case .optional = field.type { continue }
      var without = members
      without.remove(at: i)
      found.append(Mutant(value: .object(without), path: below(member.key)))
      var null = members
      null[i].value = .null
      found.append(Mutant(value: .object(null), path: below(member.key)))
    }
    return found
  }
}

/// SplitMix64: the same numbers for the same seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
