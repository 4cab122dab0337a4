import Testing

/// Command lines that are none: each is told in one line, and nothing is asked of a daemon.
@Suite struct UsageTests {
  @Test(
    arguments: [
      ("foo", 64, "there is no verb 'foo'"),
      ("shedule x", 64, "did you mean 'schedule'?"),
      ("explain", 64, "explain needs more"),
      ("explain tomorrow", 65, "column 9: 'tomorrow' has no time"),
      ("explain *-02-31", 65, "column 1: "),
      ("explain 18:30 Europe/Berln", 65, "column 7: zone 'Europe/Berln'"),
      ("explain 25min --iterations 0", 65, "--iterations '0' is not from 1 to 10000"),
      ("explain 25min --base-time soon", 65, "--base-time: column 1"),
      ("presentation check", 64, "presentation needs more"),
      ("presentation chek x", 64, "presentation 'chek' is not known; check is"),
      ("presentation check .x", 65, "'.x' is neither an attributes type nor a file"),
      ("presentation check /x.conf", 65, "'/x.conf' cannot be read: No such file or directory"),
      ("island jump", 64, "island 'jump' is none of open, dismiss, act ACTION"),
      ("island act", 64, "island act needs the name of an action"),
      ("island open --follow", 64, "--follow does not go with open"),
      ("island --format=kde", 64, "none of plain, waybar, i3blocks, polybar, tmux, json"),
      ("export", 64, "'export' comes with a later version"),
      ("import", 64, "'import' comes with a later version"),
      ("status --metrics", 64, "--metrics comes with a later version"),
      ("schedule x --at 1h --title t --match a", 64, "--match comes with a later version"),
      ("start x --wake", 64, "--wake is no option of start"),
      ("schedule x --title t --at 1h --count 3", 64, "--count is about --repeat"),
      ("schedule x --title t --repeat daily --repeat-every 1h", 64, "--repeat"),
      ("schedule x --title t --repeat *-02-31", 65, "never comes"),
      ("schedule x --title t --at 1h --repeat-every 1ms", 65, "the shortest"),
      ("list --foo", 64, "there is no option --foo"),
      ("list --stat active", 64, "did you mean --state?"),
      ("list -x", 64, "there is no option -x"),
      ("list --title t", 64, "--title is no option of list"),
      ("list extra", 64, "list does not take 'extra'"),
      ("list --all=yes", 64, "--all takes no value"),
      ("list --state foo", 64, "none of pending, active, stale, ended, dismissed"),
      ("list --all --state active", 64, "exclude each other"),
      ("list --json=xml", 64, "none of pretty, short, off"),
      ("list --user --system", 64, "exclude each other"),
      ("list --socket /x --user", 64, "exclude each other"),
      ("list --socket=", 64, "--socket is empty"),
      ("list --owner nobody-here", 65, "there is no such user"),
      ("list --owner 1 --every-owner", 64, "exclude each other"),
      ("schedule --title t", 64, "schedule needs --at WHEN"),
      ("schedule --at 1h", 64, "schedule needs --title TEXT"),
      ("schedule a b --at 1h --title t", 64, "schedule does not take 'b'"),
      ("schedule --at", 64, "--at needs a value: --at WHEN"),
      ("schedule --at 1h30 --title t", 65, "--at: column 3: '30' has no unit"),
      ("schedule --at 2026-02-30T10:00Z --title t", 65, "--at: column"),
      ("schedule --at 1h --title t --zone Europe/Berln", 65, "there is no such zone"),
      ("schedule --at 1h --title t --end 1x", 65, "--end: column 2"),
      ("schedule --at 1h --title t --end 1h --for 1h", 64, "exclude each other"),
      ("start --for 1h --stale never", 65, "--stale: column 1"),
      ("start --body b", 64, "--body needs --title too"),
      ("start --end-body b", 64, "--end-body needs --end-title too"),
      ("start --sound bell", 64, "needs --title"),
      ("start --title t --urgency loud", 64, "none of low, normal, critical"),
      ("start --if-exists maybe", 64, "none of fail, keep, replace, update"),
      ("start --action go", 64, "is not NAME=LABEL"),
      ("start --action .x=Go", 65, "the action's name"),
      ("start --audience all", 65, "none of everyone, user:NAME and group:NAME"),
      ("start --set score", 64, "is not KEY=VALUE or KEY:=JSON"),
      ("start --set a..b=1", 64, "a key is empty"),
      ("start --set score:=1,", 65, "--set score:=: at byte"),
      ("start --content [1]", 65, "--content is not a JSON object"),
      ("start --content {", 65, "--content: at byte"),
      ("start --content @/nonexistent", 65, "cannot be read: No such file or directory"),
      ("start --content - --attributes -", 64, "only one of --content and --attributes can be -"),
      ("start --relevance high", 65, "is not a number"),
      ("start --relevance nan", 65, "is not a number"),
      ("update", 64, "update needs an Activity ID or --channel NAME"),
      ("update x", 64, "update needs what is to change"),
      ("update x --channel c --set a=1", 64, "exclude each other"),
      ("update x --set a:=null", 65, "a change cannot set null"),
      ("update --channel c --session 1 --set a=1", 64, "go with an Activity ID"),
      ("update x --session -1 --set a=1", 65, "not a whole number from 0"),
      ("end", 64, "end needs an Activity ID or --channel NAME"),
      ("end x --stale 1h", 64, "--stale is no option of end"),
      ("end x --dismiss soon", 65, "--dismiss: column 1"),
      ("cancel", 64, "cancel needs an Activity ID or --channel NAME"),
      ("cancel x --channel c", 64, "exclude each other"),
      ("reschedule", 64, "reschedule needs more"),
      ("reschedule x", 64, "reschedule needs what is to change"),
      ("detach", 64, "detach needs an Activity ID or --all"),
      ("detach x --all", 64, "give no Activity ID with it"),
      ("act x", 64, "act needs more"),
      ("show", 64, "show needs more"),
      ("show x --value", 64, "--value goes with -p"),
      ("history --session 2", 64, "--session goes with an Activity ID"),
      ("history --since yesterdy", 65, "--since: column 1"),
      ("wait x", 64, "wait needs --for active|stale|ended|dismissed|action"),
      ("wait x --for over", 64, "none of active, stale, ended, dismissed, action"),
      ("wait x --for ended --timeout 5", 65, "--timeout: column 1: '5' has no unit"),
      ("run", 64, "run needs a command after --"),
      ("run x make", 64, "the command comes after --"),
      ("run --", 64, "the command after -- is missing"),
      ("run -- nosuchcommand", 127, "there is no such command"),
      ("run -- /etc/passwd", 126, "/etc/passwd cannot be run"),
      ("run -- /usr", 126, "/usr cannot be run"),
      ("test", 64, "test needs a command after --"),
      ("test --clock 1h -- true", 65, "is a span; a date would be right"),
      ("test --zone Mars/Base -- true", 65, "there is no such zone"),
      ("clock", 64, "clock needs more"),
      ("clock tomorrow", 64, "none of now, advance, to, next, step, suspend, zone"),
      ("clock advance", 64, "clock advance needs a value: clock advance SPAN"),
      ("clock now 5s", 64, "clock now does not take '5s'"),
      ("clock advance -5s", 65, "'-5s' is a negative span"),
    ] as [(String, Int32, String)])
  func isToldInOneLine(_ line: String, _ status: Int32, _ text: String) {
    let outcome = ctl(line.split(separator: " ").map(String.init))
    #expect(outcome.status == status, "\(outcome)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(text), "\(outcome)")
    #expect(outcome.errors.hasPrefix("laschedctl: "))
    #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test(arguments: [
    "list", "cancel x", "clock step -1d", "clock step -5s", "start -- -odd-id", "watch",
    "update x --relevance -1", "start --title -x", "wait x --for ended", "run -- true", "status",
    "start x --content-state {} --stale-date 1h --relevance-score 1 --attributes-type T",
    "end x --dismissal-policy immediate", "stop x", "list --json short", "-qj list",
    "--json=off list", "show -pstate x",
  ])
  func whatIsRightGetsAsFarAsTheDaemon(_ line: String) {
    let outcome = ctl(line.split(separator: " ").map(String.init))
    #expect(outcome.status == 69, "\(outcome)")
    #expect(outcome.output.isEmpty)
  }

  @Test func aFaultWithJSONIsOneObject() {
    let outcome = ctl(["--json=short", "cancel"])
    #expect(outcome.status == 64)
    #expect(
      outcome.errors == """
        {"error":"laschedctl.Usage","parameters":{"message":"cancel needs an Activity ID or \
        --channel NAME"}}

        """)
  }

  @Test func foreignTextInAMessageIsHarmless() {
    let outcome = ctl(["foo\u{1B}[31m\u{202E}x"])
    #expect(outcome.errors.contains("foo\\x1b[31m\\u{202e}x"))
  }

  @Test func whatIsNotUTF8IsRefused() {
    let outcome = RunningProgram(
      ["/bin/sh", "-c", #"laschedctl cancel "$(printf 'a\377b')""#], environment: ctlEnvironment()
    ).finish()
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("is not UTF-8"))
    #expect(ctl(["cancel", "a\u{FFFD}b"]).status == 69)
  }

  @Test func versionAndHelp() {
    #expect(ctl(["--version"]).output.hasPrefix("laschedctl "))
    let help = ctl(["--help"])
    #expect(help.status == 0)
    #expect(help.errors.isEmpty)
    #expect(
      help.output.contains(
        "laschedctl [--socket=PATH] [--user | --system] [-j | --json=pretty|short|off] [-q] [VERB …]"
      ))
  }

  @Test(arguments: [
    "schedule", "start", "update", "reschedule", "end", "cancel", "detach", "push", "token", "act",
    "enable",
    "disable", "list", "show", "history", "status", "is-active", "wait", "watch", "run", "test",
    "clock", "presentation", "island", "doctor", "demo",
  ])
  func everyVerbHasHelp(_ verb: String) {
    #expect(ctl(["--help"]).output.contains("\n  \(verb)"))
    let help = ctl([verb, "--help"])
    #expect(help.status == 0)
    #expect(help.output.hasPrefix("Usage: laschedctl \(verb)"))
  }

  @Test func theSocketIsTheOptionsThenTheEnvironments() {
    let byOption = ctl(["--socket", "/nonexistent/a", "list"])
    #expect(byOption.errors.contains("/nonexistent/a"))
    let byEnvironment = ctl(["list"], socket: "/nonexistent/b")
    #expect(byEnvironment.errors.contains("/nonexistent/b"))
    let byUser = ctl(["--user", "list"], environment: ["XDG_RUNTIME_DIR": "/nonexistent/c"])
    #expect(byUser.errors.contains("/nonexistent/c/lasched/io.lasched.LiveActivities"))
    let bySystem = ctl(["--system", "list"])
    #expect(bySystem.errors.contains("/run/lasched/io.lasched.LiveActivities"))
    let long = ctl(["--socket", "/" + String(repeating: "a", count: 200), "list"])
    #expect(long.status == 64)
  }
}
