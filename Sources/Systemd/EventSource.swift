internal import CSystemd
internal import Glibc

/// Something an `EventLoop` waits for. Lives as long as somebody holds it, or until `remove`.
///
/// The handler is kept until `remove`: one that holds its own source needs that call to be freed.
@safe public final class EventSource {
  /// Whether a source takes part.
  public enum Enabled: Int32, Sendable {
    /// It does not.
    case off = 0
    /// It does, until told otherwise.
    case on = 1
    /// Once; then it is off.
    case once = -1
  }

  fileprivate var handle: OpaquePointer?
  private var handler: ((UInt32) -> Void)?

  fileprivate init(
    _ call: StaticString, _ priority: EventPriority, _ handler: @escaping (UInt32) -> Void,
    add: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> Int32
  ) throws(SystemError) {
    self.handler = handler
    let me = unsafe Unmanaged.passUnretained(self).toOpaque()
    try unsafe checkedResult(call, add(&handle, me))
    try unsafe checkedResult(
      "sd_event_source_set_priority", sd_event_source_set_priority(handle, priority.rawValue))
  }

  deinit { unsafe sd_event_source_disable_unref(handle) }

  /// Takes the source out for good and frees its handler. May be called by the handler itself.
  public func remove() {
    unsafe sd_event_source_disable_unref(handle)
    unsafe handle = nil
    handler = nil
  }

  /// Switches the source on or off. A removed source stays removed.
  public func setEnabled(_ enabled: Enabled) throws(SystemError) {
    guard unsafe handle != nil else { return }
    try unsafe checkedResult(
      "sd_event_source_set_enabled", sd_event_source_set_enabled(handle, enabled.rawValue))
  }

  /// Changes what a descriptor's source waits for; without cost if nothing changes.
  public func setEvents(_ events: DescriptorEvents) throws(SystemError) {
    guard unsafe handle != nil else { return }
    try unsafe checkedResult(
      "sd_event_source_set_io_events", sd_event_source_set_io_events(handle, events.rawValue))
  }

  /// Changes the order among sources that are ready at once.
  public func setPriority(_ priority: EventPriority) throws(SystemError) {
    guard unsafe handle != nil else { return }
    try unsafe checkedResult(
      "sd_event_source_set_priority", sd_event_source_set_priority(handle, priority.rawValue))
  }

  fileprivate static func fire(_ context: UnsafeMutableRawPointer?, _ value: UInt32) -> Int32 {
    guard let context = unsafe context else { return 0 }
    // The handler may remove its source: both are held until it returns.
    let source = unsafe Unmanaged<EventSource>.fromOpaque(context).takeUnretainedValue()
    let handler = source.handler
    handler?(value)
    return 0
  }
}

extension EventLoop {
  /// Waits for `events` on a descriptor, which must outlive the source; sd_event_add_io(3).
  public func addDescriptor(
    _ descriptor: Int32, _ events: DescriptorEvents, priority: EventPriority = .normal,
    _ handler: @escaping (DescriptorEvents) -> Void
  ) throws(SystemError) -> EventSource {
    try unsafe EventSource(
      "sd_event_add_io", priority, { handler(DescriptorEvents(rawValue: $0)) },
      add: { source, context in
        unsafe sd_event_add_io(
          handle, source, descriptor, events.rawValue,
          { _, _, events, context in unsafe EventSource.fire(context, events) }, context)
      })
  }

  /// Runs `handler` in the next iteration in which nothing of a lower number is ready;
  /// sd_event_add_defer(3).
  public func addDeferred(
    _ enabled: EventSource.Enabled = .once, priority: EventPriority = .normal,
    _ handler: @escaping () -> Void
  ) throws(SystemError) -> EventSource {
    let source = try unsafe EventSource(
      "sd_event_add_defer", priority, { _ in handler() },
      add: { source, context in
        unsafe sd_event_add_defer(
          handle, source, { _, context in unsafe EventSource.fire(context, 0) }, context)
      })
    try source.setEnabled(enabled)
    return source
  }

  /// Runs `handler` after any other source has run; sd_event_add_post(3).
  public func addPost(
    _ enabled: EventSource.Enabled = .on, priority: EventPriority = .normal,
    _ handler: @escaping () -> Void
  ) throws(SystemError) -> EventSource {
    let source = try unsafe EventSource(
      "sd_event_add_post", priority, { _ in handler() },
      add: { source, context in
        unsafe sd_event_add_post(
          handle, source, { _, context in unsafe EventSource.fire(context, 0) }, context)
      })
    try source.setEnabled(enabled)
    return source
  }

  /// Takes a signal in through the loop; it is blocked in this thread and in those made later.
  ///
  /// Call before any other thread is made, which would still die of it; sd_event_add_signal(3).
  public func addSignal(
    _ signal: Signal, priority: EventPriority = .normal, _ handler: @escaping () -> Void
  ) throws(SystemError) -> EventSource {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, signal.rawValue)
    let result = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    if result != 0 { throw SystemError("pthread_sigmask", result) }
    return try unsafe EventSource(
      "sd_event_add_signal", priority, { _ in handler() },
      add: { source, context in
        unsafe sd_event_add_signal(
          handle, source, signal.rawValue,
          { _, _, context in unsafe EventSource.fire(context, 0) }, context)
      })
  }

  /// Waits for a timer; tells whether its time came or its clock was set.
  ///
  /// The source keeps the timer open.
  public func addTimer(
    _ timer: TimerDescriptor, priority: EventPriority = .normal,
    _ handler: @escaping (TimerDescriptor.Reading) -> Void
  ) throws(SystemError) -> EventSource {
    try addDescriptor(timer.number, .readable, priority: priority) { _ in
      let reading = timer.read()
      if reading != .notYet { handler(reading) }
    }
  }
}
