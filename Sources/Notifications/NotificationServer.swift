/// What a notification server says of itself, and what follows from that.
public struct NotificationServer: Hashable, Sendable {
  /// Its unique name on the bus: another owner knows nothing of the bubbles of this one.
  public let owner: String
  /// Its name, `dunst` for one.
  public let name: String
  /// Who makes it.
  public let vendor: String
  /// What it can do.
  public let capabilities: Set<String>

  /// A server.
  public init(owner: String, name: String, vendor: String, capabilities: Set<String>) {
    self.owner = owner
    self.name = name
    self.vendor = vendor
    self.capabilities = capabilities
  }

  /// Whether the body is markup: what is text must be escaped.
  var hasMarkup: Bool { capabilities.contains("body-markup") }
  /// Whether it shows a body.
  var hasBody: Bool { capabilities.contains("body") }
  /// Whether it takes buttons.
  var hasButtons: Bool { capabilities.contains("actions") }
  /// Whether it pops up anew at each update, so that content alone is no reason for one: GNOME Shell.
  var popsUp: Bool { vendor == "GNOME" || name == "gnome-shell" }
  /// Whether a bubble is replaced by its tag alone. mako 1.7 crashes where a call names the number of
  /// a bubble and its tag as well: it finds the bubble that it is about to change, and frees it.
  var replacesByTag: Bool { name == "mako" }
  /// Whether progress can be given: with it Xfce's server hides summary, body and buttons.
  var showsProgress: Bool { vendor != "Xfce" }
}
