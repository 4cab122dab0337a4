import Systemd

/// Starts what a person has pressed a button for: outside of this service's sandbox where systemd
/// is on the bus, else beside it.
final class Launcher {
  private let bus: Bus
  private let log: Journal
  private var slots: [Int: BusSlot] = [:]
  private var count = 0

  init(_ bus: Bus, _ log: Journal) {
    self.bus = bus
    self.log = log
  }

  /// Runs a program and its arguments as they are; there is no shell between.
  func run(_ command: [String]) {
    guard let name = command.first, let path = Launch.find(name) else {
      log.log(.warning, "there is no program '\(command.first ?? "")' to run")
      return
    }
    count += 1
    let number = count
    let unit = "lasched-action-\(Surroundings.processID)-\(number).service"
    let execution = BusValue.array(
      of: "(sasb)",
      [.structure([.string(path), .strings([path] + command.dropFirst()), .boolean(false)])])
    func property(_ name: String, _ value: BusValue) -> BusValue {
      .structure([.string(name), .variant(value)])
    }
    let properties = BusValue.array(
      of: "(sv)",
      [
        property("Description", .string("Action of a live activity: \(name)")),
        property("CollectMode", .string("inactive-or-failed")),
        property("ExecStart", execution),
      ])
    do throws(SystemError) {
      slots[number] = try bus.call(
        "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
        "org.freedesktop.systemd1.Manager", "StartTransientUnit",
        [.string(unit), .string("fail"), properties, .array(of: "(sa(sv))", [])],
        timeout: 25_000_000
      ) { [weak self] result in
        self?.slots[number] = nil
        if case .failure(let error) = result { self?.start(path, command, error) }
      }
    } catch {
      log.log(.warning, "cannot run '\(name)': \(error)")
    }
  }

  /// Where no systemd looks after the session.
  private func start(_ path: String, _ command: [String], _ error: BusError) {
    guard error.isServiceUnknown else {
      log.log(.warning, "cannot run '\(command[0])': \(error)")
      return
    }
    do throws(SystemError) { try Launch.start(path, command) } catch {
      log.log(.warning, "cannot run '\(command[0])': \(error)")
    }
  }
}
