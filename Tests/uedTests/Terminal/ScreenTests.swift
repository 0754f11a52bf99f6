import Differential
import Testing

@testable import ued

/// What the screen shows of a line that is edited, on a model of a terminal.
@Suite struct ScreenTests {
  private static let alphabets = [
    "abc def. ", "日本語テキスト", "e\u{301}o\u{308}\u{323}a\u{302}", "👩\u{200D}💻日a\u{FE0F}b",
    "a\tb \u{1}\u{1B}", "aé日\u{301}\t ",
  ]
  private static let keys = [
    "\u{1B}[A", "\u{1B}[D", "\u{1B}[D", "\u{1B}[C", "\u{1B}[H", "\u{1B}[F", "\u{B}", "\u{15}",
    "\u{17}", "\u{1B}b", "\u{1B}f", "\u{1B}d", "\u{7F}", "\u{8}", "\u{14}", "\u{19}",
    "\u{1B}[3~", "\u{1F}", "\u{1B}[1;5D", "\u{1B}[1;5C", "\u{2}", "\u{6}", "\u{1}", "\u{5}",
    "\u{1B}[1;2D", "\u{1B}[I", "\u{12}a\u{7}", "\u{C}",
  ]

  /// Random scalars of an alphabet.
  private static func text(_ count: Int, _ random: inout SplitMix64) -> String {
    let alphabet = Array(random.pick(alphabets).unicodeScalars)
    var text = String.UnicodeScalarView()
    for _ in 0..<count { text.append(random.pick(alphabet)) }
    return String(text)
  }

  @Test(arguments: seeds(6))
  func `the screen shows exactly the text that is then stored`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let columns = [20, 40, 80][Int(seed % 3)]
    let line = Self.text(random.below(3 * columns), &random)
    let session = TerminalSession(
      ["f"], files: ["f": line + "\n"], columns: UInt16(columns))
    session.at("1: ", type: "edit\r")
    session.sees("1> ")
    for _ in 0..<10 + random.below(30) {
      if random.chance(40) {
        for scalar in Self.text(1 + random.below(6), &random).unicodeScalars {
          // A control character is typed after `^V`, and a tab is one in text.
          let isControl = scalar.value < 0x20 && scalar != "\t"
          session.type((isControl ? "\u{16}" : "") + String(scalar))
        }
      } else {
        session.type(random.pick(Self.keys))
      }
    }
    session.type("¶")
    session.sees("¶")
    // A bell comes after all that is shown.
    session.type("\u{1F}")
    session.sees("\u{7}")
    let screen = try Screen(of: session.written, columns: columns)
    session.type("\r")
    session.at(": ", type: "w\r")
    session.at(": ", type: "q\r")
    #expect(session.ending() == 0)
    let stored = (session.file("f") ?? "").dropLast()
    let before = stored.unicodeScalars.prefix { $0 != "¶" }.count
    let expected = ExpectedLine(
      prompt: "1> ", String(stored), cursor: 3 + before + 1, columns: columns)
    // A line that is higher than the screen is shown in part.
    let first = screen.cursor.row - expected.cursor.row
    let rows = expected.rows[max(0, -first)...].prefix(24)
    #expect(Array(screen.rows[max(0, first)...].prefix(rows.count)) == Array(rows))
    #expect(screen.rows[(max(0, first) + rows.count)...].allSatisfy { $0.isEmpty })
    #expect(screen.cursor.column == expected.cursor.column)
  }
}
