public import LiveActivity
public import Presentations

/// What a person or an administrator can set; `lasched-notify(1)`.
public struct NotifySettings: Sendable {
  /// After how long an alert that is put off comes again; each is a button.
  public var snoozes: [TimeSpan] = [.seconds(600)]
  /// What an address that is opened may begin with.
  public var schemes: Set<String> = ["http", "https"]
  /// Whether the bubble of an activity stays as long as that is active.
  public var stays = true
  /// Whether content is shown that comes without an alert.
  public var showsUpdates = true
  /// More alerts than this at once become one bubble.
  public var mostAtOnce = 3
  /// What is later than this says so.
  public var lateAfter: TimeSpan = .seconds(10)

  /// As it is without a file.
  public init() {}
}

/// What the agent knows of the world beside what it is told.
public struct NotifyContext: Sendable {
  /// The person that it runs for.
  public var reader: UserID
  /// How types look.
  public var library: PresentationLibrary
  /// How texts are written.
  public var look: LookSettings
  /// What a person can set.
  public var settings: NotifySettings
  /// A user's name, for those whose activities the reader is shown.
  public var userName: @Sendable (UserID) -> String

  /// All of it.
  public init(
    reader: UserID, library: PresentationLibrary, look: LookSettings, settings: NotifySettings,
    userName: @escaping @Sendable (UserID) -> String
  ) {
    self.reader = reader
    self.library = library
    self.look = look
    self.settings = settings
    self.userName = userName
  }
}
