import Testing

@testable import TimingWheel
