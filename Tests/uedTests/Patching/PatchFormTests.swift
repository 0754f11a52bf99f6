import Differential
import Testing

@testable import ued

/// Patches in forms other than unified diffs.
@Suite struct PatchFormTests {
  private let sandbox = Sandbox()

  @Test(arguments: [
    "```\nf\n<<<<<<< SEARCH\none\n=======\nONE\n>>>>>>> REPLACE\n",
    "f\n```\n<<<<<<< SEARCH\none\n=======\nONE\n>>>>>>> REPLACE\n",
    "f\n<<<<<<< SEARCH\none\n=======\nONE\n>>>>>>> REPLACE\n\ng\n```python\n",
    "f\n<<<<<<< SEARCH\none\n=======\nONE\n>>>>>>> REPLACE\n\ng.tx",
    "```\n*** Begin Patch\n*** Update File: f\n@@\n-one\n+ONE\n*** End Patch\n",
    "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-one\n+ONE\n```diff\n",
    "diff --git a/f b/g\nsimilarity index 100%\nrename from f\n",
  ])
  func `a patch that ends in an open fence, in a line or between two names is cut off`(
    _ patch: String
  ) {
    sandbox["f"] = Array("one\n".utf8)
    sandbox["p"] = Array(patch.utf8)
    #expect(sandbox.shell("\"$UED\" --apply=p", status: 1).contains("was cut off"))
    #expect(sandbox["f"] == Array("one\n".utf8))
  }

  @Test(arguments: ["```\nThat is all.", "", "```"])
  func `text behind a closed fence, or a mark, needs no newline`(_ end: String) {
    sandbox["f"] = Array("one\n".utf8)
    let block = "<<<<<<< SEARCH\none\n=======\nONE\n>>>>>>> REPLACE"
    sandbox["p"] = Array((end.isEmpty ? "f\n\(block)" : "f\n```\n\(block)\n\(end)").utf8)
    sandbox.run("\"$UED\" --apply=p; echo ONE | cmp - f")
  }

  @Test func `an envelope adds, deletes, renames and updates files, all or none`() {
    sandbox.run(
      """
      printf 'class A:\\n  def f():\\n    return 0\\n\\nclass B:\\n  def f():\\n    return 0\\n' >a; cp a old
      echo x >gone; seq 3 >mv; mkdir d
      cat >p <<'END'
      I add a class:
      ```
      *** Begin Patch
      *** Update File: a
      @@ class B:
      @@   def f():
      -    return 0
      +    return 1
      *** Add File: d/e/new
      +one
      +
      *** Delete File: gone
      *** Update File: mv
      *** Move to: d/moved
      @@
       1
      -2
       3
      *** End of File
      *** End Patch
      ```
      END
      "$UED" --check --apply=p || [ $? = 4 ]; cmp a old
      "$UED" --history --run=K --atomic --apply=p
      sed '7s/0/1/' old | cmp a -; printf 'one\\n\\n' | cmp d/e/new -; printf '1\\n3\\n' | cmp d/moved -
      test ! -e gone; test ! -e mv
      fails "$UED" --atomic --apply=p 2>said; grep -q 'a: the patch is already applied' said
      "$UED" --undo-run=K; cmp a old; echo x | cmp gone -; seq 3 | cmp mv -; test ! -e d/moved
      """)
  }

  @Test func `blocks of search and replace name their file above`() {
    sandbox.run(
      """
      seq 9 >f; mkdir sub; printf 'a\\r\\nb\\r\\n' >sub/g
      cat >p <<'END'
      Two changes.

      f
      ```python
      <<<<<<< SEARCH
      2
      3
      =======
      2
      three
      >>>>>>> REPLACE
      <<<<<<< SEARCH
      8
      =======
      >>>>>>> REPLACE
      ```
      **`sub/g`**:
      ```
      <<<<<<< SEARCH
      b
      =======
      c
      d
      >>>>>>> REPLACE
      ```
      new
      <<<<<<< SEARCH
      =======
      first
      >>>>>>> REPLACE
      That is all
      END
      "$UED" --atomic --apply=p
      printf '1\\n2\\nthree\\n4\\n5\\n6\\n7\\n9\\n' | cmp f -; printf 'a\\r\\nc\\r\\nd\\r\\n' | cmp sub/g -
      echo first | cmp new -
      fails "$UED" --apply=p 2>said; grep -q 'new: the patch is already applied' said
      printf 'apply <<E\\n<<<<<<< SEARCH\\n1\\n=======\\none\\n>>>>>>> REPLACE\\nE\\n' | "$UED" -i f
      test "$(head -n 1 f)" = one
      """)
  }

