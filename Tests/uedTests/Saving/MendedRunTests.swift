import Differential
import Testing

/// Runs over several folders that were killed, and what the next commands find.
@Suite struct MendedRunTests {
  private let sandbox = Sandbox()

  /// Makes two files and kills a run over both at a call of one kind. The first file that is renamed is the key.
  private func kill(at call: String, _ number: Int = 3) {
    sandbox.run(
      """
      mkdir d; echo a >x; echo r >d/y
      strace -f -qq -o trace -e trace=\(call) -e inject=\(call):signal=KILL:when=\(number) \
        "$UED" --atomic -i -e '1s/$/!/' x d/y && exit 9; true
      """)
  }

  @Test(arguments: 2...5)
  func `promise 18: a run of which one folder is cleared is over, whatever is edited there`(
    _ step: Int
  ) {
    kill(at: "unlinkat", step)
    sandbox.run(
      """
      for round in 1 2 3; do "$UED" -i -e 's/$/1/' x 2>>said; done
      "$UED" -e p d/y >out 2>>said
      test "$(cat x d/y)" = "$(printf 'a!111\\nr!')" || exit 7
      ! grep -q previous said || exit 6
      test -z "$(ls -A . d | grep '^\\.ued')" || exit 5
      """)
  }

  @Test(arguments: [
    ("-i -e 'g/a$/s/$/!/' x", "a!\n"), ("-i -e 's/./Q/' x", "Q\n"),
    ("--history -i -e 's/./Q/' x", "Q\n"), ("--atomic -i -e 's/./Q/' x d/y", "Q\n"),
    ("--history -e 's/./Q/' -e w x", "Q\n"), ("--apply=p", "b\n"),
  ])
  func `a run that mends another one works on what that gives`(_ arguments: String, _ text: String)
  {
    sandbox["p"] = Array("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n".utf8)
    kill(at: "renameat2")
    #expect(sandbox["x"] == Array("a!\n".utf8))
    sandbox.run("\"$UED\" \(arguments)")
    #expect(sandbox["x"] == Array(text.utf8))
  }
}
