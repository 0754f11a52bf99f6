import Differential
import Glibc
import Testing

@testable import ued

/// Texts at a terminal that must not be lost.
@Suite struct KeptTextTests {
  private static let three = "one\ntwo\nthree\n"

  /// A session: each line is entered, and its answer has these words. `$` begins a command of the shell.
  struct TypedSession: CustomTestStringConvertible {
    let testDescription: String
    var arguments = ["f"]
    var history = "on"
    let lines: [(entered: String, answer: String)]
  }

  private static let changed = "was changed by another program since it was read; 'diff disk'"
  private static let unsaved = "unsaved changes; 'w' saves them"

  static let sessions: [TypedSession] =
    ["on", "off"].map { history in
      TypedSession(
        testDescription: "only the very next w with the same lines confirms, history \(history)",
        history: history,
        lines: [
          ("1d", ""), ("$ echo other >f", ""), ("w", changed), ("n", "two"), ("3d", "no line"),
          ("u", "undid"), ("w", changed), ("1w", changed), ("w", changed),
          ("$ echo 'other one' >f", ""), ("w", changed), ("$ grep -qx 'other one' f", ""),
          ("w", "written\noverwrote a change by another program; it is revision 2\n"),
          ("$ seq 3 | paste - f | grep -q three", ""), ("diff 2", "+other one\n"),
        ])
    } + [
      TypedSession(
        testDescription: "the text that another program has written, too, is written at once",
        lines: [
          ("1d", ""), ("w", "written"), ("1s/t/T/", ""), ("$ printf 'Two\nthree\n' >f", ""),
          ("1w", "changed by another program"), ("w", "f: 2 lines, 10 bytes written\n1: "),
          ("$ echo >>f", ""), ("w", "changed by another program"),
        ]),
      TypedSession(
        testDescription: "a part of the text replaces its file only on repetition",
        lines: [
          ("$ ln f k", ""),
          ("1,2w", "the file would have only lines 1-2 of the text; repeat the command"),
          ("1w", "only line 1 of"), ("1,2w", "only lines 1-2"), ("1,2w ./f", "only lines 1-2"),
          ("2w k", "only line 2"), ("2wq", "only line 2"), ("$ test $(wc -l <f) = 3", ""),
          ("2w g", "g: 1 line"), ("2w", "only line 2"), ("2w", "f: 1 line, 4 bytes written\n3*: "),
          ("q", unsaved), ("jump 0", "now at 0"), (",p", "one\ntwo\nthree\n"),
          ("2wq", "only line 2"), ("2wq", unsaved),
        ]),
      TypedSession(
        testDescription: "only a whole text in its own file is a save",
        lines: [
          ("1d", ""), ("w g", "written\n1*: "), ("q", unsaved), ("w /dev/null", "written\n1*: "),
          ("wq g", "exists, and was not read"), ("wq g", unsaved), ("w !cat >g", "1*: "),
          ("W f", "appended\n1*: "), ("w ./f", "written\n1: "), ("$ cmp f g", ""),
        ]),
      TypedSession(
        testDescription: "q and wq report unopened files", arguments: ["f", "g", "h"],
        lines: [
          ("q", "2 files have not been opened; 'next' opens g, repeat the command to quit"),
          ("1d", ""), ("q", unsaved), ("wq", "2 files have not been opened"), ("next", "g: new"),
          ("wq", "1 file has not been opened; 'next' opens h"), ("p", "no line 0"),
          ("q", "1 file has not been opened"),
        ]),
      TypedSession(
        testDescription: "conflict markers are saved only on repetition",
        lines: [
          ("1s/one/ours/", ""), ("$ sed -i s/one/theirs/ f", ""), ("merge! disk", "1 conflict"),
          ("w", "the file would have the conflict that line 1 begins; repeat the command"),
          ("w g", "written"), ("$ grep -q '^<<<' g", ""), ("w", "line 1 begins"),
          ("$ grep -q '^theirs' f", ""), ("w", "written\n1: "), ("$d", ""), ("w", "written"),
        ]),
    ]

