internal import CSystemd
internal import Glibc

/// One helper thread that does, in order, what the loop's thread must not wait for.
///
/// Results come back on the loop's thread. Belongs to that thread itself.
public final class BackgroundWorker {
  fileprivate struct Job: Sendable {
    let ticket: UInt64
    let work: @Sendable () -> Void
  }

  fileprivate struct State: Sendable {
    var jobs: [Job] = []
    var finished: [UInt64] = []
    var isStopping = false
  }

  /// What both threads hold; the descriptor stays open as long as one of them may use it.
  fileprivate final class Shared: Sendable {
    let state = Guarded(State())
    let wakeUp: FileDescriptor

    init() throws(SystemError) {
      let flags = Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)
      wakeUp = FileDescriptor(owning: try checked("eventfd") { eventfd(0, flags) })
    }
  }

  /// Carries a result over. `@unchecked`: written before the ticket goes through the mutex of
  /// `Shared.state`, read after.
  private final class Box<Result: Sendable>: @unchecked Sendable {
    var result: Result?
  }

  private let shared: Shared
  private let source: EventSource
  private let waiting: Waiting
  private var thread: pthread_t?
  private var nextTicket: UInt64 = 0

  /// What is to be called when a ticket is finished; its own class, so that the source's handler
  /// does not keep the worker alive.
  private final class Waiting {
    var completions: [UInt64: () -> Void] = [:]
  }

  /// Starts the thread, with all signals blocked.
  public init(_ loop: EventLoop, priority: EventPriority = .normal) throws(SystemError) {
    let shared = try Shared()
    let waiting = Waiting()
    self.shared = shared
    self.waiting = waiting
    source = try loop.addDescriptor(shared.wakeUp.number, .readable, priority: priority) { _ in
      var count: UInt64 = 0
      _ = unsafe read(shared.wakeUp.number, &count, MemoryLayout<UInt64>.size)
      let finished = shared.state.withLock { state in
        defer { state.finished = [] }
        return state.finished
      }
      for ticket in finished { waiting.completions.removeValue(forKey: ticket)?() }
    }
    thread = try startThread(shared)
  }

  deinit {
    guard let thread else { return }
    // Without waiting: what runs may hang in the network. The thread owns what it uses.
    tellToStop()
    pthread_detach(thread)
  }

  /// Jobs handed in whose completion has not run.
  public var unfinishedCount: Int { waiting.completions.count }

  /// Has `work` done on the helper thread, and then calls `completion` with its result on the
  /// loop's thread. After `stop` nothing happens.
  public func submit<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result, completion: @escaping (Result) -> Void
  ) {
    guard thread != nil else { return }
    let box = Box<Result>()
    let ticket = nextTicket
    nextTicket += 1
    waiting.completions[ticket] = {
      if let result = box.result { completion(result) }
    }
    shared.state.withLock { state in
      state.jobs.append(Job(ticket: ticket) { box.result = work() })
    }
    shared.state.wakeAll()
  }

  /// Waits for the job that runs now and ends the thread. Jobs not begun are dropped, and no
  /// completion is called any more.
  public func stop() {
    guard let thread else { return }
    self.thread = nil
    tellToStop()
    pthread_join(thread, nil)
    source.remove()
    waiting.completions = [:]
  }

  private func tellToStop() {
    shared.state.withLock { $0.isStopping = true }
    shared.state.wakeAll()
  }
}

private func startThread(_ shared: BackgroundWorker.Shared) throws(SystemError) -> pthread_t {
  var all = sigset_t()
  var before = sigset_t()
  unsafe sigfillset(&all)
  // The new thread inherits the mask: signals are the loop's.
  unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
  var thread = pthread_t()
  let context = unsafe Unmanaged.passRetained(shared)
  let result = unsafe pthread_create(
    &thread, nil,
    { context in
      if let context = unsafe context {
        work(unsafe Unmanaged<BackgroundWorker.Shared>.fromOpaque(context).takeRetainedValue())
      }
      return nil
    }, context.toOpaque())
  if result != 0 {
    unsafe context.release()
    throw SystemError("pthread_create", result)
  }
  return thread
}

private func work(_ shared: BackgroundWorker.Shared) {
  while true {
    let jobs: [BackgroundWorker.Job]? = shared.state.wait { state in
      if state.isStopping { return .some(nil) }
      if state.jobs.isEmpty { return nil }
      defer { state.jobs = [] }
      return state.jobs
    }
    guard let jobs else { return }
    for job in jobs {
      if shared.state.withLock({ $0.isStopping }) { return }
      job.work()
      shared.state.withLock { $0.finished.append(job.ticket) }
      var one: UInt64 = 1
      // Fails only when the counter is full, and then the loop is woken already.
      _ = unsafe write(shared.wakeUp.number, &one, MemoryLayout<UInt64>.size)
    }
  }
}
