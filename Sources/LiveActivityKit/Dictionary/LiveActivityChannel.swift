internal import JSON
internal import LiveActivity
internal import SchedulerAPI

/// One activity for callers without Swift types, such as a Flutter method channel or a script: three
/// methods with a JSON map, by the names of the stopwatch guide.
///
/// `startLiveActivity` begins an activity whose content state is the map; while one is running it updates
/// that. `updateLiveActivity` replaces the content state. `stopLiveActivity` ends it, at once. Every call
/// is answered, once.
public final class LiveActivityChannel: Sendable {
  /// What a call is answered.
  public enum Reply: Hashable, Sendable {
    /// It is done.
    case success
    /// It is not. The code is `418` where data is missing or not JSON, and else the error's name.
    case failure(code: String, message: String)
    /// There is no such method.
    case notImplemented
  }

  /// The code of a call without the data that it needs.
  public static let noData = "418"

  /// The channel's key; programs of one user that use the same key in the same application have the
  /// same activity.
  public let key: String
  private let link: DaemonLink
  private let type: String

  /// A channel by its key. Its activity's ID is `APPLICATION/KEY`, its attributes type the key, or
  /// what is given.
  public init(_ key: String, attributesType: String? = nil) {
    self.key = key
    link = DaemonLink.current
    type = plainTypeName(attributesType ?? key)
  }

  /// Carries out a call by its method's name; `result` is given the answer before this returns.
  public func handle(
    _ method: String, _ arguments: [String: Any?]? = nil, result: (Reply) -> Void
  ) {
    switch method {
    case "startLiveActivity": result(startLiveActivity(arguments))
    case "updateLiveActivity": result(updateLiveActivity(arguments))
    case "stopLiveActivity": result(stopLiveActivity())
    default: result(.notImplemented)
    }
  }

  /// The same as text: `{"method": "startLiveActivity", "arguments": {…}}` is answered with
  /// `{"result": null}`, `{"error": {"code": …, "message": …}}` or `{"notImplemented": true}`.
  public func handle(json: String) -> String {
    let call = (try? JSONNode(validating: json)).map { JSONValue($0) }
    guard let call, case .string(let method)? = call["method"] else {
      return text(.failure(code: LiveActivityChannel.noData, message: "this is no call"))
    }
    switch (method, call["arguments"]) {
    case ("startLiveActivity", .object?): return text(start(call["arguments"]))
    case ("updateLiveActivity", .object?): return text(update(call["arguments"]))
    case ("startLiveActivity", _): return text(start(nil))
    case ("updateLiveActivity", _): return text(update(nil))
    case ("stopLiveActivity", _): return text(stopLiveActivity())
    default: return text(.notImplemented)
    }
  }

  /// Begins the activity, or updates it.
  public func startLiveActivity(_ data: [String: Any?]?) -> Reply {
    withJSON(data) { start($0) }
  }

  /// Replaces the content state.
  public func updateLiveActivity(_ data: [String: Any?]?) -> Reply {
    withJSON(data) { update($0) }
  }

  /// Ends it, at once; that there is none is no failure.
  public func stopLiveActivity() -> Reply {
    answering {
      var call = EndParameters(.id(try id()))
      call.dismissal = .immediate
      do { _ = try link.calls.call(call) } catch LinkFailure.refused(.noSuchActivity) {
      } catch LinkFailure.refused(.activityOver) {}
    }
  }

  // MARK: The same in JSON

  private func start(_ data: JSONValue?) -> Reply {
    guard let data else { return missing("started") }
    return answering {
      var call = RequestParameters()
      call.id = try id()
      call.application = link.daemon.application
      call.attributesType = type
      call.content = LiveActivity.Content(state: try data.text())
      call.ifExists = .update
      _ = try link.calls.call(call)
    }
  }

  private func update(_ data: JSONValue?) -> Reply {
    guard let data else { return missing("updated") }
    return answering {
      var call = UpdateParameters(.id(try id()))
      call.content = LiveActivity.Content(state: try data.text())
      _ = try link.calls.call(call)
    }
  }

  private func missing(_ what: String) -> Reply {
    .failure(
      code: LiveActivityChannel.noData,
      message: "The live activity was not \(what): there is no data")
  }

  private func withJSON(_ data: [String: Any?]?, _ body: (JSONValue?) -> Reply) -> Reply {
    guard let data else { return body(nil) }
    do { return body(try JSONValue(members: data)) } catch {
      return .failure(code: LiveActivityChannel.noData, message: "\(error)")
    }
  }

  private func id() throws -> ActivityID {
    do throws(InvalidValue) { return try ActivityID("\(link.daemon.application)/\(key)") } catch {
      throw ActivityAuthorizationError.malformedActivityIdentifier
    }
  }

  private func answering(_ body: () throws -> Void) -> Reply {
    do {
      try body()
      return .success
    } catch LinkFailure.refused(let error) {
      return .failure(code: error.name, message: "\(error)")
    } catch let error as JSONError {
      return .failure(code: LiveActivityChannel.noData, message: "\(error)")
    } catch {
      return .failure(code: "noDaemon", message: "\(error)")
    }
  }

  private func text(_ reply: Reply) -> String {
    let value: JSONValue =
      switch reply {
      case .success: .object([.init("result", .null)])
      case .failure(let code, let message):
        .object([
          .init(
            "error", .object([.init("code", .string(code)), .init("message", .string(message))]))
        ])
      case .notImplemented: .object([.init("notImplemented", .bool(true))])
      }
    return (try? value.text().string) ?? #"{"error":{"code":"418","message":"no answer"}}"#
  }
}
