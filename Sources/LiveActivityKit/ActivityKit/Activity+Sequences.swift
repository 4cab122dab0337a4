public import FoundationEssentials
internal import LiveActivity

extension Activity {
  /// States as they come.
  public typealias ActivityStateUpdates = ActivitySequence<ActivityState>
  /// Contents as they come.
  public typealias ContentUpdates = ActivitySequence<ActivityContent<ContentState>>
  /// Content states as they come.
  public typealias ContentStateUpdates = ActivitySequence<ContentState>
  /// Push tokens as they come.
  public typealias PushTokenUpdates = ActivitySequence<Data>
  /// Activities as they are made.
  public typealias ActivityUpdates = ActivitySequence<Activity<Attributes>>

  /// The state now, then each later one; ends after `dismissed`.
  public var activityStateUpdates: ActivityStateUpdates {
    let (record, link) = (record, link)
    return ActivitySequence {
      link.monitor.catchUp()
      return record.listen(\.states) { [$0.activity.state] }
    } _: {
      ActivityState($0)
    }
  }

  /// The content now, then each later one; ends when it is dismissed. Of those that a slow reader
  /// has not read yet, the newest 1000 are kept.
  public var contentUpdates: ContentUpdates {
    let (record, link) = (record, link)
    return ActivitySequence {
      link.monitor.catchUp()
      return record.listen(\.contents, newest: 1000) { [$0.activity.content] }
    } _: { [self] in
      decoded($0)
    }
  }

  /// The push token, for an activity that was requested with `pushType: .token`, as soon as it has
  /// started; ends with the activity. By it somebody elsewhere may update this activity and nothing
  /// else (`io.lasched.Push`). Another program of this user's, or this one when it runs again, is
  /// given another; the newest four are valid.
  public var pushTokenUpdates: PushTokenUpdates {
    let (record, link) = (record, link)
    return ActivitySequence {
      link.monitor.catchUp()
      record.wantToken()
      let stream = record.listen(\.tokens) { $0.token.map { [$0] } ?? [] }
      if record.claimToken() { link.tokens.fetchLater(record) }
      return stream
    } _: {
      Data(hexadecimal: $0)
    }
  }

  /// What a person does with it: the names of `ActivityOptions.actions`.
  public var actionUpdates: ActivitySequence<String> {
    let (record, link) = (record, link)
    return ActivitySequence {
      link.monitor.catchUp()
      return record.listen(\.actions) { _ in [] }
    } _: {
      $0
    }
  }

  /// This application's activities of the type that are not dismissed, pending ones too, in the order of
  /// their making. Empty where there is no daemon, which is logged.
  public static var activities: [Activity<Attributes>] {
    let link = DaemonLink.current
    link.monitor.begin()
    if !link.monitor.catchUp() {
      LiveActivityLog.write("no daemon answers at \(link.daemon.socket)")
    }
    return link.monitor.sessions(ofType: typeName).compactMap { Activity($0, link) }
  }

  /// The activities of the type that there are, then each new one, pending ones too, whoever asked for
  /// it.
  public static var activityUpdates: ActivityUpdates {
    let link = DaemonLink.current
    let type = typeName
    return ActivitySequence {
      link.monitor.begin()
      return link.monitor.openings(ofType: type)
    } _: {
      Activity($0, link)
    }
  }

  /// The type's push-to-start token: by it somebody elsewhere may start activities of the type for this
  /// user (`io.lasched.Push`). Each program is given one of its own; the newest four are valid.
  public static var pushToStartTokenUpdates: PushTokenUpdates {
    let link = DaemonLink.current
    let type = typeName
    return ActivitySequence {
      link.tokens.starting(ofType: type)
    } _: {
      Data(hexadecimal: $0)
    }
  }

  /// The type's push-to-start token, if this program has one by now.
  public static var pushToStartToken: Data? {
    DaemonLink.current.tokens.start(ofType: typeName).flatMap { Data(hexadecimal: $0) }
  }
}

extension Activity {
  /// How many iterations there are, for tests.
  package var listeners: Int { record.listeners }
}
