internal import CSystemd
internal import Glibc

/// A signal the loop can take in.
public enum Signal: Int32, Sendable {
  /// SIGHUP: reload.
  case hangUp = 1
  /// SIGINT: end.
  case interrupt = 2
  /// SIGUSR1.
  case user1 = 10
  /// SIGUSR2.
  case user2 = 12
  /// SIGTERM: end.
  case terminate = 15
}

/// What can happen on a descriptor; epoll_ctl(2).
public struct DescriptorEvents: OptionSet, Sendable {
  /// The epoll bits.
  public let rawValue: UInt32
  /// Takes epoll bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Something to read or to accept, or the end of the stream.
  public static let readable = DescriptorEvents(rawValue: EPOLLIN.rawValue)
  /// Room to write.
  public static let writable = DescriptorEvents(rawValue: EPOLLOUT.rawValue)
  /// The peer has closed its sending side.
  public static let peerClosed = DescriptorEvents(rawValue: EPOLLRDHUP.rawValue)
  /// Both sides are closed; always reported.
  public static let hungUp = DescriptorEvents(rawValue: EPOLLHUP.rawValue)
  /// An error waits; always reported.
  public static let error = DescriptorEvents(rawValue: EPOLLERR.rawValue)
}

/// Order among sources that are ready at once, the lower number first;
/// sd_event_source_set_priority(3).
///
/// One source runs an iteration, then the descriptors are polled again: a source with a higher
/// number waits as long as those before it stay ready.
public struct EventPriority: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int64
  /// Takes any number.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// -100.
  public static let important = EventPriority(rawValue: Int64(SD_EVENT_PRIORITY_IMPORTANT))
  /// 0.
  public static let normal = EventPriority(rawValue: Int64(SD_EVENT_PRIORITY_NORMAL))
  /// 100.
  public static let idle = EventPriority(rawValue: Int64(SD_EVENT_PRIORITY_IDLE))
}

/// One thread's event loop, sd-event(3). All handlers run on the thread that calls `run`.
///
/// The loop never pings the watchdog by itself: the deciding thread does, to prove that it decides.
@safe public final class EventLoop {
  let handle: OpaquePointer

  /// Makes a loop of its own, not the thread's default one.
  public init() throws(SystemError) {
    var made: OpaquePointer?
    try unsafe checkedResult("sd_event_new", sd_event_new(&made))
    guard let made = unsafe made else { throw SystemError("sd_event_new", ENOMEM) }
    unsafe handle = made
  }

  deinit { unsafe sd_event_unref(handle) }

  /// Runs until `exit`, and returns its code.
  public func run() throws(SystemError) -> UInt8 {
    let code = try unsafe checkedResult("sd_event_loop", sd_event_loop(handle))
    return UInt8(truncatingIfNeeded: code)
  }

  /// Waits at most so many microseconds (nil: for ever) and runs at most one handler.
  ///
  /// False if the time passed without one.
  @discardableResult
  public func runOnce(timeout microseconds: UInt64?) throws(SystemError) -> Bool {
    try unsafe checkedResult("sd_event_run", sd_event_run(handle, microseconds ?? .max)) > 0
  }

  /// Ends `run` after the handler that runs now; before `run`, ends it at once.
  public func exit(_ code: UInt8) {
    unsafe sd_event_exit(handle, Int32(code))
  }

  /// Whether `exit` was called.
  public var isExiting: Bool {
    var code: Int32 = 0
    return unsafe sd_event_get_exit_code(handle, &code) >= 0
  }
}
