import Testing

@testable import ActivityStore
