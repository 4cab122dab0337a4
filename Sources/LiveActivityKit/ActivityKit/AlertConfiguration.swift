internal import LiveActivity

/// What a person is told at the start, at an update or at an end.
public struct AlertConfiguration: Hashable, Sendable {
  /// The sound of an alert.
  public struct AlertSound: Hashable, Sendable {
    let name: String?

    /// The desktop's sound.
    public static let `default` = AlertSound(name: nil)

    /// A sound by its name in the sound theme (freedesktop.org's Sound Naming Specification).
    public static func named(_ name: String) -> AlertSound { AlertSound(name: name) }
  }

  /// How much an alert may interrupt. Linux has that and ActivityKit has not.
  public enum Urgency: Hashable, Sendable {
    /// May wait.
    case low
    /// As usual.
    case normal
    /// Shown even when notifications are held back.
    case critical
  }

  /// One line, at most 256 bytes.
  public var title: LocalizedStringResource
  /// The text, at most 2048 bytes.
  public var body: LocalizedStringResource
  /// The sound.
  public var sound: AlertSound
  /// How much it may interrupt; as usual where nil.
  public var urgency: Urgency?

  /// An alert of those texts.
  public init(
    title: LocalizedStringResource, body: LocalizedStringResource, sound: AlertSound = .default
  ) {
    self.title = title
    self.body = body
    self.sound = sound
  }

  func alert() throws -> Alert {
    let level: Alert.Urgency? = urgency.map {
      switch $0 {
      case .low: .low
      case .normal: .normal
      case .critical: .critical
      }
    }
    do throws(InvalidValue) {
      return try Alert(title: title.text, body: body.text, sound: sound.name, urgency: level)
    } catch {
      throw LiveActivityError(.malformed, error.why)
    }
  }
}
