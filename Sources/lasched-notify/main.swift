import Systemd

// One person's agent: `lasched-notify(1)`. What it decides is in Notifications; this is the wiring.
Surroundings.ignoreBrokenPipes()
let log = Journal.detected()
do throws(NotifyFailure) {
  switch try NotifyOptions.read(Array(CommandLine.arguments.dropFirst())) {
  case .tell(let text): print(text)
  case .run(let options):
    let service = try NotifyService(options)
    exitProcess(try service.run())
  }
} catch {
  log.log(.error, "lasched-notify: \(error.message)")
  exitProcess(error.code)
}
