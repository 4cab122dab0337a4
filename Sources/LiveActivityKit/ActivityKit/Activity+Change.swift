public import FoundationEssentials
internal import LiveActivity
internal import SchedulerAPI

extension Activity {
  /// Replaces the content. What the daemon refuses is logged; `submit` throws it.
  public func update(_ content: ActivityContent<ContentState>) async {
    await update(content, alertConfiguration: nil)
  }

  /// Replaces the content, and tells the person.
  public func update(
    _ content: ActivityContent<ContentState>, alertConfiguration: AlertConfiguration?
  ) async {
    await logging("update") {
      try await self.submit(content, alertConfiguration: alertConfiguration)
    }
  }

  /// Replaces the content unless a later one, by `timestamp`, was applied already.
  public func update(
    _ content: ActivityContent<ContentState>, alertConfiguration: AlertConfiguration? = nil,
    timestamp: Date
  ) async {
    await logging("update") {
      try await self.submit(content, alertConfiguration: alertConfiguration, timestamp: timestamp)
    }
  }

  /// Ends it, with final content if there is any.
  public func end(
    _ content: ActivityContent<ContentState>?, dismissalPolicy: ActivityUIDismissalPolicy = .default
  ) async {
    await logging("end") { try await self.finish(content, dismissalPolicy: dismissalPolicy) }
  }

  /// Ends it unless a later update, by `timestamp`, was applied already.
  public func end(
    _ content: ActivityContent<ContentState>?,
    dismissalPolicy: ActivityUIDismissalPolicy = .default, timestamp: Date
  ) async {
    await logging("end") {
      try await self.finish(content, dismissalPolicy: dismissalPolicy, timestamp: timestamp)
    }
  }

  private func logging(_ what: String, _ body: () async throws -> Void) async {
    do { try await body() } catch {
      LiveActivityLog.write("'\(id)' cannot be made to \(what): \(error)")
    }
  }

  // MARK: The same, with errors

  /// As `update`, and throws what the daemon refuses: `activityOver`, `outdated`, a limit.
  public func submit(
    _ content: ActivityContent<ContentState>, alertConfiguration: AlertConfiguration? = nil,
    timestamp: Date? = nil
  ) async throws {
    var call = UpdateParameters(.id(record.key.id))
    call.session = record.key.session
    call.content = try content.content()
    call.alert = try alertConfiguration?.alert()
    call.timestamp = try timestamp.map { try WallTime($0, "the timestamp") }
    try await change(call)
  }

  /// As `end`, and throws what the daemon refuses; with an alert if there is to be one.
  public func finish(
    _ content: ActivityContent<ContentState>? = nil,
    dismissalPolicy: ActivityUIDismissalPolicy = .default,
    alertConfiguration: AlertConfiguration? = nil, timestamp: Date? = nil
  ) async throws {
    var call = EndParameters(.id(record.key.id))
    call.session = record.key.session
    call.content = try content?.content()
    call.dismissal = try dismissalPolicy.policy()
    call.alert = try alertConfiguration?.alert()
    call.timestamp = try timestamp.map { try WallTime($0, "the timestamp") }
    try await change(call)
  }

  func change<Call: SchedulerCall>(_ call: Call) async throws {
    do throws(LinkFailure) { _ = try await link.change(call) } catch { throw error.publicError }
  }
}
