/// What values can look like; systemd.syntax(7), systemd.time(7). All answer nil to anything else.
public enum ConfigurationValue {
  /// `yes`, `true`, `on`, `1`, `y`, `t` and their opposites, in any case.
  public static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "yes", "y", "true", "t", "on": true
    case "0", "no", "n", "false", "f", "off": false
    default: nil
    }
  }

  /// A whole number from 0, digits only.
  public static func count(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { return nil }
    return Int64(text)
  }

  /// Bytes: a whole number, alone or with K, M, G, T, P or E behind it, each 1024 times the one
  /// before.
  public static func size(_ text: String) -> Int64? {
    var digits = text[...]
    var factor: Int64 = 1
    if let last = text.last, let power = Array("KMGTPE").firstIndex(of: last) {
      digits.removeLast()
      while let blank = digits.last, blank == " " { digits.removeLast() }
      factor = 1 << (10 * Int64(power + 1))
    }
    guard let number = count(String(digits)) else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
    return overflow ? nil : bytes
  }

  /// Microseconds: a number of seconds, or numbers with units, which are added up (`1h 30min`).
  ///
  /// Stricter than systemd where it surprises: a number without a unit stands alone (`1h 30` would
  /// be thirty seconds), `M` for months is refused (`m` is minutes), and so is `infinity`.
  public static func span(_ text: String) -> Int64? {
    var rest = Array(text.utf8)[...]
    func skipBlanks() { rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }
    var total: Int64 = 0
    var parts = 0
    skipBlanks()
    while !rest.isEmpty {
      let whole = rest.prefix(while: isDigit)
      rest = rest.dropFirst(whole.count)
      var fraction: ArraySlice<UInt8> = []
      if rest.first == UInt8(ascii: ".") {
        fraction = rest.dropFirst().prefix(while: isDigit)
        if fraction.isEmpty { return nil }
        rest = rest.dropFirst(fraction.count + 1)
      }
      guard let number = count(String(decoding: whole, as: UTF8.self)) else { return nil }
      skipBlanks()
      let word = rest.prefix { !isDigit($0) && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
      rest = rest.dropFirst(word.count)
      skipBlanks()
      guard let unit = units[String(decoding: word, as: UTF8.self)],
        !word.isEmpty || (parts == 0 && rest.isEmpty)
      else { return nil }
      let (product, tooLong) = number.multipliedReportingOverflow(by: unit)
      let (sum, tooMuch) = total.addingReportingOverflow(product)
      let (all, over) = sum.addingReportingOverflow(part(fraction, of: unit))
      if tooLong || tooMuch || over { return nil }
      total = all
      parts += 1
    }
    return parts == 0 ? nil : total
  }

  /// The digits behind a point, in whole microseconds.
  private static func part(_ digits: ArraySlice<UInt8>, of unit: Int64) -> Int64 {
    var scale = unit
    var sum: Int64 = 0
    for digit in digits {
      scale /= 10
      sum += Int64(digit - UInt8(ascii: "0")) * scale
    }
    return sum
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static let units: [String: Int64] = {
    let names: [(String, Int64)] = [
      ("us usec µs μs", 1), ("ms msec", 1000), ("s sec second seconds", 1_000_000),
      ("m min minute minutes", 60_000_000), ("h hr hour hours", 3_600_000_000),
      ("d day days", 86_400_000_000), ("w week weeks", 604_800_000_000),
      ("month months", 2_629_800_000_000), ("y year years", 31_557_600_000_000),
    ]
    // Without a unit: seconds.
    var units = ["": Int64(1_000_000)]
    for (words, unit) in names {
      for word in words.split(separator: " ") { units[String(word)] = unit }
    }
    return units
  }()
}
