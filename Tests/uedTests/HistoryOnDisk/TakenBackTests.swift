import Differential
import Testing

@testable import ued

/// Undoing undone and redone groups, and the file operations of patches.
@Suite struct TakenBackTests {
  private let sandbox = Sandbox("UED_HISTORY=on")

  /// The text of a file, with blanks for newlines.
  private func text(_ name: String) -> String {
    sandbox[name].map { String(decoding: $0, as: UTF8.self).split(separator: "\n") }?
      .joined(separator: " ") ?? "-"
  }

  @Test func `a redone run can be undone again`() {
    sandbox.shell(#"seq 4 >f; "$UED" --run=bot -i -e '2s/$/B/' f; "$UED" --run=u1 --undo-run=bot"#)
    #expect(text("f") == "1 2 3 4")
    sandbox.shell(#""$UED" --run=u2 --undo-run=u1"#)
    #expect(text("f") == "1 2B 3 4")
    #expect(sandbox.transcript(#""$UED" --run=u3 --undo-run=bot"#) == "0\n")
    #expect(text("f") == "1 2 3 4")
    #expect(
      sandbox.transcript(#""$UED" --run=u4 --undo-run=bot"#).hasSuffix("nothing to undo\n0\n"))
    #expect(text("f") == "1 2 3 4")
    sandbox.shell(#""$UED" --run=u5 --undo-run=u3"#)
    #expect(text("f") == "1 2B 3 4")
  }

  @Test func `revert run undoes a run whose reversal was reverted`() {
    sandbox.shell(
      """
      seq 4 >f; "$UED" --run=b -i -e '2s/$/B/' f; "$UED" --run=c -i -e 'revert run b' f
      "$UED" --run=d -i -e 'revert run c' f
      """)
    #expect(text("f") == "1 2B 3 4")
    #expect(sandbox.shell(#""$UED" --run=e -i -e 'revert run b' f"#) == "")
    #expect(text("f") == "1 2 3 4")
    #expect(
      sandbox.shell(#""$UED" -i -e 'revert run b' f"#, status: 1).contains("has nothing of run 'b'")
    )
  }

  @Test func `other changes in the run of a reversal are kept`() {
    sandbox.shell(
      """
      seq 4 >f; "$UED" --run=b -i -e '2s/$/B/' f; "$UED" --run=c -i -e 'revert run b' -e '4s/$/C/' f
      "$UED" --run=d -i -e 'revert run c' f; "$UED" --run=e -i -e '1s/$/E/' f
      "$UED" -i -e 'revert run b' f
      """)
    #expect(text("f") == "1E 2 3 4")
    sandbox.shell(#""$UED" -i -e 'revert run d' f"#)
    #expect(text("f") == "1E 2 3 4C")
  }

  @Test func `an undone group does not conflict with any other`() {
    sandbox.shell(#"seq 4 >f; "$UED" -i -e '2s/$/B/' -e '2s/$/C/' -e 'revert 2' -e 'revert 1' f"#)
    #expect(text("f") == "1 2 3 4")
    #expect(
      sandbox.shell(#""$UED" -i -e 'revert 1' f"#, status: 1).contains(
        "nothing that 1 did is in the text; there is nothing to revert"))
  }

  @Test func `some runs of a name can be undone alone`() {
    sandbox.shell(#"seq 4 >f; for n in 1 2; do "$UED" --run=bot -i -e "${n}s/$/B/" f; done"#)
    let id = sandbox.shell(#""$UED" --log f | grep bot | head -1"#).prefix(12)
    sandbox.shell("\"$UED\" --undo-run=\(id) f")
    #expect(text("f") == "1B 2 3 4")
    #expect(sandbox.transcript(#""$UED" --undo-run=bot f"#) == "0\n")
    #expect(text("f") == "1 2 3 4")
  }

  @Test func `every conflict is named, with the whole name of its file`() {
    let name = String(repeating: "x", count: 90)
    sandbox.run(
      """
      for n in 1 2 3; do printf 'a\\nb\\n' >\(name)$n; done
      "$UED" --run=r --atomic -i -e 1s/a/A/ \(name)1 \(name)2 \(name)3
      for n in 1 3; do "$UED" -i -e 1s/A/Z/ \(name)$n; done
      """)
    let said = sandbox.transcript("\"$UED\" --undo-run=r").split(separator: "\n")
    #expect(said.count == 3 && said[0].contains("/\(name)1: 2 (Substitute"), "\(said)")
    #expect(said.count == 3 && said[1].contains("/\(name)3: 2 (Substitute"), "\(said)")
    let answer = sandbox.shell("\"$UED\" --json --undo-run=r", status: 1)
    let files = answer.split(separator: "{\"path\":").dropFirst()
    let areMarked = files.map { $0.contains("\"error\":\"conflict\"") }
    #expect(areMarked == [true, false, true], "\(answer)")
  }

  // MARK: - Patches

  @Test func `files removed and renamed by a patch come back when the run is undone`() {
    sandbox["p"] = Array(
      """
      diff --git a/a b/d/aa
      rename from a
      rename to d/aa
      --- a/a
      +++ b/d/aa
      @@ -2 +2 @@
      -2
      +new
      --- a/b
      +++ /dev/null
      @@ -1,3 +0,0 @@
      -1
      -2
      -3

      """.utf8)
    #expect(
      sandbox.shell(#"seq 3 >a; seq 3 >b; "$UED" --run=bot --apply=p; exits 2 ls a b 2>&-"#) == "")
    #expect(text("d/aa") == "1 new 3")
    #expect(sandbox.shell(#""$UED" -s -e 'history 1' d/aa"#).contains("Apply p"))
    #expect(sandbox.transcript(#""$UED" --undo-run=bot --check"#) == "4\n")
    #expect(sandbox.transcript(#""$UED" --undo-run=bot"#) == "0\n")
    #expect([text("a"), text("b"), text("d/aa")] == ["1 2 3", "1 2 3", "-"])
    sandbox["q"] = Array("--- d/c\n+++ /dev/null\n@@\n-1\n".utf8)
    sandbox.shell(
      #"rm -r d; mkdir d; echo 1 >d/c; "$UED" --run=fox --apply=q; rmdir d; "$UED" --undo-run=fox"#)
    #expect(text("d/c") == "1")
  }

  @Test func `the undo of a run deletes its new files and restores removed ones, even empty ones`()
  {
    sandbox["p"] = Array(
      """
      diff --git a/made b/made
      new file mode 100644
      --- /dev/null
      +++ b/made
      @@ -0,0 +1 @@
      +x
      diff --git a/mades b/mades
      new file mode 100644
      diff --git a/kept b/kept
      new file mode 100644
      diff --git a/gone b/gone
      deleted file mode 100644

      """.utf8)
    sandbox.shell(
      #": >gone; "$UED" --run=bot --apply=p; "$UED" --run=cat -i --create -e a -e x -e . c"#)
    #expect(["made", "mades", "gone", "c"].map(text) == ["x", "", "-", "x"])
    sandbox.shell(
      #"echo more >>kept; exits 4 "$UED" --undo-run=bot --check; "$UED" --undo-run=bot"#)
    #expect(["made", "mades", "kept", "gone"].map(text) == ["-", "-", "more", ""])
    // A later file of the same name does not belong to the run.
    sandbox.shell(#": >mades; rm gone; "$UED" --undo-run=bot; "$UED" --undo-run=cat"#)
    #expect(["mades", "gone", "c"].map(text) == ["", "-", "-"])
    sandbox.shell(
      #"rm mades; "$UED" --undo-run="$("$UED" --log made | awk 'NR == 2 { print $1 }')""#)
    #expect(["made", "mades", "gone"].map(text) == ["x", "", "-"])
    let session = TerminalSession.plain(["empty"], in: sandbox)
    session.enter("w")
    session.end("q")
    #expect(text("empty") == "")
    sandbox.shell(
      #""$UED" --undo-run="$("$UED" --log empty | awk 'NR == 2 { print $1 }')""#)
    #expect(text("empty") == "-")
  }

  @Test(arguments: ["", "--atomic", "-i"], ["f new\\na\\nx\\n.\\nw\\n", "a\\nx\\n.\\nw new\\n"])
  func `a file that a text without a name makes belongs to the run`(
    _ options: String, _ script: String
  ) {
    sandbox.shell(#"printf '\#(script)' | "$UED" \#(options) --run=bot -s"#)
    #expect(sandbox.shell(#""$UED" --log new"#).contains("bot") && text("new") == "x")
    sandbox.shell(#""$UED" --undo-run=bot"#)
    #expect(text("new") == "-")
    let session = TerminalSession.plain([], in: sandbox)
    session.enter("a", "x", ".", "w g")
    session.end("q")
    sandbox.shell(#"test -s g; "$UED" --undo-run="$("$UED" --log g | awk 'NR == 2 { print $1 }')""#)
    #expect(text("g") == "-")
  }

  @Test func `a file removed by another program fails, and no file is changed`() {
    sandbox.shell(#"seq 3 >a; seq 3 >b; "$UED" --run=bot --atomic -i -e 1d a b; rm a"#)
    #expect(
      sandbox.shell(#""$UED" --undo-run=bot"#, status: 1).contains("/a: does not exist any more;"))
    #expect(sandbox.transcript(#""$UED" --undo-run=bot 2>&-"#) == "1\n")
    #expect(text("b") == "2 3")
    #expect(sandbox.transcript(#""$UED" --undo-run=bot b"#) == "0\n")
    #expect(text("b") == "1 2 3")
  }

  @Test func `a removed file in which the run was undone before is no obstacle`() {
    sandbox.run(
      """
      seq 3 >a; seq 3 >b; seq 3 >c
      "$UED" --run=bot -i -e 1d a; "$UED" --undo-run=bot
      rm a
      "$UED" --run=bot -i -e 2d b; "$UED" --undo-run=bot
      test "$(cat b)" = "$(seq 3)"
      "$UED" --run=bot -i -e 3d b c; "$UED" --undo-run=bot c; "$UED" --undo-run="$("$UED" --log c |
        awk 'NR == 2 { print $1 }')"; rm c
      exits 1 "$UED" --undo-run=bot
      """)
    #expect(text("b") == "1 2" && text("a") == "-")
  }

  // MARK: - Others

  @Test func `ued reports that another ued has the history open`() {
    let said = sandbox.shell(
      """
      seq 3 >f; "$UED" --run=bot -i -e 1d f; exec 7<$(echo .local/state/ued/*.history); flock -x 7
      exits 3 "$UED" --undo-run=bot; exits 3 "$UED" -s -e 'revert run bot' f
      """)
    let reason = "another ued has its history open; try again when that has ended\n"
    #expect(said.contains("/f: " + reason) && said.contains("ued: f: -e 1:1: " + reason), "\(said)")
    #expect(sandbox.transcript(#""$UED" --undo-run=bot"#) == "0\n")
  }

  @Test(arguments: ["\\376a", "a\\nb", "a\\033", "a\\302\\205"])
  func `the name of a run is UTF-8 without control characters`(_ name: String) {
    let refused = "takes a name in UTF-8 without control characters, not "
    let name = "\"$(printf '\(name)')\""
    for (words, message) in [
      ("\"$UED\" --run=\(name) -i -e 1d f", "'--run' " + refused),
      ("UED_RUN=\(name) \"$UED\" -i -e 1d f", "UED_RUN " + refused),
      ("\"$UED\" --undo-run=\(name)", "no run"),
    ] {
      #expect(sandbox.shell("seq 3 >f; \(words)", status: 1).contains(message))
    }
    #expect(text("f") == "1 2 3")
  }
}
