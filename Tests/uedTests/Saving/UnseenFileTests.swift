import Differential
import Glibc
import TextBuffer
import Testing

@testable import ued

/// Files whose content ued has not read.
@Suite struct UnseenFileTests {
  private let sandbox = Sandbox()
  private static let warning = "f: changed by another program; overwritten\n"

  /// Runs a script.
  ///
  /// - Returns: Its standard error.
  private func errors(_ script: String, _ options: String = "-s") -> String {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    sandbox["script"] = Array(script.utf8)
    // Some options let it end without a look at its input.
    sandbox.run(
      "{ cat script || true; } | \"$UED\" \(options) f >/dev/null 2>errors || test $? -le 3")
    return String(decoding: sandbox["errors"] ?? [], as: UTF8.self)
  }

  @Test(arguments: ["mkfifo f", "ln -s /dev/null f"])
  func `a terminal asks before it writes another file that now has the name`(_ new: String) {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("1d")
    sandbox.run("rm f; \(new)")
    #expect(session.enter("w").contains("the file exists, and was not read; repeat the command"))
    session.enter("w g", "q")
    session.end("q")
    #expect(sandbox["g"] == Array("two\n".utf8))
  }

  @Test func `a terminal asks before it writes a file that could not be read`() {
    sandbox["f"] = Array("one\n".utf8)
    let session = TerminalSession.plain(
      ["-qqqo", "trace", "-P", "f", "-e", "inject=openat:error=EACCES:when=1"]
        + [Program.underTest.path, "f"], in: sandbox, program: "/usr/bin/strace")
    #expect(session.shown().contains("can't read f: Permission denied"))
    session.talk(
      ("a", ""), ("two", ""), (".", ""), ("w", "the file exists, and was not read; repeat"))
    #expect(sandbox.text("f") == "one\n")
    session.talk(("w", "f: 1 line, 4 bytes written"))
    session.end("q")
    #expect(sandbox.text("f") == "two\n")
  }

  @Test(arguments: [
    "!echo more >>f", "!echo ONE >f; echo two >>f", "!printf 'ONE\\ntwo\\n' >f",
    "!echo new >g; mv g f", "!echo new >g; rm f; ln -s g f",
  ])
  func `a script is warned of a file that was changed outside, and writes it`(_ change: String) {
    #expect(errors("1d\n\(change)\nw\n") == Self.warning)
    #expect(sandbox["f"] == Array("two\n".utf8))
    #expect(errors("1d\n\(change)\nw\n", "-sq") == "")
  }

  @Test(arguments: [
    "!true", "!touch f", "!chmod 600 f", "!ln f k; rm k", "!cp f g; mv g f", "!rm f", "w", "1w\nw",
    "W f", "W f\n!ln f k; rm k", "w g\n!echo x >>g", "e f\n!true", "w\n!touch f",
    "!rm f; mkfifo f; cat f >g &",
  ])
  func `a script is not warned when nothing can be lost`(_ change: String) {
    #expect(errors("1d\n\(change)\nw\n") == "")
    sandbox.run("test -p f || test \"$(cat f)\" = two")
    unlink(sandbox.path + "/f")
  }

  @Test func `a file is recognized under other names`() {
    #expect(errors("1d\nw\n!echo more >>f\nw ./f\n") == "./" + Self.warning)
    #expect(errors("w ./f\nw\n") == "" && errors("1w ./f\nw\n") == "")
    #expect(errors("w ./f\n!echo more >>f\nw\n") == Self.warning)
  }

  @Test func `strict runs overwrite no changes`() {
    let refusal =
      "ued: f: changed by another program since it was read; not overwritten; --retry runs the script again\n"
    #expect(errors("1d\n!echo more >>f\n", "-i") == refusal)
    // An equal change by another program counts, too.
    #expect(errors("1d\n!sed -i 1d f\n", "-i") == refusal)
    #expect(errors("1d\n!touch f\n", "-i") == "")
    #expect(errors("1d\nw\n!echo more >>f\n", "-s --atomic") == refusal)
    #expect(sandbox["f"] == Array("one\ntwo\nmore\n".utf8))
  }

