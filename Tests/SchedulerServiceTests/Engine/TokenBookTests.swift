import LiveActivity
import Testing

@testable import SchedulerService

@Suite struct TokenBookTests {
  private let use = TokenUse.session(owner: .root, first: 7)

  private func hash(_ n: UInt8) throws -> TokenHash {
    try #require(TokenHash(of: Hexadecimal.text([UInt8](repeating: n, count: 32))))
  }

  @Test(
    arguments: [
      // The examples of FIPS 180-4's publisher, and lengths around a block's end.
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 64),
        "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"
      ),
    ])
  func theHashIsSHA256(_ text: String, _ digits: String) {
    #expect(Hexadecimal.text(SHA256.hash(Array(text.utf8))) == digits)
  }

  @Test func onlyTheHashIsKept() throws {
    let token = TokenHash.makeToken()
    let hash = try #require(TokenHash(of: token))
    #expect(hash.digits != token)
    #expect(TokenHash(of: token.uppercased()) == hash)
    #expect(TokenHash(of: token + "00") == nil)
    #expect(TokenHash(of: String(token.dropLast())) == nil)
  }

  @Test func aBatchIsTakenBackInFull() throws {
    var book = TokenBook()
    let start = TokenUse.start(StartUse(owner: .root, attributesType: "T"))
    let first = try hash(1)
    _ = book.add(first, for: use)
    _ = book.add(try hash(2), for: use)
    book.keep()
    book.remove(first)
    _ = book.add(try hash(3), for: use)
    _ = book.add(try hash(4), for: start)
    #expect(book.wait(use, limit: 1, at: 10) == nil)
    book.spend(use, at: 10)
    #expect(book.wait(use, limit: 1, at: 10) == 3_600_000_000)
    book.undo()
    #expect(try book.hashes(for: use) == [hash(1), hash(2)])
    #expect(try book[hash(3)] == nil)
    #expect(book.startUses(of: .root).isEmpty)
    #expect(book.wait(use, limit: 1, at: 10) == nil)
  }

  @Test func entriesComeBackInWhicheverOrder() throws {
    var book = TokenBook()
    let owner = UserID(1001)
    let uses = [
      use, .start(StartUse(owner: owner, attributesType: "T", application: "an app of mine")),
      .start(StartUse(owner: owner, attributesType: "T")),
    ]
    var entries: [(String, [UInt8])] = []
    for n in UInt8(0)..<12 {
      let hash = try hash(n)
      let token = book.add(hash, for: uses[Int(n) % 3])
      entries.append((TokenCoding.key(hash), TokenCoding.bytes(token)))
    }
    var again = TokenBook()
    for (key, bytes) in entries.shuffled() {
      again.restore(
        try #require(TokenCoding.hash(key)), try #require(TokenCoding.token(bytes)))
    }
    for use in uses { #expect(again.hashes(for: use) == book.hashes(for: use)) }
    #expect(again.startUses(of: owner).count == 2)
  }

  @Test(arguments: [
    "", "1", "1 session", "1 session 0", "1 session x 7", "1 start 0", "x start 0 T", "1 other 0 T",
    "1 session 0 7 8",
  ])
  func whatIsNoEntryIsNone(_ text: String) {
    #expect(TokenCoding.token(Array(text.utf8)) == nil)
    #expect(TokenCoding.hash("token/\(text)") == nil)
  }
}
