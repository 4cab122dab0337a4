/// What a JSON value is (RFC 8259, section 3).
public enum JSONKind: UInt8, Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool
  /// A number literal, whole or not.
  case number
  /// A string.
  case string
  /// An array.
  case array
  /// An object.
  case object
}

/// One row of a parsed document: a value or a key, in the order of the text.
///
/// An object's keys and values alternate after its own row. 16 bytes a row keep a request of 300
/// bytes within ten cache lines, and stepping over a value costs one load.
struct JSONEntry {
  /// Where the text of the value begins in the document's bytes, a string's quote included.
  var start: UInt32
  /// Where it ends.
  var end: UInt32
  /// The row after this value and all that is in it. In a container still open its parent's row;
  /// in a key its fingerprint, as the row after a key is always the next one.
  var next: UInt32
  var kind: JSONKind
  var flags: UInt8
  /// Levels of arrays and objects in it, itself included; 0 for a scalar.
  var height: UInt16

  /// In `flags`: a string with escapes.
  static let escaped: UInt8 = 1
  /// In `flags`: a number without fraction and exponent.
  static let integer: UInt8 = 2
  /// In `flags`: a key of an object.
  static let key: UInt8 = 4

  var isEscaped: Bool { flags & JSONEntry.escaped != 0 }
  var isInteger: Bool { flags & JSONEntry.integer != 0 }
  var isKey: Bool { flags & JSONEntry.key != 0 }
}

/// A few bits of a key that tell most keys apart without looking at their bytes.
func keyFingerprint(_ bytes: Span<UInt8>) -> UInt32 {
  let count = bytes.count
  guard count > 0 else { return 0 }
  let length = UInt32(truncatingIfNeeded: count) & 0xFF
  let first = UInt32(bytes[0])
  let middle = UInt32(bytes[count / 2])
  let last = UInt32(bytes[count - 1])
  return length | first << 8 | middle << 16 | last << 24
}

func equalBytes(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
  guard a.count == b.count else { return false }
  for i in a.indices where a[i] != b[i] { return false }
  return true
}
