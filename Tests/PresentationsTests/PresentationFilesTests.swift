import Glibc
import PresentationFiles
import Presentations
import Testing

/// Which file of which directory is in force.
@Suite struct PresentationFilesTests {
  private func inDirectories(_ body: (String, String) throws -> Void) throws {
    var name = Array("/tmp/presentations-XXXXXX".utf8CString)
    let made = unsafe name.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }
    }
    let root = unsafe String(cString: try #require(made))
    let (low, high) = ("\(root)/low", "\(root)/high")
    _ = unsafe mkdir(low, 0o700)
    _ = unsafe mkdir(high, 0o700)
    defer {
      for path in [low, high] {
        for file in ["a.conf", "b.conf", "c.conf", "d.conf", "notes.txt", "e.conf"] {
          _ = unsafe unlink("\(path)/\(file)")
        }
        _ = unsafe rmdir("\(path)/dir.conf")
        _ = unsafe rmdir(path)
      }
      _ = unsafe rmdir(root)
    }
    try body(low, high)
  }

  private func write(_ text: [UInt8], _ path: String) throws {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(file >= 0)
    _ = unsafe Glibc.write(file, text, text.count)
    close(file)
  }

  private func title(_ files: PresentationFiles, _ type: String) throws -> String {
    files.library.look(
      of: try running(#""attributesType":"\#(type)","attributes":{"name":"n"}"#), at: noon, utc
    ).title
  }

  @Test func `A later directory's file takes the place of an earlier one's`() throws {
    try inDirectories { low, high in
      try write(Array("Title=low\nBody=low".utf8), "\(low)/a.conf")
      try write(Array("Title=low".utf8), "\(low)/b.conf")
      try write(Array("Title=low".utf8), "\(low)/c.conf")
      try write(Array("Title=high".utf8), "\(high)/a.conf")
      _ = unsafe symlink("/dev/null", "\(high)/c.conf")
      try write(Array("Title=x".utf8), "\(high)/notes.txt")
      let files = PresentationFiles(directories: [low, high, "\(high)/missing"])
      #expect(files.problems == [])
      #expect(files.library.types == ["a", "b", "c"])
      #expect(try title(files, "a") == "high")
      #expect(try title(files, "b") == "low")
      #expect(try title(files, "c") == "n")
      #expect(try title(files, "d") == "n")
    }
  }

  @Test func `What cannot be read is told, and in nobody's way`() throws {
    try inDirectories { low, high in
      try write(Array("Title=a".utf8), "\(low)/a.conf")
      try write([UInt8](repeating: 0x20, count: 70_000), "\(high)/a.conf")
      _ = unsafe mkdir("\(high)/dir.conf", 0o700)
      _ = unsafe mkfifo("\(high)/d.conf", 0o600)
      try write(Array("Title=\u{E9}\nBody=b".utf8).filter { $0 != 0xC3 }, "\(low)/e.conf")
      let files = PresentationFiles(directories: [low, high])
      #expect(
        files.problems == ["\(high)/a.conf: File too large", "\(high)/dir.conf: Is a directory"])
      #expect(try title(files, "a") == "a")
      #expect(
        files.library.diagnostics.map(\.description)
          == ["\(low)/e.conf:1:1: not valid UTF-8; the line is left out"])
    }
  }
}
