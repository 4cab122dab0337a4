/// The interface that programs speak to the daemon.
public enum LiveActivitiesInterface {
  /// Its name; the socket is called after it.
  public static let name = "io.lasched.LiveActivities"

  /// Its definition in the Varlink interface definition language.
  // The text is the interface's own, so its lines keep their length.
  // swift-format-ignore
  public static let definition = #"""
    # Scheduled live activities with local-notification alerts.
    #
    # Dates are RFC 3339 strings: read with any offset and at most microseconds, rounded up to the
    # millisecond, written in UTC. Elapsed times are microseconds that count through suspend and that
    # no clock step moves. Absent and null mean the same. The interface grows only by optional
    # parameters, reply fields and enumeration values.
    interface io.lasched.LiveActivities

    type State (pending, active, stale, ended, dismissed)

    # Why a session left the stage.
    type Reason (ended, cancelled, replaced, timeLimit, missed, dismissedByPerson, ownerGone)

    # What a person is told.
    type Alert (title: string, body: string, sound: ?string, urgency: ?(low, normal, critical))

    # When an activity becomes active: at an instant, after an elapsed span, or at a wall time (local,
    # 2026-12-01T18:30:00). Exactly one of the three is set. zone is where that wall time is, the
    # machine's of now if it is left out; floating: wherever the machine then is. What clocks skip is
    # moved forward by the gap; what they show twice is the first, unless ofTwo says otherwise. Where
    # the rules of the zone or the machine's zone change, a pending start moves along.
    type Start (
      at: ?string,
      afterUSec: ?int,
      local: ?string,
      zone: ?string,
      floating: ?bool,
      ofTwo: ?(first, second)
    )

    # The wall time that a start was asked for as, the zone that it was read in and the tzdata that it
    # was read by. movedUSec: clocks skip that time. twice: they show it twice.
    type LocalStart (
      local: string,
      zone: string,
      floating: bool,
      ofTwo: ?(first, second),
      tzdata: ?string,
      movedUSec: ?int,
      twice: ?bool
    )

    # Dynamic content. Setting it replaces all three.
    type Content (state: object, staleDate: ?string, relevanceScore: ?float)

    # immediate: gone at once. default: stays four hours. after: stays until date, four hours at most.
    type Dismissal (policy: (immediate, default, after), date: ?string)

    # Something a person can do with an activity; the program that owns it hears of it as an event.
    type Action (name: string, label: string)

    # What a person is told before the start: the start alert, with the distance. skipped: it was past
    # when it was asked for or the start was moved, or a nearer one was told in its place.
    type Reminder (beforeUSec: int, date: string, state: (ahead, told, skipped))

    # An update that is to come by itself, as the event numbered sequence took it.
    type PlannedUpdate (
      sequence: int,
      date: ?string,
      content: ?Content,
      patch: ?object,
      staleDate: ?string,
      relevanceScore: ?float,
      alert: ?Alert
    )

    # How an activity repeats: by a calendar expression (systemd.time(7)), in the zone that it names,
    # else in zone, else in that of the machine now; floating: wherever the machine then is. Or
    # everyUSec after the nominal start before, in elapsed time, at least a second. Exactly one of
    # calendar and everyUSec is set. No occurrence starts after untilDate; count counts those that
    # there are to be, without those that are skipped.
    type Repeat (
      calendar: ?string,
      zone: ?string,
      floating: ?bool,
      everyUSec: ?int,
      untilDate: ?string,
      count: ?int
    )

    # One session of an activity, as of the event numbered sequence.
    type Activity (
      id: string,
      owner: int,
      session: int,
      sequence: int,
      state: State,
      reason: ?Reason,
      application: ?string,
      attributesType: string,
      attributes: object,
      content: Content,
      alert: ?Alert,
      endAlert: ?Alert,
      actions: []Action,
      audience: []string,
      channel: ?string,
      startDate: ?string,
      startByDate: ?string,
      endDate: ?string,
      dismissalDate: ?string,
      createdDate: string,
      startedDate: ?string,
      endedDate: ?string,
      timestamp: ?string,
      latenessUSec: ?int,
      remoteUpdates: bool,
      reminders: ?[]Reminder,
      plannedUpdates: ?[]PlannedUpdate,
      pushType: ?(token, channel),
      localStart: ?LocalStart,
      repeat: ?Repeat,
      nextStartDate: ?string,
      wake: ?bool
    )

