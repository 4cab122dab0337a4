/// Elements in fixed places, in chunks so that growing never copies what is there; freed places
/// are used again.
struct Slab<Element> {
  private static var chunkBits: UInt32 { 13 }
  private static var chunkSize: Int { 1 << Int(chunkBits) }

  private var chunks: [ContiguousArray<Element>] = []
  private var free: [UInt32] = []
  private let blank: Element

  /// An empty slab; `blank` fills what is not in use.
  init(blank: Element) { self.blank = blank }

  /// The number of places ever used.
  private(set) var extent: UInt32 = 0

  /// The number of places in use.
  var count: Int { Int(extent) - free.count }

  /// Whether `allocate` would find a place.
  var hasRoom: Bool { !free.isEmpty || extent < 1 << 31 }

  /// Takes a place; nil where 2^31 are in use.
  mutating func allocate() -> UInt32? {
    if let place = free.popLast() { return place }
    guard extent < 1 << 31 else { return nil }
    let place = extent
    if Int(place >> Self.chunkBits) == chunks.count {
      // The first chunk grows by doubling, so that a small daemon stays small.
      chunks.append([])
      if !chunks.dropLast().isEmpty { chunks[chunks.count - 1].reserveCapacity(Self.chunkSize) }
    }
    chunks[chunks.count - 1].append(blank)
    extent += 1
    return place
  }

  /// Gives a place back.
  mutating func release(_ place: UInt32) {
    self[place] = blank
    free.append(place)
  }

  /// The element at a place that is in use.
  subscript(place: UInt32) -> Element {
    get { chunks[Int(place >> Self.chunkBits)][Int(place) & (Self.chunkSize - 1)] }
    _modify {
      yield &chunks[Int(place >> Self.chunkBits)][Int(place) & (Self.chunkSize - 1)]
    }
  }
}