  @Test(arguments: sessions)
  func `promise 7: a command reports what it would lose, and does it when repeated`(
    _ typed: TypedSession
  ) {
    let sandbox = Sandbox()
    sandbox["f"] = Array(Self.three.utf8)
    let session = TerminalSession.plain(typed.arguments, in: sandbox, history: typed.history)
    for (line, answer) in typed.lines {
      if line.hasPrefix("$ ") {
        sandbox.run(String(line.dropFirst(2)))
      } else {
        let said = session.enter(line)
        #expect(said.contains(answer), "\(line): \(said)")
      }
    }
    session.end()
  }

  @Test func `a change by another program is reported by the refused w, and not again`() {
    let sandbox = TemporaryFolder()
    sandbox["f"] = Array(Self.three.utf8)
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("1d")
    sandbox["f"] = Array("other\n".utf8)
    let refused = session.enter("w")
    #expect(refused.contains(Self.changed))
    #expect(!refused.contains("f: changed by another program"))
    #expect(!session.enter("p").contains("changed by another program"))
    sandbox["f"] = Array("another\n".utf8)
    #expect(session.enter("p").contains("f: changed by another program"))
    session.end()
  }

  @Test func `a part written over the text's own file does not count as a save`() {
    let sandbox = TemporaryFolder()
    sandbox["f"] = Array(Self.three.utf8)
    let session = TerminalSession.plain(["f"], in: sandbox)
    #expect(session.enter("1w", "1w").hasSuffix("3*: "))
    #expect(session.enter("q").contains("unsaved changes"))
    session.kill()
    #expect(sandbox["f"] == Array("one\n".utf8))
    let next = TerminalSession.plain(["f"], in: sandbox)
    next.enter("jump 0")
    #expect(next.enter(",p").contains("one\ntwo\nthree\n"))
    #expect(next.enter("2wq", "2wq").contains("unsaved changes"))
    next.end()
  }

  @Test func `a text without a name that is not redone waits for the next start`() {
    let sandbox = TemporaryFolder()
    let first = TerminalSession.plain([], in: sandbox)
    first.enter("a", "first", ".")
    first.kill()
    let second = TerminalSession.plain([], in: sandbox)
    second.enter("a", "second", ".")
    second.kill()
    let third = TerminalSession.plain([], in: sandbox)
    third.enter("redo")
    #expect(third.enter(",p").contains("first"))
    third.end("Q")
    let fourth = TerminalSession.plain([], in: sandbox)
    fourth.enter("redo")
    #expect(fourth.enter(",p").contains("second"))
    fourth.enter("w s")
    fourth.end("q")
    let fifth = TerminalSession.plain([], in: sandbox)
    #expect(!fifth.shown().contains("not saved"))
    fifth.end("q")
  }

