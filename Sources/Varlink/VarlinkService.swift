public import JSON

/// What a service tells about itself, and the calls that any service answers
/// (https://varlink.org/Service, `org.varlink.service`).
public struct VarlinkService: Sendable {
  /// Who made it.
  public let vendor: String
  /// What it is.
  public let product: String
  /// Which version.
  public let version: String
  /// Where to read on.
  public let url: String
  /// Its interfaces' names with their descriptions, `org.varlink.service` first.
  public let interfaces: [(name: String, description: String)]

  /// A service with those interfaces besides `org.varlink.service`.
  public init(
    vendor: String, product: String, version: String, url: String,
    interfaces: [(name: String, description: String)]
  ) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
    self.interfaces = [(VarlinkService.interface, VarlinkService.description)] + interfaces
  }

  /// The name of the interface that every service has.
  public static let interface = "org.varlink.service"

  /// Answers a call that is not for a method of the service's own: those of `org.varlink.service`,
  /// and with an error those that nobody implements. Nothing is written where the caller wants no
  /// reply.
  public func answer(_ call: VarlinkCall, _ writer: inout JSONWriter) {
    guard !call.oneway else { return }
    do throws(VarlinkServiceError) {
      try respond(call, &writer)
    } catch {
      writer.varlinkError(error.name, error.encode)
    }
  }

  private func respond(
    _ call: VarlinkCall, _ writer: inout JSONWriter
  ) throws(VarlinkServiceError) {
    let method = call.method
    _ = try call.checkedParameters()
    guard let dot = method.utf8.lastIndex(of: 0x2E) else { throw .interfaceNotFound(method) }
    let interface = method[..<dot]
    guard interfaces.contains(where: { $0.name == interface }) else {
      throw .interfaceNotFound(String(interface))
    }
    guard interface == VarlinkService.interface else { throw .methodNotFound(method) }
    switch method[method.utf8.index(after: dot)...] {
    case "GetInfo":
      _ = try parameters(call, JSONFieldNames([]))
      writer.varlinkReply { writer in
        writer.member("vendor", vendor)
        writer.member("product", product)
        writer.member("version", version)
        writer.member("url", url)
        writer.member("interfaces", interfaces.map(\.name))
      }
    case "GetInterfaceDescription":
      let fields = try parameters(call, JSONFieldNames(["interface"]))
      guard let name = fields[0]?.string else { throw .invalidParameter("interface") }
      guard let found = interfaces.first(where: { $0.name == name }) else {
        throw .interfaceNotFound(name)
      }
      writer.varlinkReply { $0.member("description", found.description) }
    default: throw .methodNotFound(method)
    }
  }

  private func parameters(
    _ call: VarlinkCall, _ names: JSONFieldNames
  ) throws(VarlinkServiceError) -> JSONFields {
    do throws(JSONFieldsError) {
      return try JSONFields(call.parameters, names)
    } catch .unknown(let key) {
      throw .invalidParameter(key.string ?? "")
    } catch {
      throw .invalidParameter("parameters")
    }
  }

  /// The description of `org.varlink.service`.
  public static let description = """
    # What every service tells about itself.
    interface org.varlink.service

    # Who made the service, what it is, and which interfaces it has.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # An interface in the Varlink interface definition language.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The service has no such interface.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The interface has the method, the service does not implement it.
    error MethodNotImplemented (method: string)

    # A parameter is missing, unknown or not as it must be.
    error InvalidParameter (parameter: string)

    # The caller may not do that.
    error PermissionDenied ()

    # The method has more than one reply; call it with more.
    error ExpectedMore ()

    """
}
