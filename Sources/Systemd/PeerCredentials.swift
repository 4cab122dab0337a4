internal import CSystemd
internal import Glibc

/// Who made a connection, as the kernel noted it at connect(2); unix(7), `SO_PEERCRED`.
public struct PeerCredentials: Hashable, Sendable {
  /// The process; 0 if it is in another PID namespace. May be gone, or another one by now.
  public let processID: Int32
  /// Its effective user.
  public let userID: UInt32
  /// Its effective group.
  public let groupID: UInt32
}

extension FileDescriptor {
  /// Who is at the other end of a connected AF_UNIX socket.
  public borrowing func peerCredentials() throws(SystemError) -> PeerCredentials {
    let number = number
    var peer = peer_credentials()
    var length = socklen_t(MemoryLayout<peer_credentials>.size)
    _ = try checked("getsockopt SO_PEERCRED") {
      unsafe getsockopt(number, SOL_SOCKET, SO_PEERCRED, &peer, &length)
    }
    return PeerCredentials(processID: peer.pid, userID: peer.uid, groupID: peer.gid)
  }

  /// The supplementary groups of the peer (its effective group may not be among them);
  /// `SO_PEERGROUPS`.
  public borrowing func peerGroups() throws(SystemError) -> [UInt32] {
    let number = number
    var groups = [UInt32](repeating: 0, count: 64)
    while true {
      let room = groups.count * MemoryLayout<UInt32>.size
      var length = socklen_t(room)
      do throws(SystemError) {
        _ = try checked("getsockopt SO_PEERGROUPS") {
          unsafe getsockopt(number, SOL_SOCKET, SO_PEERGROUPS, &groups, &length)
        }
        groups.removeLast(groups.count - Int(length) / MemoryLayout<UInt32>.size)
        return groups
      } catch {
        // The kernel answers how much room it wants; credentials never change afterwards.
        guard error.number == ERANGE, Int(length) > room else { throw error }
        groups = [UInt32](repeating: 0, count: Int(length) / MemoryLayout<UInt32>.size)
      }
    }
  }
}
