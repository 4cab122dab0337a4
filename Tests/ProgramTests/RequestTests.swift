import Testing

/// What the command line becomes on its way to the daemon, to the byte. The daemon's clock is at
/// 2026-11-30 10:00 UTC, the zone Europe/Berlin.
@Suite struct RequestTests {
  private static let content = "\"content\":{\"state\":"

  @Test(
    arguments: [
      (
        "schedule match --at 25min --title Kick-off --for 2h",
        """
        {"id":"match","alert":{"title":"Kick-off","body":""},"start":{"afterUSec":1500000000},\
        "endAfterUSec":7200000000}
        """
      ),
      (
        "schedule match --at 18:30 --title T --end 20:00 --start-by 19:00 --stale 19:30",
        """
        {"id":"match",\(content){},"staleDate":"2026-11-30T18:30:00.000000Z"},\
        "alert":{"title":"T","body":""},"start":{"local":"2026-11-30T18:30:00","zone":"Europe/Berlin"},\
        "startByDate":"2026-11-30T18:00:00.000000Z","endDate":"2026-11-30T19:00:00.000000Z"}
        """
      ),
      (
        "schedule --at 2026-12-01T18:30:00+01:00 --title T --body B --sound bell --urgency low",
        """
        {"alert":{"title":"T","body":"B","sound":"bell","urgency":"low"},\
        "start":{"at":"2026-12-01T17:30:00.000000Z"}}
        """
      ),
      (
        "schedule x --at 2h --title T --remind 1h,10min --remind 90s",
        """
        {"id":"x","alert":{"title":"T","body":""},"start":{"afterUSec":7200000000},\
        "remindersUSec":[3600000000,600000000,90000000]}
        """
      ),
      (
        "schedule --at @1893456000 --title T",
        #"{"alert":{"title":"T","body":""},"start":{"at":"2030-01-01T00:00:00.000000Z"}}"#
      ),
      (
        "schedule --at 09:00 --zone Asia/Tokyo --title T",
        #"{"alert":{"title":"T","body":""},"start":{"local":"2026-12-01T09:00:00","zone":"Asia/Tokyo"}}"#
      ),
      (
        "schedule x --repeat daily --title T --until 2h --count 3 --for 15min",
        """
        {"id":"x","alert":{"title":"T","body":""},"endAfterUSec":900000000,"repeat":\
        {"calendar":"daily","zone":"Europe/Berlin","untilDate":"2026-11-30T12:00:00.000000Z",\
        "count":3}}
        """
      ),
      ("start x --repeat-every 90min", #"{"id":"x","repeat":{"everyUSec":5400000000}}"#),
      ("start", "{}"),
      ("start -- -odd-id", #"{"id":"-odd-id"}"#),
      (
        "start tea --for 4min --end-title Ready --end-body Drink",
        #"{"id":"tea","endAlert":{"title":"Ready","body":"Drink"},"endAfterUSec":240000000}"#
      ),
      (
        "start x --stale 5min --start-by 1h",
        #"{"id":"x","staleAfterUSec":300000000,"startByAfterUSec":3600000000}"#
      ),
      ("start x --relevance -1.5", #"{"id":"x","content":{"state":{},"relevanceScore":-1.5}}"#),
      (
        "start x --set a=1 --set b:=1.50 --set c.d:=true --set e\\.f=",
        #"{"id":"x","content":{"state":{"a":"1","b":1.50,"c":{"d":true},"e.f":""}}}"#
      ),
      (
        #"start x --content {"a":{"b":1,"c":2}} --set a.b:=null --unset a.c"#,
        #"{"id":"x","content":{"state":{"a":{"b":null}}}}"#
      ),
      (
        #"start x --attributes {"a":1} --attr b=x --attr c:=[1]"#,
        #"{"id":"x","attributes":{"a":1,"b":"x","c":[1]}}"#
      ),
      (
        "start x --type T --application a.b --channel c --owner 1001",
        #"{"id":"x","application":"a.b","attributesType":"T","owner":1001,"channel":"c"}"#
      ),
      ("start x --owner root", #"{"id":"x","owner":0}"#),
      ("start x --if-exists replace", #"{"id":"x","ifExists":"replace"}"#),
      (
        "start x --action go=Go --action no=No=way",
        #"{"id":"x","actions":[{"name":"go","label":"Go"},{"name":"no","label":"No=way"}]}"#
      ),
      (
        "start x --audience everyone --audience user:bob",
        #"{"id":"x","audience":["everyone","user:bob"]}"#
      ),
      (
        #"start x --content-state {} --stale-date 1h --relevance-score 1 --attributes-type T"#,
        #"{"id":"x","attributesType":"T","content":{"state":{},"relevanceScore":1},"staleAfterUSec":3600000000}"#
      ),
    ] as [(String, String)])
  func aRequestSays(_ line: String, _ parameters: String) {
    expect(line, "Request", parameters, answer: #"{"activity":\#(activityText()),"created":true}"#)
  }

  @Test(
    arguments: [
      ("update x --set a=1 --unset b.c", "Update", #"{"id":"x","patch":{"a":"1","b":{"c":null}}}"#),
      ("update x --set a:={} --set a.b:=2", "Update", #"{"id":"x","patch":{"a":{"b":2}}}"#),
      (
        "update x --stale 10min", "Update", #"{"id":"x","staleDate":"2026-11-30T10:10:00.000000Z"}"#
      ),
      ("update x --relevance 2", "Update", #"{"id":"x","relevanceScore":2}"#),
      (
        #"update x --content {"a":1} --set b=2 --stale 1h --relevance 0.5"#, "Update",
        #"{"id":"x","content":{"state":{"a":1,"b":"2"},"staleDate":"2026-11-30T11:00:00.000000Z","relevanceScore":0.5}}"#
      ),
      (
        "update x --title T --timestamp now --session 2 --if-sequence 9", "Update",
        #"{"id":"x","session":2,"ifSequence":9,"alert":{"title":"T","body":""},"timestamp":"2026-11-30T10:00:00.000000Z"}"#
      ),
      (
        "update --channel c --set a=1 --every-owner", "Update",
        #"{"channel":"c","patch":{"a":"1"},"everyOwner":true}"#
      ),
      (
        "update x --at 11:30 --set a=1", "Update",
        #"{"id":"x","patch":{"a":"1"},"at":"2026-11-30T10:30:00.000000Z"}"#
      ),
      (
        "update x --at 10min --title T --discard-planned", "Update",
        #"{"id":"x","alert":{"title":"T","body":""},"at":"2026-11-30T10:10:00.000000Z","discardPlanned":true}"#
      ),
      (
        "update --channel c --after-start 45min --set a=1", "Update",
        #"{"channel":"c","patch":{"a":"1"},"afterUSec":2700000000}"#
      ),
      ("update x --discard-planned", "Update", #"{"id":"x","discardPlanned":true}"#),
      ("end x", "End", #"{"id":"x"}"#),
      (
        "end x --dismiss immediate --set a=1", "End",
        #"{"id":"x","patch":{"a":"1"},"dismissal":{"policy":"immediate"}}"#
      ),
      ("end x --dismissal-policy default", "End", #"{"id":"x","dismissal":{"policy":"default"}}"#),
      (
        "end x --dismiss 10min", "End",
        #"{"id":"x","dismissal":{"policy":"after","date":"2026-11-30T10:10:00.000000Z"}}"#
      ),
      (
        #"end x --content {"a":1} --relevance 1 --title T --body B --owner 7"#, "End",
        #"{"id":"x","content":{"state":{"a":1},"relevanceScore":1},"alert":{"title":"T","body":"B"},"owner":7}"#
      ),
      ("end --channel c", "End", #"{"channel":"c"}"#),
    ] as [(String, String, String)])
  func aChangeSays(_ line: String, _ method: String, _ parameters: String) {
    expect(line, method, parameters, answer: #"{"applied":1,"skipped":0}"#)
  }

  @Test(
    arguments: [
      ("reschedule x --at now", #"{"id":"x","start":{"afterUSec":0}}"#),
      (
        "reschedule x --at 25min --for 1h",
        #"{"id":"x","start":{"afterUSec":1500000000},"endAfterUSec":3600000000}"#
      ),
      (
        "reschedule x --end 25min --stale 5min --start-by 10min",
        #"{"id":"x","startByDate":"2026-11-30T10:10:00.000000Z","staleDate":"2026-11-30T10:05:00.000000Z","endDate":"2026-11-30T10:25:00.000000Z"}"#
      ),
      (
        "reschedule x --end never --end-title T",
        #"{"id":"x","noEnd":true,"endAlert":{"title":"T","body":""}}"#
      ),
    ] as [(String, String)])
  func aRescheduleSays(_ line: String, _ parameters: String) {
    expect(line, "Reschedule", parameters, answer: #"{"activity":\#(activityText("x"))}"#)
  }

  @Test(
    arguments: [
      (
        "cancel x", "Cancel", #"{"id":"x"}"#,
        #"{"applied":1,"skipped":0,"found":{"pending":1,"active":0,"stale":0,"ended":0}}"#
      ),
      (
        "cancel --channel c --owner 7", "Cancel", #"{"channel":"c","owner":7}"#,
        #"{"applied":0,"skipped":0,"found":{"pending":0,"active":0,"stale":0,"ended":0}}"#
      ),
      ("detach x --session 2", "Stop", #"{"id":"x","session":2}"#, #"{"applied":1}"#),
      ("stop --all", "Stop", "{}", #"{"applied":3}"#),
      ("act x go --session 4", "Act", #"{"id":"x","session":4,"action":"go"}"#, "{}"),
      ("enable", "SetEnabled", #"{"enabled":true}"#, "{}"),
      (
        "disable --type T --application a", "SetEnabled",
        #"{"enabled":false,"attributesType":"T","application":"a"}"#, "{}"
      ),
      (
        "show x --session 2 --owner 7", "Get", #"{"id":"x","session":2,"owner":7}"#,
        #"{"activity":\#(activityText("x"))}"#
      ),
      (
        "list --owner 7 --state active,stale --channel c --application a", "List",
        #"{"states":["active","stale"],"application":"a","channel":"c","owner":7}"#,
        #"{"activities":[]}"#
      ),
      (
        "list --owner 7 --all", "List",
        #"{"states":["pending","active","stale","ended","dismissed"],"owner":7}"#,
        #"{"activities":[]}"#
      ),
      (
        "history x --owner 7 --since 2h --until 09:00", "History",
        #"{"id":"x","owner":7,"sinceDate":"2026-11-30T08:00:00.000000Z","untilDate":"2026-12-01T08:00:00.000000Z"}"#,
        #"{"events":[]}"#
      ),
    ] as [(String, String, String, String)])
  func aCallSays(_ line: String, _ method: String, _ parameters: String, _ answer: String) {
    expect(line, method, parameters, answer: answer)
  }

  @Test func contentComesFromAFileOrStdin() {
    let directory = Directory()
    directory.write("state.json", " { \"a\" : 1 } ")
    expect(
      "start x --content @\(directory.path)/state.json", "Request",
      #"{"id":"x","content":{"state":{"a":1}}}"#,
      answer: #"{"activity":\#(activityText()),"created":true}"#)
    let daemon = FakeDaemon(["Update": .reply(#"{"applied":1,"skipped":0}"#)])
    let outcome = ctl(["update", "x", "--content", "-"], serving: daemon, input: #"{"b":2}"#)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(daemon.calls.last?.parameters == #"{"id":"x","content":{"state":{"b":2}}}"#)
  }

  @Test func actAsksForTheSessionFirst() {
    let daemon = FakeDaemon([
      "Get": .reply(#"{"activity":\#(activityText("x"))}"#), "Act": .reply("{}"),
    ])
    let outcome = ctl(["act", "x", "go"], serving: daemon)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(daemon.calls.map(\.method) == ["Get", "Act"])
    #expect(daemon.calls.last?.parameters == #"{"id":"x","session":1,"action":"go"}"#)
  }

  private func expect(
    _ line: String, _ method: String, _ parameters: String, answer: String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let daemon = FakeDaemon([method: .reply(answer)])
    let outcome = ctl(line.split(separator: " ").map(String.init), serving: daemon)
    #expect(outcome.status == 0, "\(outcome)", sourceLocation: location)
    #expect(daemon.calls.last?.method == method, sourceLocation: location)
    #expect(daemon.calls.last?.parameters == parameters, sourceLocation: location)
  }
}
