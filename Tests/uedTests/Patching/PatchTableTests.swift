import Testing

@testable import ued

/// What single patches do to a text, and why others are refused.
@Suite struct PatchTableTests {
  /// A patch, and the text that it makes of `1` to `9`, a line each, unless there is another one.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
    let patch: String
    let new: String
  }

  private static let cases = [
    Case(
      testDescription: "wrong counts", patch: "@@ -3,77 +3 @@\n 3\n-4\n+four\n",
      new: "1\n2\n3\nfour\n5\n6\n7\n8\n9\n"),
    Case(
      testDescription: "no numbers", patch: "@@\n 3\n-4\n+four\n@@ ... @@ f()\n-9\n",
      new: "1\n2\n3\nfour\n5\n6\n7\n8\n"),
    Case(
      testDescription: "numbers that are far too large",
      patch: "@@ -99999999999999999999,3 +18446744073709551616 @@\n 3\n-4\n+four\n",
      new: "1\n2\n3\nfour\n5\n6\n7\n8\n9\n"),
    Case(
      testDescription: "negative numbers", patch: "@@ --3,-1 +-3,2 @@\n 3\n-4\n+four\n",
      new: "1\n2\n3\nfour\n5\n6\n7\n8\n9\n"),
    Case(
      testDescription: "prose and fences",
      patch: "So:\n\n```diff\n@@ -3,2 +3,2 @@\n 3\n-4\n+four\n```\n- that is all\n+ nothing more\n",
      new: "1\n2\n3\nfour\n5\n6\n7\n8\n9\n"),
    Case(
      testDescription: "prose behind a hunk that is complete",
      patch: "@@ -3,2 +3,2 @@\n 3\n-4\n+four\nThat is all:\n- four\n  indented\n",
      new: "1\n2\n3\nfour\n5\n6\n7\n8\n9\n"),
    Case(
      testDescription: "prose behind a hunk with wrong counts",
      patch: "@@ -3,7 +3,9 @@\n 3\n-4\n+four\n\nThat is all.\n@@ -9 +9 @@\n-9\n+nine\nThe end.\n",
      new: "1\n2\n3\nfour\n5\n6\n7\n8\nnine\n"),
    Case(
      testDescription: "LF for CR-LF in a text without a newline at the end", old: "a\r\nb\r\nc",
      patch: "@@ -1,2 +1,2 @@\n-a\n+A\n b\n", new: "A\r\nb\r\nc"),
    Case(
      testDescription: "lines behind such an end", old: "a\r\nb\r\nc",
      patch: "@@ -2,2 +2,3 @@\n b\n c\n+d\n", new: "a\r\nb\r\nc\r\nd"),
    Case(
      testDescription: "another such end", old: "a\r\nb\r\nc",
      patch: "@@ -2,2 +2,2 @@\n b\n-c\n\\ No newline\n+d\n\\ No newline\n", new: "a\r\nb\r\nd"),
    Case(
      testDescription: "a newline for such an end", old: "a\r\nb\r\nc",
      patch: "@@ -3 +3 @@\n-c\n\\ No newline\n+c\n", new: "a\r\nb\r\nc\r\n"),
    Case(
      testDescription: "a signature", patch: "@@ -9 +9 @@\n-9\n+nine\n-- \n2.39\n",
      new: "1\n2\n3\n4\n5\n6\n7\n8\nnine\n"),
    Case(
      testDescription: "no newline at the end of the patch", patch: "@@ -9 +9 @@\n-9\n+nine",
      new: "1\n2\n3\n4\n5\n6\n7\n8\nnine\n"),
    Case(
      testDescription: "empty context lines without their blank", old: "a\n\nb\n\nc\n",
      patch: "@@ -1,5 +1,5 @@\n a\n\n-b\n+B\n\n c\n", new: "a\n\nB\n\nc\n"),
    Case(
      testDescription: "a patch with LF for CR-LF", old: "a\r\nb\r\n",
      patch: "@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n", new: "a\r\nc\r\nd\r\n"),
    Case(
      testDescription: "a patch with CR-LF for LF", old: "a\nb\n",
      patch: "--- a/f\r\n+++ b/f\r\n@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+c\r\n", new: "a\nc\n"),
    Case(
      testDescription: "an end of line that changes", old: "a\r\nb\r\n",
      patch: "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+b\n", new: "a\r\nb\n"),
    Case(
      testDescription: "the end without a newline", old: "a\nb",
      patch: "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+c\n", new: "a\nc\n"),
    Case(
      testDescription: "a missing newline of which the patch says nothing", old: "a\nb",
      patch: "@@ -1,2 +1,2 @@\n-a\n+A\n b\n", new: "A\nb"),
    Case(
      testDescription: "the nearer one of two places", old: "x\n1\n2\n3\n4\nx\n",
      patch: "@@ -5 +5 @@\n-x\n+y\n", new: "x\n1\n2\n3\n4\ny\n"),
    Case(testDescription: "a new text", old: "", patch: "@@ -0,0 +1,2 @@\n+a\n+b\n", new: "a\nb\n"),
    Case(testDescription: "a text that goes", old: "a\n", patch: "@@ -1 +0,0 @@\n-a\n", new: ""),
    Case(
      testDescription: "a change behind text without a newline", old: "a\n",
      patch: "@@ -1 +1,2 @@\n a\n+b\n\\ No newline at end of file\n", new: "a\nb"),
  ]

  @Test(arguments: cases)
  func `a patch is applied`(_ row: Case) throws {
    #expect(try PatchedText.of(row.old, by: row.patch) == row.new)
  }

  @Test(arguments: [
    ("", PatchError.hasNoChanges),
    ("no patch\n+nor this\n", .hasNoChanges),
    ("--- a\n+++ b\n", .hasNoChanges),
    ("@@@ -1 -1 +1 @@@\n", .isCombined(line: 1)),
    ("Binary files a/x and b/x differ\n", .isBinary(line: 1)),
    ("diff --git a/x b/x\nGIT binary patch\n", .isBinary(line: 2)),
    ("diff --git a/x b/x\nnew file mode 120000\n", .isNoFile(line: 2)),
    ("diff --git a/x b/y\ncopy from x\n", .isCopy(line: 2)),
    ("@@ -1 +1 @@\n", .badHeader(line: 1)),
    ("@@ -1 +1 @@\n\\ No newline\n", .strayLine(2)),
    ("@@ -1,9 +1,9 @@\n-1\n+a\nlost\n+b\n", .strayLine(4)),
    ("@@ -1,2 +1,4 @@\n 1\n+n\nlost\n 2\n", .strayLine(4)),
    ("@@\n 1\n+n\nlost\n 2\n", .strayLine(4)),
    ("@@\n-1\n+n\nlost\n\\ No newline\n", .strayLine(4)),
    ("@@ -1,2 +1,4 @@\n 1\n 2\n+n\nlost\n", .strayLine(5)),
    ("@@ -1 +1,3 @@\n-1\n+n\nlost\nthis, too\n```\n", .strayLine(4)),
    (
      "diff --git a/f b/f\nnew file mode 100644\n--- a/f\n+++ b/f\n@@\n-1\n",
      .contradictsHeader(line: 3)
    ),
    (
      "diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ b/f\n@@\n-1\n",
      .contradictsHeader(line: 3)
    ),
    (
      "diff --git a/f b/g\nrename from f\nrename to g\n--- a/f\n+++ b/f\n@@\n-1\n",
      .contradictsHeader(line: 4)
    ),
    ("@@ -1 +1 @@\n-1\n+a\n\n-2\n", .strayLine(5)),
    ("@@ -1 +1 @@\n-1\n\\ x\n-2\n+b\n", .strayLine(4)),
    ("@@ -1 +1 @@\n-1\n+a\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-1\n+2\n", .hasSeveralFiles(2)),
  ])
  func `a patch that is unclear is refused`(_ patch: String, _ error: PatchError) {
    #expect(throws: error) { try PatchedText.of("1\n2\n", by: patch) }
  }

  @Test(arguments: [
    ("@@ -2 +2 @@\n-a\n+c\n", "b\na\nx\nb\na\nb\n", nil),
    ("@@ -3 +3 @@\n-a\n+c\n", "b\na\nx\na\n", "fits at line 2 and at line 4; add context lines"),
    ("@@\n-a\n+c\n", "a\nb\nb\na\n", "fits at line 1 and at line 4; add context lines"),
    ("@@\n+c\n", "a\n", "adds lines, and does not say where; add context lines"),
    ("@@ -9,0 +9 @@\n+c\n", "a\n", "does not fit: none of its lines is there"),
    (
      "@@ -1,3 +1,3 @@\n one\n two\n-three\n+3\n", "zero\none\ntwo\ntree\n",
      "does not fit; nearest is line 2, but line 4 is 'tree', not 'three'"
    ),
    (
      "@@ -1,2 +1,2 @@\n one\n-two\n+2\n", "one\n",
      "does not fit; nearest is line 1, but line 2 is not there, not 'two'"
    ),
    ("@@ -1 +1 @@\n-one\n+two\n", "two\n", "the patch is already applied"),
    (
      "@@ -2 +2 @@\n-b\n+B\n@@ -1 +1 @@\n-a\n+A\n", "a\nb\nc\n",
      "fits at line 1, which is not behind the hunk before it; sort them"
    ),
    (
      "@@ -1,2 +1 @@\n a\n-b\n@@ -2,2 +1 @@\n-b\n c\n", "a\nb\nc\n",
      "fits at line 2, which the hunk before it has, too; join them"
    ),
    (
      "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", "a\n",
      "does not fit: its lines are there, but the last one has a newline, and none in the patch"
    ),
    (
      "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", "a\nc\n",
      "fits at line 1, but the text does not end there, as the '\\' in the patch says"
    ),
  ])
  func `a hunk that does not fit is told with its place`(
    _ patch: String, _ text: String, _ message: String?
  ) {
    var found: String?
    do { _ = try PatchedText.of(text, by: patch) } catch {
      if let error = error as? PatchError { found = Messages.text(error) }
    }
    #expect(found.map { String($0.suffix(message?.count ?? 0)) } == message, "\(found ?? "")")
  }
}
