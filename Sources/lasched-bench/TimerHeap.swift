/// The wheel's peer: a binary heap in order of (deadline, arrival). A cancelled timer is only marked,
/// and leaves when it comes to the top.
struct TimerHeap {
  private struct Node {
    var deadline: Int64
    var arrival: UInt32

    func comesBefore(_ other: Node) -> Bool {
      deadline != other.deadline ? deadline < other.deadline : arrival < other.arrival
    }
  }

  private var nodes: [Node] = []
  private var isLive: [Bool] = []

  var isEmpty: Bool { nodes.isEmpty }
  var nextDeadline: Int64? { nodes.first?.deadline }

  /// Adds a timer; its token is the number of those added before.
  mutating func insert(_ deadline: Int64) {
    let node = Node(deadline: deadline, arrival: UInt32(truncatingIfNeeded: isLive.count))
    isLive.append(true)
    nodes.append(node)
    var place = nodes.count - 1
    while place > 0 {
      let parent = (place - 1) / 2
      guard node.comesBefore(nodes[parent]) else { break }
      nodes[place] = nodes[parent]
      place = parent
    }
    nodes[place] = node
  }

  mutating func cancel(_ token: UInt32) {
    isLive[Int(token)] = false
    dropCancelled()
  }

  mutating func popNext(upTo now: Int64) -> UInt32? {
    guard let first = nodes.first, first.deadline <= now else { return nil }
    removeFirst()
    dropCancelled()
    return first.arrival
  }

  private mutating func dropCancelled() {
    while let first = nodes.first, !isLive[Int(first.arrival)] { removeFirst() }
  }

  private mutating func removeFirst() {
    guard let node = nodes.popLast(), !nodes.isEmpty else { return }
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < nodes.count else { break }
      if child + 1 < nodes.count, nodes[child + 1].comesBefore(nodes[child]) { child += 1 }
      guard nodes[child].comesBefore(node) else { break }
      nodes[place] = nodes[child]
      place = child
    }
    nodes[place] = node
  }
}
