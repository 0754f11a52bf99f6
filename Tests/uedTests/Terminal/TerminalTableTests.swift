import Differential
import Glibc
import Testing

/// One long session with every pair of the settings of a terminal.
@Suite struct TerminalTableTests {
  /// A setting, whose values are numbers from 0. The value 0 means that it is not given.
  private enum Setting: Int, CaseIterable {
    case term, keys, paste, columns, pager, plain, color, lines, history, prompt, verbose
    case silent, restricted, extended, start, files

    var count: Int {
      switch self {
      case .pager: 3
      default: 2
      }
    }
  }

  private struct Row: CustomTestStringConvertible {
    let values: [Int]

    subscript(setting: Setting) -> Int { values[setting.rawValue] }
    func has(_ setting: Setting) -> Bool { self[setting] > 0 }

    var testDescription: String {
      Setting.allCases.filter { has($0) }.map { "\($0)\(self[$0] > 1 ? "2" : "")" }.joined(
        separator: " ")
    }

    var arguments: [String] {
      var words: [String] = []
      if has(.prompt) { words += ["-p", "cmd> "] }
      if has(.verbose) { words.append("-v") }
      if has(.silent) { words.append("-s") }
      if has(.restricted) { words.append("-r") }
      if has(.extended) { words.append("-E") }
      if has(.start) { words.append("+2") }
      return words + (has(.files) ? ["f", "g"] : ["f"])
    }

    var environment: [String: String] {
      var variables = ["UED_HISTORY": has(.history) ? "off" : "on"]
      if has(.term) { variables["TERM"] = "dumb" }
      if has(.pager) { variables["UED_PAGER"] = self[.pager] == 1 ? "cat" : "head -n 1" }
      if has(.plain) { variables["UED_PLAIN"] = "1" }
      if has(.color) { variables["NO_COLOR"] = "1" }
      if has(.lines) { variables["LINES"] = "5" }
      return variables
    }
  }

  private static let rows = PairwiseTable(
    columns: Setting.allCases.map(\.count), options: 0, count: 12, seed: 18, where: { _ in true }
  ).rows.map { Row(values: $0) }

  @Test(arguments: rows)
  private func `a session does the same in every setting`(row: Row) {
    let session = TerminalSession(
      row.arguments,
      files: [
        "f": "alpha\nbeta\ngamma\n", "g": "one\ntwo\n",
        ".editrc": row.has(.keys) ? "bind -v\n" : "",
      ], environment: row.environment, columns: row.has(.columns) ? 30 : 80)
    var count = 0
    /// Types lines, and waits until all have been run.
    func enter(_ lines: String..., pastedAs paste: Bool = false) {
      count += 1
      let text = lines.joined(separator: "\r") + "\r"
      if paste && row.has(.paste) && !row.has(.term) {
        session.type("\u{1B}[200~\(text)\u{1B}[201~")
      } else {
        session.type(text)
      }
      session.play("¦help zz\(count)\r", "no help on 'zz\(count)'")
    }
    enter("2s/beta/BETA/")
    enter("$a", "delta", "more", ".", pastedAs: true)
    enter("$d")
    for command in [
      "history", "history all", "diff", ",p", ",n", "/BETA/", "?alpha?n", "2z.3", "z-", "f", "=",
      "help keys", "no such word", "99p", "g/a/p",
    ] { enter(command) }
    enter("name v1")
    enter("1d", "undo", "redo", pastedAs: true)
    enter("jump v1")
    enter("1,2s/a/A/gc", "y", "n", "q")
    enter("undo", "undo", "redo", "redo")
    enter("a", "x", "y", ".")
    enter("u")
    enter("revert 1")
    enter("name v2")
    for command in [
      ",blame", "1,2history", "peek 0 1,2", "peek 99", "history patch",
      "history git", "2undo", "1,2undo 2", "2revert 0", "1revert", "pick 1", "pick 0", "merge 1",
      "merge! 1", "merge disk", "jump 1",
    ] {
      enter(command, "jump -")
      enter("jump v2")
    }
    enter("diff disk")
    enter("w")
    if row.has(.files) {
      enter("next")
      enter("1d", "w", pastedAs: true)
    }
    session.play("¦q\r", ends: 0, leaves: "Alpha\nbeta\ngamma\ndelta\n")
    #expect(session.file("g") == (row.has(.files) ? "two\n" : "one\ntwo\n"))
    #expect(session.isCooked)
    #expect(!String(decoding: session.written, as: UTF8.self).contains("bind:"))
    #expect(!String(decoding: session.written, as: UTF8.self).hasSuffix("\u{1B}[?2004h"))
  }
}
