import Systemd

Surroundings.ignoreBrokenPipes()
let journal = Journal.detected()
do throws(WallFailure) {
  let options = try WallOptions(Array(CommandLine.arguments.dropFirst()))
  if let text = options.textAlone {
    print(text)
    exitNow(0)
  }
  let settings = WallSettings(options.configuration)
  for warning in settings.warnings { journal.log(.warning, "\(warning)") }
  if options.isCheck { exitNow(settings.show == .no ? 1 : 0) }
  guard settings.show != .no || options.terminal != nil else {
    journal.log(.notice, "nothing is shown on terminals: [Terminals] Show=no in lasched.conf")
    exitNow(0)
  }
  var wall = Wall(options, settings, journal)
  try wall.run()
} catch {
  journal.log(.error, error.message)
  exitNow(error.code)
}
