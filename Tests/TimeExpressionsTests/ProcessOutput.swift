internal import Glibc

/// What a shell command writes to its standard output; nil if it did not end with status 0.
func output(of command: String) -> [UInt8]? {
  guard let stream = unsafe popen(command, "r") else { return nil }
  var result: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let got = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe fread(bytes.baseAddress, 1, bytes.count, stream)
    }
    if got == 0 { break }
    result.append(contentsOf: buffer[..<got])
  }
  return unsafe pclose(stream) == 0 ? result : nil
}

func lines(of command: String) -> [String]? {
  output(of: command).map { bytes in
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

func hasCommand(_ name: String) -> Bool { output(of: "command -v \(name)") != nil }

/// Writes a file for a test; false if that failed.
func write(_ bytes: [UInt8], to path: String) -> Bool {
  guard let stream = unsafe fopen(path, "w") else { return false }
  let count = unsafe fwrite(bytes, 1, bytes.count, stream)
  return unsafe fclose(stream) == 0 && count == bytes.count
}

/// An empty directory that is gone after `body`.
func withTemporaryDirectory(_ body: (String) throws -> Void) throws {
  var template = Array("/tmp/time-expressions-XXXXXX".utf8CString)
  let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
    unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
  }
  guard made else { throw POSIXFailure(number: errno) }
  let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  defer { _ = output(of: "rm -rf '\(path)'") }
  try body(path)
}

struct POSIXFailure: Error { let number: Int32 }
