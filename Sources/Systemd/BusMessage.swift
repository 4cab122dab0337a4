internal import CSystemd
internal import Glibc

/// A message that came over a bus.
public struct BusMessage: Hashable, Sendable {
  /// The unique name of who sent it; nothing where the bus itself has none.
  public let sender: String
  /// The object that it is about.
  public let path: String
  /// The interface; empty where the caller left it out.
  public let interface: String
  /// The method or signal.
  public let member: String
  /// The arguments.
  public let arguments: [BusValue]

  /// Puts a message together.
  public init(
    sender: String, path: String, interface: String, member: String, arguments: [BusValue]
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}

/// Why a call on a bus gave no result.
public struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error's name, `org.freedesktop.DBus.Error.ServiceUnknown` for one.
  public let name: String
  /// What its sender says.
  public let message: String

  /// An error by name.
  public init(_ name: String, _ message: String) {
    self.name = name
    self.message = message
  }

  /// One line for a person.
  public var description: String { message.isEmpty ? name : "\(message) (\(name))" }

  private static let prefix = "org.freedesktop.DBus.Error."

  /// Whether nobody owns the name that was called.
  public var isServiceUnknown: Bool {
    name == BusError.prefix + "ServiceUnknown" || name == BusError.prefix + "NameHasNoOwner"
  }
  /// Whether no reply came: in time, before who was called went away, or before the bus did.
  public var isNoReply: Bool {
    ["NoReply", "Timeout", "TimedOut", "Disconnected"].contains { name == BusError.prefix + $0 }
  }
}

/// A message by its C handle, held.
@safe final class MessageHandle {
  let handle: OpaquePointer

  /// Takes over a reference.
  init(owning handle: OpaquePointer) { unsafe self.handle = handle }

  /// Adds a reference to a message that somebody else holds.
  init(sharing handle: OpaquePointer) {
    unsafe sd_bus_message_ref(handle)
    unsafe self.handle = handle
  }

  deinit { unsafe sd_bus_message_unref(handle) }

  /// Makes one with one of libsystemd's constructors.
  static func make(
    _ call: StaticString, _ body: (UnsafeMutablePointer<OpaquePointer?>) -> Int32
  ) throws(SystemError) -> MessageHandle {
    var made: OpaquePointer?
    try unsafe checkedResult(call, body(&made))
    guard let made = unsafe made else { throw SystemError("\(call)", ENOMEM) }
    return unsafe MessageHandle(owning: made)
  }

