// swift-tools-version:6.2
import PackageDescription

// One place for what every target is held to.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A library of `Sources/`; `floor` documents the rule that a module imports only from floors below.
func module(_ name: String, floor: Int, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A program for people to read.
func example(_ name: String, _ directory: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Sources/Examples/\(directory)",
    swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "lasched",
  products: [
    .executable(name: "lasched", targets: ["lasched"]),
    .executable(name: "laschedctl", targets: ["laschedctl"]),
    .executable(name: "lasched-notify", targets: ["lasched-notify"]),
    .executable(name: "lasched-wall", targets: ["lasched-wall"]),
    .executable(name: "lasched-bench", targets: ["lasched-bench"]),
    .library(name: "LiveActivityKit", targets: ["LiveActivityKit"]),
    .library(name: "LiveActivityTestKit", targets: ["LiveActivityTestKit"]),
    .library(name: "ActivityKit", targets: ["ActivityKit"]),
    .library(name: "PushwooshFramework", targets: ["PushwooshFramework"]),
    .library(name: "PushwooshLiveActivities", targets: ["PushwooshLiveActivities"]),
  ],
  targets: [
    // Floor 0: the C libraries, and JSON text.
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    module("JSON", floor: 0),

    // Floor 1: each on its own.
    module("LiveActivity", floor: 1, ["JSON"]),
    module("TimingWheel", floor: 1),
    module("TimeExpressions", floor: 1),
    module("Varlink", floor: 1, ["JSON"]),
    module("SQLite", floor: 1, ["CSQLite"]),
    module("Systemd", floor: 1, ["CSystemd"]),

    // Floor 2: the deterministic core, what is kept, what is said.
    module("Scheduling", floor: 2, ["LiveActivity", "TimeExpressions", "TimingWheel"]),
    module("ActivityStore", floor: 2, ["LiveActivity", "JSON", "SQLite"]),
    module("SchedulerAPI", floor: 2, ["LiveActivity", "JSON", "Varlink"]),
    module("Presentations", floor: 2, ["LiveActivity", "JSON", "TimeExpressions"]),

    // Floor 3: the daemon's inside.
    module(
      "SchedulerService", floor: 3,
      [
        "Scheduling", "ActivityStore", "SchedulerAPI", "LiveActivity", "JSON", "Varlink",
        "Systemd", "SQLite", "TimeExpressions",
      ]),
    module("PresentationFiles", floor: 3, ["Presentations"]),

    // What every client that follows the daemon shares; neither libsystemd nor SQLite.
    module("Following", floor: 3, ["SchedulerAPI", "LiveActivity", "Varlink", "JSON"]),

    // Above it: the library for programs that have live activities.
    module(
      "LiveActivityKit", floor: 4, ["Following", "SchedulerAPI", "LiveActivity", "Varlink", "JSON"]),
    module("LiveActivityTestKit", floor: 5, ["LiveActivityKit", "LiveActivity"]),
    // The same by the names that sources for iOS import.
    module("ActivityKit", floor: 5, ["LiveActivityKit"]),
    module("PushwooshFramework", floor: 5, ["LiveActivityKit"]),
    module("PushwooshLiveActivities", floor: 5, ["LiveActivityKit"]),

    // What a person's agent decides. Pure
    module(
      "Notifications", floor: 3, ["Presentations", "LiveActivity", "JSON", "TimeExpressions"]),

    // Floor 4: executables.
    program("lasched", ["SchedulerService", "LiveActivity", "Systemd"]),
    program(
      "laschedctl",
      [
        "Following", "PresentationFiles", "Presentations", "SchedulerAPI", "LiveActivity",
        "TimeExpressions", "Varlink", "JSON",
      ]),
    // Examples of programs that have live activities; Tests/ExampleTests runs them.
    example("example-stopwatch", "Stopwatch", ["LiveActivityKit"]),
    example(
      "example-food-delivery", "FoodDelivery",
      ["ActivityKit", "PushwooshFramework", "PushwooshLiveActivities"]),
    example("example-coach-order", "CoachOrder", ["ActivityKit"]),
    program(
      "lasched-notify",
      [
        "Notifications", "Presentations", "PresentationFiles", "Following", "SchedulerAPI",
        "LiveActivity", "TimeExpressions", "Varlink", "JSON", "Systemd",
      ]),
    program(
      "lasched-wall", ["Following", "SchedulerAPI", "LiveActivity", "Varlink", "JSON", "Systemd"]),
    program(
      "lasched-bench",
      [
        "TimingWheel", "Scheduling", "ActivityStore", "SchedulerService", "SchedulerAPI",
        "LiveActivity", "Varlink", "SQLite", "JSON", "Systemd",
      ]),

    tests("JSONTests", ["JSON"]),
    tests("LiveActivityTests", ["LiveActivity", "JSON"]),
    tests("TimingWheelTests", ["TimingWheel"]),
    tests("TimeExpressionsTests", ["TimeExpressions"]),
    tests("VarlinkTests", ["Varlink", "JSON"]),
    tests("SQLiteTests", ["SQLite"]),
    // A message bus and programs for tests.
    .target(name: "TestBus", path: "Tests/TestBus", swiftSettings: strict),
    tests("SystemdTests", ["Systemd", "TestBus"]),
    tests("SchedulingTests", ["Scheduling", "LiveActivity", "TimeExpressions"]),
    tests("ActivityStoreTests", ["ActivityStore", "SQLite", "LiveActivity", "JSON"]),
    tests(
      "PresentationsTests",
      ["Presentations", "PresentationFiles", "LiveActivity", "JSON", "TimeExpressions"]),
    tests("SchedulerAPITests", ["SchedulerAPI", "LiveActivity", "Varlink", "JSON"]),
    tests(
      "SchedulerServiceTests",
      [
        "SchedulerService", "Scheduling", "ActivityStore", "SchedulerAPI", "LiveActivity",
        "Varlink", "JSON", "SQLite",
      ]),
    tests("LiveActivityKitTests", ["LiveActivityKit", "LiveActivityTestKit", "Varlink", "JSON"]),
    // Code as guides for iOS print it, in their language mode and with their warnings.
    .testTarget(
      name: "GuideTests",
      dependencies: [
        "ActivityKit", "PushwooshFramework", "PushwooshLiveActivities", "LiveActivityTestKit",
      ], swiftSettings: [.swiftLanguageMode(.v5)]),
    tests(
      "ExampleTests", ["example-stopwatch", "example-food-delivery", "example-coach-order"]),

    tests(
      "NotificationsTests",
      [
        "Notifications", "Presentations", "LiveActivity", "JSON", "TimeExpressions", "Systemd",
        "Varlink", "TestBus",
      ]),
    tests("DaemonTests", ["Varlink", "JSON"]),
    tests("ProgramTests", ["Varlink", "JSON"]),
  ]
)