    # One durable change. by is the Unix user whose request caused it; absent where time itself did, or
    # somebody with a token of io.lasched.Push. A start that moved by itself, since the machine's zone or
    # the rules of a zone changed, is a rescheduled without by and with the cause.
    # activity comes with scheduled and with what a Request with ifExists update did, content where it changed, alert where one is to be shown: the
    # alert is known by this event's sequence. A replayed event equals the live one.
    type Event (
      sequence: int,
      date: string,
      dueDate: ?string,
      kind: (scheduled, rescheduled, started, updated, stale, fresh, ended, dismissed, action, remoteUpdatesStopped,
             alertSettled, alertSnoozed, enabledChanged, clockStepped, reminded, updatePlanned,
             alertShown, skipped),
      by: ?int,
      id: ?string,
      owner: ?int,
      session: ?int,
      from: ?State,
      to: ?State,
      reason: ?Reason,
      latenessUSec: ?int,
      startDate: ?string,
      endDate: ?string,
      activity: ?Activity,
      content: ?Content,
      alert: ?Alert,
      alertSequence: ?int,
      alertOutcome: ?(shown, failed, expired, withdrawn),
      action: ?string,
      enabled: ?bool,
      attributesType: ?string,
      application: ?string,
      stepUSec: ?int,
      localStart: ?LocalStart,
      formerStartDate: ?string,
      cause: ?(zone, tzdata),
      skippedDate: ?string
    )

    # Create a session: pending with a start, active at once without one.
    # The AfterUSec fields count from the start; of each pair at most one is set.
    # bound: the session lives no longer than this connection. allowPast: a start that is past is no
    # error but comes at once, late.
    # repeat: a series. Each occurrence is a new session of the ID, made of the request in force, with
    # dates that count from its start (startByDate, endDate and a stale date are refused); it is pending
    # as soon as the one before is dismissed, and at its date takes the place of one that is still
    # there (replaced). start then says from when on; a calendar without one begins with its next date,
    # everyUSec at once. After downtime the last date that has come starts late, the others do not. Not
    # with bound.
    # remindersUSec: how long before the start the start alert is told, worded with the distance. Those
    # that are past already are skipped; at most 16.
    # wake: its start wakes the machine from suspend, and so does its alert where its owner put that off;
    # reminders and all else do not. In a series each start does. Where nothing can wake the machine,
    # wakeProblem says why and the start comes late, or WakeUnavailable refuses it, as the daemon is
    # configured.
    # pushType: what its program means to update it with from elsewhere, kept for it to read. token: those
    # that io.lasched.Push makes once it has started. channel: the channel, which must be named.
    method Request(
      id: ?string,
      application: ?string,
      attributesType: ?string,
      attributes: ?object,
      content: ?Content,
      staleAfterUSec: ?int,
      alert: ?Alert,
      endAlert: ?Alert,
      actions: ?[]Action,
      start: ?Start,
      startByDate: ?string,
      startByAfterUSec: ?int,
      endDate: ?string,
      endAfterUSec: ?int,
      ifExists: ?(fail, keep, replace, update),
      owner: ?int,
      audience: ?[]string,
      channel: ?string,
      pushType: ?(token, channel),
      bound: ?bool,
      remindersUSec: ?[]int,
      allowPast: ?bool,
      repeat: ?Repeat,
      wake: ?bool
    ) -> (activity: Activity, created: bool, wakeProblem: ?string)

    # Change when a live session starts (while pending) or ends, and what is said then.
    # start {"afterUSec": 0} is now. What is not named stays. Reminders move with the start; an empty
    # remindersUSec takes them back.
    method Reschedule(
      id: string,
      session: ?int,
      ifSequence: ?int,
      start: ?Start,
      startByDate: ?string,
      startByAfterUSec: ?int,
      staleDate: ?string,
      staleAfterUSec: ?int,
      endDate: ?string,
      endAfterUSec: ?int,
      noEnd: ?bool,
      alert: ?Alert,
      endAlert: ?Alert,
      owner: ?int,
      remindersUSec: ?[]int
    ) -> (activity: Activity)

    # content replaces state, stale date and relevance; patch (RFC 7396, on the state) and the two
    # fields change what they name. Address one id, or every live activity of the owner in a channel.
    # at, or afterUSec from the start: planned, to be applied by itself at that date to what is there
    # then, as an updated event with dueDate; at most 64 wait, and they go with the activity. A patch
    # that would make the content too large then leaves it as it is. discardPlanned takes back those
    # planned before, in the same event, updatePlanned.
    method Update(
      id: ?string,
      channel: ?string,
      session: ?int,
      ifSequence: ?int,
      content: ?Content,
      patch: ?object,
      staleDate: ?string,
      relevanceScore: ?float,
      alert: ?Alert,
      timestamp: ?string,
      owner: ?int,
      everyOwner: ?bool,
      at: ?string,
      afterUSec: ?int,
      discardPlanned: ?bool
    ) -> (applied: int, skipped: int)

    # content, patch and relevanceScore as for Update.
    method End(
      id: ?string,
      channel: ?string,
      session: ?int,
      content: ?Content,
      patch: ?object,
      relevanceScore: ?float,
      alert: ?Alert,
      dismissal: ?Dismissal,
      timestamp: ?string,
      owner: ?int,
      everyOwner: ?bool
    ) -> (applied: int, skipped: int)

