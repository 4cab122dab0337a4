internal import CSystemd
internal import Glibc

/// A connection to a message bus, sd-bus(3), served by an `EventLoop`. It never waits for anybody:
/// calls are answered through handlers, on the loop's thread.
@safe public final class Bus {
  private let handle: OpaquePointer
  /// Told once that the connection is gone, for good.
  private var disconnected: (() -> Void)?
  private var disconnection: BusSlot?

  /// Connects to the bus at an address (`unix:path=/run/user/1000/bus`). Throws where nobody listens
  /// there. `lost` is called once when the connection breaks; after it nothing else is.
  public init(
    _ loop: EventLoop, address: String, _ lost: @escaping () -> Void
  ) throws(SystemError) {
    var made: OpaquePointer?
    try unsafe checkedResult("sd_bus_new", sd_bus_new(&made))
    guard let made = unsafe made else { throw SystemError("sd_bus_new", ENOMEM) }
    unsafe handle = made
    disconnected = lost
    try unsafe checkedResult("sd_bus_set_address", sd_bus_set_address(handle, address))
    try unsafe checkedResult("sd_bus_set_bus_client", sd_bus_set_bus_client(handle, 1))
    try unsafe checkedResult(
      "sd_bus_set_exit_on_disconnect", sd_bus_set_exit_on_disconnect(handle, 0))
    let result = unsafe sd_bus_start(handle)
    if result < 0 { throw SystemError("connect", 0 &- result, address) }
    try unsafe checkedResult("sd_bus_attach_event", sd_bus_attach_event(handle, loop.handle, 0))
    disconnection = try match(
      "type='signal',sender='org.freedesktop.DBus.Local',"
        + "path='/org/freedesktop/DBus/Local',interface='org.freedesktop.DBus.Local',"
        + "member='Disconnected'"
    ) { [weak self] _ in self?.breakOff() }
  }

  deinit {
    unsafe sd_bus_detach_event(handle)
    unsafe sd_bus_flush_close_unref(handle)
  }

  private func breakOff() {
    let lost = disconnected
    disconnected = nil
    lost?()
  }

  /// The address of the caller's session bus: `$DBUS_SESSION_BUS_ADDRESS`, else the socket that
  /// systemd has in `$XDG_RUNTIME_DIR`, as sd_bus_open_user(3) does.
  public static var userAddress: String {
    if let address = Surroundings.variable("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty {
      return address
    }
    let directory = Surroundings.variable("XDG_RUNTIME_DIR").flatMap { $0.isEmpty ? nil : $0 }
    return "unix:path=" + escaped((directory ?? "/run/user/\(getuid())") + "/bus")
  }