  /// The lines below `*** Update File`, and the message; no file changes.
  @Test(arguments: [
    ("@@\n-x\n+y\n", "fits at line 1 and at line 3; add context lines"),
    ("@@ nope\n-a\n+y\n", "is to be behind 'nope', which is not there"),
    ("@@ b\n-a\n+y\n", "fits at line 2, but not below 'b'; correct its '@@'"),
    ("@@ b\n-a\n-z\n+y\n", "does not fit; nearest is line 2, but line 3 is 'x', not 'z'"),
    ("@@ b\n+y\n", "adds lines, and does not say where"),
    ("@@ b\n+y\n*** End of File\n", "adds lines, and does not say where"),
    (
      "@@\n-a\n+y\n*** End of File\n",
      "fits at line 2, but the text does not end there, as the '*** End of File' in the patch says"
    ),
    ("@@\n-x\n+y\n*** End of File\n", "fits at line 3, but the text does not end there"),
    ("@@\n-b \n+y\n", "line 4 differs in trailing blanks: 'b', not 'b '"),
    ("@@\n a\nb\n", "line 5 of the patch"),
    ("*** Copy File: f\n", "line 3 of the patch"),
    ("@@\n a\n-\n+b\n", "line 3 is 'x', not ''"),
    // Lines of a new file without '+'.
    ("@@\n-b\n+B\n*** Add File: n\n+x\n\n+y\n", "line 8 of the patch lacks its '+'"),
    ("@@\n-b\n+B\n*** Add File: n\nx\n", "line 7 of the patch lacks its '+'"),
    ("@@\n-b\n+B\n*** Add File: n\n+x\n y\n", "line 8 of the patch lacks its '+'"),
    ("@@\n-b\n+B\n*** Add File: n\n+x\n\ny\n", "line 9 of the patch lacks its '+'"),
    ("", "ued: p: the patch changes nothing: it has no hunk, which would begin with '@@'\n"),
    (
      "*** Add File: n\n+x\n",
      "ued: p: line 2 of the patch names a file without a hunk, which would begin with '@@'\n"
    ),
  ])
  func `an envelope that does not fit is refused`(_ chunk: String, _ message: String) {
    sandbox["f"] = Array("x\na\nx\nb\n".utf8)
    sandbox["p"] = Array("*** Begin Patch\n*** Update File: f\n\(chunk)*** End Patch\n".utf8)
    let said = sandbox.shell("\"$UED\" --apply=p", status: 1)
    #expect(said.contains(message))
    #expect(sandbox["f"] == Array("x\na\nx\nb\n".utf8) && sandbox["n"] == nil)
  }

  /// A text, a hunk at its end, and the result. A second run changes nothing.
  @Test(arguments: [
    ("a\nx\nb\nx\n", "@@\n-x\n+y\n", "a\nx\nb\ny\n"),
    ("a\nx\nb\nx", "@@\n-x\n+new\n+y\n", "a\nx\nb\nnew\ny"),
    ("a\nx\na\nx\n", "@@ a\n a\n-x\n", "a\nx\na\n"),
    ("x\r\nx\r\n", "@@\n x\n+last\n", "x\r\nx\r\nlast\r\n"),
    ("x\n", "@@\n+last\n", "x\nlast\n"),
  ])
  func `a hunk above 'End of File' fits only at the end`(
    _ old: String, _ hunk: String, _ new: String
  ) {
    sandbox["f"] = Array(old.utf8)
    sandbox["p"] = Array(
      "*** Begin Patch\n*** Update File: f\n\(hunk)*** End of File\n*** End Patch\n".utf8)
    sandbox.run("\"$UED\" --apply=p")
    #expect(sandbox["f"] == Array(new.utf8))
    #expect(sandbox.shell("\"$UED\" --apply=p", status: 1).hasPrefix("ued: f: "))
    #expect(sandbox["f"] == Array(new.utf8))
  }

