import JSON
import Varlink

/// JSON: what is taken reads back the same, and a merge patch of it makes JSON again.
func readJSON(_ input: [UInt8]) {
  let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
  let texts = parts.compactMap { try? JSONText(validating: Array($0)) }
  for text in texts {
    guard let node = try? text.parsed() else { fail("not read again: \(text)") }
    expect(node.text == text, "another text: \(text)")
    let value = JSONValue(node)
    guard let written = try? value.text(), let again = try? written.parsed() else {
      fail("not written: \(text)")
    }
    expect(JSONValue(again) == value, "a value and back: \(text) is \(written)")
    for indented in [false, true] {
      let shown = node.displayed(indented: indented)
      guard let read = try? JSONNode(validating: shown), JSONValue(read) == value else {
        fail("shown and read: \(text) is \(shown)")
      }
    }
    if node.kind == .number {
      _ = node.int64
      _ = node.double
    }
  }
  if let target = texts.first, let patch = texts.last {
    guard let merged = try? JSONText.mergePatch(target: target, patch: patch) else {
      fail("not merged: \(target) and \(patch)")
    }
    // A patch may nest as deep as a text, so the result is no deeper.
    guard let again = try? JSONText(validating: merged.bytes), again == merged else {
      fail("not JSON: \(target) and \(patch) make \(merged)")
    }
  }
  if let document = try? JSONDocument(recording: input.span), let place = document.violating {
    expect(place.path(in: document.root) != nil, "a breach without a place")
  }
}

/// Varlink: definitions of interfaces, values against them, and messages.
func readVarlink(_ input: [UInt8]) {
  do {
    let interface = try VarlinkInterface(String(decoding: input, as: UTF8.self))
    expect(interface.name.contains("."), "the name \(interface.name)")
    for type in interface.types.map(\.type) + interface.methods.map(\.input) {
      for value in samples { _ = interface.fault(in: value, as: type) }
    }
  } catch {
    expect(error.line >= 1 && error.column >= 1, "the place of: \(error)")
    expect(!error.description.contains(where: \.isNewline), "more than one line: \(error)")
  }
  var calls = VarlinkInbox()
  var replies = VarlinkInbox()
  // In two pieces, as from a socket.
  let middle = input.count / 2
  for piece in [input[..<middle], input[middle...]] {
    calls.append(Array(piece).span)
    replies.append(Array(piece).span)
    while let call = try? calls.nextCall() {
      _ = call.parameterAtFault
      _ = try? call.checkedParameters()
    }
    while (try? replies.nextReply()) != nil {}
  }
}

private let samples = ["null", "{}", #"{"a":[1,2.5,"x",{"b":true}],"c":null}"#, "[[]]", "\"x\""]
  .compactMap { try? JSONNode(validating: $0) }
