import Glibc
import JSON
import Varlink

let testService = VarlinkService(
  vendor: "Vendor", product: "Product", version: "1", url: "https://example.org",
  interfaces: [
    ("org.example.test", "interface org.example.test\nmethod Echo(text: ?string) -> ()\n")
  ])

/// Bytes of messages, each with its NUL.
func messages(_ texts: String...) -> [UInt8] {
  texts.flatMap { Array($0.utf8) + [0] }
}

func text(_ writer: JSONWriter) -> String { String(decoding: writer.bytes, as: UTF8.self) }

/// The far end of a client's connection, driven step by step.
final class Peer {
  let descriptor: Int32
  private var inbox = VarlinkInbox()

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// A client and its far end.
  static func pair() -> (VarlinkConnection, Peer) {
    var ends: [Int32] = [-1, -1]
    _ = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    return (VarlinkConnection(adopting: ends[0]), Peer(ends[1]))
  }

  func write(_ bytes: [UInt8]) {
    _ = unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Waits for the next call; nil at the end of the stream.
  func read() throws -> VarlinkCall? {
    while true {
      if let call = try inbox.nextCall() { return call }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      inbox.append(Array(buffer.prefix(count)).span)
    }
  }

  /// Answers calls until the client goes: those of the service, and Echo with its parameters.
  func serve() throws {
    while let call = try read() {
      var writer = JSONWriter()
      if call.method == "org.example.test.Echo" {
        if !call.oneway {
          writer.varlinkReply { $0.member("text", call.parameters["text"]?.string) }
        }
      } else {
        testService.answer(call, &writer)
      }
      var rest = writer.take()[...]
      while !rest.isEmpty {
        let count = unsafe Array(rest).withUnsafeBytes {
          unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }
}

/// A directory of its own, gone with its last reference.
final class TemporaryDirectory {
  let path: String

  init() {
    var template = Array("/tmp/varlink-test-XXXXXX".utf8CString)
    unsafe template.withUnsafeMutableBufferPointer { name in
      if let start = name.baseAddress { _ = unsafe mkdtemp(start) }
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    unsafe unlink(path + "/socket")
    unsafe rmdir(path)
  }

  /// A socket there: bound, and listening if asked for.
  func bindSocket(listening: Bool) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) {
      unsafe $0.copyBytes(from: Array((path + "/socket").utf8))
    }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    _ = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if listening { listen(descriptor, 8) }
    return descriptor
  }
}
