extension JSONWriter {
  /// A member with a string; none for nil.
  public mutating func member(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    key(name)
    string(value)
  }

  /// A member with a whole number; none for nil.
  public mutating func member(_ name: StaticString, _ value: Int64?) {
    guard let value else { return }
    key(name)
    int(value)
  }

  /// A member with a number; none for nil.
  public mutating func member(_ name: StaticString, _ value: Double?) {
    guard let value else { return }
    key(name)
    double(value)
  }

  /// A member with a truth value; none for nil.
  public mutating func member(_ name: StaticString, _ value: Bool?) {
    guard let value else { return }
    key(name)
    bool(value)
  }

  /// A member with a value that is JSON already; none for nil.
  public mutating func member(_ name: StaticString, _ value: JSONText?) {
    guard let value else { return }
    key(name)
    text(value)
  }

  /// A member with an array of strings; none for nil.
  public mutating func member(_ name: StaticString, _ values: [String]?) {
    guard let values else { return }
    key(name)
    beginArray()
    for value in values { string(value) }
    endArray()
  }

  /// A member with an object whose members `write` writes.
  public mutating func object(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
    key(name)
    beginObject()
    write(&self)
    endObject()
  }
}
