import Testing

/// How many pushes are taken.
@Suite struct PushBudgetTests {
  static let configuration = """
    [Push]
    HighPriorityPerHour=3
    HighPriorityFrequentPerHour=5
    FrequentTypes=Match  Race
    """

  @Test func priorityTenIsHeldToAnHour() throws {
    let client = try TestDaemon(configuration: Self.configuration).connect()
    for id in ["a", "b"] { try client.call("Request", #"{"id":"\#(id)"}"#) }
    let tokens = try ["a", "a", "b"].map { try client.token($0) }
    #expect(try client.push(tokens[0], update(1, "{}")))
    try client.advance(seconds: 600)
    #expect(try client.push(tokens[1], update(2, "{}")))
    // Nothing applied, nothing spent.
    #expect(try !client.push(tokens[0], update(1, #"{"n":1}"#)))
    #expect(try client.push(tokens[0], update(3, "{}")))
    #expect(
      throws: Refused(name: "TooManyRequests", parameters: #"{"retryAfterUSec":3000000000}"#)
    ) { try client.push(tokens[1], update(4, "{}")) }
    #expect(try client.push(tokens[1], update(4, "{}"), priority: 5))
    #expect(try client.push(tokens[2], update(4, "{}")))
    try client.advance(seconds: 3000)
    #expect(try client.push(tokens[0], update(5, "{}")))
    #expect(throws: Refused.named("TooManyRequests")) {
      try client.push(tokens[0], update(6, "{}"))
    }
  }

  @Test func typesThatAreUpdatedOftenHaveMore() throws {
    let client = try TestDaemon(configuration: Self.configuration).connect()
    try client.call("Request", #"{"id":"a","attributesType":"Race"}"#)
    let token = try client.token("a")
    for n in 1...5 { #expect(try client.push(token, update(n, "{}"))) }
    #expect(throws: Refused.named("TooManyRequests")) {
      try client.push(token, update(6, "{}"))
    }
  }

  @Test func startsHaveABudgetToo() throws {
    let client = try TestDaemon(configuration: Self.configuration).connect()
    let token = try client.startToken("T")
    for _ in 0..<3 { #expect(try client.push(token, PushStartTests.start("T"))) }
    #expect(throws: Refused.named("TooManyRequests")) {
      try client.push(try client.startToken("T"), PushStartTests.start("T"))
    }
  }

  @Test func aPushThatCouldNotBeStoredIsNotSpent() throws {
    let client = try TestDaemon(configuration: Self.configuration).connect()
    try client.call("Request", #"{"id":"a"}"#)
    let token = try client.token("a")
    for n in 1...3 {
      try client.call("io.lasched.TestClock.FailNextCommits", #"{"count":1}"#)
      #expect(throws: Refused.named("StoreUnavailable")) {
        try client.push(token, update(n, "{}"))
      }
    }
    for n in 1...3 { #expect(try client.push(token, update(n, "{}"))) }
  }
}
