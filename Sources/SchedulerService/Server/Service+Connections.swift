internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling
internal import Systemd
internal import Varlink

extension Service {
  /// Takes the callers that wait at a listening socket.
  func accept(from listener: Int32) {
    for _ in 0..<64 {
      do throws(SystemError) {
        guard let descriptor = try UnixSocket.accept(from: listener) else { return }
        try add(descriptor)
      } catch {
        // Out of descriptors or memory: those that wait go on waiting.
        journal.log(.warning, "Cannot take a connection: \(error)")
        for source in listeners { try? source.setEnabled(.off) }
        acceptPause = SystemClock.monotonic + 1_000_000
        pulse?.wake(.accept, at: acceptPause)
        return
      }
    }
  }

  /// Takes connections again after a pause.
  func resumeAccepting() {
    guard !isStopping, acceptPause != 0, SystemClock.monotonic >= acceptPause else { return }
    acceptPause = 0
    for listener in listeners { try? listener.setEnabled(.on) }
  }

  private func add(_ descriptor: consuming FileDescriptor) throws(SystemError) {
    guard let peer = peer(of: descriptor) else { return }
    if !peer.isAdmin, connectionsOfUser[peer.user, default: 0] >= engine.settings.connectionsPerUser
    {
      journal.log(
        .notice,
        "User \(peer.user.rawValue) has \(engine.settings.connectionsPerUser) connections; "
          + "another was closed",
        id: MessageID.refused, [JournalField("LASCHED_BY_UID", peer.user.rawValue)])
      return
    }
    nextConnection += 1
    let connection = Connection(number: nextConnection, peer: peer, descriptor: descriptor)
    connection.source = try loop.addDescriptor(
      connection.descriptorNumber, .readable
    ) { [weak self, weak connection] events in
      guard let self, let connection else { return }
      self.handle(events, connection)
    }
    connections[connection.number] = connection
    connectionsOfUser[peer.user, default: 0] += 1
    meet(connection)
  }

  /// The first time that a user calls, the helper thread looks up their name: only they wait.
  private func meet(_ connection: Connection) {
    let user = connection.peer.user
    guard !met.contains(user), user != .root else { return }
    connection.isBusy = true
    guard meeting[user] == nil else {
      meeting[user]?.append(connection)
      return
    }
    meeting[user] = [connection]
    worker.submit {
      (try? Accounts.user(user.rawValue))?.name
    } completion: { [weak self] name in
      guard let self else { return }
      if let name { self.introduced.append((user, name)) }
      self.met.insert(user)
      for connection in self.meeting.removeValue(forKey: user) ?? [] {
        connection.isBusy = false
        self.settle(connection)
      }
      self.scheduleTurn()
    }
  }

  private func peer(of descriptor: borrowing FileDescriptor) -> Peer? {
    do throws(SystemError) {
      let credentials = try descriptor.peerCredentials()
      let user = UserID(credentials.userID)
      var groups = Set(try descriptor.peerGroups())
      groups.insert(credentials.groupID)
      let isMember = adminGroup.map { groups.contains($0) } ?? false
      return Peer(
        user: user, groups: groups,
        isAdmin: user == .root || (isMember && !options.isUserService))
    } catch {
      journal.log(.warning, "A caller cannot be told who they are: \(error)")
      return nil
    }
  }

  private func handle(_ events: DescriptorEvents, _ connection: Connection) {
    if connection.wantsInput {
      if connection.receive(into: &buffer), !connection.isReady { makeReady(connection) }
      // Nobody is there to be told any more.
      if connection.hasEnded, connection.watcher != nil { connection.close() }
    } else if !events.isDisjoint(with: [.hungUp, .error]) {
      // Gone, with more to say than has been read: it is read when what came before is done.
      try? connection.source?.setEnabled(.off)
    }
    if events.contains(.writable) {
      settle(connection)
      if connection.watcher?.isLive == false || connection.stream != nil || !clockMoves.isEmpty {
        scheduleTurn()
      }
    }
    if connection.isClosed { drop(connection) }
  }

  func makeReady(_ connection: Connection) {
    connection.isReady = true
    ready.append(connection)
    scheduleTurn()
  }

  /// Forgets a connection; sessions that were bound to it end.
  func drop(_ connection: Connection) {
    guard connections.removeValue(forKey: connection.number) != nil else { return }
    connection.close()
    fed[connection.number] = nil
    let left = connectionsOfUser[connection.peer.user, default: 1] - 1
    connectionsOfUser[connection.peer.user] = left > 0 ? left : nil
    clockMoves.removeAll { $0.connection === connection }
    guard !connection.bound.isEmpty else { return }
    abandoned += connection.bound
    scheduleTurn()
  }

  // MARK: Calls

  /// Carries out what has come, connection by connection, a bounded number of calls each.
  func carryOutCalls() {
    let reading = clock.reading
    for person in introduced where engine.meet(person.user, name: person.name, at: reading) {
      replaced.append(person.user)
      journal.log(
        .notice,
        "User \(person.user.rawValue) is somebody else now: \(Printable.line(person.name)); "
          + "the activities of the one before are ended")
    }
    introduced = []
    if !abandoned.isEmpty {
      engine.endBound(abandoned, at: reading)
      abandoned = []
    }
    for waiting in lookedUp { finishRequest(waiting.call, waiting.connection, at: reading) }
    lookedUp = []
    var budget = Self.callsInTurn
    let round = ready
    ready.removeAll(keepingCapacity: true)
    for (index, connection) in round.enumerated() {
      guard budget > 0 else {
        ready = Array(round[index...]) + ready
        break
      }
      connection.isReady = false
      carryOut(connection, &budget, at: reading)
    }
  }

  private func carryOut(_ connection: Connection, _ budget: inout Int, at reading: ClockReading) {
    var left = Self.callsOfOne
    while left > 0, budget > 0, connection.canCall {
      do throws(VarlinkMessageError) {
        guard let call = try connection.inbox.nextCall() else { break }
        left -= 1
        budget -= 1
        perform(call, connection, at: reading)
      } catch {
        // What follows has no meaning: this caller is done for, nobody else notices.
        journal.log(
          .debug, "User \(connection.peer.user.rawValue) sent no message of the protocol: \(error)")
        connection.hasEnded = true
        join(connection)
        break
      }
    }
    if connection.canCall, connection.inbox.hasMessage() {
      connection.isReady = true
      ready.append(connection)
    }
    join(connection)
  }

  /// A connection takes part in the batch.
  func join(_ connection: Connection) {
    if taking.last !== connection { taking.append(connection) }
  }
}

extension SchedulerError {
  /// Writes it as a reply.
  func write(to writer: inout JSONWriter) {
    writer.varlinkError(name) { encode(&$0) }
  }
}
