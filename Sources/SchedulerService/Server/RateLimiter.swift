internal import LiveActivity

/// How often ordinary users may update: so many a second, after a burst; on real elapsed time.
struct RateLimiter {
  private struct Bucket {
    var tokens: Double
    var seen: Int64
  }

  private var buckets: [UserID: Bucket] = [:]

  /// Takes one update of a user; returns nil, or the microseconds until there is room for it.
  mutating func take(
    _ user: UserID, perSecond: Int, burst: Int, monotonic: Int64
  ) -> Int64? {
    let rate = Double(max(1, perSecond)) / 1_000_000
    let most = Double(max(1, burst))
    var bucket = buckets[user] ?? Bucket(tokens: most, seen: monotonic)
    bucket.tokens = min(most, bucket.tokens + Double(monotonic - bucket.seen) * rate)
    bucket.seen = monotonic
    defer { buckets[user] = bucket }
    guard bucket.tokens >= 1 else { return Int64((1 - bucket.tokens) / rate) + 1 }
    bucket.tokens -= 1
    return nil
  }

  /// Forgets users whose burst is whole again.
  mutating func forgetRested(perSecond: Int, burst: Int, monotonic: Int64) {
    let rate = Double(max(1, perSecond)) / 1_000_000
    buckets = buckets.filter { _, bucket in
      bucket.tokens + Double(monotonic - bucket.seen) * rate < Double(burst)
    }
  }
}