  /// Patches with a line that may not mean what ued would do; nothing is changed.
  @Test(arguments: [
    // Lines outside of the form.
    "*** Begin Patch\n*** Update File: f\n@@\n-a\n+A\n*** End Patch\n*** Update File: g\n@@\n-b\n+B\n",
    "*** Begin Patch\n*** Update File: f\n@@\n-a\n+A\n*** End Patch\n*** Delete File: g\n",
    "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+A\n*** Update File: g\n@@\n-b\n+B\n",
    "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+A\n+++ g\n@@ -2 +2 @@\n-b\n+B\n",
    "f\n<<<<<<< SEARCH\na\n=======\nA\n>>>>>>> REPLACE\n--- f\n+++ f\n@@ -2 +2 @@\n-b\n+B\n",
    // Marks that are not as they should be.
    "f\n<<<<<<< SEARCH\na\n=======\nA\n<<<<<<< SEARCH\nb\n=======\nB\n>>>>>>> REPLACE\n",
    "f\n<<<<<<< SEARCH\na\n=======\nA\n=======\nB\n>>>>>>> REPLACE\n",
    "f\n<<<<<<< SEARCH\na\n=======\nA\n>>>>>>> REPLACE\n<<<<<<< search\nb\n=======\nB\n>>>>>>> replace\n",
    "f\n<<<<<<< SEARCH\na\n=======\nA\n>>>>>>> REPLACE\n  <<<<<< SEARCH\nb\n",
    // Two places fit, one of them above another block.
    "f\n<<<<<<< SEARCH\nb\n=======\nB\n>>>>>>> REPLACE\n<<<<<<< SEARCH\na\n=======\nA\n>>>>>>> REPLACE\n",
    // A sentence does not make a new file.
    "Now I write it:\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n",
  ])
  func `an ambiguous patch is refused`(_ patch: String) {
    sandbox["f"] = Array("a\nb\na\n".utf8)
    sandbox["g"] = Array("b\n".utf8)
    sandbox["p"] = Array(patch.utf8)
    let said = sandbox.shell("\"$UED\" --apply=p; exit $?", status: 1)
    #expect(said.hasPrefix("ued: "))
    #expect(sandbox["f"] == Array("a\nb\na\n".utf8) && sandbox["g"] == Array("b\n".utf8))
    #expect(sandbox["Now I write it"] == nil)
  }

