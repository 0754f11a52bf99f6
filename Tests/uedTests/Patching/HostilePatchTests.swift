import Differential
import Testing

@testable import ued

/// Patches that somebody made to crash or stop a program.
@Suite struct HostilePatchTests {
  @Test(arguments: seeds(20))
  func `bytes at random are applied or refused`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let parts = [
      "@@ -1,2 +1,2 @@\n", "@@\n", "@@ -0,0 +1 @@\n", "--- a/f\n", "+++ b/f\n", "-a\n", "+b\n",
      " a\n",
      "\n", "\\ No newline\n", "diff --git a/f b/f\n", "rename from f\n", "rename to \"\\777\\\"\n",
      "@@ -9999999999999999999999,0 +0,99999999999 @@\n", "new file mode 100644\n", "-- \n", "\r\n",
      "@@ -2147483647 +1 @@\n", "--- /dev/null\n", "+++ /dev/null\n", "\\\n", "@@ -1 +1 @@", "\0",
    ]
    for _ in 0..<200 {
      let patch = (0..<random.below(12)).map { _ in random.pick(parts) }.joined()
      let text = (0..<random.below(6)).map { _ in random.pick(["a\n", "b\n", "\n", "a"]) }.joined()
      _ = try? PatchedText.of(text, by: patch)
    }
  }

  /// Runs `--apply` on a file of 50,000 lines or more, most of which are the same.
  private func seconds(_ patch: [UInt8], text: String) -> Double {
    let sandbox = Sandbox()
    sandbox["f"] = Array(String(repeating: text, count: 50_000).utf8)
    sandbox["p"] = Array("--- f\n+++ f\n".utf8) + patch
    let clock = ContinuousClock()
    let time = clock.measure {
      sandbox.run("\"$UED\" --check --apply=p >/dev/null 2>&1 || true", seconds: 100)
    }
    return Double(time.components.seconds)
  }

  @Test(arguments: [
    // Many hunks, each far from its place, and each of many lines that are everywhere.
    String(repeating: "@@ -49999 +49999 @@\n a\n a\n-a\n a\n b\n", count: 5_000),
    String(repeating: "@@ -1 +1 @@\n a\n", count: 50_000),
    String(repeating: "--- f\n+++ f\n", count: 50_000),
    String(repeating: "@@\n+a\n", count: 50_000),
    "@@ -1 +1 @@\n" + String(repeating: " a\n", count: 40_000) + "-b\n",
    "@@ -1 +1 @@\n" + String(repeating: "\n", count: 100_000) + "x\n",
    String(repeating: "@@ -1 +1 @@\n\n\n\n\n", count: 25_000),
    String(repeating: "x", count: 2_000_000),
  ])
  func `no patch takes more than time in proportion to its size`(_ patch: String) {
    #expect(seconds(Array(patch.utf8), text: "a\n") < 60)
    #expect(seconds(Array(patch.utf8), text: "a\na\nb\na\n") < 60)
  }
}
