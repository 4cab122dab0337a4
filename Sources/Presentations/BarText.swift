/// Foreign text for a bar: one line, without what could steer its reader. Not yet escaped for the
/// bar's own language; that is `PangoMarkup`'s, `PolybarText`'s or `TmuxText`'s.
public enum BarText {
  /// The text on one line: control characters are blanks, what turns text around or hides in it is
  /// left out, and no character carries a tower of marks.
  public static func plain(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var result = String.UnicodeScalarView()
    for character in text {
      for (place, scalar) in character.unicodeScalars.enumerated() {
        guard place < 8 else { break }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: result.append(" ")
        case .format:
          // The joiners belong to the spelling of Persian, Hindi and many emoji.
          if scalar.value == 0x200C || scalar.value == 0x200D { result.append(scalar) }
        case .surrogate, .unassigned: result.append("\u{FFFD}")
        // Icon fonts live in the private use areas.
        default: result.append(scalar)
        }
      }
    }
    return String(result)
  }
}

/// Pango's markup, as waybar and i3blocks read it: a lone `&` or `<` would blank the module.
public enum PangoMarkup {
  /// The text on one line, as text.
  public static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in BarText.plain(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      // i3blocks doubles it on its way.
      case "\\": result += "&#92;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// polybar's formatting: `%{…}` colours text and runs commands, and there is no way to write it.
public enum PolybarText {
  /// The text on one line, as text: a blank parts `%` and `{`.
  public static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var afterPercent = false
    for scalar in BarText.plain(text).unicodeScalars {
      if scalar == "{", afterPercent { result.append(" ") }
      afterPercent = scalar == "%"
      result.append(scalar)
    }
    return String(result)
  }
}

/// tmux's formats and styles, in what a `#(…)` of a status line writes: `#(…)` runs commands, `#{…}`
/// tells secrets, `#[…]` draws.
public enum TmuxText {
  /// The text on one line, as text. `#` is read twice, as a format and as a style, and doubled for
  /// each; but the first leaves a row of them alone where `[` comes next, as before a style of the
  /// caller's own, which `beforeStyle` says will follow the text.
  public static func escaped(_ text: String, beforeStyle: Bool = false) -> String {
    var result = ""
    var row = 0
    func close(_ next: Unicode.Scalar?) {
      let isBracket = next == "[" || (next == nil && beforeStyle)
      result += String(repeating: "#", count: row * (isBracket ? 2 : 4))
      row = 0
    }
    for scalar in BarText.plain(text).unicodeScalars {
      if scalar == "#" {
        row += 1
        continue
      }
      close(scalar)
      result.unicodeScalars.append(scalar)
    }
    close(nil)
    return result
  }
}
