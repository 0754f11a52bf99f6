import Testing

@testable import ued

/// The results of single patches, and the reasons for refused ones.
@Suite struct PatchTableTests {
  /// A patch, the text it applies to (by default the lines `1` to `9`), and the result.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let old: String
    let patch: String
    let new: String

    init(
      _ name: String, old: String = "1\n2\n3\n4\n5\n6\n7\n8\n9\n", _ patch: String, _ new: String
    ) {
      (testDescription, self.old, self.patch, self.new) = (name, old, patch, new)
    }
  }

  private static let cases = [
    Case("wrong counts", "@@ -3,77 +3 @@\n 3\n-4\n+four\n", "1\n2\n3\nfour\n5\n6\n7\n8\n9\n"),
    Case("no numbers", "@@\n 3\n-4\n+four\n@@ ... @@ f()\n-9\n", "1\n2\n3\nfour\n5\n6\n7\n8\n"),
    Case(
      "numbers that are far too large",
      "@@ -99999999999999999999,3 +18446744073709551616 @@\n 3\n-4\n+four\n",
      "1\n2\n3\nfour\n5\n6\n7\n8\n9\n"),
    Case(
      "negative numbers", "@@ --3,-1 +-3,2 @@\n 3\n-4\n+four\n", "1\n2\n3\nfour\n5\n6\n7\n8\n9\n"),
    Case(
      "prose and fences",
      "So:\n\n```diff\n@@ -3,2 +3,2 @@\n 3\n-4\n+four\n```\n- that is all\n+ nothing more\n",
      "1\n2\n3\nfour\n5\n6\n7\n8\n9\n"),
    Case(
      "prose behind a hunk that is complete",
      "@@ -3,2 +3,2 @@\n 3\n-4\n+four\nThat is all:\n- four\n  indented\n",
      "1\n2\n3\nfour\n5\n6\n7\n8\n9\n"),
    Case(
      "prose behind a hunk with wrong counts",
      "@@ -3,7 +3,9 @@\n 3\n-4\n+four\n\nThat is all.\n@@ -9 +9 @@\n-9\n+nine\nThe end.\n",
      "1\n2\n3\nfour\n5\n6\n7\n8\nnine\n"),
    Case("a signature", "@@ -9 +9 @@\n-9\n+nine\n-- \n2.39\n", "1\n2\n3\n4\n5\n6\n7\n8\nnine\n"),
    Case(
      "no newline behind a fence", "```diff\n@@ -9 +9 @@\n-9\n+nine\n```\nThat is all.",
      "1\n2\n3\n4\n5\n6\n7\n8\nnine\n"),
    Case(
      "the end of a fence alone", "@@ -9 +9 @@\n-9\n+nine\n```\n",
      "1\n2\n3\n4\n5\n6\n7\n8\nnine\n"),
    Case(
      "fewer lines than in the header", "@@ -3,9 +3,9 @@\n 3\n-4\n+four\n 5\n",
      "1\n2\n3\nfour\n5\n6\n7\n8\n9\n"),
    Case(
      "fewer lines at the end of the text", "@@ -8,9 +8,9 @@\n 8\n-9\n+nine\n",
      "1\n2\n3\n4\n5\n6\n7\n8\nnine\n"),
    Case(
      "a correct line number with wrong counts", old: "1\nx\n2\n3\n1\nx\n2\n",
      "@@ -5,9 +5,9 @@\n 1\n-x\n+y\n 2\n", "1\nx\n2\n3\n1\ny\n2\n"),
    Case("any number in an empty text", old: "", "@@ -7,0 +9 @@\n+a\n", "a\n"),
    Case(
      "empty context lines without their blank", old: "a\n\nb\n\nc\n",
      "@@ -1,5 +1,5 @@\n a\n\n-b\n+B\n\n c\n", "a\n\nB\n\nc\n"),
    Case(
      "a patch with CR-LF for LF", old: "a\nb\n",
      "--- a/f\r\n+++ b/f\r\n@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+c\r\n", "a\nc\n"),
    Case(
      "an end of line that changes", old: "a\r\nb\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+b\n",
      "a\r\nb\n"),
    Case(
      "the end without a newline", old: "a\nb",
      "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+c\n", "a\nc\n"),
    Case(
      "a missing newline of which the patch says nothing", old: "a\nb",
      "@@ -1,2 +1,2 @@\n-a\n+A\n b\n", "A\nb"),
    Case(
      "a hunk that has moved as far as the one before", old: "0\na\nb\n1\nx\n1\n2\n1\nx\n1\n",
      "@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -7,3 +7,3 @@\n 1\n-x\n+y\n 1\n",
      "0\nA\nb\n1\nx\n1\n2\n1\ny\n1\n"),
    Case("a new text", old: "", "@@ -0,0 +1,2 @@\n+a\n+b\n", "a\nb\n"),
    Case("a text that goes", old: "a\n", "@@ -1 +0,0 @@\n-a\n", ""),
    Case(
      "a change behind text without a newline", old: "a\n",
      "@@ -1 +1,2 @@\n a\n+b\n\\ No newline at end of file\n", "a\nb"),
  ]

  @Test(arguments: cases)
  func `a patch is applied`(_ row: Case) throws {
    #expect(try PatchedText.of(row.old, by: row.patch) == row.new)
  }

  @Test(arguments: [
    ("", PatchError.hasNoChanges), ("no patch\n+nor this\n", .hasNoChanges),
    (
      "- Do:\n\n  ```diff\n  --- a\n  +++ b\n  @@ -1 +1 @@\n  -1\n  +a\n  ```\n",
      .isIndented(line: 6)
    ),
    ("> quote\n\t*** Begin Patch\n\t*** End Patch\n", .isIndented(line: 2)),
    (" <<<<<<< SEARCH\n 1\n =======\n >>>>>>> REPLACE\n", .isIndented(line: 1)),
    ("--- a\n+++ b\n", .hasNoChanges), ("@@@ -1 -1 +1 @@@\n", .isCombined(line: 1)),
    ("Binary files a/x and b/x differ\n", .isBinary(line: 1)),
    ("diff --git a/x b/x\nGIT binary patch\n", .isBinary(line: 2)),
    ("diff --git a/x b/x\nnew file mode 120000\n", .isLinkOrSubmodule(line: 2)),
    ("diff --git a/x b/y\ncopy from x\n", .isCopy(line: 2)), ("@@ -1 +1 @@\n", .badHeader(line: 1)),
    ("@@ -1 +1 @@\n\\ No newline\n", .strayLine(2)),
    ("@@ -1,9 +1,9 @@\n-1\n+a\nlost\n+b\n", .strayLine(4)),
    ("@@ -1,2 +1,4 @@\n 1\n+n\nlost\n 2\n", .strayLine(4)),
    ("@@\n 1\n+n\nlost\n 2\n", .strayLine(4)), ("@@\n-1\n+n\nlost\n\\ No newline\n", .strayLine(4)),
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
    ), ("@@ -1 +1 @@\n-1\n+a\n\n-2\n", .strayLine(5)),
    ("@@ -1 +1 @@\n-1\n+a", .isCutOff(line: 3)),
    ("Done:\n````diff\n@@ -1 +1 @@\n-1\n+a\n```\n", .isCutOff(line: 2)),
    ("@@ -1,3 +1,3 @@\n-1\n+a\n", .isCutOff(line: 1)),
    ("@@ -1,2 +1,3 @@\n 1\n 2\n", .isCutOff(line: 1)),
    ("@@ -1 +1 @@\n-1\n+a\ndiff --git a/g b/g\nindex 1..2\n", .isCutOff(line: 4)),
    ("@@ -1 +1 @@\n-1\n+a\nNext:\n--- a/g\n+++ b/g\n", .isCutOff(line: 1)),
    ("@@ -1 +1 @@\n-1\n\\ x\n-2\n+b\n", .strayLine(4)),
    ("@@ -1 +1 @@\n-1\n+a\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-1\n+2\n", .hasSeveralFiles(2)),
  ])
  func `a patch that is unclear is refused`(_ patch: String, _ error: PatchError) {
    #expect(throws: error) { try PatchedText.of("1\n2\n", by: patch) }
  }

  @Test(arguments: [
    ("@@ -2 +2 @@\n-a\n+c\n", "b\na\nx\nb\na\nb\n", nil),
    (
      "@@ -3 +3 @@\n-a\n+c\n", "b\na\nx\na\n",
      "fits at line 2 and at line 4; add context lines, or correct the line in its '@@'"
    ),
    // The nearest of several places may be a copy that was inserted above.
    (
      "@@ -4,3 +4,3 @@\n 1\n-x\n+y\n 1\n", "1\nx\n1\n2\n1\nx\n1\n",
      "fits at line 5 and at line 1; add context lines, or correct the line in its '@@'"
    ),
    (
      "@@ -1 +1 @@\n-a\n+A\n@@ -2,2 +2,2 @@\n-x\n+y\n 2\n", "0\na\n1\nx\n2\nx\n2\n",
      "fits at line 4 and at line 6; add context lines"
    ),
    ("@@ -3 +3 @@\n-a\n+c\n", "b\na\nx\nx\nx\n", nil),
    (
      "@@ -3,3 +3,3 @@\n x\n-a\n+c\n y\n", "x\na\ny\n0\n0\n0\nx\na\ny\n",
      "fits at line 1 and at line 7; add context lines, or correct the line in its '@@'"
    ),
    ("@@ -3,3 +3,3 @@\n x\n-a\n+c\n y\n", "0\n0\n0\nx\na\ny\n", nil),
    (
      "@@ -2,2 +2,2 @@\n-a\n-b\n+c\n+d\n", "a\nb\n0\n0\na\nb\n",
      "fits at line 1 and at line 5; add context lines, or correct the line in its '@@'"
    ),
    ("@@\n-a\n+c\n", "a\nb\nb\na\n", "fits at line 1 and at line 4; add context lines"),
    (
      "@@ -3,9 +3,9 @@\n 1\n-x\n+y\n 2\n", "1\nx\n2\n3\n4\n1\nx\n2\n",
      "fits at line 1 and at line 6; add context lines, or correct the line in its '@@'"
    ),
    (
      "@@ -1,5 +1,5 @@\n 1\n 2\n-3\n+t\n 4\n", "1\n2\n3\n4\n5\n6\n",
      "line 1 of the patch begins what is not complete: the patch was cut off"
    ),
    ("@@\n+c\n", "a\n", "adds lines, and does not say where; add context lines"),
    ("@@ -9,0 +9 @@\n+c\n", "a\n", "does not fit: none of its lines is there"),
    (
      "@@ -1,3 +1,3 @@\n one\n two\n-three\n+3\n", "zero\none\ntwo\ntree\n",
      "does not fit; nearest is line 2, but line 4 is 'tree', not 'three'"
    ),
    (
      "@@ -1,2 +1,2 @@\n one\n-two\n+2\n", "one\n",
      "does not fit; nearest is line 1, but 'two' is missing before line 2"
    ),
    (
      "@@ -1 +1 @@\n-one\n+two\n", "two\n", "the patch is already applied; already so: line 1"
    ),
    (
      "@@\n-0\n+1\n@@\n-0\n+3\n+4\n@@\n-0\n+6\n@@\n-0\n+8\n", "1\n2\n3\n4\n5\n6\n7\n8\n",
      "the patch is already applied; already so: line 1, lines 3-4, line 6, … 1 more"
    ),
    ("@@ -1,3 +1,2 @@\n 1\n-0\n 2\n", "1\n2\n", "the patch is already applied"),
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
  func `a hunk that does not fit is reported with its place`(
    _ patch: String, _ text: String, _ message: String?
  ) {
    var found: String?
    do { _ = try PatchedText.of(text, by: patch) } catch {
      if let error = error as? PatchError {
        found = String(decoding: ErrorEntry(.patch(error)).message, as: UTF8.self)
      }
    }
    #expect(found.map { String($0.suffix(message?.count ?? 0)) } == message, "\(found ?? "")")
  }
}
