import Differential
import Testing

/// Answers of runs without a script: patches and histories.
@Suite struct ToolAnswerTests {
  private let sandbox = Sandbox()

  init() { sandbox["f"] = Array("one\ntwo\nthree\n".utf8) }

  @Test func `a patch has a last answer with the files that it changed, made and removed`() {
    sandbox["g"] = Array("gone\n".utf8)
    let patch = """
      --- a/f
      +++ b/f
      @@ -1,2 +1,2 @@
      -one
      +ONE
       two
      --- /dev/null
      +++ b/new
      @@ -0,0 +1 @@
      +new
      --- a/g
      +++ /dev/null
      @@ -1 +0,0 @@
      -gone

      """
    let answers = sandbox.answers(["--apply=-"], patch)
    #expect(answers.commands.isEmpty)
    let files = answers.files.sorted { $0["path"]?.text ?? "" < $1["path"]?.text ?? "" }
    #expect(files.map { $0["path"]?.text } == ["f", "g", "new"])
    #expect(files.map { $0["written"] } == [.bool(true), .bool(true), .bool(true)])
    #expect(files.map { $0["after"] == .null } == [false, true, false])
    #expect(files.map { $0["before"] == .null } == [false, false, true])
  }

  @Test func `a hunk that does not fit has the nearest place as a hint`() {
    let script = "apply <<E\n@@ -1,2 +1,2 @@\n one\n-2\n+TWO\n three\nE\nQ\n"
    let answers = sandbox.answers(["f"], script, status: 1)
    #expect(answers.codes == ["hunk-rejected", "ok"])
    let hint = answers.commands.first?["hint"]
    #expect(hint?["lines"]?.elements.first?["number"] == .number(1))
    #expect(hint?["difference"]?["line"] == .number(2))
    #expect(hint?["difference"]?["expected"] == .string("2"))
    #expect(hint?["difference"]?["found"] == .string("two"))
    let refused = sandbox.answers(["--apply=-"], "no patch\n", status: 1)
    #expect(refused.end["error"]?.text == "invalid-patch")
  }

  @Test func `the last answer says why a patch or a task can't start`() {
    let outside = sandbox.answers(["--apply=-"], "--- ../x\n+++ ../x\n@@\n-a\n", status: 1)
    #expect(outside.end["message"]?.text?.hasPrefix("../x: outside of this folder") == true)
    let missing = sandbox.answers(["--apply=-"], "--- x\n+++ x\n@@\n-a\n", status: 2)
    #expect(missing.files.map { $0["path"]?.text } == ["x"])
    #expect(missing.files.first?["error"]?.text == "file-not-found")
    for (task, code) in [
      ("--undo-run=nope", "no-such-run"), ("--undo-run=\u{1B}", "no-such-run"),
      ("--search=\\(", "invalid-pattern"),
    ] {
      let answers = sandbox.answers([task], "", status: 1)
      #expect(answers.end["error"]?.text == code)
      #expect(answers.end["message"]?.text?.isEmpty == false)
    }
    sandbox.run("\"$UED\" --history --run=tidy -i -e 1d f; rm f")
    let gone = sandbox.answers(["--undo-run=tidy"], "", status: 1)
    #expect(gone.end["error"]?.text == "file-not-found")
    #expect(gone.files.first?["message"]?.text?.hasPrefix("does not exist any more") == true)
  }

  @Test func `the log and the search print JSON, too`() {
    sandbox.run("\"$UED\" --history --run=tidy -i -e 1s/one/ONE/ f")
    func lines(_ arguments: [String]) -> [ParsedJSON] {
      sandbox.edit(["--json"] + arguments, []).split(separator: 0x0A)
        .compactMap { Answers.validated(Array($0)) }
    }
    let runs = lines(["--log"])
    #expect(runs.count == 2)
    #expect(runs.first?["name"] == .string("tidy"))
    #expect(runs.first?["files"]?.elements.count == 1)
    #expect(runs.last?["end"] == .bool(true))
    let groups = lines(["--search=ONE"])
    #expect(groups.first?["revision"] == .number(1))
    let undone = lines(["--undo-run=tidy"])
    #expect(undone.last?["files"]?.elements.first?["written"] == .bool(true))
    #expect(sandbox["f"] == Array("one\ntwo\nthree\n".utf8))
  }
}
