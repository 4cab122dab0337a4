/// Numbered places for values of one kind, in chunks: growing neither moves nor copies what is there.
@safe struct Slab<Element: BitwiseCopyable & Sendable>: ~Copyable {
  private static var chunkShift: UInt32 { 16 }
  private static var chunkSize: UInt32 { 1 << chunkShift }

  private var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
  private var chunkCapacity: UInt32 = 4
  private(set) var count: UInt32 = 0

  init() {
    unsafe chunks = .allocate(capacity: Int(chunkCapacity))
  }

  private var chunkCount: UInt32 { (count &+ Self.chunkSize &- 1) &>> Self.chunkShift }

  mutating func append(_ element: Element) {
    let place = count & (Self.chunkSize &- 1)
    if place == 0 { addChunk() }
    unsafe chunks[Int(count &>> Self.chunkShift)].advanced(by: Int(place)).initialize(to: element)
    count += 1
  }

  private mutating func addChunk() {
    let chunkCount = chunkCount
    if chunkCount == chunkCapacity {
      let larger = UnsafeMutablePointer<UnsafeMutablePointer<Element>>.allocate(
        capacity: Int(chunkCapacity) * 2)
      unsafe larger.moveInitialize(from: chunks, count: Int(chunkCount))
      unsafe chunks.deallocate()
      unsafe chunks = larger
      chunkCapacity *= 2
    }
    unsafe chunks.advanced(by: Int(chunkCount)).initialize(
      to: .allocate(capacity: Int(Self.chunkSize)))
  }

  subscript(index: UInt32) -> Element {
    @inline(__always) _read {
      assert(index < count)
      yield unsafe chunks[Int(index &>> Self.chunkShift)][Int(index & (Self.chunkSize &- 1))]
    }
    @inline(__always) _modify {
      assert(index < count)
      yield unsafe &chunks[Int(index &>> Self.chunkShift)][Int(index & (Self.chunkSize &- 1))]
    }
  }

  deinit {
    for chunk in 0..<Int(chunkCount) { unsafe chunks[chunk].deallocate() }
    unsafe chunks.deallocate()
  }
}

// It alone holds its chunks, and holds plain values only.
extension Slab: @unchecked Sendable {}
