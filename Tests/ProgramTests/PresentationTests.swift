import Testing

/// `presentation check`: what is wrong with a file, and how it will look.
@Suite struct PresentationTests {
  private let directory = Directory()

  private func check(_ name: String, _ more: [String] = [], home: Bool = false) -> Outcome {
    let variables = ["XDG_CONFIG_HOME": directory.path + "/config"]
    return ctl(["presentation", "check", name] + more, environment: variables)
  }

  @Test func aMistakeHasFileLineAndColumn() {
    directory.write("t.conf", "Title={id}\nBody={content.x:foo}\nTitel=\u{1B}[31m\n")
    let path = directory.path + "/t.conf"
    let outcome = check(path)
    #expect(outcome.status == 1)
    #expect(outcome.lines.count == 2)
    #expect(outcome.lines[0].hasPrefix("\(path):2:17: 'foo' is no format; these are: duration"))
    #expect(outcome.lines[1].hasPrefix("\(path):3:1: there is no key Titel=; these are: Title"))
    #expect(outcome.errors.isEmpty)
    let json = check(path, ["--json=short"])
    #expect(json.lines[0].hasPrefix(#"{"file":"\#(path)","line":2,"column":17,"message":"'foo'"#))
    #expect(check(path, ["--sample", "{}"]).lines.contains("title=sample"))
  }

  @Test func aSampleShowsEachPlace() {
    directory.write(
      "t.conf",
      """
      Title=Order {attributes.number}
      Body={content.status} \\n second
      CompactTrailing={content.eta:time}
      Expanded={content.note}
      Progress={content.progress}
      Icon=shippingbox
      [Action call]
      Label=Call
      Command=tool "a b" {content.note}
      """)
    let sample = """
      {"attributes":{"number":7},"content":{"state":{"status":"cooking","eta":1796131800,
      "progress":0.6,"note":"\\u001b[2J'x\\u202e"}}}
      """
    let outcome = check(directory.path + "/t.conf", ["--sample", sample, "--zone", "UTC"])
    #expect(outcome.status == 0)
    #expect(
      outcome.lines == [
        "title=Order 7", "body=cooking", "body=second", "compactLeading=Order 7",
        "compactTrailing=13:30", "minimal=00:00", "expanded=\\x1b[2J'x\\u{202e}", "progress=60%",
        "icon=package-x-generic", "urgency=normal",
        "action=call: Call runs: tool 'a b' '\\x1b[2J'\\''x\\u{202e}'",
        outcome.lines.last ?? "",
      ])
    #expect(outcome.lines.last?.hasPrefix("changes=by itself in ") == true)
    directory.write("sample.json", sample)
    let json = check(
      directory.path + "/t.conf", ["--json=short", "--sample", "@\(directory.path)/sample.json"])
    #expect(json.output.contains(#""title":"Order 7","body":"cooking\nsecond""#))
    #expect(json.output.contains(#""command":["tool","a b","#))
  }

  @Test func aTypeIsLookedForWherePeopleKeepThem() {
    let none = check("mine", ["--sample", "{}"])
    #expect(none.status == 0)
    #expect(none.errors.contains("there is no file for mine; it has the look without one"))
    #expect(none.errors.contains(directory.path + "/config/lasched/presentations"))
    #expect(none.lines.contains("title=sample"))
    let folder = directory.path + "/config/lasched/presentations"
    #expect(RunningProgram(["/bin/mkdir", "-p", folder], environment: [:]).finish().status == 0)
    directory.write("config/lasched/presentations/mine.conf", "Title=Mine {id}")
    let mine = check("mine", ["--sample", "{\"id\":\"x\"}"])
    #expect(mine.errors == "\(folder)/mine.conf is in force\n")
    #expect(mine.lines.first == "title=Mine x")
  }

  @Test func aSampleMustBeAnObject() {
    let outcome = check("x", ["--sample", "[]"])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("--sample is not a JSON object"))
  }
}
