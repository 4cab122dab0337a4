internal import Glibc

/// What the process finds around itself.
public enum Surroundings {
  /// An environment variable; nil if it is not set. Only while no other thread sets one.
  public static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The effective user of this process.
  public static var userID: UInt32 { geteuid() }

  /// This process.
  public static var processID: Int32 { getpid() }

  /// Whether a descriptor is a terminal; isatty(3).
  public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Lets writes to closed pipes and sockets fail with EPIPE instead of ending the process.
  public static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Allows this process as many descriptors as it may have, up to `most`; getrlimit(2). What the
  /// shell it was started from allows is often less than a daemon's callers need.
  public static func raiseDescriptorLimit(to most: UInt64) {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(most)))
    unsafe _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
