/// One pass over a text: checks it, drops the white space between tokens, and writes a row a value.
///
/// It does not recurse, so that no nesting can exhaust the stack. A fault of the grammar ends it.
/// A breach of a limit (depth, duplicate keys, characters, numbers) ends it too, unless `records` is
/// set: then the first one is kept and parsing goes on, so that a server can answer with its path.
struct JSONParser {
  var entries: [JSONEntry] = []
  var violation: JSONError?
  /// The row that `violation` is about.
  var violationRow = 0
  let maximumDepth: Int
  let records: Bool

  /// The text without white space between tokens.
  var compact: [UInt8] = []
  /// Positions in `compact` whose bytes are not UTF-8; written as `?`.
  var replaced: [Int] = []
  /// White space dropped so far: what an offset in the input is ahead of one in `compact`.
  var dropped = 0
  /// Where the run of input begins that is not copied to `compact` yet.
  var runStart = 0
  /// The row of the innermost open container, or -1.
  var open = -1
  var depth = 0

  init(maximumDepth: Int, records: Bool) {
    self.maximumDepth = maximumDepth
    self.records = records
  }

  mutating func parse(_ input: Span<UInt8>) throws(JSONError) {
    guard input.count <= Int(Int32.max) else { throw JSONError(.size, 0, "longer than 2 GiB") }
    entries.reserveCapacity(8 + min(input.count, 4096) / 8)
    var i = skipWhiteSpace(input, 0)
    while true {
      i = try value(input, i)
      // After a value: close what ends here, until another value is due.
      while true {
        i = skipWhiteSpace(input, i)
        guard open >= 0 else {
          guard i == input.count else { throw syntax(i, "something follows the value") }
          finish(input)
          return
        }
        let isObject = entries[open].kind == .object
        let byte = input.at(i)
        if byte == 0x2C {  // ,
          i = skipWhiteSpace(input, i + 1)
          if isObject { i = try key(input, i) }
          break
        }
        guard byte == (isObject ? 0x7D : 0x5D) else {
          let want: String = isObject ? "',' or '}' expected" : "',' or ']' expected"
          throw syntax(i, i < input.count ? want : "the text ends in the middle")
        }
        i += 1
        try close(input, i)
      }
    }
  }

  /// Takes the value at `i`, or opens the container there up to its first value. Returns where to
  /// go on, which for an empty container is after its end.
  private mutating func value(_ input: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    var i = start
    while true {
      let byte = input.at(i)
      switch byte {
      case 0x22:  // "
        let (end, escaped) = try string(input, i)
        add(.string, i..<end, flags: escaped ? JSONEntry.escaped : 0)
        return end
      case 0x7B, 0x5B:  // { [
        let isObject = byte == 0x7B
        try enter(isObject ? .object : .array, at: i)
        i = skipWhiteSpace(input, i + 1)
        if input.at(i) == (isObject ? 0x7D : 0x5D) {
          i += 1
          try close(input, i)
          return i
        }
        if isObject { i = try key(input, i) }
      case 0x2D, 0x30...0x39:
        let (end, isInteger) = try number(input, i)
        add(.number, i..<end, flags: isInteger ? JSONEntry.integer : 0)
        return end
      case 0x74: return try literal(input, i, "true", .bool)
      case 0x66: return try literal(input, i, "false", .bool)
      case 0x6E: return try literal(input, i, "null", .null)
      default:
        throw syntax(i, i < input.count ? "a value expected" : "the text ends in the middle")
      }
    }
  }

  private mutating func key(_ input: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    guard input.at(start) == 0x22 else {
      throw syntax(
        start, start < input.count ? "a key in quotes expected" : "the text ends in the middle")
    }
    let (end, escaped) = try string(input, start)
    let text = input.extracting((start + 1)..<(end - 1))
    add(
      .string, start..<end, flags: JSONEntry.key | (escaped ? JSONEntry.escaped : 0),
      next: escaped ? keyFingerprint(unescaped(text).span) : keyFingerprint(text))
    let i = skipWhiteSpace(input, end)
    guard input.at(i) == 0x3A else { throw syntax(i, "':' expected after a key") }
    return skipWhiteSpace(input, i + 1)
  }

  private mutating func literal(
    _ input: Span<UInt8>, _ start: Int, _ word: StaticString, _ kind: JSONKind
  ) throws(JSONError) -> Int {
    let count = word.utf8CodeUnitCount
    let letters = unsafe UnsafeBufferPointer(start: word.utf8Start, count: count)
    for k in 0..<count where unsafe letters[k] != input.at(start + k) {
      throw syntax(start, "neither true, false nor null")
    }
    add(kind, start..<(start + count), flags: 0)
    return start + count
  }

  /// Adds the row of a scalar or key that takes that part of the input.
  @inline(__always)
  private mutating func add(
    _ kind: JSONKind, _ range: Range<Int>, flags: UInt8, next: UInt32? = nil
  ) {
    entries.append(
      JSONEntry(
        start: UInt32(truncatingIfNeeded: range.lowerBound &- dropped),
        end: UInt32(truncatingIfNeeded: range.upperBound &- dropped),
        next: next ?? UInt32(truncatingIfNeeded: entries.count &+ 1), kind: kind, flags: flags,
        height: 0))
  }

  private mutating func enter(_ kind: JSONKind, at i: Int) throws(JSONError) {
    let row = entries.count
    entries.append(
      JSONEntry(
        start: UInt32(truncatingIfNeeded: i - dropped), end: 0,
        next: UInt32(truncatingIfNeeded: open + 1), kind: kind, flags: 0, height: 1))
    open = row
    depth += 1
    if depth > maximumDepth {
      try breach(
        JSONError(.depth, i, "nested deeper than \(maximumDepth) arrays and objects"), row: row)
    }
  }

  private mutating func close(_ input: Span<UInt8>, _ end: Int) throws(JSONError) {
    let row = open
    open = Int(entries[row].next) - 1
    depth -= 1
    var entry = entries[row]
    entry.end = UInt32(truncatingIfNeeded: end - dropped)
    entry.next = UInt32(truncatingIfNeeded: entries.count)
    entries[row] = entry
    let height = entry.height
    if open >= 0, entries[open].height <= height, height < UInt16.max {
      entries[open].height = height + 1
    }
    if entry.kind == .object, let double = duplicateKey(input, of: row) {
      let offset = inputOffset(of: Int(entries[double].start), in: input)
      try breach(JSONError(.duplicateKey, offset, "the same key twice in one object"), row: double)
    }
  }

  /// A limit is broken: ends the parse, or is kept if it is the first.
  mutating func breach(_ error: JSONError, row: Int) throws(JSONError) {
    guard records else { throw error }
    if violation == nil {
      violation = error
      violationRow = row
    }
  }

  func syntax(_ offset: Int, _ reason: String) -> JSONError { JSONError(.syntax, offset, reason) }
}

extension Span<UInt8> {
  /// The byte at `i`, 0 past the end: no token begins with it.
  @inline(__always)
  func at(_ i: Int) -> UInt8 { i < count ? self[i] : 0 }
}
