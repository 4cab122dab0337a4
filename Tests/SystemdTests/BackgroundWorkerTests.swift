import Glibc
import Testing

@testable import Systemd

@Suite struct BackgroundWorkerTests {
  let loop: EventLoop

  init() throws { loop = try EventLoop() }

  @Test func resultsComeBackInOrderOnTheLoopsThread() throws {
    let worker = try BackgroundWorker(loop)
    let here = pthread_self()
    var results: [Int] = []
    var wasElsewhere = true
    for number in 0..<100 {
      worker.submit {
        (number, pthread_equal(pthread_self(), here) == 0)
      } completion: { (result: (Int, Bool)) in
        results.append(result.0)
        wasElsewhere = wasElsewhere && result.1 && pthread_equal(pthread_self(), here) != 0
      }
    }
    #expect(worker.unfinishedCount == 100)
    try run(loop) { results.count == 100 }
    #expect(results == Array(0..<100))
    #expect(wasElsewhere)
    #expect(worker.unfinishedCount == 0)
    worker.stop()
  }

  @Test func completionsMaySubmitMore() throws {
    let worker = try BackgroundWorker(loop)
    var last = 0
    func next(_ number: Int) {
      last = number
      if number < 10 {
        worker.submit {
          number + 1
        } completion: {
          next($0)
        }
      }
    }
    next(0)
    try run(loop) { last == 10 }
    worker.stop()
  }

  @Test func afterStopNothingIsCalled() throws {
    let worker = try BackgroundWorker(loop)
    let gate = Guarded(false)
    var calls = 0
    worker.submit {
      gate.wait { $0 ? true : nil }
    } completion: { (_: Bool) in
      calls += 1
    }
    worker.submit {
      false
    } completion: { (_: Bool) in
      calls += 1
    }
    gate.withLock { $0 = true }
    gate.wakeAll()
    worker.stop()
    worker.submit {
      true
    } completion: { (_: Bool) in
      calls += 1
    }
    worker.stop()
    #expect(try !loop.runOnce(timeout: 0))
    #expect(calls == 0)
  }

  @Test func lettingGoDoesNotWaitForAJobThatHangs() throws {
    let gate = Guarded((began: false, open: false, ended: false))
    var worker: BackgroundWorker? = try BackgroundWorker(loop)
    worker?.submit {
      gate.withLock { $0.began = true }
      gate.wakeAll()
      gate.wait { $0.open ? () : nil }
      gate.withLock { $0.ended = true }
      gate.wakeAll()
    } completion: {
    }
    gate.wait { $0.began ? () : nil }
    worker = nil
    #expect(gate.withLock { !$0.ended })
    gate.withLock { $0.open = true }
    gate.wakeAll()
    gate.wait { $0.ended ? () : nil }
  }

  @Test func theThreadTakesNoSignals() throws {
    let worker = try BackgroundWorker(loop)
    var blocked: Bool?
    worker.submit {
      var mask = sigset_t()
      unsafe pthread_sigmask(SIG_SETMASK, nil, &mask)
      return unsafe sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGHUP) == 1
    } completion: {
      blocked = $0
    }
    try run(loop) { blocked != nil }
    #expect(blocked == true)
    worker.stop()
  }
}