  /// The actions of the second session, and whether the third one is still offered the killed text.
  @Test(arguments: [
    ([], "q", true), (["redo"], "Q", false), (["name start"], "Q", true),
    (["name start", "a", "other", "."], "", true), (["redo", "w s.pem"], "q", false),
    (["f g", "a", "other", ".", "w"], "q", false),
  ])
  func `a text without a name is offered until it is used`(
    _ lines: [String], _ last: String, _ isOffered: Bool
  ) {
    let sandbox = TemporaryFolder()
    let first = TerminalSession.plain([], in: sandbox)
    first.enter("a", "first", ".")
    first.kill()
    let second = TerminalSession.plain([], in: sandbox)
    for line in lines { second.enter(line) }
    if last.isEmpty { second.kill() } else { second.end(last) }
    if lines.contains("f g") { #expect(sandbox["g"] == Array("other\n".utf8)) }
    let third = TerminalSession.plain([], in: sandbox)
    third.enter("redo")
    #expect(third.enter(",p").contains("\nfirst\n") == isOffered)
    third.end()
  }

  @Test func `a damaged text without a name is reported, and the next one is kept`() {
    let sandbox = TemporaryFolder()
    let first = TerminalSession.plain([], in: sandbox)
    first.enter("a", "first", ".")
    first.kill()
    let folder = "\(sandbox.path)/.local/state/ued"
    for name in Disk.names(in: folder) where name.contains(".history") {
      Disk.write("\(folder)/\(name)", Array(repeating: 120, count: 9000))
    }
    let second = TerminalSession.plain([], in: sandbox)
    #expect(second.shown().contains("the history was damaged"))
    second.enter("a", "second", ".")
    second.kill()
    let third = TerminalSession.plain([], in: sandbox)
    third.enter("redo")
    #expect(third.enter(",p").contains("\nsecond\n"))
    third.end()
  }

  @Test func `another file is overwritten only by a repeated w`() {
    let session = TerminalSession(["f"], files: ["f": "one\n", "g": "two\n", "empty": ""])
    session.play(
      "1: w g\r", "the file exists, and was not read; repeat the command to overwrite it")
    #expect(session.file("g") == "two\n")
    session.play(
      "1: w g\r", "written", "1: w g\r", "written", "1: w empty\r", "written", "1: r g\r",
      "2*: w f\r", "written", "2: q\r", ends: 0)
    #expect(session.file("g") == "one\n")
  }

  @Test func `the text stays if another file can't be read, and a new one may be edited`() {
    TerminalSession(["f"], files: ["f": "one\n"]).play(
      "1: !mkdir d\r", "1: e d\r", "directory", "1: e !false\r", "1: f\r", "\nf\r\n", "1: e new\r",
      "new: new file", "0: f\r", "\nnew\r\n", "0: q\r", ends: 0)
  }

  @Test func `the parts of a paste that can't be edited are entered unchanged`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.play("1: a\r", "2> ")
    session.type(Array("\u{1B}[200~x\nmore".utf8) + [0xFF] + Array("\u{1B}[201~".utf8))
    session.play("4> .\r", "3*: w\r", "written")
    #expect(session.folder["f"] == Array("one\nx\nmore".utf8) + [0xFF, 0x0A])
  }

