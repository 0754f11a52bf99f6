import Differential
import Glibc
import Testing

@testable import ued

/// The screen during the editing of a line, on a model of a terminal.
@Suite struct ScreenTests {
  private static let alphabets = [
    "abc def. ", "日本語テキスト", "e\u{301}o\u{308}\u{323}a\u{302}", "👩\u{200D}💻日a\u{FE0F}b",
    "\u{1F1E9}\u{1F1EA}a ", "👩\u{200D}👩\u{200D}👧\u{200D}x",
    "a\tb \u{1}\u{1B}", "aé日\u{301}\t ",
  ]
  private static let keys = [
    "\u{1B}[A", "\u{1B}[D", "\u{1B}[D", "\u{1B}[C", "\u{1B}[H", "\u{1B}[F", "\u{B}", "\u{15}",
    "\u{17}", "\u{1B}b", "\u{1B}f", "\u{1B}d", "\u{7F}", "\u{8}", "\u{14}", "\u{19}", "\u{1B}[3~",
    "\u{1F}", "\u{1B}[1;5D", "\u{1B}[1;5C", "\u{2}", "\u{6}", "\u{1}", "\u{5}", "\u{1B}[1;2D",
    "\u{1B}[I", "\u{12}a\u{7}", "\u{C}",
  ]

  /// Random scalars of an alphabet.
  private static func text(_ count: Int, _ random: inout SeededGenerator) -> String {
    let alphabet = Array(random.pick(alphabets).unicodeScalars)
    var text = String.UnicodeScalarView()
    for _ in 0..<count { text.append(random.pick(alphabet)) }
    return String(text)
  }

