import JSON
import LiveActivity

/// What a field stands for, before it is written.
enum FieldValue {
  case text(String)
  /// A number and its literal.
  case number(Double, String)
  case date(WallTime)
  /// Microseconds.
  case span(Int64)

  /// A value of a payload; nil for what is nothing to read: null, objects, empty lists.
  init?(_ node: JSONNode) {
    switch node.kind {
    case .string: self = .text(node.string ?? "")
    case .number: self = .number(node.double ?? 0, node.text?.string ?? "")
    case .bool: self = .text(node.bool == true ? "yes" : "no")
    case .array:
      let texts = node.elements.compactMap { FieldValue($0)?.plain }
      if texts.isEmpty { return nil }
      self = .text(texts.joined(separator: ", "))
    case .object, .null: return nil
    }
  }

  /// As it stands, without a format. Dates and spans need a zone or a unit: see `Rendering`.
  private var plain: String? {
    switch self {
    case .text(let text): text
    case .number(_, let literal): literal
    case .date, .span: nil
    }
  }

  var number: Double? {
    switch self {
    case .number(let value, _): value
    case .text(let text): Double(text)
    case .date, .span: nil
    }
  }

  func date(_ counting: DateCounting) -> WallTime? {
    switch self {
    case .date(let date): date
    case .number(let seconds, _): counting.date(seconds: seconds)
    case .text(let text): try? WallTime(rfc3339: text)
    case .span: nil
    }
  }

  /// 0 to 1: a fraction as it stands, percent (a number above 1), or `3/8`.
  var fraction: Double? {
    let value: Double
    if case .text(let text) = self {
      let trimmed = text.hasSuffix("%") ? text.dropLast() : Substring(text)
      let parts = trimmed.split(separator: "/", omittingEmptySubsequences: false)
      if parts.count == 2, let a = Double(parts[0]), let b = Double(parts[1]), b > 0 {
        value = a / b
      } else if let number = Double(trimmed) {
        value = text.hasSuffix("%") || number > 1 ? number / 100 : number
      } else {
        return nil
      }
    } else if let number {
      value = number > 1 ? number / 100 : number
    } else {
      return nil
    }
    return value.isFinite ? min(1, max(0, value)) : nil
  }
}