  /// A value in an address, where all but a few characters are escaped (the specification's "Server
  /// Addresses").
  static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain = byte < 0x80 && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      if isPlain || "-_/.\\*".unicodeScalars.contains(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16)
        result += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    return result
  }

  // MARK: Calls

  /// Calls a method and hands the reply's arguments, or why there are none, to `reply`. It lasts as
  /// long as the slot that is returned; the reply is a `Timeout` after so many microseconds.
  public func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = [], timeout microseconds: UInt64,
    _ reply: @escaping (Result<[BusValue], BusError>) -> Void
  ) throws(SystemError) -> BusSlot {
    let message = try unsafe MessageHandle.make("sd_bus_message_new_method_call") { made in
      unsafe sd_bus_message_new_method_call(handle, made, destination, path, interface, member)
    }
    // Who is called is there already, or waited for; never started by this.
    try unsafe checkedResult(
      "sd_bus_message_set_auto_start", sd_bus_message_set_auto_start(message.handle, 0))
    try message.append(arguments)
    return try unsafe BusSlot("sd_bus_call_async") { message in
      if let error = message.error { return reply(.failure(error)) }
      do throws(SystemError) {
        reply(.success(try message.read().arguments))
      } catch {
        reply(.failure(BusError("org.freedesktop.DBus.Error.InconsistentMessage", "\(error)")))
      }
    } add: { slot, context in
      unsafe sd_bus_call_async(
        handle, slot, message.handle,
        { message, context, _ in unsafe BusSlot.fire(context, message) }, context, microseconds)
    }
  }

  /// Hands every message that a match rule names to `handler`, as long as the slot lasts
  /// (sd_bus_add_match(3)). The bus is told without waiting for its answer.
  public func match(
    _ rule: String, _ handler: @escaping (BusMessage) -> Void
  ) throws(SystemError) -> BusSlot {
    try unsafe BusSlot("sd_bus_add_match_async") { message in
      // What is broken is nobody's news.
      do throws(SystemError) { handler(try message.read()) } catch {}
    } add: { slot, context in
      unsafe sd_bus_add_match_async(
        handle, slot, rule, { message, context, _ in unsafe BusSlot.fire(context, message) },
        { _, _, _ in 0 }, context)
    }
  }

  /// Follows who owns a name: tells at once who does, and each change; nil for nobody.
  public func watch(
    name: String, _ changed: @escaping (_ owner: String?) -> Void
  ) throws(SystemError) -> [BusSlot] {
    let signal = try match(
      "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
        + "interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(name)'"
    ) { message in
      guard message.arguments.count == 3, let owner = message.arguments[2].text else { return }
      changed(owner.isEmpty ? nil : owner)
    }
    // Asked after the rule is in place, so that no change can fall between.
    let answer = try call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
      [.string(name)], timeout: 30_000_000
    ) { result in
      switch result {
      case .success(let values): changed(values.first?.text)
      case .failure: changed(nil)
      }
    }
    return [signal, answer]
  }

  // MARK: Serving

  /// Asks for a name; `answer` hears whether it is owned now.
  public func request(
    name: String, _ answer: @escaping (Bool) -> Void
  ) throws(SystemError) -> BusSlot {
    // 4: do not queue for it.
    try call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
      [.string(name), .uint32(4)], timeout: 30_000_000
    ) { result in
      if case .success(let values) = result {
        answer(values.first?.number == 1 || values.first?.number == 4)
      } else {
        answer(false)
      }
    }
  }

  /// Answers the calls to an object, as long as the slot lasts. A handler keeps the `BusCall` for as
  /// long as it takes to answer.
  public func serve(
    _ path: String, _ handler: @escaping (BusCall) -> Void
  ) throws(SystemError) -> BusSlot {
    try unsafe BusSlot("sd_bus_add_object") { message in
      do throws(SystemError) {
        handler(BusCall(handle: message, message: try message.read()))
      } catch {}
    } add: { slot, context in
      unsafe sd_bus_add_object(
        handle, slot, path,
        { message, context, _ in
          _ = unsafe BusSlot.fire(context, message)
          return 1
        }, context)
    }
  }

  /// Sends a signal to everybody who listens.
  public func emit(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue]
  ) throws(SystemError) {
    let message = try unsafe MessageHandle.make("sd_bus_message_new_signal") { made in
      unsafe sd_bus_message_new_signal(handle, made, path, interface, member)
    }
    try message.append(arguments)
    try unsafe checkedResult("sd_bus_send", sd_bus_send(nil, message.handle, nil))
  }
}

/// A call that came in, to be answered once.
public struct BusCall {
  let handle: MessageHandle
  /// What was called, by whom, with which arguments.
  public let message: BusMessage

  /// Answers with a result.
  public func reply(_ arguments: [BusValue] = []) throws(SystemError) {
    let reply = try unsafe MessageHandle.make("sd_bus_message_new_method_return") { made in
      unsafe sd_bus_message_new_method_return(handle.handle, made)
    }
    try reply.append(arguments)
    try unsafe checkedResult("sd_bus_send", sd_bus_send(nil, reply.handle, nil))
  }

  /// Answers with an error.
  public func refuse(_ error: BusError) throws(SystemError) {
    let reply = try unsafe MessageHandle.make("sd_bus_message_new_method_error") { made in
      unsafe error.name.withCString { name in
        unsafe error.message.withCString { text in
          var error = unsafe sd_bus_error(name: name, message: text, _need_free: 0)
          return unsafe sd_bus_message_new_method_error(handle.handle, made, &error)
        }
      }
    }
    try unsafe checkedResult("sd_bus_send", sd_bus_send(nil, reply.handle, nil))
  }
}

/// Something that waits for messages; it stops with its last reference (sd_bus_slot_unref(3)).
@safe public final class BusSlot {
  private var handle: OpaquePointer?
  private var handler: ((MessageHandle) -> Void)?

  fileprivate init(
    _ call: StaticString, _ handler: @escaping (MessageHandle) -> Void,
    add: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> Int32
  ) throws(SystemError) {
    self.handler = handler
    let me = unsafe Unmanaged.passUnretained(self).toOpaque()
    try unsafe checkedResult(call, add(&handle, me))
  }

  deinit { unsafe sd_bus_slot_unref(handle) }

  /// Stops it before its last reference goes. May be called by its own handler.
  public func remove() {
    unsafe sd_bus_slot_unref(handle)
    unsafe handle = nil
    handler = nil
  }

  fileprivate static func fire(
    _ context: UnsafeMutableRawPointer?, _ message: OpaquePointer?
  ) -> Int32 {
    guard let context = unsafe context, let message = unsafe message else { return 0 }
    // The handler may drop the slot: both are held until it returns.
    let slot = unsafe Unmanaged<BusSlot>.fromOpaque(context).takeUnretainedValue()
    let handler = slot.handler
    handler?(unsafe MessageHandle(sharing: message))
    return 0
  }
}
