/// The environment of a laschedctl under test.
func ctlEnvironment(_ more: [String: String] = [:]) -> [String: String] {
  var all = [
    "PATH": Programs.directory + ":/usr/bin:/bin", "HOME": "/nonexistent", "TZ": "Europe/Berlin",
    "TERM": "xterm", "XDG_RUNTIME_DIR": "/nonexistent",
  ]
  all.merge(more) { $1 }
  return all
}

/// Runs laschedctl to its end against a socket; a fake daemon is served meanwhile.
func ctl(
  _ arguments: [String], socket: String = "/nonexistent/socket", serving server: FakeDaemon? = nil,
  input: String = "", environment: [String: String] = [:]
) -> Outcome {
  var variables = ["LASCHED_SOCKET": server?.path ?? socket]
  variables.merge(environment) { $1 }
  let program = RunningProgram(
    [Programs.laschedctl] + arguments, environment: ctlEnvironment(variables))
  if !input.isEmpty { program.send(input) }
  return program.finish(serving: server)
}

/// An activity as the daemon writes it.
func activityText(
  _ id: String = "match", state: String = "pending", owner: Int = 4242, more: String = ""
) -> String {
  """
  {"id":"\(id)","owner":\(owner),"session":1,"sequence":3,"state":"\(state)",\
  "attributesType":"DefaultLiveActivityAttributes","attributes":{},"content":{"state":{}},\
  "actions":[],"audience":[],"createdDate":"\(FakeDaemon.now)","remoteUpdates":true\(more)}
  """
}
