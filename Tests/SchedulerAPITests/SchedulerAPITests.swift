import Testing

@testable import SchedulerAPI
