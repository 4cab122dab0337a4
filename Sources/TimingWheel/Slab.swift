/// Numbered places for values of one kind.
struct Slab<Element: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
  private var elements: [Element] = []

  var count: UInt32 { UInt32(truncatingIfNeeded: elements.count) }

  mutating func reserveCapacity(_ capacity: Int) { elements.reserveCapacity(capacity) }

  mutating func append(_ element: Element) { elements.append(element) }

  subscript(index: UInt32) -> Element {
    _read { yield elements[Int(index)] }
    _modify { yield &elements[Int(index)] }
  }
}
