/// The interface by which others than an owner's own programs update activities, with tokens.
public enum PushInterface {
  /// Its name.
  public static let name = "io.lasched.Push"

  /// Its definition in the Varlink interface definition language.
  // The text is the interface's own, so its lines keep their length.
  // swift-format-ignore
  public static let definition = #"""
    # Remote updates: whoever holds a token of an activity may update and end that activity, and nothing
    # else; whoever holds a push-to-start token may start activities of one attributes type for one
    # application. A token is 32 random bytes in lower-case hexadecimal. It is shown once, in the reply to
    # the call that makes it, and kept only as a hash.
    #
    # Errors of io.lasched.LiveActivities are used here too.
    interface io.lasched.Push

    # Applies a payload of ActivityKit, {"aps": {...}}, at most 4096 bytes without white space. Beside the
    # keys here, keys of Apple's other notifications are passed over, unknown ones refused:
    #   timestamp          required; strictly older than the last one applied: nothing happens
    #   event              required: start (with a push-to-start token), update, end
    #   content-state      required with start and update
    #   attributes-type, attributes, alert   required with start; the former two only there
    #   stale-date, relevance-score          as content-state, they replace what was
    #   dismissal-date     only with end
    #   input-push-channel only with start: the channel that the activity is to listen to
    # Dates and timestamp are Unix seconds. alert is a text, or title, body and sound. attributes that hold
    # pushwoosh.activityId name the Activity ID; an older activity of that ID, of the same type and
    # application, is replaced.
    # priority: 10, the default, is held to an hourly budget (lasched.conf(5)); 5 is not. Anybody may call
    # this, whoever they are: the token alone counts. The events that follow have no by.
    # applied: false where the timestamp was older, or the same payload was applied before.
    method Push(token: string, payload: object, priority: ?int) -> (applied: bool)

    # Makes a token for an activity that is active or stale. At most four of an activity are valid, the
    # newest; voidOthers: only this one. Stop, an end and a cancel void all of them.
    method CreateToken(id: string, session: ?int, owner: ?int, voidOthers: ?bool) -> (token: string)

    # Makes a push-to-start token for an attributes type and an application. At most four of them are
    # valid, the newest; voidOthers: only this one. They stay valid until they are voided.
    method CreateStartToken(
      attributesType: string,
      application: ?string,
      owner: ?int,
      voidOthers: ?bool
    ) -> (token: string)

    # Voids push-to-start tokens: of that type and that application where they are named, else of all.
    method VoidStartTokens(attributesType: ?string, application: ?string, owner: ?int) -> (voided: int)

    # No token, an unknown one, a void one, or one that is not for that event: all look the same.
    error InvalidToken ()
    # field is a path in the payload, such as aps.stale-date.
    error InvalidPayload (field: string, why: string)
    # A pending activity has no token yet: it gets one when it has started.
    error NotStarted (id: string)
    # The owner has push-to-start tokens for as many types and applications as a user may have.
    error TooManyTokens (limit: int)

    """#
}