  @Test func `a pasted command waits for Enter, whatever bytes it has`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.sees("1: ")
    session.type(Array("\u{1B}[200~1p\n1s/o/".utf8) + [0xE9, 0] + Array("/\u{1B}[201~".utf8))
    session.play("\none\r\n", "1s/o/\u{FFFD}")
    session.type([0x03])
    session.play("1: w\r", "written", leaves: "one\n")
  }

  @Test func `a typed byte that is no character does not vanish`() {
    let session = TerminalSession(["f"], files: ["f": "one\ntwo\n"])
    session.play("2: /t/\r", "2: ")
    for bytes: [UInt8] in [[0xE9], [0xFF], [0xE9, 0x81]] {
      session.type(Array(",s/".utf8) + bytes + Array("/x/\r".utf8))
      session.sees("no match")
    }
    session.type(Array("$a\r".utf8) + [0xE9] + Array("t\r.\r".utf8))
    session.play("3*: w\r", "written", leaves: "one\ntwo\n\u{FFFD}t\n")
  }

  @Test func `keys that recall commands do not change the answer to a question`() {
    let session = TerminalSession(["f"], files: ["f": "a b\n"])
    session.play("1: s/a/Q/c\r")
    session.sees("(y n a q) ")
    session.type(Array("\u{1B}[A\u{12}\t\u{10}y".utf8))
    session.play("1*: w\r", "written", leaves: "Q b\n")
  }

  @Test func `nothing appended to the own file is no change`() {
    let session = TerminalSession(["f"], files: ["f": ""])
    session.play("0: W\r", "0 bytes appended", "0: q\r", leaves: "")
  }

  @Test func `an unread file is overwritten only if w is repeated at once`() {
    let session = TerminalSession(["f"], files: ["f": "one\n", "g": "other\n"])
    session.play(
      "1: w g\r", "repeat the command to overwrite", "1: s/o/0/\r", "1*: w g\r",
      "repeat the command to overwrite")
    #expect(session.file("g") == "other\n")
    session.play("1*: w g\r", "written")
    #expect(session.file("g") == "0ne\n")
  }

  @Test func `Alt-_ is a key unless more follows at once`() {
    TerminalSession(["f"], files: ["f": "one\n"]).play(
      "1: a\r", "2> \u{1B}_", "\u{7}¦two\r", "3> .\r", "2*: w\r", "written", leaves: "one\ntwo\n")
  }

  @Test func `in a global substitution, the answer a holds for all later lines`() {
    TerminalSession(["f"], files: ["f": "o\no\no\no\n"]).play(
      "4: g/o/s/o/0/c\r", "replace? (y n a q) n\r", "replace? (y n a q) a\r", "4*: u\r",
      "4: g/o/s/o/0/c\r", "replace? (y n a q) y\r", "replace? (y n a q) q\r", "2*: w\r", "written",
      leaves: "0\no\no\no\n")
  }

  @Test func `a match in a long line is shown in the part around it`() throws {
    let line = String(repeating: "y", count: 90) + " foo " + String(repeating: "z", count: 90)
    let session = TerminalSession(["f"], files: ["f": line + "\n"], columns: 40)
    session.play("1: s/foo/F/c\r", "replace? (y n a q) q\r")
    let rows = try Screen(of: session.written, columns: 40).rows
    let marked = try #require(rows.dropFirst().firstIndex { $0.hasSuffix("^^^") })
    let column = rows[marked].count - 3
    #expect(rows[marked - 1].dropFirst(column).hasPrefix("foo"))
    #expect(rows[marked - 1].hasSuffix("…"))
  }

  @Test func `a history that is removed while one types is stored again`() {
    let sandbox = TemporaryFolder()
    sandbox["f"] = Array("1\n".utf8)
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("a", "x")
    let folder = sandbox.path + "/.local/state/ued"
    Disk.remove(contentsOf: folder)
    session.enter("y", "z")
    session.kill()
    let next = TerminalSession.plain(["f"], in: sandbox)
    next.enter("redo")
    #expect(next.enter(",p").contains("1\nx\ny\nz\n") || next.enter(",p").contains("y\nz\n"))
    next.end()
  }

  @Test func `commands on private files are not stored for later sessions`() {
    let session = TerminalSession(
      ["f"], files: ["f": "one\n", "secret.pem": "x\n"], environment: ["UED_HISTORY": ""])
    session.play(
      "1: # public one\r", "1: e secret.pem\r", "1: # private one\r", "1: e f\r",
      "1: # public two\r", "1: q\r", ends: 0)
    let stored = session.folder[".local/state/ued/recall.db"] ?? []
    #expect(!String(decoding: stored, as: UTF8.self).contains("private one"))
  }

  @Test func `an endless control string takes at most one line`() {
    TerminalSession(["f"], files: ["f": "one\n"]).play(
      "1: a\r", "2> \u{1B}]swallowed\r", "3> two\r", "4> .\r", "3*: w\r", "written",
      leaves: "one\n\ntwo\n")
  }

  @Test func `settings with control characters don't act on the terminal`() {
    let session = TerminalSession(
      ["f"],
      files: ["f": "one\n", ".editrc": "bind \"\u{1B}[6n\"\nbind \"^[x\" \"foo\u{1B}]0;P\u{7}\"\n"])
    session.play("1: q\r", ends: 0)
    let shown = String(decoding: session.written, as: UTF8.self)
    #expect(!shown.contains("\u{1B}]") && !shown.contains("[6n"))
  }
}
