internal import LiveActivity

/// The boots that a store has seen. An elapsed instant of an earlier boot is found again through
/// the wall clock: what was left of it when that boot's clock was last read.
public struct BootHistory: Hashable, Sendable {
  /// One boot.
  public struct Boot: Hashable, Sendable {
    /// The kernel's boot id, or a test clock's own.
    public var id: String
    /// CLOCK_REALTIME minus CLOCK_BOOTTIME in microseconds, as last seen.
    public var offset: Int64
    /// The same at the boot's first time sync or step, when carried terms went back to
    /// CLOCK_BOOTTIME; nil before it.
    public var anchor: Int64?

    /// A boot.
    public init(id: String, offset: Int64, anchor: Int64? = nil) {
      self.id = id
      self.offset = offset
      self.anchor = anchor
    }
  }

  /// Oldest first; the last one is now.
  public private(set) var boots: [Boot]
  /// What the wall clock was set by, after the sync, in every boot after the one at that index.
  private var setLater: [Int64] = []

  /// The boots of a store, oldest first, and the boot of now, which may be the last of them.
  public init(boots: [Boot], id: String, offset: Int64) {
    self.boots = boots
    if boots.last?.id != id { self.boots.append(Boot(id: id, offset: offset)) }
    self.boots[self.boots.count - 1].offset = offset
    setLater = Array(repeating: 0, count: self.boots.count)
    var sum: Int64 = 0
    for index in self.boots.indices.dropLast().reversed() {
      setLater[index] = sum
      let boot = self.boots[index]
      if let anchor = boot.anchor {
        sum = sum.addingClamped(boot.offset.subtractingClamped(anchor))
      }
    }
  }

  /// The index of the boot of now.
  public var current: Int { boots.count - 1 }
  /// The boot of now.
  public var boot: Boot { boots[current] }

  /// The clock was read: remembers how far its two faces are apart.
  public mutating func see(offset: Int64) { boots[current].offset = offset }

  /// The boot's first time sync or step.
  public mutating func anchor(offset: Int64) {
    if boots[current].anchor == nil { boots[current].anchor = offset }
    boots[current].offset = offset
  }

  /// A term as it was written in a boot, as it is now.
  public func translate(_ term: Term, from index: Int) -> Term {
    var wall: Int64
    switch term {
    case .none, .date, .fromStart: return term
    case .elapsed(let instant):
      if index == current { return term }
      guard boots.indices.contains(index) else { return term }
      wall = instant.microseconds.addingClamped(boots[index].offset)
    case .carried(let date):
      wall = date.microseconds
      if index != current, boots.indices.contains(index), let anchor = boots[index].anchor {
        wall = wall.addingClamped(boots[index].offset.subtractingClamped(anchor))
      }
    }
    if setLater.indices.contains(index) { wall = wall.addingClamped(setLater[index]) }
    let carried = Term.carried(WallTime(microseconds: wall))
    return boots[current].anchor.map { carried.anchored(by: $0) } ?? carried
  }

  /// A session as it was written in a boot, as it is now.
  public func translate(_ session: Session, from index: Int) -> Session {
    var session = session
    session.mapTerms { translate($0, from: index) }
    return session
  }
}
