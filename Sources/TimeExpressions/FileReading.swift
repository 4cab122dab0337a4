internal import Glibc

/// The few file calls that `ZoneDatabase` needs.
enum FileReading {
  /// An error number of a file call.
  struct Failure: Error, Equatable {
    let number: Int32

    /// Whether there is simply no such file.
    var isAbsence: Bool { number == ENOENT || number == ENOTDIR || number == EISDIR }

    func error(zone: String) -> TimeZoneError {
      TimeZoneError(
        .unreadable, zone: zone,
        problem: "its file cannot be read: \(unsafe String(cString: strerror(number)))",
        hint: "see that it is readable and the package tzdata installed", errno: number)
    }
  }

  /// No zone's file comes near it; whatever is larger is something else.
  static let limit = 1 << 20

  /// A whole file of at most 1 MiB (`EFBIG` beyond), or its first `beginning` bytes.
  static func contents(of path: String, beginning: Int? = nil) -> Result<[UInt8], Failure> {
    // A FIFO must not hold us up; reading it gives an error or nothing.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { return .failure(Failure(number: errno)) }
    defer { close(file) }
    let most = beginning ?? limit + 1
    var bytes = [UInt8](repeating: 0, count: min(most, 8192))
    var count = 0
    while count < most {
      if count == bytes.count {
        bytes.append(contentsOf: repeatElement(0, count: min(most, count * 2) - count))
      }
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return 0 }
        return unsafe read(file, base + count, buffer.count - count)
      }
      if got < 0 {
        if errno == EINTR { continue }
        return .failure(Failure(number: errno))
      }
      if got == 0 { break }
      count += got
    }
    if beginning == nil && count > limit { return .failure(Failure(number: EFBIG)) }
    bytes.removeLast(bytes.count - count)
    return .success(bytes)
  }

  static func begins(_ path: String, with mark: String) -> Bool {
    guard case .success(let bytes) = contents(of: path, beginning: mark.utf8.count) else {
      return false
    }
    return bytes.elementsEqual(mark.utf8)
  }

  static func firstLine(of path: String) -> String? {
    guard case .success(let bytes) = contents(of: path, beginning: 300) else { return nil }
    return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
  }

  /// Where a symbolic link points; nil if it is none.
  static func target(of path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return -1 }
      return unsafe readlink(path, base.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  static func realPath(of path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// What a directory holds, but for names that begin with a dot; empty if it cannot be read.
  static func entries(of path: String) -> [(name: String, isDirectory: Bool)] {
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var result: [(name: String, isDirectory: Bool)] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      guard !name.hasPrefix(".") else { continue }
      var status = stat()
      guard unsafe stat("\(path)/\(name)", &status) == 0 else { continue }
      result.append((name, status.st_mode & S_IFMT == S_IFDIR))
    }
    return result
  }
}
