extension TimingWheel {
  /// The handle of the entry that `popNext` would take first; nil without entries. Costs nothing.
  public var nextHandle: TimerHandle? {
    count == 0 ? nil : TimerHandle(index: first, generation: entries[first].generation)
  }
}
