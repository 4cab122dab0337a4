public import JSON

extension JSONWriter {
  /// A call with its closing NUL; `parameters` writes the members.
  public mutating func varlinkCall(
    _ method: String, oneway: Bool = false, more: Bool = false,
    _ parameters: (inout JSONWriter) -> Void = { _ in }
  ) {
    beginObject()
    key("method")
    string(method)
    object("parameters", parameters)
    if oneway { member("oneway", true) }
    if more { member("more", true) }
    endObject()
    byte(0)
  }

  /// A reply with its closing NUL; `parameters` writes the members. `continues`: more follow.
  public mutating func varlinkReply(
    continues: Bool = false, _ parameters: (inout JSONWriter) -> Void = { _ in }
  ) {
    beginObject()
    object("parameters", parameters)
    if continues { member("continues", true) }
    endObject()
    byte(0)
  }

  /// An error with its closing NUL, by its full name; `parameters` writes the members.
  public mutating func varlinkError(
    _ name: String, _ parameters: (inout JSONWriter) -> Void = { _ in }
  ) {
    beginObject()
    key("error")
    string(name)
    object("parameters", parameters)
    endObject()
    byte(0)
  }
}
