import Differential
import Testing

@testable import ued

/// `pick`, `merge` and `merge!`.
@Suite struct MergeWordTests {
  private let sandbox = Sandbox()

  private static let text = "one\ntwo\nthree\nfour\nfive\nsix\n"

  init() { sandbox["f"] = Array(Self.text.utf8) }

  private func run(_ script: [String], _ arguments: [String] = ["-s", "f"]) -> String {
    let lines = (script + ["Q", ""]).joined(separator: "\n")
    return String(decoding: sandbox.edit(arguments, Array(lines.utf8)), as: UTF8.self)
  }

  @Test func `marked conflicts equal diff3's`() {
    let shown = run([
      "1s/one/1/", "3s/three/3/", "w ours", "undo 2", "3s/three/III/", "6s/six/VI/", "w theirs",
      "jump 2", "merge! 4", ",p",
    ])
    sandbox["base"] = Array(Self.text.utf8)
    let expected = sandbox.run("diff3 -m -L 2 -L 0 -L 4 ours base theirs", status: 1)
    #expect(Array(shown.utf8) == expected)
    #expect(shown.contains("<<<<<<< 2\n3\n||||||| 0\nthree\n=======\nIII\n>>>>>>> 4\n"))
  }

  @Test func `a merge across several branches starts from their common ancestor`() {
    let shown = run(["1s/one/1/", "2s/two/2/", "undo", "5s/five/5/", "jump 2", "merge 3", ",p"])
    #expect(shown == "1\n2\nthree\nfour\n5\nsix\n")
  }