  /// A block with a wrong mark, and the line of that.
  @Test(arguments: [
    ("<<<<<<< SEARCH f\na\n=======\nc\n>>>>>>> REPLACE\n", 2),
    ("<<<<<<<SEARCH\na\n=======\nc\n>>>>>>> REPLACE\n", 2),
    ("<<<<<<< SEARCH\na\n=======\nc\n>>>>>>> REPLACE f\n", 6),
    ("<<<<<<< SEARCH\na\n======= f\nc\n>>>>>>> REPLACE\n", 4),
    ("<<<<<<< SEARCH\na\n=======\nc\n>>>>>>> REPLACE\n<<<<<<< search\n", 7),
  ])
  func `the error of a wrong mark has the right ones`(_ block: String, _ line: Int) {
    sandbox["f"] = Array("a\n".utf8)
    sandbox["p"] = Array("f\n\(block)".utf8)
    let said = sandbox.shell("\"$UED\" --apply=p; exit $?", status: 1)
    #expect(
      said
        == "ued: p: line \(line) of the patch is not understood; a block has '<<<<<<< SEARCH', "
        + "'=======' and '>>>>>>> REPLACE', each alone on a line\n")
    #expect(sandbox["f"] == Array("a\n".utf8))
  }

  @Test func `a hunk after a line stays in the indented block below it`() {
    sandbox.run(
      """
      printf 'def a():\\n  x = 1\\n\\ndef b():\\n  x = 1\\n' >f
      printf '*** Begin Patch\\n*** Update File: f\\n@@ def a():\\n-  x = 1\\n+  x = 2\\n*** End Patch\\n' >p
      "$UED" --apply=p; cp f once; fails "$UED" --apply=p 2>said; cmp f once; grep -q 'already applied' said
      sed -i '2s/2/9/' f; cp f other; fails "$UED" --apply=p 2>said; cmp f other
      grep -q "fits at line 5, but not in the lines indented below 'def a():'; correct its '@@'$" said
      printf 'b\\na\\n' >f; printf 'f\\n<<<<<<< SEARCH\\na\\n=======\\nA\\n>>>>>>> REPLACE\\n' >p
      printf '<<<<<<< SEARCH\\nb\\n=======\\nB\\n>>>>>>> REPLACE\\n' >>p
      "$UED" --apply=p; printf 'B\\nA\\n' | cmp f -
      """)
  }

  /// The new text may stand where another edit, or nobody, has put it.
  @Test func `a patch whose result is there names the line, as replace does`() {
    sandbox["f"] = Array("f():\n  return 0\ng():\n  return 1\n".utf8)
    sandbox["p"] = Array(
      "f\n<<<<<<< SEARCH\n  return 2\n=======\n  return 0\n>>>>>>> REPLACE\n".utf8)
    sandbox.run(
      """
      exits 1 "$UED" --apply=p 2>said
      grep -q '^ued: f: the patch is already applied; already so: line 2$' said
      exits 1 "$UED" -i -e 'replace <<O <<N' -e '  return 2' -e O -e '  return 0' -e N f 2>said
      grep -q 'already so: line 2$' said
      exits 1 "$UED" --json --apply=p >answer; jq -e '.files[0].hint.lines == [{"number": 2, "text": "  return 0"}]' answer
      """)
  }

  @Test(arguments: [
    "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n",
    "f\n<<<<<<< SEARCH\na\n=======\nb\n", "f\n<<<<<<< SEARCH\na\n",
  ])
  func `a patch without an end is refused`(_ patch: String) {
    sandbox["f"] = Array("a\n".utf8)
    let said = sandbox.shell("printf '\(patch)' | \"$UED\" --apply=-", status: 1)
    #expect(said.contains("the patch was cut off"))
    #expect(sandbox["f"] == Array("a\n".utf8))
  }

  @Test func `each file of a patch or a run that fails has an error and a hint`() {
    sandbox.run(
      """
      seq 5 >f; seq 5 >g; printf -- '--- f\\n+++ f\\n@@\\n 1\\n-two\\n+x\\n--- g\\n+++ g\\n@@\\n-4 \\n+y\\n' >p
      "$UED" --json --apply=p >answer || [ $? = 1 ]; test -s answer
      jq -e '[.files[] | [.path, .error, .hint.difference.found, .hint.lines[0].number]] ==
        [["f", "hunk-rejected", "2", 1], ["g", "hunk-rejected", "4", 4]]' answer
      "$UED" --history --run=K -i -e 2s/2/x/ f g; "$UED" --history -i -e 2s/x/y/ f g
      "$UED" --json --undo-run=K >answer || [ $? = 1 ]; test -s answer
      jq -e '[.files[] | [.error, .hint.lines, .hint.revisions]] | unique ==
        [["conflict", [{"number": 2, "text": "y"}], [2]]]' answer
      """)
  }

  @Test func `a group of a patch is named after its changes`() {
    sandbox.run(
      """
      seq 30 >f; cp f g; sed -i -e 3d -e '7,8s/$/x/' -e '20a new' -e 25d -e 29d g
      { diff -U0 f g || :; } | sed '2s/g/f/' >p; "$UED" --history --apply=p
      "$UED" --history -s -e 'history 1' f | grep -q \
        'Apply p: delete line 3, replace lines 7-8, append 1 line after line 20, … 2 more$'
      """)
  }

  @Test func `a patch given as a script gives a hint to the right option`() {
    sandbox["f"] = Array("a\n".utf8)
    for start in ["*** Begin Patch", "<<<<<<< SEARCH", "--- a/f", "diff --git a/f b/f"] {
      sandbox["p"] = Array("\(start)\n".utf8)
      let said = sandbox.shell("\"$UED\" -i f <p", status: 1)
      #expect(said.contains("a patch is no script; 'ued --apply=FILE' takes it"))
    }
  }

  /// Both forms of random edits make the same text.
  @Test(arguments: seeds(40))
  func `random edits in either form have the intended result`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let old = (0..<30).map { "line \($0) \(random.below(3))" }
    var (new, envelope, blocks) = ([String](), "*** Begin Patch\n*** Update File: f\n", "f\n")
    var index = 0
    while index < old.count {
      let count = 1 + random.below(4)
      let part = old[index..<min(index + count, old.count)]
      index += count
      if random.below(2) == 0 {
        new += part
        continue
      }
      let added = (0..<random.below(3)).map { "new \(index) \($0)" }
      new += added
      envelope += "@@\n" + part.map { "-\($0)\n" }.joined() + added.map { "+\($0)\n" }.joined()
      let lines = ["<<<<<<< SEARCH"] + Array(part) + ["======="] + added + [">>>>>>> REPLACE"]
      blocks += lines.map { "\($0)\n" }.joined()
    }
    guard new != old else { return }
    for patch in [envelope + "*** End Patch\n", blocks] {
      sandbox["f"] = Array(old.map { $0 + "\n" }.joined().utf8)
      sandbox["p"] = Array(patch.utf8)
      sandbox.run("\"$UED\" --apply=p")
      #expect(sandbox["f"] == Array(new.map { $0 + "\n" }.joined().utf8))
    }
  }
}
