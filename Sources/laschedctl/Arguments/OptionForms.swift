extension OptionForm {
  /// The options that every verb has.
  static let everywhere: [OptionName] = [.help, .version, .quiet, .json, .socket, .user, .system]

  /// All options.
  static let all: [OptionForm] = [
    OptionForm(.help, short: "h", "tell how it is used"),
    OptionForm(.version, "tell the version"),
    OptionForm(.quiet, short: "q", "nothing on stderr but errors"),
    OptionForm(
      .json, .optional("pretty|short|off", ["pretty", "short", "off"]), short: "j",
      "write JSON; -j is pretty on a terminal, else short"),
    OptionForm(
      .socket, .required("PATH"), "the daemon's socket; else $LASCHED_SOCKET, system's, user's"),
    OptionForm(.user, "the user's own daemon"),
    OptionForm(.system, "the system's daemon"),
    OptionForm(.owner, .required("USER"), "of this user, by name or uid (root, group lasched)"),
    OptionForm(.everyOwner, "of all users (root, group lasched)"),
    OptionForm(.session, .required("N"), "only if this is the session, else Conflict"),
    OptionForm(.ifSequence, .required("N"), "only if nothing has changed since, else Conflict"),
    OptionForm(.at, .required("WHEN"), "when it starts"),
    OptionForm(
      .remind, .required("SPAN,…"), "tell the alert that long before the start too; none: not"),
    OptionForm(
      .repeat, .required("CALENDAR"), "start again at these dates, as Mon..Fri 09:00 Europe/Berlin"),
    OptionForm(.repeatEvery, .required("SPAN"), "start again so long after each start"),
    OptionForm(.count, .required("N"), "repeat so often, the first time counted"),
    OptionForm(.this, "this occurrence alone; what repeats goes on"),
    OptionForm(.afterStart, .required("SPAN"), "--at that long after the start"),
    OptionForm(.discardPlanned, "take back the updates that were planned before"),
    OptionForm(.title, .required("TEXT"), "alert the person with this title"),
    OptionForm(.body, .required("TEXT"), "the text under the title"),
    OptionForm(.end, .required("WHEN"), "when it ends by itself"),
    OptionForm(.for, .required("SPAN"), "--end that long after the start"),
    OptionForm(.endTitle, .required("TEXT"), "alert the person at an end that comes by itself"),
    OptionForm(.endBody, .required("TEXT"), "the text under that title"),
    OptionForm(.startBy, .required("WHEN"), "do not start later than this"),
    OptionForm(
      .content, .required("JSON|@FILE|-"), aliases: ["content-state"], "replace the content state"),
    OptionForm(
      .set, .required("KEY=VALUE"),
      "set one key of the state to a string; KEY:=JSON to any value"),
    OptionForm(.unset, .required("KEY"), "remove one key of the state"),
    OptionForm(
      .stale, .required("WHEN"), aliases: ["stale-date"], "when the content is out of date"),
    OptionForm(
      .relevance, .required("N"), aliases: ["relevance-score"], "how it compares with others"),
    OptionForm(.attributes, .required("JSON|@FILE|-"), "the static attributes"),
    OptionForm(.attr, .required("KEY=VALUE"), "set one key of the attributes, as --set does"),
    OptionForm(.type, .required("NAME"), aliases: ["attributes-type"], "the attributes type"),
    OptionForm(.application, .required("NAME"), "the program that it comes from"),
    OptionForm(.action, .required("NAME=LABEL"), "something the person can do with it"),
    OptionForm(.urgency, .required("low|normal|critical"), "how much the alerts may interrupt"),
    OptionForm(.sound, .required("NAME"), "the sound of the alerts"),
    OptionForm(
      .zone, .required("ZONE|floating"),
      "the time zone of dates that name none; a floating start follows the machine's"),
    OptionForm(
      .allowPast, .required("start|skip"), "if --at is past: start at once, or make nothing"),
    OptionForm(.wake, "wake the machine from suspend for its start"),
    OptionForm(.ifExists, .required("fail|keep|replace|update"), "what if the ID is live already"),
    OptionForm(.channel, .required("NAME"), "the channel that it listens to; or all that do"),
    OptionForm(
      .audience, .required("everyone|user:NAME|group:NAME"), "who else is shown it (root)"),
    OptionForm(.timestamp, .required("WHEN"), "refuse it if a later one was applied already"),
    OptionForm(
      .dismiss, .required("immediate|default|WHEN"), aliases: ["dismissal-policy"],
      "how long it stays after its end"),
    OptionForm(.ignoreMissing, "an ID that is unknown or dismissed is no error"),
    OptionForm(.all, "all there are"),
    OptionForm(.state, .required("STATE,…"), "pending, active, stale, ended, dismissed"),
    OptionForm(.property, .required("FIELD,…"), short: "p", "only these fields; dots reach inside"),
    OptionForm(.value, "the fields' values without their names"),
    OptionForm(.since, .required("WHEN"), "from then on; a span counts back from now"),
    OptionForm(.until, .required("WHEN"), "up to then; a span counts back from now"),
    OptionForm(.timeout, .required("SPAN"), "give up after so long, in real time"),
    OptionForm(.clock, .required("DATE"), "where the daemon's time stands; else the present"),
    OptionForm(.baseTime, .required("WHEN"), "as seen from then; else from now"),
    OptionForm(.iterations, .required("N"), "so many occurrences of a repeat; else five"),
    OptionForm(.follow, "go on, with a line whenever it changes"),
    OptionForm(
      .format, .required("plain|waybar|i3blocks|polybar|tmux|json"), "for which bar it is"),
    OptionForm(
      .line, "all on one line; nothing where nothing is live, or no daemon answers at once"),
    OptionForm(.sample, .required("JSON|@FILE|-"), "an activity to show how it will look"),
    OptionForm(.priority, .required("5|10"), "10 is held to an hourly budget; the default"),
    OptionForm(.voidOthers, "tokens made before for the same are void from here on"),
  ]

  /// Options that a later version will have.
  static let later: [String] = [
    "from", "match", "metrics",
  ]

  static func form(_ name: OptionName) -> OptionForm? { all.first { $0.name == name } }

  static func long(_ spelling: String) -> OptionForm? {
    all.first { $0.name.rawValue == spelling || $0.aliases.contains(spelling) }
  }

  static func short(_ letter: Character) -> OptionForm? { all.first { $0.short == letter } }
}
