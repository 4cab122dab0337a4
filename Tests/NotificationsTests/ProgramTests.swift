import Glibc
import JSON
import Systemd
import TestBus
import Testing

/// The agent as a program, between a real daemon, a real bus and a scripted server.
@Suite(.serialized) struct ProgramTests {
  @Test func everyCallHasExactlyTheseArguments() throws {
    let desk = try Desk(configuration: "[Notify]\nSnoozeSec=5min 1h\n")
    let server = try desk.server()
    try desk.follow()
    try desk.call(
      "Request",
      #"""
      {"id":"match","application":"org.example.Match","attributes":{"title":"Reds"},
       "content":{"state":{"progress":0.25,"url":"https://example.org/"}},
       "alert":{"title":"Kick-off <1>","body":"Reds & Blues","sound":"bell","urgency":"critical"},
       "actions":[{"name":"mute","label":"Mute"}],"start":{"afterUSec":60000000}}
      """#)
    try desk.advance(seconds: 60)
    try desk.run("for the alert") { !server.notices.isEmpty }
    let tag = BusValue.string("lasched-system-\(getuid())-1-match")
    let hints: [(String, BusValue)] = [
      ("category", .string("x-lasched.alert")), ("desktop-entry", .string("org.example.Match")),
      ("resident", .boolean(true)), ("sound-name", .string("bell")), ("urgency", .byte(2)),
      ("value", .int32(25)), ("x-canonical-private-synchronous", tag), ("x-dunst-stack-tag", tag),
    ]
    #expect(
      server.calls.map(\.member) == ["GetServerInformation", "GetCapabilities", "Notify"])
    #expect(
      server.notices[0].arguments == [
        .string("org.example.Match"), .uint32(0), .string(""), .string("Kick-off <1>"),
        .string("Reds &amp; Blues\nurl https://example.org/"),
        .strings([
          "default", "Open", "action-mute", "Mute", "open", "Open", "snooze-300",
          "Again in 5min", "snooze-3600", "Again in 1h", "dismiss", "Dismiss",
        ]), .options(hints), .int32(0),
      ])
    try desk.waits(for: "alertSettled shown", of: "match")
    try desk.call("Update", #"{"id":"match","patch":{"progress":0.5}}"#)
    try desk.run("for the update") { server.notices.count == 2 }
    #expect(server.notices[1].arguments[1] == .uint32(1))
    #expect(server.notices[1].arguments[6]["value"]?.number == 50)
    #expect(server.notices[1].arguments[6]["suppress-sound"]?.truth == true)
    try desk.call(
      "End",
      #"{"id":"match","alert":{"title":"Over","body":""},"dismissal":{"policy":"immediate"}}"#)
    try desk.run("for the end") { server.notices.count == 3 }
    #expect(server.notices[2].arguments[3] == .string("Over"))
    #expect(server.notices[2].arguments[7] == .int32(-1))
    try desk.run("for its confirmation") {
      (try? desk.story("match"))?.filter { $0 == "alertSettled shown" }.count == 2
    }
    #expect(server.closed.isEmpty)
  }

  @Test func buttonsReachTheDaemon() throws {
    let desk = try Desk()
    let server = try desk.server()
    try desk.follow()
    for id in ["a", "b", "c"] {
      try desk.call(
        "Request",
        #"{"id":"\#(id)","alert":{"title":"\#(id)","body":""},"actions":[{"name":"ok","label":"OK"}]}"#
      )
      try desk.waits(for: "alertSettled shown", of: id)
    }
    try server.emit("ActionInvoked", [.uint32(1), .string("action-ok")])
    try desk.waits(for: "action ok", of: "a")
    try server.emit("NotificationClosed", [.uint32(2), .uint32(2)])
    try desk.waits(for: "dismissed dismissed", of: "b")
    try server.emit("ActionInvoked", [.uint32(3), .string("snooze-600")])
    try desk.run("for the snooze") {
      (try? desk.story("c"))?.contains { $0.hasPrefix("alertSnoozed") } == true
    }
    try desk.run("for the end of its bubble") { !server.closed.isEmpty }
    #expect(server.closed == [3])
    let before = server.notices.count
    // Also after a restart of both.
    desk.stopAgent()
    desk.stopDaemon(SIGTERM)
    try desk.startDaemon(clock: "2026-12-01T12:01:00Z")
    try desk.startAgent()
    try desk.follow()
    try desk.rest()
    try desk.advance(seconds: 600)
    try desk.run("for the alert again") {
      server.notices.dropFirst(before).contains {
        $0.arguments[3] == .string("c")
          && $0.arguments[6]["category"]?.text == "x-lasched.alert"
      }
    }
  }

  @Test func aServerThatComesLaterDiesOrIsReplacedGetsWhatItNeeds() throws {
    let desk = try Desk()
    try desk.follow()
    try desk.call("Request", #"{"id":"a","alert":{"title":"A","body":""}}"#)
    try desk.rest()
    #expect(try !desk.story("a").contains("alertSettled shown"))
    var server: ScriptedServer? = try desk.server()
    try desk.waits(for: "alertSettled shown", of: "a")
    // It dies in the middle of a call.
    server?.answers = false
    try desk.call("Request", #"{"id":"b","alert":{"title":"B","body":""}}"#)
    try desk.run("for the call") { server?.notices.count == 2 }
    server = nil
    try desk.rest()
    let next = try desk.server()
    try desk.waits(for: "alertSettled shown", of: "b")
    try desk.run("for both") { next.notices.count >= 2 }
    let texts = next.notices.map { "\($0.arguments[3].text ?? ""): \($0.arguments[4].text ?? "")" }
    #expect(texts.contains { $0.hasPrefix("B: ") && $0.contains("(perhaps shown before)") })
    #expect(texts.contains { $0.hasPrefix("A: since ") })
    #expect(next.notices.allSatisfy { $0.arguments[1] == .uint32(0) })
    #expect(next.notices.filter { $0.arguments[3] == .string("A") }.count == 1)
  }

  @Test func aServerThatHangsBlocksNobody() throws {
    let desk = try Desk()
    let server = try desk.server()
    try desk.follow()
    try desk.call("Request", #"{"id":"a","alert":{"title":"A","body":""}}"#)
    try desk.waits(for: "alertSettled shown", of: "a")
    server.answers = false
    try desk.call("Request", #"{"id":"b","alert":{"title":"B","body":""}}"#)
    try desk.run("for the call") { server.notices.count == 2 }
    // The agent still hears the daemon and the person.
    try server.emit("NotificationClosed", [.uint32(1), .uint32(2)])
    try desk.waits(for: "dismissed dismissed", of: "a")
    for step in 1...20 {
      try desk.call("Update", #"{"id":"b","content":{"state":{"step":"s\#(step)"}}}"#)
    }
    try desk.rest()
    #expect(server.notices.count == 2)
    server.answers = true
    try desk.waits(for: "alertSettled shown", of: "b")
    try desk.run("for the newest") { server.notices.count == 3 }
    #expect(server.notices[2].arguments[4].text?.contains("s20") == true)
  }

  @Test func idsThatDifferAndZeroAreTakenAsTheyCome() throws {
    let desk = try Desk()
    let server = try desk.server()
    try desk.follow()
    server.nextID = 41
    try desk.call("Request", #"{"id":"a","alert":{"title":"A","body":""}}"#)
    try desk.waits(for: "alertSettled shown", of: "a")
    server.nextID = 42
    try desk.call("Update", #"{"id":"a","content":{"state":{"n":"1"}}}"#)
    try desk.run("for the old bubble to be closed") { server.closed == [41] }
    server.nextID = 0
    try desk.call(
      "Update", #"{"id":"a","content":{"state":{"n":"2"}},"alert":{"title":"Z","body":""}}"#)
    try desk.run("for the confirmation") {
      (try? desk.story("a"))?.filter { $0 == "alertSettled shown" }.count == 2
    }
    #expect(server.notices.map { $0.arguments[1] } == [.uint32(0), .uint32(41), .uint32(42)])
  }

  @Test func addressesAreOpenedAndCommandsRunWithoutAShell() throws {
    let desk = try Desk(startsAgent: false)
    let presentations = desk.directory + "/.config/lasched/presentations"
    for folder in [presentations, desk.directory + "/bin"] {
      try Files.makeDirectories(folder, mode: 0o700)
    }
    for name in ["xdg-open", "dial"] {
      let path = desk.directory + "/bin/" + name
      let script =
        "#!/bin/sh\nprintf '[%s]' \"$@\" > \(desk.directory)/\(name).new\n"
        + "mv \(desk.directory)/\(name).new \(desk.directory)/\(name).done\n"
      try AppendedFile.replace(path, with: Array(script.utf8))
      #expect(unsafe chmod(path, 0o700) == 0)
    }
    let presentation =
      "URL={content.url}\n[Action call]\nLabel=Call\nCommand=dial to {content.who}\n"
    try AppendedFile.replace(presentations + "/Call.conf", with: Array(presentation.utf8))
    try desk.startAgent()
    let server = try desk.server()
    try desk.follow()
    try desk.call(
      "Request",
      #"""
      {"id":"a","attributesType":"Call","alert":{"title":"A","body":""},
       "content":{"state":{"url":"https://example.org/?a=$(id)","who":"x; touch /tmp/no $HOME"}}}
      """#)
    try desk.waits(for: "alertSettled shown", of: "a")
    for (button, name) in [("default", "xdg-open"), ("action-call", "dial")] {
      try server.emit("ActionInvoked", [.uint32(1), .string(button)])
      let file = "\(desk.directory)/\(name).done"
      try desk.run("for \(name)") { (try? FileKind.of(file)) == .regular }
      let words = String(decoding: try Files.read(file, limit: 4096), as: UTF8.self)
      #expect(
        words
          == (name == "dial" ? "[to][x; touch /tmp/no $HOME]" : "[https://example.org/?a=$(id)]"))
    }
  }

  @Test func anAgentThatIsKilledShowsNothingTwice() throws {
    let desk = try Desk()
    let server = try desk.server()
    try desk.follow()
    try desk.call("Request", #"{"id":"a","alert":{"title":"A","body":""}}"#)
    try desk.waits(for: "alertSettled shown", of: "a")
    server.answers = false
    try desk.call("Request", #"{"id":"b","alert":{"title":"B","body":""}}"#)
    try desk.run("for the call") { server.notices.count == 2 }
    desk.stopAgent(SIGKILL)
    server.answers = true
    try desk.startAgent()
    try desk.waits(for: "alertSettled shown", of: "b")
    let alerts = server.notices.filter { $0.arguments[6]["category"]?.text == "x-lasched.alert" }
    #expect(alerts.map { $0.arguments[3].text } == ["A", "B", "B"])
    #expect(alerts.last?.arguments[4].text?.contains("(perhaps shown before)") == true)
  }

  @Test func inhibitionOfTheServerIsHonoured() throws {
    let desk = try Desk()
    let server = try desk.server(isInhibited: true)
    try desk.follow()
    try desk.call("Request", #"{"id":"a","alert":{"title":"A","body":""}}"#)
    try desk.call(
      "Request", #"{"id":"f","alert":{"title":"Fire","body":"","urgency":"critical"}}"#)
    try desk.waits(for: "alertSettled shown", of: "f")
    try desk.rest()
    #expect(server.notices.map { $0.arguments[3].text } == ["Fire"])
    try server.setInhibited(false)
    try desk.waits(for: "alertSettled shown", of: "a")
  }

  @Test func aServerThatRefusesGetsThreeTriesAndTheDaemonHearsOfIt() throws {
    let desk = try Desk()
    let server = try desk.server()
    server.refusal = BusError(
      "org.freedesktop.Notifications.Error.ExcessNotificationGeneration", "")
    try desk.follow()
    try desk.call("Request", #"{"id":"a","alert":{"title":"A","body":""}}"#)
    try desk.waits(for: "alertSettled failed", of: "a")
    #expect(server.notices.count == 3)
  }

  @Test func aSecondAgentOnTheBusEndsAndTheBusMayComeBack() throws {
    let desk = try Desk()
    try desk.follow()
    let first = desk.agent
    try desk.rest()
    try desk.startAgent()
    try desk.run("for its end") { desk.log.contains("already") }
    #expect(desk.stopAgent(0) == 75)
    first?.signal(0)
    desk.bus.stop()
    try desk.run("for the loss") { desk.log.contains("the session bus went away") }
    try desk.bus.start()
    let server = try desk.server()
    try desk.call("Request", #"{"id":"a","alert":{"title":"A","body":""}}"#)
    try desk.waits(for: "alertSettled shown", of: "a")
    #expect(server.notices.count == 1)
    #expect(first?.stop(SIGTERM) == 0)
  }

  @Test func anAgentWithNothingToDoMakesNoSystemCall() throws {
    let desk = try Desk()
    let server = try desk.server()
    try desk.follow()
    try desk.call("Request", #"{"id":"a","alert":{"title":"A","body":""}}"#)
    try desk.waits(for: "alertSettled shown", of: "a")
    try desk.rest(milliseconds: 1500)
    let before = try switches(desk)
    try desk.rest(milliseconds: 3000)
    #expect(try switches(desk) == before, "it woke up")
    withExtendedLifetime(server) {}
  }

  /// How often the agent has gone to sleep (proc(5)): whoever makes a call that waits wakes first.
  private func switches(_ desk: Desk) throws -> String {
    let path = "/proc/\(desk.agent?.pid ?? 0)/status"
    let status = String(decoding: try Files.read(path, limit: 1 << 16), as: UTF8.self)
    return status.split(separator: "\n").filter { $0.contains("ctxt_switches") }.joined()
  }
}
