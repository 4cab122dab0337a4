internal import Glibc

/// Why a file or directory cannot be read.
public struct FileProblem: Error, Hashable, Sendable {
  /// The number of the error (errno(3)).
  public let number: Int32

  /// What the system says of it.
  public var text: String { unsafe String(cString: strerror(number)) }

  /// Whether there is simply no such file.
  public var isAbsence: Bool { number == ENOENT || number == ENOTDIR }
}

/// The few file calls that presentations need.
enum FileAccess {
  static func contents(of path: String, limit: Int) -> Result<[UInt8], FileProblem> {
    // A FIFO must not hold us up; reading it gives an error or nothing.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { return .failure(FileProblem(number: errno)) }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count < bytes.count {
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return 0 }
        return unsafe read(file, base + count, buffer.count - count)
      }
      if got < 0 {
        if errno == EINTR { continue }
        return .failure(FileProblem(number: errno))
      }
      if got == 0 { break }
      count += got
    }
    if count > limit { return .failure(FileProblem(number: EFBIG)) }
    bytes.removeLast(bytes.count - count)
    return .success(bytes)
  }

  static func names(in path: String) -> Result<[String], FileProblem> {
    guard let directory = unsafe opendir(path) else {
      return .failure(FileProblem(number: errno))
    }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      names.append(
        unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
        })
    }
    return .success(names)
  }

  static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