  @Test func `promise 7: a person is refused once, and again after another change`() {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    var session = Session(sandbox.path + "/f")
    #expect(session.run("1d") == nil)
    sandbox["f"] = Array("three\n".utf8)
    #expect(session.run("w")?.refusedFor == .unseen(.changedOutside))
    #expect(session.run("q") == .bufferModified)
    #expect(sandbox["f"] == Array("three\n".utf8))
    sandbox["f"] = Array("four\n".utf8)
    #expect(session.run("wq")?.refusedFor == .unseen(.changedOutside))
    #expect(sandbox["f"] == Array("four\n".utf8))
    #expect(session.run("w") == nil)
    #expect(sandbox["f"] == Array("two\n".utf8))
    #expect(session.run("w") == nil)
    #expect(session.run("q") == nil)
  }

  @Test func `promise 10: a file not read whole is not overwritten by the first w`() {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    var session = Session(sandbox.path + "/f")
    session.markPartlyRead()
    #expect(session.run("1d") == nil)
    #expect(session.run("w")?.refusedFor == .unseen(.readInPart))
    session.markPartlyRead(wasOpened: false)
    #expect(session.run("w")?.refusedFor == .unseen(.neverRead))
    #expect(session.run("#") == nil)
    #expect(session.run("w")?.refusedFor == .unseen(.neverRead))
    #expect(sandbox["f"] == Array("one\ntwo\n".utf8))
    #expect(session.run("w") == nil)
    #expect(sandbox["f"] == Array("two\n".utf8))
    #expect(session.run("w") == nil)
  }

  @Test func `promise 9: the text does not depend on the file after loading`() {
    sandbox["f"] = Array((1...100_000).map { "\($0)\n" }.joined().utf8)
    sandbox.run(
      """
      cp f old; printf '!: >f\\n!rm f\\nw g\\n' | "$UED" -s f; cmp g old
      """)
  }

  @Test func `old text left by a killed save is reported`() {
    sandbox.run(
      """
      seq 9 >f; name=.ued-old-$(stat -c %i f); seq 5 >$name
      printf 'w\\n' | "$UED" -s f 2>errors
      test "$(cat errors)" = "f: an earlier save was interrupted; the previous text is in $PWD/$name"
      seq 5 | cmp - $name
      """)
  }

  @Test func `the copy of a save in progress is not reported as old text`() {
    sandbox.run(
      """
      seq 9 >f; name=.ued-old-$(stat -c %i f); seq 5 >$name
      printf '1d\nw\n' | flock $name "$UED" -s f 2>errors
      test ! -s errors; test "$(head -n 1 f)" = 2
      """)
  }

  @Test(arguments: [
    "mkfifo $name", "mkdir $name", "ln -s g $name", "ln -s nowhere $name",
    "test $(id -u) != 0 || { seq 5 >$name; chown 65534 $name; }",
  ])
  func `only a file can be old text that a killed save has left`(_ plant: String) {
    sandbox.run(
      """
      seq 9 >f; seq 9 >g; name=.ued-old-$(stat -c %i f); \(plant)
      printf '1d\nw\n' | "$UED" -s f 2>errors
      test ! -s errors; test "$(head -n 1 f)" = 2
      """)
  }
}

extension EditorError {
  fileprivate var refusedFor: RefusedWrite.Reason? {
    if case .writeRefused(let write) = self { write.reason } else { nil }
  }
}

/// A person who edits a file.
private struct Session: ~Copyable {
  private var editor: Editor

  init(_ path: String) {
    var options = Options()
    options.quiet = true
    let rendering = FriendlyRendering(descriptor: -1, options: options)
    editor = Editor(
      options: options, conduct: Conduct(options, isAtTerminal: true),
      console: Console(lines: ScriptLines([], kind: .terminal), rendering: rendering))
    try? editor.open(Array(path.utf8))
  }

  /// Marks the file as read only in part.
  mutating func markPartlyRead(wasOpened: Bool = true) {
    editor.file.known?.isWhole = false
    if !wasOpened { editor.file.known?.identity = nil }
  }

  /// Runs a command.
  ///
  /// - Returns: Why it failed; nil when it did not.
  mutating func run(_ command: String) -> EditorError? {
    var parser = CommandParser(line: Array(command.utf8))
    let parsed = parser.next()
    do throws(EditorError) {
      _ = try editor.run(parsed)
      return nil
    } catch {
      return error
    }
  }
}
