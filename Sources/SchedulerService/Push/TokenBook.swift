internal import LiveActivity

/// The tokens that are valid, by their hashes, and what is left of their budgets. What a batch does here
/// can be undone with it.
struct TokenBook {
  /// How many tokens for the same are valid at a time: more than one, so that a program that is
  /// restarted does not cut off who still has the token before.
  static let validAtOnce = 4
  /// For how many types and applications an owner may have push-to-start tokens.
  static let startUsesPerOwner = 100

  struct Token: Hashable {
    /// Counts up: the newest has the highest.
    var serial: Int64
    var use: TokenUse
  }

  private enum Step {
    case added(TokenHash)
    case removed(TokenHash, Token)
    case spent(TokenUse)
  }

  private var tokens: [TokenHash: Token] = [:]
  /// The hashes for each use, oldest first.
  private var uses: [TokenUse: [TokenHash]] = [:]
  /// The types and applications that owners have push-to-start tokens for.
  private var starts: [UserID: Set<StartUse>] = [:]
  private var nextSerial: Int64 = 1
  private var budget = PushBudget()
  private var log: [Step] = []

  var isEmpty: Bool { tokens.isEmpty }

  /// What a token is good for.
  subscript(hash: TokenHash) -> TokenUse? { tokens[hash]?.use }

  /// The tokens for a use.
  func hashes(for use: TokenUse) -> [TokenHash] { uses[use] ?? [] }

  /// The uses of push-to-start tokens that an owner has.
  func startUses(of owner: UserID) -> Set<StartUse> { starts[owner] ?? [] }

  // MARK: Changes

  /// A new token for a use.
  mutating func add(_ hash: TokenHash, for use: TokenUse) -> Token {
    let token = Token(serial: nextSerial, use: use)
    put(hash, token)
    log.append(.added(hash))
    return token
  }

  /// A token is void.
  mutating func remove(_ hash: TokenHash) {
    guard let token = take(hash) else { return }
    log.append(.removed(hash, token))
  }

  /// Takes up a token of the store's; they come in any order.
  mutating func restore(_ hash: TokenHash, _ token: Token) { put(hash, token) }

  private mutating func put(_ hash: TokenHash, _ token: Token) {
    tokens[hash] = token
    nextSerial = max(nextSerial, token.serial + 1)
    var hashes = uses[token.use] ?? []
    let place = hashes.firstIndex { tokens[$0].map { $0.serial > token.serial } ?? false }
    hashes.insert(hash, at: place ?? hashes.count)
    uses[token.use] = hashes
    if case .start(let use) = token.use { starts[use.owner, default: []].insert(use) }
  }

  private mutating func take(_ hash: TokenHash) -> Token? {
    guard let token = tokens.removeValue(forKey: hash) else { return nil }
    var hashes = uses[token.use] ?? []
    hashes.removeAll { $0 == hash }
    uses[token.use] = hashes.isEmpty ? nil : hashes
    if hashes.isEmpty, case .start(let use) = token.use {
      starts[use.owner]?.remove(use)
      if starts[use.owner]?.isEmpty == true { starts[use.owner] = nil }
    }
    return token
  }

  // MARK: Budget

  /// How many microseconds a push of high priority for that use would have to wait; nil: none.
  mutating func wait(_ use: TokenUse, limit: Int, at boottime: Int64) -> Int64? {
    budget.wait(use, limit: limit, at: boottime)
  }

  /// One such push was taken.
  mutating func spend(_ use: TokenUse, at boottime: Int64) {
    budget.spend(use, at: boottime)
    log.append(.spent(use))
  }

  // MARK: Batches

  /// What the batch did stays.
  mutating func keep() {
    guard !log.isEmpty else { return }
    for case .removed(_, let token) in log where uses[token.use] == nil { budget.forget(token.use) }
    log.removeAll(keepingCapacity: true)
  }

  /// What the batch did is taken back.
  mutating func undo() {
    while let step = log.popLast() {
      switch step {
      case .added(let hash): _ = take(hash)
      case .removed(let hash, let token): put(hash, token)
      case .spent(let use): budget.refund(use)
      }
    }
  }
}

/// The pushes of high priority of the last hour. In memory alone: a restart of the daemon, which no
/// sender can bring about, begins anew.
private struct PushBudget {
  private static let hour: Int64 = 3_600_000_000

  /// On CLOCK_BOOTTIME, oldest first; no more than the budget each.
  private var spent: [TokenUse: [Int64]] = [:]

  mutating func wait(_ use: TokenUse, limit: Int, at boottime: Int64) -> Int64? {
    guard limit > 0 else { return Self.hour }
    guard var dates = spent[use] else { return nil }
    dates.removeAll { $0 <= boottime - Self.hour }
    spent[use] = dates.isEmpty ? nil : dates
    guard dates.count >= limit else { return nil }
    return dates[dates.count - limit] + Self.hour - boottime
  }

  mutating func spend(_ use: TokenUse, at boottime: Int64) {
    spent[use, default: []].append(boottime)
  }

  mutating func refund(_ use: TokenUse) { _ = spent[use]?.popLast() }

  mutating func forget(_ use: TokenUse) { spent[use] = nil }
}