  /// What it says. Throws where it is broken.
  func read() throws(SystemError) -> BusMessage {
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
      unsafe pointer.map { unsafe String(cString: $0) } ?? ""
    }
    return BusMessage(
      sender: unsafe text(sd_bus_message_get_sender(handle)),
      path: unsafe text(sd_bus_message_get_path(handle)),
      interface: unsafe text(sd_bus_message_get_interface(handle)),
      member: unsafe text(sd_bus_message_get_member(handle)),
      arguments: try values())
  }

  /// The error that it is, if it is one.
  var error: BusError? {
    guard let error = unsafe sd_bus_message_get_error(handle),
      let name = unsafe error.pointee.name
    else { return nil }
    let message = unsafe error.pointee.message.map { unsafe String(cString: $0) }
    return BusError(unsafe String(cString: name), message ?? "")
  }

  // MARK: Writing

  func append(_ values: [BusValue]) throws(SystemError) {
    for value in values { try append(value) }
  }

  private func append(_ value: BusValue) throws(SystemError) {
    switch value {
    case .byte(let number): try basic("y", number)
    case .boolean(let truth): try basic("b", truth ? Int32(1) : 0)
    case .int16(let number): try basic("n", number)
    case .uint16(let number): try basic("q", number)
    case .int32(let number): try basic("i", number)
    case .uint32(let number): try basic("u", number)
    case .int64(let number): try basic("x", number)
    case .uint64(let number): try basic("t", number)
    case .double(let number): try basic("d", number)
    case .string(let text): try basic("s", text)
    case .objectPath(let text): try basic("o", text)
    case .signature(let text): try basic("g", text)
    case .array(let type, let elements):
      try contain("a", type) { () throws(SystemError) in try append(elements) }
    case .dictionary(let key, let type, let entries):
      try contain("a", "{\(key)\(type)}") { () throws(SystemError) in
        for entry in entries {
          try contain("e", key + type) { () throws(SystemError) in
            try append([entry.key, entry.value])
          }
        }
      }
    case .structure(let members):
      try contain("r", members.map(\.signature).joined()) { () throws(SystemError) in
        try append(members)
      }
    case .variant(let inner):
      try contain("v", inner.signature) { () throws(SystemError) in try append(inner) }
    }
  }

  private func basic(_ type: Unicode.Scalar, _ value: some FixedWidthInteger)
    throws(SystemError)
  {
    let result = unsafe withUnsafePointer(to: value) {
      unsafe sd_bus_message_append_basic(handle, code(type), $0)
    }
    try checkedResult("sd_bus_message_append_basic", result)
  }

  private func basic(_ type: Unicode.Scalar, _ value: Double) throws(SystemError) {
    let result = unsafe withUnsafePointer(to: value) {
      unsafe sd_bus_message_append_basic(handle, code(type), $0)
    }
    try checkedResult("sd_bus_message_append_basic", result)
  }

  private func basic(_ type: Unicode.Scalar, _ text: String) throws(SystemError) {
    let result = unsafe text.withCString {
      unsafe sd_bus_message_append_basic(handle, code(type), $0)
    }
    try checkedResult("sd_bus_message_append_basic", result)
  }

  private func contain(
    _ type: Unicode.Scalar, _ contents: String, _ body: () throws(SystemError) -> Void
  ) throws(SystemError) {
    try unsafe checkedResult(
      "sd_bus_message_open_container",
      sd_bus_message_open_container(handle, code(type), contents))
    try body()
    try unsafe checkedResult(
      "sd_bus_message_close_container", sd_bus_message_close_container(handle))
  }

  // MARK: Reading

  /// Deeper than any honest message; the protocol allows 64 (its "Message Format").
  private static let deepest = 64

  private func values(_ depth: Int = 0) throws(SystemError) -> [BusValue] {
    guard depth <= MessageHandle.deepest else { throw SystemError("sd_bus_message_read", EBADMSG) }
    var values: [BusValue] = []
    while let value = try value(depth) { values.append(value) }
    return values
  }

  private func value(_ depth: Int) throws(SystemError) -> BusValue? {
    var type: CChar = 0
    var inner: UnsafePointer<CChar>?
    let more = try unsafe checkedResult(
      "sd_bus_message_peek_type", sd_bus_message_peek_type(handle, &type, &inner))
    guard more > 0 else { return nil }
    let contents = unsafe inner.map { unsafe String(cString: $0) } ?? ""
    switch Unicode.Scalar(UInt8(bitPattern: type)) {
    case "y": return .byte(try number(type))
    case "b": return .boolean(try number(type, Int32.self) != 0)
    case "n": return .int16(try number(type))
    case "q": return .uint16(try number(type))
    case "i": return .int32(try number(type))
    case "u": return .uint32(try number(type))
    case "x": return .int64(try number(type))
    case "t": return .uint64(try number(type))
    case "d": return .double(Double(bitPattern: try number(type)))
    case "s": return .string(try string(type))
    case "o": return .objectPath(try string(type))
    case "g": return .signature(try string(type))
    case "v":
      let members = try enter("v", contents, depth)
      guard members.count == 1 else { throw SystemError("sd_bus_message_read", EBADMSG) }
      return .variant(members[0])
    case "r": return .structure(try enter("r", contents, depth))
    case "a":
      guard contents.hasPrefix("{") else {
        return .array(of: contents, try enter("a", contents, depth))
      }
      let types = contents.dropFirst().dropLast()
      return .dictionary(
        key: String(types.prefix(1)), value: String(types.dropFirst()),
        try entries(contents, String(types), depth))
    default: throw SystemError("sd_bus_message_read", EOPNOTSUPP)
    }
  }

  private func enter(
    _ type: Unicode.Scalar, _ contents: String, _ depth: Int
  ) throws(SystemError) -> [BusValue] {
    try unsafe checkedResult(
      "sd_bus_message_enter_container",
      sd_bus_message_enter_container(handle, code(type), contents))
    let values = try values(depth + 1)
    try unsafe checkedResult(
      "sd_bus_message_exit_container", sd_bus_message_exit_container(handle))
    return values
  }

  private func entries(
    _ contents: String, _ types: String, _ depth: Int
  ) throws(SystemError) -> [BusValue.Entry] {
    try unsafe checkedResult(
      "sd_bus_message_enter_container", sd_bus_message_enter_container(handle, code("a"), contents))
    var entries: [BusValue.Entry] = []
    while try unsafe checkedResult("sd_bus_message_at_end", sd_bus_message_at_end(handle, 0)) == 0 {
      let pair = try enter("e", types, depth + 1)
      guard pair.count == 2 else { throw SystemError("sd_bus_message_read", EBADMSG) }
      entries.append(BusValue.Entry(pair[0], pair[1]))
    }
    try unsafe checkedResult(
      "sd_bus_message_exit_container", sd_bus_message_exit_container(handle))
    return entries
  }

  private func number<Number: FixedWidthInteger>(
    _ type: CChar, _: Number.Type = Number.self
  ) throws(SystemError) -> Number {
    var number: Number = 0
    try unsafe checkedResult(
      "sd_bus_message_read_basic", sd_bus_message_read_basic(handle, type, &number))
    return number
  }

  private func string(_ type: CChar) throws(SystemError) -> String {
    var text: UnsafePointer<CChar>?
    try unsafe checkedResult(
      "sd_bus_message_read_basic", sd_bus_message_read_basic(handle, type, &text))
    return unsafe text.map { unsafe String(cString: $0) } ?? ""
  }
}

/// A type's letter as C has it.
private func code(_ type: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: type.value) }
