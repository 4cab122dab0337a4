import JSON
import Testing

@testable import Varlink

@Suite struct VarlinkCallTests {
  private func call(_ text: String) throws -> VarlinkCall {
    var inbox = VarlinkInbox()
    inbox.append(messages(text).span)
    return try #require(try inbox.nextCall())
  }

  @Test func readsACall() throws {
    let call = try call(#"{"method":"a.b.C","parameters":{"x":1},"more":true,"oneway":false}"#)
    #expect(call.method == "a.b.C")
    #expect(call.parameters["x"]?.int64 == 1)
    #expect(call.more && !call.oneway && !call.upgrade)
    #expect(call.parameterAtFault == nil)
  }

  @Test(arguments: [
    #"{"method":"a.b.C"}"#, #"{"method":"a.b.C","parameters":null,"more":null}"#,
    #"{"parameters":{},"method":"a.b.C","more":false,"upgrade":false}"#,
    #"{"method":"a.b.C","org.example.extension":{"x":[]}}"#,
  ])
  func absentAndNullAreTheSame(text: String) throws {
    let call = try call(text)
    #expect(call.method == "a.b.C")
    #expect(call.parameters.kind == .object)
    #expect(Array(call.parameters.members).isEmpty)
    #expect(!call.more && !call.oneway && !call.upgrade)
  }

  @Test(arguments: [
    "", "{", "[]", "null", "{}", #"{"method":1}"#, #"{"method":null}"#, #"{"parameters":{}}"#,
    #"{"method":"a.B","more":1}"#, #"{"method":"a.B","oneway":"yes"}"#, #"{"method":"a.B"} {}"#,
    #"{"method":"a.B","method":"a.C"}"#, #"{"method":"\ud800"}"#, #"{"method":"a.B","x":1e999}"#,
  ])
  func refusesWhatIsNoCall(text: String) throws {
    var inbox = VarlinkInbox()
    inbox.append(messages(text, #"{"method":"a.B"}"#).span)
    #expect(throws: VarlinkMessageError.self) { try inbox.nextCall() }
    // The connection cannot go on.
    #expect(throws: VarlinkMessageError.self) { try inbox.nextCall() }
  }

  @Test(arguments: [
    (#"{"alert":{"title":"\ud800"}}"#, "alert.title"), (#"{"a":[1e999]}"#, "a[0]"),
    (#"{"a":{"b":1,"b":1}}"#, "a.b"), (#"{"a":"\u0000"}"#, "a"),
  ])
  func namesTheParameterThatBreaksALimit(parameters: String, path: String) throws {
    let call = try call(#"{"method":"org.varlink.service.GetInfo","parameters":\#(parameters)}"#)
    #expect(call.parameterAtFault == path)
    #expect(throws: VarlinkServiceError.invalidParameter(path)) { try call.checkedParameters() }
    var writer = JSONWriter()
    testService.answer(call, &writer)
    #expect(
      text(writer)
        == #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"\#(path)"}}"#
        + "\0")
  }

  @Test func threeThousandArraysAreNamedToo() throws {
    let deep = String(repeating: "[", count: 3_000) + String(repeating: "]", count: 3_000)
    let call = try call(#"{"method":"a.b.C","parameters":{"state":\#(deep)}}"#)
    #expect(call.parameterAtFault?.hasPrefix("state[0][0]") == true)
  }
}

@Suite struct VarlinkReplyTests {
  private func reply(_ text: String) throws -> VarlinkReply {
    try VarlinkReply(Array(text.utf8).span)
  }

  @Test func readsReplies() throws {
    let plain = try reply(#"{"parameters":{"x":1}}"#)
    #expect(plain.parameters["x"]?.int64 == 1)
    #expect(plain.error == nil && !plain.continues)
    let error = try reply(#"{"error":"a.b.E","parameters":null,"continues":false}"#)
    #expect(error.error == "a.b.E")
    #expect(error.parameters.kind == .object)
    #expect(try reply(#"{"continues":true}"#).continues)
  }

  @Test(arguments: ["[]", "{", #"{"error":1}"#, #"{"parameters":{"a":1,"a":2}}"#])
  func refusesWhatIsNoReply(text: String) {
    #expect(throws: VarlinkMessageError.self) { try reply(text) }
  }

  @Test func writesMessages() {
    var writer = JSONWriter()
    writer.varlinkReply()
    writer.varlinkReply(continues: true) { $0.member("x", Int64(1)) }
    writer.varlinkError("a.b.E") { $0.member("why", "\"") }
    writer.varlinkCall("a.b.C")
    writer.varlinkCall("a.b.C", oneway: true, more: true) { $0.member("y", true) }
    let expected = messages(
      #"{"parameters":{}}"#, #"{"parameters":{"x":1},"continues":true}"#,
      #"{"error":"a.b.E","parameters":{"why":"\""}}"#, #"{"method":"a.b.C","parameters":{}}"#,
      #"{"method":"a.b.C","parameters":{"y":true},"oneway":true,"more":true}"#)
    #expect(writer.bytes == expected)
  }

  @Test(
    arguments: [
      .interfaceNotFound("a.b"), .methodNotFound("a.b.C"), .methodNotImplemented("a.b.C"),
      .invalidParameter("content.stalDate"), .permissionDenied, .expectedMore,
    ] as [VarlinkServiceError])
  func standardErrorsComeBack(error: VarlinkServiceError) throws {
    var writer = JSONWriter()
    writer.varlinkError(error.name, error.encode)
    let reply = try reply(String(text(writer).dropLast()))
    #expect(VarlinkServiceError(name: reply.error ?? "", parameters: reply.parameters) == error)
    #expect(!error.description.contains("\n"))
    let definition = try VarlinkInterface(VarlinkService.description)
    let type = try #require(definition.error(String(error.name.dropFirst(20)))?.type)
    #expect(definition.fault(in: reply.parameters, as: type) == nil)
  }

  @Test func anErrorIsCutOffBeforeItOutgrowsAMessage() {
    var writer = JSONWriter()
    VarlinkServiceError.methodNotFound(String(repeating: "é", count: 1 << 20)).encode(&writer)
    #expect(writer.bytes.count < 600)
  }
}

@Suite struct VarlinkServiceTests {
  private func answer(_ text: String) throws -> String {
    var inbox = VarlinkInbox()
    inbox.append(messages(text).span)
    var writer = JSONWriter()
    testService.answer(try #require(try inbox.nextCall()), &writer)
    return VarlinkTests.text(writer)
  }

  private func error(_ name: String, _ parameters: String) -> String {
    #"{"error":"org.varlink.service.\#(name)","parameters":\#(parameters)}"# + "\0"
  }

  @Test func tellsAboutItself() throws {
    let info = try answer(#"{"method":"org.varlink.service.GetInfo","parameters":{},"more":false}"#)
    #expect(
      info == #"{"parameters":{"vendor":"Vendor","product":"Product","version":"1","#
        + #""url":"https://example.org","interfaces":["org.varlink.service","org.example.test"]}}"#
        + "\0")
    for name in ["org.varlink.service", "org.example.test"] {
      let call =
        #"{"method":"org.varlink.service.GetInterfaceDescription","#
        + #""parameters":{"interface":"\#(name)"}}"#
      let reply = try VarlinkReply(Array(try answer(call).utf8.dropLast()).span)
      let text = try #require(reply.parameters["description"]?.string)
      #expect(try VarlinkInterface(text).name == name)
    }
  }

  @Test func refusesWhatItDoesNotHave() throws {
    let describe = #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":"#
    #expect(
      try answer(describe + "{}}") == error("InvalidParameter", #"{"parameter":"interface"}"#))
    #expect(
      try answer(describe + #"{"interface":7}}"#)
        == error("InvalidParameter", #"{"parameter":"interface"}"#))
    #expect(
      try answer(describe + #"{"interface":"a.b","x":1}}"#)
        == error("InvalidParameter", #"{"parameter":"x"}"#))
    #expect(
      try answer(describe + "[]}") == error("InvalidParameter", #"{"parameter":"parameters"}"#))
    #expect(
      try answer(describe + #"{"interface":"a.b"}}"#)
        == error("InterfaceNotFound", #"{"interface":"a.b"}"#))
    #expect(
      try answer(#"{"method":"a.b.C"}"#) == error("InterfaceNotFound", #"{"interface":"a.b"}"#))
    #expect(
      try answer(#"{"method":"C"}"#) == error("InterfaceNotFound", #"{"interface":"C"}"#))
    for method in ["org.varlink.service.Get", "org.example.test.None"] {
      #expect(
        try answer(#"{"method":"\#(method)"}"#)
          == error("MethodNotFound", #"{"method":"\#(method)"}"#))
    }
    #expect(
      try answer(#"{"method":"org.varlink.service.GetInfo","parameters":{"x":0}}"#)
        == error("InvalidParameter", #"{"parameter":"x"}"#))
  }

  @Test func aConnectionIsNotGivenAway() throws {
    let method = "org.varlink.service.GetInfo"
    #expect(
      try answer(#"{"method":"\#(method)","upgrade":true}"#)
        == error("MethodNotImplemented", #"{"method":"\#(method)"}"#))
  }

  @Test func onewayIsNeverAnswered() throws {
    #expect(try answer(#"{"method":"org.varlink.service.GetInfo","oneway":true}"#) == "")
    #expect(try answer(#"{"method":"a.b.C","oneway":true}"#) == "")
  }
}
