/// A type of the interface definition language (https://varlink.org/Interface-Definition).
public indirect enum VarlinkType: Hashable, Sendable {
  /// `bool`.
  case bool
  /// `int`: 64 bits.
  case int
  /// `float`: a double; a whole number may stand for it.
  case float
  /// `string`.
  case string
  /// `object`: any JSON object.
  case object
  /// A type of the interface, by name.
  case named(String)
  /// `(name: type, …)`.
  case structure([VarlinkField])
  /// `(one, two, …)`: a string that is one of these.
  case enumeration([String])
  /// `[]type`.
  case array(VarlinkType)
  /// `[string]type`.
  case map(VarlinkType)
  /// `?type`: may be null or absent.
  case optional(VarlinkType)
}

/// A field of a structure.
public struct VarlinkField: Hashable, Sendable {
  /// Its name.
  public let name: String
  /// Its type.
  public let type: VarlinkType
}

/// A method of an interface.
public struct VarlinkMethod: Hashable, Sendable {
  /// Its name, without the interface's.
  public let name: String
  /// Its parameters: a structure.
  public let input: VarlinkType
  /// Its reply's parameters: a structure.
  public let output: VarlinkType
}

/// A named type or error of an interface.
public struct VarlinkDefinition: Hashable, Sendable {
  /// Its name, without the interface's.
  public let name: String
  /// What it stands for; of an error its parameters, a structure.
  public let type: VarlinkType
}

/// An interface, read from its definition.
public struct VarlinkInterface: Hashable, Sendable {
  /// Its name, such as `org.varlink.service`.
  public let name: String
  /// Its types, in the order of the definition.
  public let types: [VarlinkDefinition]
  /// Its methods, in the order of the definition.
  public let methods: [VarlinkMethod]
  /// Its errors, in the order of the definition.
  public let errors: [VarlinkDefinition]

  /// Reads a definition. Throws where it breaks the language, names something twice, or names a
  /// type that it does not define.
  public init(_ definition: String) throws(VarlinkDefinitionError) {
    var parser = VarlinkDefinitionParser(definition)
    self = try parser.interface()
  }

  init(
    name: String, types: [VarlinkDefinition], methods: [VarlinkMethod],
    errors: [VarlinkDefinition]
  ) {
    self.name = name
    self.types = types
    self.methods = methods
    self.errors = errors
  }
}

/// Where and why a definition is wrong.
public struct VarlinkDefinitionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// The byte within the line, from 1.
  public let column: Int
  /// What was wrong, in a few words.
  public let reason: String

  /// One line for a person.
  public var description: String { "line \(line), column \(column): \(reason)" }
}