  @Test(arguments: seeds(6))
  func `the screen shows exactly the text that is then stored`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let columns = [20, 40, 80, 200][Int(seed % 4)]
    let line = Self.text(random.below(3 * columns), &random)
    let session = TerminalSession(["f"], files: ["f": line + "\n"], columns: UInt16(columns))
    session.play("1: edit\r", "1> ")
    for _ in 0..<10 + random.below(30) {
      if random.chance(40) {
        for scalar in Self.text(1 + random.below(6), &random).unicodeScalars {
          // Control characters need `^V` before them; a tab does not.
          let isControl = scalar.value < 0x20 && scalar != "\t"
          session.type((isControl ? "\u{16}" : "") + String(scalar))
        }
      } else {
        session.type(random.pick(Self.keys))
      }
    }
    session.play("¦¶", "¶")
    // The bell comes after all other output.
    session.play("¦\u{1B}[A", "\u{7}")
    let screen = try Screen(of: session.written, columns: columns)
    session.play("¦\r", ": w\r", ": q\r", ends: 0)
    let stored = (session.file("f") ?? "").dropLast()
    let before = stored.unicodeScalars.prefix { $0 != "¶" }.count
    let expected = ExpectedLine(
      prompt: "1> ", String(stored), cursor: 3 + before + 1, columns: columns)
    // Only a part of a line higher than the screen is shown.
    let first = screen.cursor.row - expected.cursor.row
    let rows = expected.rows[max(0, -first)...].prefix(expected.rows.count > 24 ? 23 : 24)
    #expect(Array(screen.rows[max(0, first)...].prefix(rows.count)) == Array(rows))
    #expect(screen.rows.dropFirst(max(0, first) + rows.count).allSatisfy { $0.isEmpty })
    #expect(screen.cursor.column == expected.cursor.column)
  }

  @Test(arguments: seeds(4))
  func `the screen follows any changes of a line`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let columns = [20, 40, 80, 200][Int(seed % 4)]
    // Only this thread gets the locale.
    let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
    let before = uselocale(locale)
    defer {
      uselocale(before)
      freelocale(locale)
    }
    var screen = LineScreen(controls: TerminalControls())
    var written: [UInt8] = []
    for step in 1...20 {
      let text = Self.text(
        random.below(step < 20 && random.chance(20) ? 2000 : 2 * columns), &random)
      let characters = text.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
      let cursor = random.below(characters.count + 1)
      let layout = LineLayout(
        prompt: Array("\u{1B}[1m1\u{1B}[0m> ".utf8), line: characters, cursor: cursor,
        columns: columns)
      written += screen.show(layout, height: 24).flatMap { $0 == .newline ? [13, 10] : [$0] }
      guard step == 20 else { continue }
      let shown = try Screen(of: written, columns: columns)
      let expected = ExpectedLine(prompt: "1> ", text, cursor: cursor + 3, columns: columns)
      let count = expected.rows.count
      #expect(count <= 24)
      let first = shown.cursor.row - expected.cursor.row
      #expect(Array(shown.rows[max(0, first)...].prefix(count)) == expected.rows)
      #expect(shown.rows.dropFirst(first + count).allSatisfy { $0.isEmpty })
    }
  }

  @Test(arguments: 16...22)
  func `the ^C of a discarded line is after it, or in its own row`(count: Int) throws {
    var screen = LineScreen(controls: TerminalControls())
    let line = Array(repeating: wchar_t(0x78), count: count)
    let layout = LineLayout(prompt: [], line: line, cursor: 1, columns: 20)
    let written = screen.show(layout, height: 24) + screen.giveUp(columns: 20)
    let shown = try Screen(of: written.flatMap { $0 == .newline ? [13, 10] : [$0] }, columns: 20)
    let rows = shown.rows.prefix { !$0.isEmpty }
    #expect(rows.joined() == String(repeating: "x", count: count) + "^C")
    #expect(shown.cursor.row == rows.count)
    #expect(shown.cursor.column == 0)
  }

  @Test func `a line is shown whole in a narrower terminal`() throws {
    let session = TerminalSession(["f"], files: ["f": "one\n"], columns: 80)
    let text = String(repeating: "word 日本 ", count: 15)
    session.play("1: \(text)¶", "¶")
    let offset = session.written.count
    session.resize(columns: 40)
    session.play("1: word¦", "¶¦\t", "\u{7}")
    let screen = try Screen(of: session.written, columns: 80, resized: [(offset, 40)])
    let expected = ExpectedLine(
      prompt: "1: ", text + "¶", cursor: 4 + text.unicodeScalars.count, columns: 40)
    let first = screen.cursor.row - expected.cursor.row
    #expect(Array(screen.rows[max(0, first)...].prefix(expected.rows.count)) == expected.rows)
    #expect(screen.rows.prefix(max(0, first)).last?.hasPrefix("'a' adds") == true)
  }

  @Test func `a line that is shown in a narrower and then a wider terminal leaves no stray rows`()
    throws
  {
    let session = TerminalSession(["f"], files: ["f": "one\n"], columns: 80)
    let text = String(repeating: "word ", count: 28)
    session.play("1: \(text)¶", "¶")
    var resizes: [(offset: Int, columns: Int)] = []
    for columns in [40, 80, 60, 100] {
      resizes.append((session.written.count, columns))
      session.resize(columns: UInt16(columns))
      session.play("1: word¦", "¶¦\t", "\u{7}")
    }
    let screen = try Screen(of: session.written, columns: 80, resized: resizes)
    let expected = ExpectedLine(
      prompt: "1: ", text + "¶", cursor: 4 + text.unicodeScalars.count, columns: 100)
    let first = screen.cursor.row - expected.cursor.row
    #expect(Array(screen.rows[max(0, first)...].prefix(2)).joined().contains("word word"))
    #expect(screen.rows.prefix(max(0, first)).last?.hasPrefix("'a' adds") == true)
    #expect(screen.rows.count { $0.hasPrefix("1: word") } == 1)
  }

  /// After its bell, the program is held, and shows the line before it handles the signal.
  @Test func `a line is shown in a width that changed just before`() throws {
    let session = TerminalSession(
      ["-qqqo", "trace", "-e", "trace=write", "-e", "inject=write:delay_exit=50000"]
        + [Program.underTest.path, "f"],
      files: ["f": "one\n"], columns: 80, program: "/usr/bin/strace")
    let text = String(repeating: "word ", count: 28)
    session.play("1: \(text)¶", "¶¦\t", "\u{7}")
    var resizes: [(offset: Int, columns: Int)] = []
    for columns in [40, 80, 60, 100] {
      resizes.append((session.written.count, columns))
      session.resize(columns: UInt16(columns))
      session.play("1: word¦", "¶¦\t", "\u{7}")
    }
    session.killTraced()
    let screen = try Screen(of: session.written, columns: 80, resized: resizes)
    #expect(screen.rows.prefix(max(0, screen.cursor.row - 1)).last?.hasPrefix("'a' adds") == true)
    #expect(screen.rows.joined().hasSuffix("1: " + text + "¶"))
  }

  /// tmux moves text to other rows, and says where the cursor is then.
  @Test func `in tmux, too, a resized line leaves no stray rows`() throws {
    let sandbox = Sandbox("TERM=xterm")
    sandbox["f"] = Array("one\n".utf8)
    sandbox.run(
      """
      t() { TMUX= tmux -f /dev/null -S "$PWD/socket" "$@"; }
      shows() { test "$(t capture-pane -p | sed -n '/^1:/,$p' | tr -d ' \\n')" = "$1"; }
      awaits_line() { until shows "$1"; do sleep .02; done; }
      trap 't kill-server' EXIT
      t new-session -d -x 80 -y 24 "'$UED' f"; awaits_line 1:
      line=$(printf 'word %.0s' {1..28}); t send-keys -l "$line"; line=1:${line// }; awaits_line $line
      for width in 40 80 50 90; do
        t resize-window -x $width -y 24; t send-keys -l x; line+=x; awaits_line $line
      done
      """)
  }
}