    # Gone at once, whatever the state, and with it the series that it is an occurrence of; with this
    # the series goes on. found counts the states that the cancel met.
    method Cancel(
      id: ?string,
      channel: ?string,
      session: ?int,
      owner: ?int,
      everyOwner: ?bool,
      this: ?bool
    ) -> (
      applied: int,
      skipped: int,
      found: (pending: int, active: int, stale: int, ended: int)
    )

    # Cut off from remote updates; the activity stays. Without id: every activity of the caller.
    method Stop(id: ?string, session: ?int, owner: ?int) -> (applied: int)

    # A person took it off their screen. For someone in a wider audience: off theirs alone.
    method Dismiss(id: string, session: int, owner: ?int) -> ()

    # A person used one of the activity's actions.
    method Act(id: string, session: int, action: string, owner: ?int) -> ()

    method Get(id: string, session: ?int, owner: ?int) -> (activity: Activity)

    # Live ones by default, next deadline first. With more: in as many replies as it takes, the last may
    # be empty. Without: in one reply if it fits, else org.varlink.service.ExpectedMore.
    method List(
      states: ?[]State,
      application: ?string,
      channel: ?string,
      owner: ?int,
      everyOwner: ?bool
    ) -> (activities: []Activity)

    # Oldest first; more as for List.
    method History(
      id: ?string,
      session: ?int,
      owner: ?int,
      everyOwner: ?bool,
      sinceDate: ?string,
      untilDate: ?string
    ) -> (events: []Event)

    # Requires more. Each reply carries one of the three. With since and store of an earlier ready: the
    # events after that number, then ready with resumed true. Else, or where they are no longer kept:
    # every activity not dismissed as snapshot, then ready with resumed false. Then events as they happen.
    # alerts: the caller shows alerts to its user, and is offered those that nobody has settled.
    method Monitor(
      ids: ?[]string,
      application: ?string,
      since: ?int,
      store: ?string,
      owner: ?int,
      everyOwner: ?bool,
      alerts: ?bool
    ) -> (
      snapshot: ?Activity,
      event: ?Event,
      ready: ?(sequence: int, store: string, resumed: bool)
    )

    # What an agent did with an alert, for the person it runs for. Of a settled alert: no effect.
    # person (root and group lasched): it was shown on a terminal of theirs. That is told by the event
    # alertShown and settles nothing: their agent is offered it all the same.
    method ConfirmAlert(sequence: int, outcome: (shown, failed), person: ?int) -> ()

    method SnoozeAlert(sequence: int, forUSec: int) -> (date: string)

    # Whether later requests of the caller are taken: all, or those of one type or application.
    # What is pending starts all the same.
    method SetEnabled(enabled: bool, attributesType: ?string, application: ?string, owner: ?int) -> ()

    # Counts of what the caller may see; active counts stale ones too. now is the daemon's clock.
    # activitiesEnabled: for this type and application, if named. zone and tzdata: the machine's, which
    # floating starts follow. checkStore looks through the whole store and replies what must not be
    # there; for the daemon's own user, root and admins. wakeProblem: why nothing can wake the machine.
    # nextWakeDate: when an activity next does, or would.
    method GetStatus(
      everyOwner: ?bool,
      attributesType: ?string,
      application: ?string,
      checkStore: ?bool
    ) -> (
      now: string,
      version: string,
      store: string,
      sequence: int,
      pending: int,
      active: int,
      ended: int,
      nextDate: ?string,
      activitiesEnabled: bool,
      alertAgents: int,
      storeFindings: ?[]string,
      zone: ?string,
      tzdata: ?string,
      wakeProblem: ?string,
      nextWakeDate: ?string
    )

    # Leave the next occurrence of a series out: of a pending session its own start, which moves on to
    # the one after it; else the one that would come next. The last one left ends the series.
    method Skip(id: string, session: ?int, ifSequence: ?int, owner: ?int) -> (
      activity: Activity,
      skippedDate: string
    )

    error NoSuchActivity (id: string)
    error NoSuchAlert (sequence: int)
    error NoSuchAction (action: string)
    error ActivityExists (id: string, session: int, state: State)
    error ActivityOver (id: string, session: int, state: State, reason: ?Reason)
    error AlreadyStarted (id: string, session: int, state: State)
    error NoNextOccurrence (id: string)
    error Conflict (id: string, session: int, sequence: int)
    error StartDateNotInFuture (startDate: string, now: string)
    error InvalidDate (field: string, value: string, why: string)
    error Outdated (timestamp: string, applied: string)
    error RemoteUpdatesStopped (id: string)
    error PayloadTooLarge (bytes: int, limit: int)
    error TooManyActivities (limit: int)
    error TooManyRequests (retryAfterUSec: int)
    error NotPermitted (why: string)
    error ActivitiesDisabled (attributesType: ?string, application: ?string)
    error StoreUnavailable (why: string)
    error WakeUnavailable (why: string)

    """#
}
