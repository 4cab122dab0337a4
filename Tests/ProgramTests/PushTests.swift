import Testing

/// Tokens and pushes from the command line.
@Suite struct PushTests {
  private static let noon = 1_796_032_800  // 2026-11-30 10:00 UTC, where the clock stands

  private static func update(_ state: String, second: Int = 0) -> String {
    #"{"aps":{"timestamp":\#(noon + second),"event":"update","content-state":\#(state)}}"#
  }

  @Test func aTokenIsPrintedAndPushedWith() throws {
    let ctl = try Ground()
    #expect(ctl("start", "match").status == 0)
    let token = ctl("token", "match")
    #expect(token.status == 0)
    #expect(token.errors.isEmpty)
    #expect(token.output.count == 65)
    let name = String(token.output.dropLast())
    #expect(ctl("push", name, Self.update(#"{"n":1}"#)).errors == "applied\n")
    let again = ctl("push", name, "-", "--json=short", input: Self.update(#"{"n":1}"#))
    #expect(again.output == "{\"applied\":false}\n")
    #expect(again.status == 0)
    #expect(ctl("show", "match", "-p", "content.state", "--value").output == "{\"n\":1}\n")
    #expect(ctl("detach", "match").status == 0)
    let void = ctl("push", name, Self.update("{}", second: 1), "--priority", "5")
    #expect(void.status == 1)
    #expect(void.errors.contains("(InvalidToken)"))
    #expect(ctl("token", "match").errors.contains("(RemoteUpdatesStopped)"))
  }

  @Test func aTokenStartsActivitiesOfItsType() throws {
    let ctl = try Ground()
    let token = ctl("token", "--type", "T", "--application", "org.example.App", "--json=short")
    let name = try #require(token.output.split(separator: "\"").dropFirst(3).first)
    let payload =
      #"{"aps":{"timestamp":\#(Self.noon),"event":"start","content-state":{},"alert":"Hello","#
      + #""attributes-type":"T","attributes":{"pushwoosh":{"activityId":"p"}}}}"#
    #expect(ctl("push", String(name), payload).status == 0)
    #expect(
      ctl("show", "p", "-p", "application,pushType", "--value").lines == [
        "org.example.App", "token",
      ])
    #expect(
      ctl("token", "--type", "T", "--application", "org.example.App", "--void-others").status == 0)
    #expect(ctl("push", String(name), payload).errors.contains("(InvalidToken)"))
  }

  @Test func refusalsAreTold() throws {
    let ctl = try Ground()
    #expect(ctl("schedule", "later", "--at", "1h", "--title", "T").status == 0)
    #expect(ctl("token", "later").errors.contains("(NotStarted)"))
    #expect(ctl("token", "none").status == 66)
    #expect(ctl("token").status == 64)
    #expect(ctl("token", "later", "--type", "T").status == 64)
    #expect(ctl("token", "later", "--application", "a").status == 64)
    #expect(ctl("push", "x").status == 64)
    #expect(ctl("push", "x", "{").status == 65)
    #expect(ctl("push", "@/nonexistent", "{}").status == 65)
    #expect(ctl("push", "x", "{}", "--priority", "7").status == 65)
    let milliseconds = ctl(
      "push", "x", #"{"aps":{"timestamp":1796032800000,"event":"end"}}"#)
    #expect(milliseconds.status == 65)
    #expect(milliseconds.errors.contains("aps.timestamp: 1796032800000 looks like milliseconds"))
  }
}
