// Sources that import ActivityKit by its name find LiveActivityKit.
@_exported public import LiveActivityKit
