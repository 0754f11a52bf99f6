import Differential
import Glibc
import Testing

@testable import ued

/// Histories that outlive the program.
@Suite struct HistoryOnDiskTests {
  private let sandbox = Sandbox()

  private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Runs a script with history, and quits without saving.
  ///
  /// - Returns: Its standard output.
  private func script(_ lines: String..., file: String = "f") -> String {
    let commands = (lines + ["Q"]).joined(separator: "\n") + "\n"
    let command = "\"$UED\" --history -s \(file) 2>notices || test $? = 1"
    return String(decoding: sandbox.run(command, text(commands)), as: UTF8.self)
  }

  @Test(arguments: seeds(10))
  func `promise 5: a completed command is there after kill -9`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    sandbox.run("echo >f")
    let session = TerminalSession.plain(["f"], in: sandbox)
    var line = ""
    var saved = ""
    var since: [String] = []
    for number in 1...(1 + random.below(12)) {
      session.enter("1s/^/\(number) /")
      line = "\(number) \(line)"
      since.append(line)
      if random.below(4) == 0 {
        session.enter("w")
        saved = line
        since = []
      }
    }
    session.type((random.below(2) == 0 ? "w" : "1s/^/last /") + "\n")
    session.killSoon(&random)
    // A save may just have been made.
    if sandbox["f"] != text("\(saved)\n") {
      #expect(sandbox["f"] == text("\(line)\n"))
      (saved, since) = (line, [])
    }
    for (index, expected) in since.enumerated() {
      #expect(script("redo \(index + 1)", "p") == "\(expected)\n")
    }
    #expect(script("p") == "\(saved)\n")
  }

  @Test func `dry runs and failed atomic runs are not kept`() {
    sandbox["f"] = text("one\ntwo\n")
    sandbox.run("\"$UED\" --history -s -e '1s/^/a /' -e w f")
    sandbox.run("\"$UED\" --history -s --diff -e 1d f >/dev/null")
    sandbox.run("\"$UED\" --history -s --atomic -e 1d -e /none/d -e w f", status: 1)
    let answer = script("undo", "undo", "history all")
    #expect(answer.contains("Opened") && !answer.contains("Delete"))
  }

  @Test func `promise 6: a hangup and a request to terminate keep the history`() {
    for (signal, status) in [("HUP", 0), ("TERM", 143)] {
      sandbox.run(
        """
        rm -f in out ed.hup; mkfifo in; echo one >f
        "$UED" --history -s f <in >out & exec 3>in
        printf '1s/one/two/p\\n' >&3; awaits test -s out; kill -\(signal) $!
        exits \(status) wait $! 2>/dev/null
        test "$(cat ed.hup)" = two
        test "$(printf 'redo\\np\\nQ\\n' | "$UED" --history -s f 2>notice)" = two
        grep -q "'redo' brings it back" notice
        rm -rf .local
        """)
    }
  }

  @Test func `promise 15: history is never applied to a text that it does not belong to`() {
    sandbox["f"] = text("one\ntwo\nthree\n")
    _ = script("2s/two/2/", "w", "$s/$/!/")
    // A text from outside is a separate group; all others keep their texts.
    sandbox["f"] = text("none\n")
    #expect(
      script("p", "undo", ",p", "jump 0", ",p", "jump 2", ",p")
        == "none\none\n2\nthree\none\ntwo\nthree\none\n2\nthree!\n")
    #expect(
      script("history").split(separator: "\n").dropFirst().first?.hasSuffix("Changed outside ued")
        == true)
    // The same text again finds its own place.
    sandbox["f"] = text("one\ntwo\nthree\n")
    #expect(script("redo 2", "$p", "jump 3", "p") == "three!\nnone\n")
  }

  @Test func `promise 16: two sessions on one file share its history, and the second is told`() {
    sandbox["f"] = text("one\n")
    _ = script("s/$/ 0/", "w")
    let first = TerminalSession.plain(["f"], in: sandbox)
    first.enter("s/$/ 1/")
    let second = TerminalSession.plain(["f"], in: sandbox)
    #expect(second.shown().contains("another session edits this file since"))
    second.enter("s/$/ 2/")
    first.enter("s/$/ 3/")
    let listed = first.enter("history all")
    #expect((0...3).allSatisfy { listed.contains("Substitute /$/ \($0)/ on line 1") }, "\(listed)")
    #expect(first.enter("undo").contains("one 0 1\n"), "undo stays on its own branch")
    #expect(second.enter("w").contains("f: 1 line, 8 bytes written\n"), "one 0 2")
    second.end("q")
    first.enter("redo")
    first.end("Q")
    #expect(
      script("p", "jump 4", "p")
        == "one 0 2\none 0 1 3\n")
    #expect(
      sandbox["notices"]
        == text("a previous session ended without saving; 'jump 4' brings its text back\n"))
  }

  @Test func `promise 16: two sessions that begin a history at once share it`() {
    sandbox["f"] = text("one\n")
    let first = TerminalSession.plain(["f"], in: sandbox)
    let second = TerminalSession.plain(["f"], in: sandbox)
    first.enter("s/$/ 1/")
    second.enter("s/$/ 2/")
    first.kill()
    second.kill()
    #expect(script("redo", "p", "jump 1", "p").hasSuffix("one 2\none 1\n"))
  }

  @Test func `promise 17: history is readable by its owner only, whatever the umask`() {
    for mask in ["000", "022", "777"] {
      sandbox.run(
        """
        rm -rf .local; printf 'one\\n' >f; chmod 600 f; : >out
        (umask \(mask); printf 's/o/O/\\nw\\n' | "$UED" --history -s f >out 2>&1); test ! -s out
        test "$(stat -c %a .local/state/ued)" = 700
        test "$(stat -c %a .local/state/ued/* | sort -u)" = 600
        chmod 755 .local/state/ued; printf 's/O/o/\\nw\\n' | "$UED" --history -s f
        test "$(stat -c %a .local/state/ued)" = 700
        """)
    }
    // A clean run says nothing.
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.end("q")
    #expect(!session.shown().contains("istory"))
  }

  @Test func `ids, names, marks and times come from the first run`() {
    sandbox["f"] = text("one\ntwo\nthree\n")
    let before = script("2d", "name second thoughts", "1ka", "$a", "four", ".", "name v2", "w")
    #expect(before == "")
    let table = script("history all")
    #expect(table.contains("2  "))
    let json = script("history json")
    #expect(json.contains("\"name\":\"second thoughts\"") && json.contains("\"name\":\"v2\""))
    #expect(json.contains("\"lines_added\":1"))
    #expect(script("undo 2", ",p") == "one\ntwo\nthree\n")
    #expect(script("history json") == json)
    #expect(script("revert 1", ",p") == "one\ntwo\nthree\nfour\n")
  }

  @Test func `undo stops once at the start of a session`() {
    sandbox["f"] = text("0\n")
    _ = script("s/$/ 1/", "s/$/ 2/", "w")
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("s/$/ 3/", "s/$/ 4/")
    let undone = session.enter("undo 3")
    #expect(undone.contains("undid: Substitute /$/ 4/ on line 1; Substitute /$/ 3/"))
    #expect(undone.contains("a previous session; repeat"))
    #expect(session.enter("p").contains("0 1 2\n"))
    #expect(session.enter("undo").contains("undid: Substitute /$/ 2/"))
    session.enter("redo")
    #expect(session.enter("undo").contains("a previous session; repeat"))
    #expect(session.enter("undo 2").contains("; now at 0"))
  }

  @Test func `a file changed by a checkout and back finds its tree again`() {
    sandbox["f"] = text("one\n")
    sandbox.run("git init -q . && git add f && git commit -qm one")
    _ = script("s/$/ 1/", "w")
    sandbox.run("git commit -qam two; git checkout -q HEAD^")
    #expect(script("history").contains("*w 0"))
    sandbox.run("git checkout -q -")
    #expect(script("history").contains("*w 1"))
    #expect(!script("history").contains("outside"))
  }

  @Test func `a deleted file comes back from its history`() {
    sandbox["f"] = text("one\ntwo\n")
    _ = script("1s/^/zero /", "w")
    sandbox.run("rm f")
    let session = TerminalSession.plain(["f"], in: sandbox)
    let told = session.shown()
    #expect(
      told.contains("the file is gone, but its history is not; 'jump 1' brings its text back"))
    session.enter("jump 1", "w")
    session.end("q")
    #expect(sandbox["f"] == text("zero one\ntwo\n"))
  }

  @Test func `for a deleted file the saved text is named first`() {
    sandbox["f"] = text("one\ntwo\nthree\n")
    let first = TerminalSession.plain(["f"], in: sandbox)
    first.enter("1d", "w", "1d", "undo", "$d", "q")
    first.end("q")
    sandbox.run("rm f")
    let session = TerminalSession.plain(["f"], in: sandbox)
    let told = session.shown()
    #expect(
      told.contains("the file is gone, but its history is not; 'jump 1' brings its text back"))
    #expect(told.contains("a previous session ended without saving; 'jump 3' brings its text back"))
    session.enter("jump 1", "w")
    session.end("q")
    #expect(sandbox["f"] == text("two\nthree\n"))
  }

  @Test func `forget asks once`() {
    sandbox["f"] = text("one\n")
    #expect(script("forget", "h") == "?\nthis file has no history on disk\n")
    _ = script("s/$/ 1/", "w")
    let session = TerminalSession.plain(["f"], in: sandbox)
    #expect(session.enter("forget").contains("deletes the history on disk (1 group); repeat"))
    #expect(session.enter("p", "forget").contains("this deletes"))
    #expect(session.enter("forget").contains("deleted the history"))
    session.enter("s/$/ 2/")
    #expect(session.end("wq").contains("8"))
    #expect(script("history").split(separator: "\n").count == 2)
  }

  @Test func `an open group is kept as far as it has come`() {
    sandbox["f"] = text("one\n")
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("begin both", "s/$/ 1/", "s/$/ 2/")
    session.kill()
    #expect(script("redo", "p", "history /both/").contains("one 1 2\n"))
    let aborted = TerminalSession.plain(["f"], in: sandbox)
    aborted.enter("begin", "s/$/ 3/", "abort", "s/$/ 4/")
    aborted.kill()
    // The recovered group has a number of its own.
    #expect(script("jump 3", "p") == "one 4\n")
  }

  @Test func `history goes with the file that is edited`() {
    sandbox["f"] = text("one\n")
    sandbox["g"] = text("other\n")
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("s/$/ 1/", "e g", "e g", "s/$/ 2/", "e f", "e f")
    #expect(session.enter("redo", "p").contains("one 1\n"))
    session.end()
    #expect(script("redo", "p", file: "g") == "other 2\n")
    // A buffer without a name gets its history with its name.
    let unnamed = TerminalSession.plain([], in: sandbox)
    unnamed.enter("a", "x", ".", "s/x/y/", "w h", "s/y/z/")
    unnamed.kill()
    #expect(script("p", "redo", "p", "jump 1", "p", file: "h") == "y\nz\nx\n")
  }
}
