import Differential
import TextBuffer
import Testing

@testable import ued

/// Patches made to crash or stop a program.
@Suite struct HostilePatchTests {
  @Test(arguments: seeds(20))
  func `bytes at random are applied or refused`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let patch = (0..<random.below(12)).map { _ in random.pick(HostileGenerator.patchParts) }
        .joined()
      let text = (0..<random.below(6)).map { _ in random.pick(["a\n", "b\n", "\n", "a"]) }.joined()
      _ = try? PatchedText.of(text, by: patch)
    }
  }

  /// Runs `--apply` on a file of 15,000 lines or more, most of them equal.
  private func apply(_ patch: [UInt8], to text: String) {
    let sandbox = Sandbox()
    sandbox["f"] = Array(String(repeating: text, count: 15_000).utf8)
    sandbox["p"] = Array("--- f\n+++ f\n".utf8) + patch
    let said = sandbox.transcript("\"$UED\" --check --apply=p")
    #expect(said == "4\n" || said.hasPrefix("ued: ") && said.hasSuffix("\n1\n"), "\(said)")
  }

  /// A patch that is mostly one part, repeated.
  struct LongPatch: CustomTestStringConvertible, Sendable {
    var start = ""
    let part: String
    let count: Int
    var end = ""

    var text: String { start + String(repeating: part, count: count) + end }
    // The text itself would fill the log.
    var testDescription: String { "\(count) times \(part.debugDescription)" }
  }

  @Test(arguments: [
    // Many hunks, each far from its place, with lines that occur everywhere.
    LongPatch(part: "@@ -14999 +14999 @@\n a\n a\n-a\n a\n b\n", count: 5_000),
    LongPatch(part: "@@ -1 +1 @@\n a\n", count: 50_000),
    LongPatch(part: "--- f\n+++ f\n", count: 50_000),
    LongPatch(part: "@@\n+a\n", count: 50_000),
    LongPatch(start: "@@ -1 +1 @@\n", part: " a\n", count: 40_000, end: "-b\n"),
    LongPatch(start: "@@ -1 +1 @@\n", part: "\n", count: 100_000, end: "x\n"),
    LongPatch(part: "@@ -1 +1 @@\n\n\n\n\n", count: 25_000),
    LongPatch(part: "x", count: 2_000_000),
  ])
  func `a patch takes at most linear time`(_ patch: LongPatch) {
    // Quadratic time would be hours, and a hang fails the test.
    apply(Array(patch.text.utf8), to: "a\n")
    apply(Array(patch.text.utf8), to: "a\na\nb\na\n")
  }

  @Test func `thousands of hunks without line numbers find their places`() {
    let sandbox = Sandbox()
    sandbox.run(
      """
      awk 'BEGIN { for (; i < 100000; i++) print i % 3 ? "line " i : "}" }' >f
      awk 'BEGIN { print "--- f\\n+++ f"
        for (; i < 3000; i++) print "@@\\n }\\n-line " 33 * i + 1 "\\n+new\\n line " 33 * i + 2 }' >p
      "$UED" --apply=p; test $(grep -c new f) = 3000; test $(grep -c line f) = 63666
      """)
  }

  @Test func `a search that takes too long says so`() throws {
    let patch = Array("@@\n a\n-b\n@@\n-b\n a\n".utf8)
    let hunks = try UnifiedPatch(patch).files[0].hunks
    let text = PieceTable(String(repeating: "a\na\nc\nb\nb\n", count: 50) + "a\nb\n\nb\na\n")
    func message(_ budget: Int) -> String? {
      do {
        _ = try HunkPlacement(of: hunks, in: text, isUnterminated: false, budget: budget)
        return nil
      } catch {
        return String(decoding: ErrorEntry(.patch(error)).message, as: UTF8.self)
      }
    }
    #expect(message(150) == nil)
    #expect(
      message(50)
        == "hunk 1 (line 1 of the patch): the search for it takes too long; add rarer context lines, or correct the line in its '@@'"
    )
  }

  @Test func `the lines behind an anchor are searched, and no others`() throws {
    let numbers = 0..<300
    let patch = numbers.map { "@@ def f\($0)\n-  x\n+  y\n" }.joined()
    let text = PieceTable(numbers.map { "def f\($0)\n  a\n\n  x\n\n" }.joined())
    let hunks = try UnifiedPatch(
      Array("*** Begin Patch\n*** Update File: f\n\(patch)*** End Patch\n".utf8)
    ).files[0].hunks
    let placement = try HunkPlacement(of: hunks, in: text, isUnterminated: false, budget: 600)
    #expect(placement.changes.map(\.lines.first.value) == numbers.map { 5 * $0 + 4 })
  }

  /// Makes a patch `p` of `count` files, each with two names.
  private func makePatch(ofFiles count: Int, in sandbox: Sandbox) {
    let difference = #"--- f%d.orig\n+++ f%d\n@@ -1 +1 @@\n-a\n+b\n"#
    sandbox.run("awk 'BEGIN { for (; i < \(count); i++) printf \"\(difference)\", i, i }' >p")
  }

  @Test func `promise 23: a patch of many files takes time in proportion to them`() {
    let sandbox = Sandbox()
    for count in [1000, 8000] {
      makePatch(ofFiles: count, in: sandbox)
      // Processor time in milliseconds.
      sandbox.run(
        """
        TIMEFORMAT='%U %S'; { time exits 2 "$UED" --check --apply=p 2>said; } 2>time
        test $(wc -l <said) = \(count); awk '{ print int(1000 * ($1 + $2)) }' time >>times
        """)
    }
    // Quadratic time would be 64 times as long.
    sandbox.run(
      "{ read -r small; read -r large; } <times; test $large -lt $((24 * small))")
  }

  @Test(arguments: [("INT", 1), ("TERM", 143), ("HUP", 129)])
  func `promise 21: a signal ends the reading of a patch`(_ signal: String, _ status: Int32) {
    let sandbox = Sandbox()
    makePatch(ofFiles: 200_000, in: sandbox)
    sandbox.run(
      """
      "$UED" --check --apply=p 2>said & pid=$!
      awaits eval 'read -r _ count </proc/$pid/io; test $count -gt $(stat -c %s p)'
      kill -\(signal) $pid; exits \(status) wait $pid; test $(wc -l <said) -le 1
      """)
  }
}
