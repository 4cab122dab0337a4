import Foundation
import LiveActivityKit
import LiveActivityTestKit
import Testing

@Suite struct ChannelTests {
  @Test func theStopwatchIsStartedUpdatedAndStopped() async throws {
    try await TestDaemon.with { daemon in
      let channel = LiveActivityChannel("PW")
      var replies: [LiveActivityChannel.Reply] = []
      func call(_ method: String, _ arguments: [String: Any?]? = nil) {
        channel.handle(method, arguments) { replies.append($0) }
      }
      call("startLiveActivity", ["elapsedSeconds": 0])
      let activity = try #require(Activity<PW>.activities.first)
      #expect(activity.id == "\(daemon.daemon.application)/PW")
      call("updateLiveActivity", ["elapsedSeconds": 1])
      #expect(activity.content.state.elapsedSeconds == 1)
      call("startLiveActivity", ["elapsedSeconds": 2])
      #expect(Activity<PW>.activities.count == 1)
      #expect(activity.content.state.elapsedSeconds == 2)
      call("stopLiveActivity")
      #expect(activity.activityState == .dismissed)
      call("stopLiveActivity")
      call("startLiveActivity", ["elapsedSeconds": 3])
      #expect(Activity<PW>.activities.first?.details.session == 2)
      #expect(replies == Array(repeating: .success, count: 6))
    }
  }

  @Test func everyCallIsAnsweredWhateverItIs() async throws {
    try await TestDaemon.with { daemon in
      let channel = LiveActivityChannel("PW")
      func code(_ method: String, _ arguments: [String: Any?]?) -> String {
        var answers: [LiveActivityChannel.Reply] = []
        channel.handle(method, arguments) { answers.append($0) }
        guard answers.count == 1 else { return "\(answers.count) answers" }
        return switch answers[0] {
        case .success: "done"
        case .failure(let code, _): code
        case .notImplemented: "not implemented"
        }
      }
      #expect(code("startLiveActivity", nil) == "418")
      #expect(code("updateLiveActivity", nil) == "418")
      #expect(code("startLiveActivity", ["a": Double.nan]) == "418")
      #expect(code("pauseLiveActivity", ["a": 1]) == "not implemented")
      #expect(code("updateLiveActivity", ["a": 1]) == "io.lasched.LiveActivities.NoSuchActivity")
      #expect(
        code("startLiveActivity", ["a": String(repeating: "x", count: 5000)])
          == "io.lasched.LiveActivities.PayloadTooLarge")
      #expect(code("stopLiveActivity", nil) == "done")
      daemon.stop()
      #expect(code("startLiveActivity", ["a": 1]) == "noDaemon")
    }
  }

  @Test func aScriptSpeaksJSON() async throws {
    try await TestDaemon.with { _ in
      let channel = LiveActivityChannel("PW")
      let start = #"{"method":"startLiveActivity","arguments":{"elapsedSeconds":1.0}}"#
      #expect(channel.handle(json: start) == #"{"result":null}"#)
      #expect(channel.handle(json: #"{"method":"x"}"#) == #"{"notImplemented":true}"#)
      #expect(
        channel.handle(json: #"{"method":"startLiveActivity"}"#).hasPrefix(
          #"{"error":{"code":"418","message":"#))
      for broken in ["", "{", "[]", "null", #"{"method":1}"#] {
        #expect(channel.handle(json: broken).hasPrefix(#"{"error":{"code":"418","#))
      }
    }
  }
}

/// What the channel's activity looks like to a program with types.
private struct PW: ActivityAttributes {
  struct ContentState: Codable, Hashable { var elapsedSeconds: Int }
}
