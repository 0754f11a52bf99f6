import Differential
import Glibc
import Testing

/// An overwritten text of another program is a revision.
@Suite struct OthersTextTests {
  private let sandbox = Sandbox()

  /// Runs a script with history.
  ///
  /// - Returns: Its standard output.
  private func script(_ lines: String...) -> String {
    sandbox["script"] = Array(((lines + ["Q"]).joined(separator: "\n") + "\n").utf8)
    // Unsaved changes at the end are discarded silently.
    let output = sandbox.run("cat script | \"$UED\" --history -s f 2>errors || test $? -le 2")
    return String(decoding: output, as: UTF8.self)
  }

  private var errors: String { String(decoding: sandbox["errors"] ?? [], as: UTF8.self) }
  private static let warning = "f: changed by another program; overwritten\n"

  @Test(arguments: [
    "!echo two >>f", "!printf 'one\\ntwo' >f", "!echo new >g; echo two >>f; mv f h; cp h f",
  ])
  func `an overwritten text is a revision next to the last saved one`(_ change: String) {
    sandbox["f"] = Array("one\n".utf8)
    #expect(script("s/$/ 1/", change, "w", "undo", "redo", "p") == "one 1\n")
    #expect(errors == Self.warning && sandbox["f"] == Array("one 1\n".utf8))
    #expect(script("p", "jump 2", ",p", "diff 2", "undo", "p").hasPrefix("one 1\none\ntwo\n"))
    #expect(
      script("history json").contains(
        "\"parent\":0,\"name\":null,\"description\":\"Changed outside ued\""))
    #expect(errors == "")
  }

  @Test func `a new file first made by another program is a revision, too`() {
    let made = script("a", "mine", ".", "!echo other >f", "w", "w", "jump 2", ",p", "jump 1", ",p")
    #expect(made == "other\nmine\n" && errors.hasSuffix(Self.warning))
    #expect(script("jump 2", ",p", "jump 1", ",p") == "other\nmine\n")
  }

  @Test func `w without own changes keeps it`() {
    sandbox["f"] = Array("one\n".utf8)
    #expect(script("!echo two >>f", "w", "redo") == "?\n")
    #expect(script("redo", "jump 1", ",p", "w") == "?\none\ntwo\n")
    #expect(script(",p", "undo", ",p") == "one\ntwo\none\n")
  }

  @Test func `w in a group or in a global command also keeps that text`() {
    sandbox["f"] = Array("one\n".utf8)
    #expect(script("begin", "s/$/ 1/", "!echo two >>f", "w", "s/$/ 2/", "end", "w", "Q") == "")
    #expect(script("p", "jump 1", ",p", "jump 2", "p") == "one 1 2\none\ntwo\none 1 2\n")
    sandbox["f"] = Array("one 1 2\nthree\n".utf8)
    // A text saved during a command is stored only at its end.
    #expect(
      script("g/three/s//3/\\", "w", "!true", "g/3/s//THREE/\\", "!echo 4 >>f\\", "w", "Q") == "")
  }

  @Test func `it is stored before the file is written`() {
    sandbox["f"] = Array("one\n".utf8)
    for list in ["s/$/ 1/\\nw\\n", "begin\\ns/$/ 1/\\nw\\n", "g/one/s/$/ 1/\\\\\\nw\\n"] {
      sandbox.run(
        """
        rm -rf .local; echo one >f
        printf '!echo two >>f\\n\(list)' | strace -qqq -o trace \
          -e inject=rename,renameat:signal=KILL:when=1 \
          "$UED" --history -s f 2>errors || test $? = 137
        printf 'one\\ntwo\\n' | cmp - f
        """)
      #expect(script("history all").contains("Changed outside ued"), "\(list)")
    }
  }

  @Test func `another program's file created after start is kept, too`() {
    let missing = "f: No such file or directory\n"
    #expect(script("!echo two >f", "a", "one", ".", "w") == "")
    #expect(errors == missing + Self.warning)
    #expect(script("p", "jump 2", ",p") == "one\ntwo\n")
    sandbox.run("rm -r f .local")
    #expect(script("a", "one", ".", "w ./f", "w", "w f", "W f", "w") == "")
    #expect(errors == missing)
  }

  @Test func `a text that is a revision already is not kept twice`() {
    sandbox["f"] = Array("one\n".utf8)
    _ = script("s/$/ 1/", "w")
    sandbox["old"] = Array("one\n".utf8)
    #expect(script("s/$/ 2/", "!cp old f", "w") == "" && errors == Self.warning)
    #expect(!script("history").contains("outside"))
  }

  @Test func `marks and changed lines are at their right places`() {
    sandbox.run("seq 5 >f")
    #expect(
      script(
        "3ka", "1d", "!sed -i 1s/^/0/ f; sed -i '$a x' f", "w", "'a=", "jump 2", ".=", "'ap",
        "jump 1", "'ap") == "2\n6\n3\n3\n")
  }

  @Test func `a file that is too large or unreadable is overwritten with a message`() {
    sandbox["f"] = Array("one\n".utf8)
    #expect(script("1d", "!truncate -s 17M f", "w") == "")
    #expect(
      errors == "f: the overwritten text is not in the history: File too large\n" + Self.warning)
    #expect(sandbox["f"] == [])
  }

  @Test func `after a repeated refused save the other text is in the history`() {
    sandbox["f"] = Array("one\n".utf8)
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("s/$/ 1/")
    sandbox["f"] = Array("one\ntwo\n".utf8)
    #expect(
      session.enter("w").contains("by another program since it was read; 'diff disk' shows\nhow"))
    #expect(session.enter("diff disk").contains("-one\n-two\n+one 1\n"))
    session.enter("w", "w")
    session.end("q")
    #expect(sandbox["f"] == Array("one 1\n".utf8))
    #expect(script("jump 2", ",p") == "one\ntwo\n")
  }
}
