// A stopwatch, as a Flutter app has it: three methods and a map, nothing with a type of its own.
//
//   laschedctl test -- example-stopwatch 3
import Foundation
import LiveActivityKit

let ticks = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3
let channel = LiveActivityChannel("PW")

/// Calls a method, and tells what came of it; a failure ends the program.
func invoke(_ method: String, _ arguments: [String: Any?]? = nil) {
  channel.handle(method, arguments) { reply in
    switch reply {
    case .success: print(method, arguments.map { "\($0)" } ?? "")
    case .failure(let code, let message):
      print("\(method): \(code) \(message)")
      exit(1)
    case .notImplemented: print("\(method): not implemented")
    }
  }
}

invoke("startLiveActivity", ["elapsedSeconds": 0])
for elapsed in 1...max(1, ticks) {
  // A real one waits for a second here.
  invoke("updateLiveActivity", ["elapsedSeconds": elapsed])
}
invoke("pauseLiveActivity")
invoke("stopLiveActivity")
