import Testing

@testable import SchedulerService
