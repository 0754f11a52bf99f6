import Differential
import Testing
import TextBuffer

@testable import ued

/// Addresses like `12@7`.
@Suite struct LineTrackingTests {
  private let sandbox = Sandbox()

  @Test func `a line lives on if one command replaces it, not if two do`() {
    sandbox["f"] = Array("1\n2\n3\n4\n".utf8)
    let script = "2d\n2@p\n1a\nnew\n.\n2@p\n2@d\n3@c\nin place\n.\n3@p\nE\n3@0p\nQ\n"
    #expect(
      sandbox.answers(["f"], script, status: 1).codes == [
        "ok", "line-is-gone", "ok", "line-is-gone", "line-is-gone", "ok", "ok", "ok",
        "line-is-gone", "ok",
      ])
  }

  @Test(arguments: ["off", "on"])
  func `after e the opened lines are the other file's`(_ history: String) {
    let sandbox = Sandbox("UED_HISTORY=\(history)")
    sandbox["f"] = Array("1\n2\n3\n".utf8)
    sandbox["g"] = Array("a\nb\nc\nd\n".utf8)
    sandbox["script"] = Array("1d\nE g\n1d\n2@p\n0a\nnew\n.\n4@p\nQ\n".utf8)
    #expect(sandbox.run("\"$UED\" -s f <script") == Array("b\nd\n".utf8))
  }

  @Test func `a line is found as fast after many groups, and inside of one`() {
    sandbox["f"] = Array((1...4000).map { "\($0)\n" }.joined().utf8)
    let edits = (1...2000).map { "\($0 * 2)@0c\n\($0)a\n\($0)b\n.\n" }.joined()
    for script in [edits, "begin\n\(edits)end\n"] {
      let answers = sandbox.answers(["f"], script + "3999@p\nQ\n")
      #expect(answers.outputs.suffix(2) == ["3999", ""])
      #expect(answers.commands.last?["lines"] == .number(6000))
    }
  }

  /// `LINE_STEPS` makes it longer.
  @Test(arguments: seeds(40))
  func `a line of a revision has the place that a model of identities gives`(_ seed: UInt64) {
    var walk = LineWalk(seed: seed)
    for step in 1...setting("LINE_STEPS", or: 60) {
      walk.step()
      if walk.failures.isEmpty { continue }
      let scripts = walk.scripts.suffix(12).joined(separator: "\n")
      Issue.record("step \(step): \(walk.failures.joined(separator: "; "))\n\(scripts)")
      return
    }
  }

  @Test(arguments: [
    "1,5s/^/  /", "g/^/s//  /", "1,5!sed 's/^/  /'", "1,5c <<E\n{1}E",
    "replace <<O <<N\n{0}O\n{1}N",
    "begin\n1,5s/^/  /\n$s/$/!/\nend",
  ])
  func `the lines of an indented block keep their places`(_ command: String) {
    let block = "{\n  f {\n    g();\n  }\n}\n"
    let indented = block.split(separator: "\n").map { "  \($0)\n" }.joined()
    let sandbox = Sandbox("UED_HISTORY=on")
    sandbox["f"] = Array((block + "end\n").utf8)
    sandbox["indent"] = Array(
      command.replacing("{0}", with: block).replacing("{1}", with: indented).utf8)
    sandbox.run(
      #"""
      cp f g; cp f h; { cat indent; echo; } >s; { cat s; echo '4@s/$/ X/'; } >at
      "$UED" -i -f at f; test "$(sed -n 4,5p f)" = $'    } X\n  }'
      { cat s; echo 4undo; } >back; "$UED" -i -f back g; test "$(sed -n 4,5p g)" = $'  }\n  }'
      "$UED" --run=indent -i -f s h; "$UED" -i -e '5s/$/ X/' h
      exits 1 "$UED" --undo-run=indent h 2>said; grep 'changed line 5' said; grep '^  } X' h
      """#)
  }

  @Test func `a line that s makes equal to another one is not that line`() {
    let driver = EditorDriver("1\na\nx\n")
    driver.run("2,3s/[ax]/x/\n3@s/$/!/\n2undo\n")
    #expect(driver.text == "1\na\nx!\n")
  }
}
