import Differential
import Glibc
import Testing

@testable import ued

/// Histories that outlive the program.
@Suite struct HistoryOnDiskTests {
  private let workshop = Workshop()

  private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// What a script with history prints that is given up in the end.
  private func script(_ lines: String..., file: String = "f") -> String {
    let commands = (lines + ["Q"]).joined(separator: "\n") + "\n"
    let command = "\"$UED\" --history -s \(file) 2>notices"
    return String(
      decoding: workshop.run(command, text(commands), statuses: [0, 1]), as: UTF8.self)
  }

  @Test(arguments: seeds(10))
  func `promise 5: a completed command is there after kill -9`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    workshop.run("echo >f")
    let session = TerminalSession(workshop, ["f"])
    var line = ""
    var saved = ""
    var since: [String] = []
    for number in 1...(1 + random.below(12)) {
      session.type("1s/^/\(number) /")
      line = "\(number) \(line)"
      since.append(line)
      if random.below(4) == 0 {
        session.type("w")
        saved = line
        since = []
      }
    }
    session.typeAhead(random.below(2) == 0 ? "w" : "1s/^/last /")
    usleep(UInt32(random.below(3000)))
    session.kill()
    // A save may just have been made.
    if workshop["f"] != text("\(saved)\n") {
      #expect(workshop["f"] == text("\(line)\n"))
      (saved, since) = (line, [])
    }
    for (index, expected) in since.enumerated() {
      #expect(script("redo \(index + 1)", "p") == "\(expected)\n")
    }
    #expect(script("p") == "\(saved)\n")
  }

  @Test func `what is only shown, and a script that fails as a whole, are not kept`() {
    workshop["f"] = text("one\ntwo\n")
    workshop.run("\"$UED\" --history -s -e '1s/^/a /' -e w f")
    workshop.run("\"$UED\" --history -s --diff -e 1d f >/dev/null")
    workshop.run("\"$UED\" --history -s --atomic -e 1d -e /none/d -e w f", statuses: [1])
    workshop.run("\"$UED\" --history -s --atomic -l -e 1d -e /none/d -e w f")
    let answer = script("undo", "undo", "history all")
    #expect(answer.contains("Opened") && !answer.contains("Delete"))
  }

  @Test func `promise 6: a hangup and a request to terminate keep the history`() {
    for signal in ["HUP", "TERM"] {
      workshop.run(
        """
        printf 'one\\n' >f
        { printf '1s/one/two/\\n'; sleep 0.3; kill -\(signal) $(cat pid); sleep 0.2; } |
          { "$UED" --history -s f & echo $! >pid; wait $!; } || true
        test "$(cat ed.hup)" = two
        test "$(printf 'redo\\np\\nQ\\n' | "$UED" --history -s f 2>notice)" = two
        grep -q "'redo' brings it back" notice
        rm -rf .local
        """)
    }
  }

  @Test func `promise 15: history is never applied to a text that it does not belong to`() {
    workshop["f"] = text("one\ntwo\nthree\n")
    _ = script("2s/two/2/", "w", "$s/$/!/")
    // Somebody else's text is a group of its own; all others still have theirs.
    workshop["f"] = text("none\n")
    #expect(
      script("p", "undo", "undo", ",p", "jump 0", ",p", "jump 2", ",p")
        == "none\n?\none\n2\nthree\none\ntwo\nthree\none\n2\nthree!\n")
    #expect(script("history").split(separator: "\n")[1].hasSuffix("Changed outside ued"))
    // The same text again finds its own place.
    workshop["f"] = text("one\ntwo\nthree\n")
    #expect(script("redo 2", "$p", "jump 3", "p") == "three!\nnone\n")
  }

  @Test func `promise 16: two sessions on one file both live, and the second is told`() {
    workshop["f"] = text("one\n")
    _ = script("s/$/ 0/", "w")
    let first = TerminalSession(workshop, ["f"])
    first.type("s/$/ 1/")
    let second = TerminalSession(workshop, ["f"])
    let told = String(decoding: second.screen, as: UTF8.self)
    #expect(told.contains("history is not kept: another ued has this file"))
    second.type("s/$/ 2/")
    first.type("s/$/ 3/")
    #expect(second.type("w").contains("8\n"), "one 0 2")
    second.end("q")
    first.end("Q")
    // The save of the second one was a change outside to the first one's history.
    #expect(script("p", "jump 3", "p") == "one 0 2\none 0 1 3\n")
  }

  @Test func `promise 16: two sessions that begin a history at once are told, too`() {
    workshop["f"] = text("one\n")
    let first = TerminalSession(workshop, ["f"])
    let second = TerminalSession(workshop, ["f"])
    first.type("s/$/ 1/")
    #expect(second.type("s/$/ 2/").contains("another ued has this file"))
    #expect(!second.type("s/$/ 2/").contains("another ued"))
    first.kill()
    second.kill()
    #expect(script("redo", "p") == "one 1\n")
  }

  @Test func `promise 17: history is readable by its owner only, whatever the umask`() {
    for mask in ["000", "022", "777"] {
      workshop.run(
        """
        rm -rf .local; printf 'one\\n' >f; chmod 600 f; umask \(mask)
        printf 's/o/O/\\nw\\n' | "$UED" --history -s f >out 2>&1; test ! -s out; umask 022
        test "$(stat -c %a .local/state/ued)" = 700
        test "$(stat -c %a .local/state/ued/*)" = 600
        chmod 755 .local/state/ued; printf 's/O/o/\\n' | "$UED" --history -s f >out 2>&1
        """, statuses: [0, 1, 2])
    }
    // A clean run says nothing.
    let session = TerminalSession(workshop, ["f"])
    session.end("q")
    #expect(!String(decoding: session.screen, as: UTF8.self).contains("istory"))
  }

  @Test func `ids, names, marks and times are those of the first run`() {
    workshop["f"] = text("one\ntwo\nthree\n")
    let before = script("2d", "name second thoughts", "1ka", "$a", "four", ".", "checkpoint", "w")
    #expect(before == "")
    let table = script("history all")
    #expect(table.contains("2  "))
    let json = script("history json")
    #expect(json.contains("\"name\":\"second thoughts\""))
    #expect(json.contains("\"id\":2") && json.contains("\"checkpoint\":true"))
    #expect(json.contains("\"lines_added\":1"))
    #expect(script("undo", "undo", "undo", ",p") == "?\none\ntwo\nthree\n")
    #expect(script("history json") == json)
    #expect(script("revert 1", ",p") == "one\ntwo\nthree\nfour\n")
  }

  @Test func `undo stops once where a session began`() {
    workshop["f"] = text("0\n")
    _ = script("s/$/ 1/", "s/$/ 2/", "w")
    let session = TerminalSession(workshop, ["f"])
    session.type("s/$/ 3/", "s/$/ 4/")
    #expect(
      session.type("undo 3").contains("undid: Substitute /$/ 4/ on 1 line; Substitute /$/ 3/"))
    #expect(session.type("p").contains("0 1 2\n"))
    #expect(session.type("undo").contains("undid: Substitute /$/ 2/"))
    session.type("redo")
    #expect(session.type("undo").contains("an earlier session; repeat"))
    #expect(session.type("undo 2").contains("; now at 0"))
  }

  @Test func `what another branch has checked out and back finds its tree again`() {
    workshop["f"] = text("one\n")
    workshop.run("git init -q . && git add f && git commit -qm one")
    _ = script("s/$/ 1/", "w")
    workshop.run("git commit -qam two; git checkout -q HEAD^")
    #expect(script("history").contains("*w 0"))
    workshop.run("git checkout -q -")
    #expect(script("history").contains("*w 1"))
    #expect(!script("history").contains("outside"))
  }

  @Test func `a file that was deleted is still to be had`() {
    workshop["f"] = text("one\ntwo\n")
    _ = script("1s/^/zero /", "w")
    workshop.run("rm f")
    let session = TerminalSession(workshop, ["f"])
    let told = String(decoding: session.screen, as: UTF8.self)
    #expect(
      told.contains("the file is gone, but its history is here; 'jump 1' brings its text back"))
    session.type("jump 1", "w")
    session.end("q")
    #expect(workshop["f"] == text("zero one\ntwo\n"))
  }

  @Test func `forget asks once`() {
    workshop["f"] = text("one\n")
    #expect(script("forget", "h") == "?\nno history of this file is kept on disk\n")
    _ = script("s/$/ 1/", "w")
    let session = TerminalSession(workshop, ["f"])
    #expect(session.type("forget").contains("(1 group) will be deleted; repeat"))
    #expect(session.type("p", "forget").contains("will be deleted"))
    #expect(session.type("forget").contains("is deleted"))
    session.type("s/$/ 2/")
    #expect(session.end("wq").contains("8"))
    #expect(script("history").split(separator: "\n").count == 2)
  }

  @Test func `a group that is open is kept as far as it is`() {
    workshop["f"] = text("one\n")
    let session = TerminalSession(workshop, ["f"])
    session.type("begin both", "s/$/ 1/", "s/$/ 2/")
    session.kill()
    #expect(script("redo", "p", "history /both/").contains("one 1 2\n"))
    let aborted = TerminalSession(workshop, ["f"])
    aborted.type("begin", "s/$/ 3/", "abort", "s/$/ 4/")
    aborted.kill()
    #expect(script("jump 2", "p") == "one 4\n")
  }

  @Test func `history goes with the file that is edited`() {
    workshop["f"] = text("one\n")
    workshop["g"] = text("other\n")
    let session = TerminalSession(workshop, ["f"])
    session.type("s/$/ 1/", "e g", "e g", "s/$/ 2/", "e f", "e f")
    #expect(session.type("redo", "p").contains("one 1\n"))
    session.end()
    #expect(script("redo", "p", file: "g") == "other 2\n")
    // A buffer without a name gets its history with its name.
    let unnamed = TerminalSession(workshop, [])
    unnamed.type("a", "x", ".", "s/x/y/", "w h", "s/y/z/")
    unnamed.kill()
    #expect(script("p", "redo", "p", "jump 1", "p", file: "h") == "y\nz\nx\n")
  }
}
