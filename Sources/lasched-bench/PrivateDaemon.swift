import Glibc
import Varlink

/// A `lasched` of the bench's own, found beside it, in a directory that goes with it.
final class PrivateDaemon {
  let directory: String
  private(set) var process: pid_t = 0

  var socket: String { "\(directory)/socket" }

  /// Makes the directory and starts the daemon.
  init() throws(UsageError) {
    let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/var/tmp"
    var template = Array("\(base)/lasched-bench-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw UsageError("cannot make a directory in \(base)")
    }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try start()
  }

  deinit {
    stop(SIGKILL)
    for name in [
      "activities.sqlite", "activities.sqlite-wal", "activities.sqlite-shm", "lock", "reserve",
    ] { unsafe unlink("\(directory)/state/\(name)") }
    unsafe rmdir("\(directory)/state")
    unsafe unlink(socket)
    unsafe unlink("\(directory)/log")
    unsafe rmdir(directory)
  }

  /// Starts it on what its directory holds.
  func start() throws(UsageError) {
    let program = Self.besideThisProgram("lasched")
    let words = [
      program, "--system", "--state-directory=\(directory)/state", "--socket=\(socket)",
      "--config=/dev/null", "--log-level=err",
    ]
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    defer { while let argument = unsafe arguments.popLast() { unsafe free(argument) } }
    guard unsafe posix_spawn(&process, program, nil, nil, arguments, environ) == 0 else {
      throw UsageError("cannot start \(program); build the product lasched as well")
    }
  }

  /// Ends it, and waits until it is gone.
  func stop(_ signal: Int32) {
    guard process > 0 else { return }
    kill(process, signal)
    var status: Int32 = 0
    unsafe waitpid(process, &status, 0)
    process = 0
  }

  /// A connection, as soon as there is one to be had.
  func connect() throws(UsageError) -> VarlinkConnection {
    for _ in 0..<60_000 {
      do throws(VarlinkError) { return try VarlinkConnection(connectingTo: socket) } catch {
        guard kill(process, 0) == 0 else { throw UsageError("lasched ended: \(error)") }
        poll(nil, 0, 1)
      }
    }
    throw UsageError("lasched does not answer at \(socket)")
  }

  /// Resident bytes.
  var residentBytes: Int { (number("VmRSS:", in: "status") ?? 0) * 1024 }

  /// How often it has gone to sleep, which is how often it has been woken.
  var wakeups: Int { number("voluntary_ctxt_switches:", in: "status") ?? 0 }

  private func number(_ name: String, in file: String) -> Int? {
    let descriptor = unsafe open("/proc/\(process)/\(file)", O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let length = unsafe read(descriptor, &bytes, bytes.count)
    let lines = String(decoding: bytes[..<max(0, length)], as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
      .flatMap { Int($0) }
  }

  private static func besideThisProgram(_ name: String) -> String {
    var path = [CChar](repeating: 0, count: 4096)
    let length = unsafe readlink("/proc/self/exe", &path, path.count - 1)
    let own = String(
      decoding: path[..<max(0, length)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "."
    return "\(folder)/\(name)"
  }
}
