extension JSONParser {
  /// Where the next token begins. What is skipped will be missing in `compact`.
  @inline(__always)
  mutating func skipWhiteSpace(_ input: Span<UInt8>, _ start: Int) -> Int {
    guard start < input.count, input[start] <= 0x20 else { return start }
    return dropWhiteSpace(input, start)
  }

  private mutating func dropWhiteSpace(_ input: Span<UInt8>, _ start: Int) -> Int {
    var i = start
    while i < input.count, isWhiteSpace(input[i]) { i += 1 }
    guard i > start else { return start }
    if compact.capacity == 0 { compact.reserveCapacity(input.count) }
    append(input, runStart..<start)
    runStart = i
    dropped += i - start
    return i
  }

  /// Copies what is left, once the text is known to be good.
  mutating func finish(_ input: Span<UInt8>) {
    append(input, runStart..<input.count)
    for position in replaced { compact[position] = 0x3F }
  }

  private mutating func append(_ input: Span<UInt8>, _ range: Range<Int>) {
    let run = input.extracting(range)
    unsafe run.withUnsafeBufferPointer { unsafe compact.append(contentsOf: $0) }
  }

  /// The offset in the input of what is at `position` in `compact`. Slow: for an error's text.
  func inputOffset(of position: Int, in input: Span<UInt8>) -> Int {
    var kept = 0
    var inString = false
    var i = 0
    while i < input.count {
      let byte = input[i]
      if inString || !isWhiteSpace(byte) {
        if kept == position { return i }
        kept += 1
        if byte == 0x22 { inString.toggle() }
        if byte == 0x5C, inString {
          kept += 1
          i += 1
        }
      }
      i += 1
    }
    return input.count
  }
}

func isWhiteSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}
