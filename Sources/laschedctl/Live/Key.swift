/// A key that a person pressed, as far as the live view cares.
enum Key: Hashable {
  case up, down, first, last, pageUp, pageDown, enter, escape
  case character(Character)
}

/// Keys out of the bytes that a terminal sends (ECMA-48, and xterm's function keys).
struct KeyReader {
  private var bytes: [UInt8] = []

  /// An escape sequence has begun, or the Escape key was pressed: what follows tells.
  var isInDoubt: Bool { bytes.first == 0x1B }

  /// Takes what was read.
  mutating func take(_ more: ArraySlice<UInt8>) { bytes += more }

  /// The next key that is there whole; with `isOver` nothing more is to come of a sequence.
  mutating func next(isOver: Bool = false) -> Key? {
    while let first = bytes.first {
      guard first == 0x1B else {
        let length = KeyReader.length(first)
        guard bytes.count >= length || isOver else { return nil }
        let character = String(decoding: bytes.prefix(length), as: UTF8.self)
        bytes.removeFirst(min(length, bytes.count))
        if let key = KeyReader.plain(character) { return key }
        continue
      }
      guard bytes.count > 1 else {
        guard isOver else { return nil }
        bytes = []
        return .escape
      }
      // Two of them: the first was the key.
      guard bytes[1] != 0x1B else {
        bytes.removeFirst()
        return .escape
      }
      guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else {
        // Alt and a key is no key of ours.
        bytes.removeFirst(2)
        continue
      }
      guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
        // No sequence of ours is so long.
        if isOver || bytes.count > 32 { bytes = [] }
        return nil
      }
      let name = String(decoding: bytes[2...end], as: UTF8.self)
      bytes.removeFirst(end + 1)
      if let key = KeyReader.named[name] { return key }
    }
    return nil
  }

  /// The bytes of a character of UTF-8 that begins like that.
  private static func length(_ first: UInt8) -> Int {
    switch first {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }

  private static func plain(_ text: String) -> Key? {
    switch text {
    case "\r", "\n": .enter
    case "k": .up
    case "j": .down
    case "g": .first
    case "G": .last
    default: text.first.map { .character($0) }
    }
  }

  private static let named: [String: Key] = [
    "A": .up, "B": .down, "H": .first, "F": .last, "1~": .first, "4~": .last, "7~": .first,
    "8~": .last, "5~": .pageUp, "6~": .pageDown, "M": .enter,
  ]
}
