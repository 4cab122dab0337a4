import SchedulerService
import Systemd

// The daemon: `lasched(8)`. What it does is in SchedulerService; this is the command line.
Surroundings.ignoreBrokenPipes()
Surroundings.raiseDescriptorLimit(to: 65_536)
let log = Journal.detected()
do throws(ServiceFailure) {
  switch try CommandLineOptions.read(Array(CommandLine.arguments.dropFirst())) {
  case .tell(let text):
    print(text)
  case .run(var options):
    do throws(SystemError) {
      options.passed = try PassedDescriptor.takeAll()
    } catch {
      throw ServiceFailure(.failure, "\(error)")
    }
    let code = try Service(options).run()
    exitProcess(code)
  }
} catch {
  log.log(.error, "lasched: \(error.description)")
  exitProcess(error.code.rawValue)
}
