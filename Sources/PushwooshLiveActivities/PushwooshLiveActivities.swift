// Sources that import PushwooshLiveActivities by its name find LiveActivityKit.
@_exported public import LiveActivityKit

/// The name by which guides call it too: `PushwooshLiveActivities.setup(…)`.
public typealias PushwooshLiveActivities = LiveActivities
