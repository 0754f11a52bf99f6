import Differential
import Testing

@testable import ued

/// Every session that the pages and the manual show, typed at a terminal.
///
/// A document's sessions share a shell and a folder, in their order. A line that begins with a
/// prompt is typed. The other lines are the expected output; a date or time matches any other.
@Suite struct ConsoleTests {
  @Test(arguments: ["README.md", "docs/guide.md", "docs/history.md"])
  func `the sessions of a page are as they are shown`(path: String) {
    let sessions = ShownDocument.markdown(path).sessions
    #expect(sessions.count >= 3)
    replay(sessions)
  }

  @Test func `the sessions of the manual are as they are shown`() {
    let sessions = ShownDocument.manual.sessions
    #expect(sessions.count >= 10)
    replay(sessions)
  }

  @Test func `every session in agents.md has the answer that is shown`() {
    let page = ShownDocument.lines(of: "share/ued/agents.md")
    let forms = page.split { $0.hasPrefix("## ") }.dropFirst()
    #expect(page.count { $0.hasPrefix("## 10. ") } == 1)
    #expect(forms.count == 10)
    for form in forms { #expect(form.contains { $0.hasPrefix("    $ ued ") }, "\(form)") }
    #expect(ShownDocument.agents.sessions == ShownDocument.agents.blocks)
    replay(ShownDocument.agents.sessions, history: "off")
  }

  private func replay(_ sessions: [[String]], history: String = "on") {
    let program = Program.underTest.path
    let folder = program.split(separator: "/").dropLast().joined(separator: "/")
    let terminal = TerminalSession(
      ["-i"],
      environment: [
        "PATH": "/\(folder):/usr/bin:/bin", "PS1": "$ ", "TERM": "dumb", "UED_HISTORY": history,
      ], columns: 110, program: "/bin/sh")
    terminal.sees("$ ")
    var typed: String?
    for session in sessions {
      var shown: [String] = []
      for line in session {
        guard let match = line.firstMatch(of: #/^(\$|>|[0-9]+\*?:|[0-9]+[>?]|\.\.\.) /#) else {
          if !(line.isEmpty && typed == nil) { shown.append(line) }
          continue
        }
        if let typed {
          // An empty line at the end of a block only separates it from the next text.
          guard expect(shown, of: typed, before: String(match.0), from: terminal) else { return }
        }
        shown = []
        typed = String(line[match.range.upperBound...])
        terminal.type((typed ?? "") + "\r")
        terminal.sees(typed ?? "")
      }
      while shown.last == "" { shown.removeLast() }
      if let typed, !expect(shown, of: typed, before: "$ ", from: terminal) { return }
      typed = nil
    }
    terminal.type("exit\r")
  }

  /// Checks the answer to a typed line.
  ///
  /// - Returns: Whether it is the one shown in the document; the rest of the session is pointless if not.
  private func expect(
    _ shown: [String], of typed: String, before prompt: String, from terminal: TerminalSession
  ) -> Bool {
    let expected = masked(shown.map { "\r\n" + $0 }.joined())
    let seen = masked(terminal.sees("\r\n" + prompt))
    #expect(seen == expected, "after \(typed)")
    return seen == expected
  }

  private func masked(_ text: String) -> String {
    text.replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}/, with: "DATE")
      .replacing(/[0-9]{2}:[0-9]{2}:[0-9]{2}/, with: "TIME")
  }
}