  @Test func `a conflict is reported with the groups of both sides and this side's lines`() {
    let session = HeldProgram.session(["f"], in: sandbox)
    for command in ["3s/three/3/", "1d", "undo 2", "3s/three/III/", "$a\nend\n."] {
      #expect(session.ask(command)["ok"] == .bool(true))
    }
    let answer = session.ask("merge 2")
    #expect(answer["error"]?.text == "conflict")
    #expect(
      answer["message"]?.text == "1 conflict: line 3, here 3 (Substitute /three/III/ on line 3), "
        + "there 1 (Substitute /three/3/ on line 3). 'merge! 2' marks them in the text")
    #expect(answer["hint"]?["lines"]?.elements.first?["number"] == .number(3))
    #expect(answer["hint"]?["revisions"] == .array([.number(3), .number(1)]))
    #expect(answer["revision"] == .number(4))
    let marked = session.ask("merge! 2")
    #expect(marked["lines"] == .number(12))
    #expect(
      marked["notices"]
        == .array([
          .string("merged: 2, with 1 conflict, marked '<<<<<<<' to '>>>>>>>', in lines 2-8")
        ]))
    #expect(session.ask("undo")["lines"] == .number(7))
  }

  @Test func `an answer tells the lines of all conflicts that merge! marks`() {
    let session = HeldProgram.session(["f"], in: sandbox)
    let theirs = ["begin", "1s/one/1/", "3a\nnew\n.", "$s/six/6/", "end", "undo"]
    for command in theirs + ["begin", "1s/one/I/", "$s/six/VI/", "end"] {
      #expect(session.ask(command)["ok"] == .bool(true))
    }
    #expect(
      session.ask("merge! 1")["notices"]
        == .array([
          .string("merged: 1, with 2 conflicts, marked '<<<<<<<' to '>>>>>>>', in lines 1-7, 13-19")
        ]))
    #expect(
      session.ask("g/^[<>]\\{7\\} /.=")["output"]?.elements.map(\.text) == ["1", "7", "13", "19"])
    #expect(session.ask("merge 1")["notices"] == nil)
    for command in ["undo", "$s/VI/six/", "1s/I/one/"] { _ = session.ask(command) }
    let plain = session.ask("merge! 1")
    #expect(plain["ok"] == .bool(true) && plain["notices"] == nil)
  }

  @Test func `lines deleted on one side or both are deleted`() {
    let shown = run(["2d", "undo", "4d", "merge 1", ",p"])
    #expect(shown == "one\nthree\nfive\nsix\n")
  }

  @Test func `marks and tracked addresses follow a merge`() {
    let shown = run(["6ka", "1d", "undo", "5s/five/5/", "6kb", "merge 1", "'b=", "6@0p", "5@0p"])
    #expect(shown == "5\nsix\n5\n")
  }

  @Test func `changes that cancel out do not conflict with revert and pick`() {
    #expect(run(["2s/two/2/", "2s/2/x/", "2s/x/2/", "revert 1", ",p"]) == Self.text)
    #expect(run(["2s/two/2/", "undo", "2s/two/x/", "2s/x/two/", "pick 1", "2p"]) == "2\n")
  }

  @Test(
    arguments: ["revert 3", "1,$undo"],
    [("3d", "a\nB\nd\ne\n"), ("3m0", "c\na\nB\nd\ne\n"), ("3s/c/C/", "a\nB\nC\nd\ne\n")])
  func `a picked and undone group can be picked again`(
    _ back: String, _ group: (command: String, result: String)
  ) {
    sandbox["f"] = Array("a\nb\nc\nd\ne\n".utf8)
    // The line before changes, so a comparison of texts conflicts.
    #expect(
      run([group.command, "undo", "2s/b/B/", "pick 1", back, "pick 1", ",p"]) == group.result)
  }

  @Test func `a strict run may write the text that it has merged with the file`() {
    sandbox.edit(
      ["-i", "-e", "1s/one/1/", "-e", "!sed -i s/six/6/ f", "-e", "merge disk", "f"], [])
    #expect(sandbox["f"] == Array("1\ntwo\nthree\nfour\nfive\n6\n".utf8))
    sandbox.edit(
      ["-i", "-e", "2s/two/2/", "-e", "!sed -i s/two/II/ f", "-e", "merge disk", "f"], [], status: 1
    )
    #expect(sandbox["f"] == Array("1\nII\nthree\nfour\nfive\n6\n".utf8))
  }

  @Test(arguments: ["undo", "u", "jump 1", "revert 2"])
  func `the merged file is not overwritten when the merge is undone`(_ back: String) {
    let other = "!sed -i s/six/6/ f"
    let start = ["-i", "-e", "1s/one/1/", "-e", other, "-e", "merge disk", "-e", back]
    sandbox.edit(start + ["f"], [], status: 3)
    #expect(sandbox["f"] == Array("one\ntwo\nthree\nfour\nfive\n6\n".utf8))
    sandbox["f"] = Array(Self.text.utf8)
    sandbox.edit(start + ["-e", "merge disk", "f"], [])
    #expect(sandbox["f"] == Array("1\ntwo\nthree\nfour\nfive\n6\n".utf8))
  }

  @Test func `a last line without its newline is merged as a line`() {
    sandbox["f"] = Array("one\ntwo\nthree".utf8)
    let script = ["1s/one/1/", "!printf 'one\\ntwo\\n3' >f", "merge disk", "w"]
    _ = run(script)
    #expect(sandbox["f"] == Array("1\ntwo\n3\n".utf8))
  }

  @Test func `the last answer has the hash of the merged file`() {
    let session = HeldProgram.session(["f"], in: sandbox)
    #expect(session.ask("!echo seven >>f")["ok"] == .bool(true))
    #expect(session.ask("merge disk")["lines"] == .number(7))
    #expect(session.ask("w")["ok"] == .bool(true))
    let hash = sandbox.run("sha256sum <f").prefix(64)
    let file = session.lastAnswer()["files"]?.elements.first
    #expect(file?["after"]?.text == "sha256:" + String(decoding: hash, as: UTF8.self))
  }

  @Test func `a terminal offers the groups of other branches for pick`() {
    TerminalSession(["f"], files: ["f": Self.text]).play(
      "6: 2s/two/2/\r", "2*: undo\r", "6: 5d\r", "5*: pick \t\r",
      "picked: Substitute /two/2/ on line 2; now at 3, line 2 of 5\r\n-2\ttwo\r\n+2\t2\r\n",
      "2*: 2undo\r",
      "undid: \"Pick \"Substitute /two/2/ on line 2\"\" on line 2; now at 4", "2*: pick 1\r",
      "picked: Substitute /two/2/ on line 2; now at 5, line 2 of 5\r\n-2\ttwo\r\n+2\t2\r\n",
      "2*: Q\r", ends: 0)
  }

  @Test func `a terminal shows the merged groups and their places`() {
    TerminalSession(["f"], files: ["f": Self.text]).play(
      "6: 2s/two/2/\r", "2*: undo\r", "6: 5d\r", "5*: merge 1\r",
      "merged: 1; now at 3, line 2 of 5\r\n-2\ttwo\r\n+2\t2\r\n", "2*: merge 1\r",
      "nothing new to merge",
      "2*: undo\r", "*: pick 1\r",
      "picked: Substitute /two/2/ on line 2; now at 4, line 2 of 5\r\n-2\ttwo\r\n+2\t2\r\n",
      "2*: Q\r", ends: 0)
  }
}
