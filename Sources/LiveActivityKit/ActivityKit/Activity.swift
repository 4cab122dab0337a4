public import FoundationEssentials
internal import LiveActivity

/// A live activity: what ActivityKit's class of that name is on an iPhone, in a daemon on Linux.
///
/// It is a handle: the activity lives in the daemon, and goes on when this program ends.
/// `@unchecked`: attributes need not be sendable, as on iOS, but are only read here; what changes is
/// behind locks.
public final class Activity<Attributes: ActivityAttributes>: Identifiable, @unchecked Sendable {
  /// The dynamic part of the attributes.
  public typealias ContentState = Attributes.ContentState

  /// The Activity ID.
  public let id: String
  /// The static part, as it was requested.
  public let attributes: Attributes

  let record: SessionRecord
  let link: DaemonLink
  private let lastContent: Guarded<ActivityContent<ContentState>>

  init(
    _ record: SessionRecord, _ link: DaemonLink, attributes: Attributes,
    content: ActivityContent<ContentState>
  ) {
    self.record = record
    self.link = link
    self.attributes = attributes
    lastContent = Guarded(content)
    id = record.key.id.text
  }

  /// The activity of a session; nil where it does not decode, which is logged.
  convenience init?(_ record: SessionRecord, _ link: DaemonLink) {
    let activity = record.activity
    do {
      self.init(
        record, link,
        attributes: try PayloadCoding.value(Attributes.self, activity.attributes),
        content: try ActivityContent(activity.content))
    } catch {
      LiveActivityLog.write(
        "'\(activity.id)' does not decode as \(Attributes.self) and is left out: \(error)")
      return nil
    }
  }

  /// The attributes type in the daemon: the Swift type's name.
  static var typeName: String { plainTypeName(String(describing: Attributes.self)) }

  /// The session as it is known after all that has come by now.
  var session: LiveActivity.Activity {
    link.monitor.catchUp()
    return record.activity
  }

  /// Where it is in its life.
  public var activityState: ActivityState { ActivityState(session.state) }

  /// Its content now. Where another program has set one that does not decode, the last that did.
  public var content: ActivityContent<ContentState> {
    if let content = decoded(session.content) { lastContent.value = content }
    return lastContent.value
  }

  func decoded(_ content: LiveActivity.Content) -> ActivityContent<ContentState>? {
    do { return try ActivityContent(content) } catch {
      LiveActivityLog.write("new content of '\(id)' does not decode: \(error)")
      return nil
    }
  }

  /// Its push token as bytes, once there is one (see `pushTokenUpdates`).
  public var pushToken: Data? {
    link.monitor.catchUp()
    return record.token.flatMap { Data(hexadecimal: $0) }
  }
}

extension ActivityContent {
  init(_ content: LiveActivity.Content) throws {
    self.init(
      state: try PayloadCoding.value(State.self, content.state), staleDate: content.staleDate?.date,
      relevanceScore: content.relevanceScore ?? 0)
  }

  /// As the daemon takes it.
  func content() throws -> LiveActivity.Content {
    guard relevanceScore.isFinite else {
      throw LiveActivityError(.malformed, "the relevance score \(relevanceScore) is not finite")
    }
    return LiveActivity.Content(
      state: try PayloadCoding.text(state, "the content state"),
      staleDate: try staleDate.map { try WallTime($0, "the stale date") },
      relevanceScore: relevanceScore == 0 ? nil : relevanceScore)
  }
}

/// A name as an attributes type may be: 1 to 128 of `A-Za-z0-9_`.
func plainTypeName(_ name: String) -> String {
  let plain = String(
    name.unicodeScalars.prefix(128).map { scalar in
      switch scalar {
      case "A"..."Z", "a"..."z", "0"..."9", "_": Character(scalar)
      default: "_"
      }
    })
  return plain.isEmpty ? "_" : plain
}

extension Data {
  /// As a token is written.
  var hexadecimal: String {
    map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  init?(hexadecimal text: String) {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    self.init(
      stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }
}
