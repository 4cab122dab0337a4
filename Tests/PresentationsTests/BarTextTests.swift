import Presentations
import Testing

/// Foreign text in each bar's own language. Tests/System/topics/bars shows real bars the same.
@Suite struct BarTextTests {
  @Test(
    arguments: [
      ("a & b", "a &amp; b"), ("<b>\"'</b>", "&lt;b&gt;&quot;&#39;&lt;/b&gt;"),
      ("&amp;", "&amp;amp;"), ("a\\n", "a&#92;n"), ("备份 🎉", "备份 🎉"),
      ("a\nb\u{1B}[31m\u{202E}c\u{0}", "a b [31mc "),
    ]) func `Pango's markup`(_ text: String, _ expected: String)
  {
    #expect(PangoMarkup.escaped(text) == expected)
  }

  @Test(
    arguments: [
      ("%{A1:reboot:}x%{A}", "% {A1:reboot:}x% {A}"), ("50% {a}", "50% {a}"),
      ("%%{F#f00}", "%% {F#f00}"), ("%\u{202E}{x", "% {x"), ("{%}", "{%}"),
    ]) func `polybar's formatting`(_ text: String, _ expected: String)
  {
    #expect(PolybarText.escaped(text) == expected)
  }

  @Test(
    arguments: [
      ("#(reboot)", "####(reboot)"), ("a#[fg=red]", "a##[fg=red]"), ("##[", "####["),
      ("#\u{202E}[", "##["), ("x#", "x####"), ("%H", "%H"),
    ]) func `tmux's formats and styles`(_ text: String, _ expected: String)
  {
    #expect(TmuxText.escaped(text) == expected)
  }

  @Test func `A row of number signs before a style of one's own`() {
    #expect(TmuxText.escaped("x##", beforeStyle: true) == "x####")
  }

  @Test func `No character carries a tower of marks, and the joiners stay`() {
    let tower = "a" + String(repeating: "\u{301}", count: 50)
    #expect(BarText.plain(tower).unicodeScalars.count == 8)
    #expect(BarText.plain("\u{1F468}\u{200D}\u{1F469}") == "\u{1F468}\u{200D}\u{1F469}")
    #expect(BarText.plain("\u{E0B0}") == "\u{E0B0}")
  }
}
