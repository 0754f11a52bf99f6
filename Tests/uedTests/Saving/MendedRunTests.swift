import Differential
import Testing

/// Killed runs over several folders, and the effect of the next commands.
@Suite struct MendedRunTests {
  private let sandbox = Sandbox()

  /// Makes two files and kills a run over both at a call of one kind. An earlier run has made the key.
  private func kill(at call: String, _ number: Int = 2) {
    sandbox.run(
      """
      mkdir d; echo >x; echo >d/y; "$UED" --atomic -i -e s/^/a/ x d/y; echo r >d/y
      strace -f -qq -o trace -e trace=\(call) -e inject=\(call):signal=KILL:when=\(number) \
        "$UED" --atomic -i -e '1s/$/!/' x d/y || test $? = 137
      """)
  }

  @Test(arguments: 2...5)
  func `promise 18: later edits in a cleared folder do not undo a finished run`(
    _ step: Int
  ) {
    kill(at: "unlinkat", step)
    sandbox.run(
      """
      for round in 1 2 3; do "$UED" -i -e 's/$/1/' x 2>>said; done
      "$UED" -e p d/y >out 2>>said
      test "$(cat x d/y)" = "$(printf 'a!111\\nr!')"
      fails grep previous said; fails grep '^\\.ued' <(ls -A . d)
      """)
  }

  @Test func `if a run of one file can't be undone, the next run undoes it`() {
    sandbox.run(
      """
      echo old >x; echo >y; "$UED" --atomic -i -e s/^/./ x y; echo old >x
      exits 1 strace -f -qq -o trace -e inject=renameat2:error=EIO:when=2+ -e inject=fsync:error=EIO:when=2 \
        "$UED" --atomic -i -e s/old/new/ x 2>said
      grep new x; grep 'the next run will' said; "$UED" -e p x 2>>said; grep old x
      """)
  }

  @Test func `old texts that can't be restored or journaled are kept`() {
    sandbox.run(
      """
      echo old >x
      exits 1 strace -f -qq -o trace -e inject=renameat2:error=EIO:when=2+ -e inject=fsync:error=EIO:when=2 \
        -e inject=readlink,readlinkat:error=ENOENT "$UED" --atomic -i -e s/old/new/ x 2>said
      grep new x; grep 'the old text stays there$' said; "$UED" -e p x 2>>said; grep -r old .ued-old*
      """)
  }

  @Test func `a run that can't read the remains of a killed one is refused`() {
    kill(at: "renameat2")
    sandbox.run(
      """
      exits 1 strace -qqq -o trace -P .ued-$(id -u)-run -e inject=openat:error=EIO "$UED" --atomic -i -e s/a/b/ x
      test "$(cat x)" = 'a!'
      """)
  }

  @Test(arguments: [
    ("-i -e 'g/a$/s/$/!/' x", "a!\n"), ("-i -e 's/./Q/' x", "Q\n"),
    ("--history -i -e 's/./Q/' x", "Q\n"), ("--atomic -i -e 's/./Q/' x d/y", "Q\n"),
    ("--history -e 's/./Q/' -e w x", "Q\n"), ("--apply=p", "b\n"),
  ])
  func `a run that repairs another one uses the repaired files`(_ arguments: String, _ text: String)
  {
    sandbox["p"] = Array("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n".utf8)
    kill(at: "renameat2")
    #expect(sandbox["x"] == Array("a!\n".utf8))
    sandbox.run("\"$UED\" \(arguments)")
    #expect(sandbox["x"] == Array(text.utf8))
  }
}
