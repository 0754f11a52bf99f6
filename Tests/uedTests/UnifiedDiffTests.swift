import Differential
import Testing
import TextBuffer
import TextLines

@testable import ued

@Suite struct UnifiedDiffTests {
  private let sandbox = Sandbox()

  private func rendered(
    _ old: [UInt8], _ new: [UInt8], _ names: (String, String) = ("old", "new"),
    isColored: Bool = false
  ) -> [UInt8] {
    let (oldText, newText) = (PieceTable(old), PieceTable(new))
    let diff = UnifiedDiff(
      old: UnifiedDiff.Side(text: oldText, name: Array(names.0.utf8)),
      new: UnifiedDiff.Side(text: newText, name: Array(names.1.utf8)),
      hunks: LineDifference(from: oldText, to: newText).hunks, isColored: isColored)
    var output: [UInt8] = []
    diff.write { chunk in
      chunk.withUnsafeBytes { output += $0 }
      return true
    }
    return output
  }

  /// The output of `diff -u` for two files, whose headers have their names and no times.
  private func diffOutput(_ options: String) -> [UInt8] {
    sandbox.run("diff -a -u \(options) --label old --label new old new || test $? = 1")
  }

  private func text(_ random: inout SeededGenerator, _ kinds: Int) -> [UInt8] {
    let words = ["a", "b", "", "}", "with \0 and \u{e9}", "c\r", "-- d", "+"]
    var bytes: [UInt8] = []
    for _ in 0..<random.below(40) { bytes += Array((words[random.below(kinds)] + "\n").utf8) }
    return random.chance(70) ? bytes : bytes.dropLast()
  }

  private func changed(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
    for _ in 0..<random.below(4) {
      let index = random.below(lines.count)
      switch random.below(3) {
      case 0: lines.insert(Array("x".utf8), at: index)
      case 1 where lines.count > 1: lines.remove(at: index)
      default: lines[index] = Array("y".utf8)
      }
    }
    return Array(lines.joined(separator: [0x0A]))
  }

  @Test(arguments: seeds())
  func `patch and git apply turn the old text into the new`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rounds = 150
    for round in 0..<rounds {
      let old = text(&random, 1 + random.below(8))
      let new = round % 3 == 0 ? text(&random, 8) : changed(old, &random)
      sandbox["old.\(round)"] = old
      sandbox["git.\(round)"] = old
      sandbox["new.\(round)"] = new
      sandbox["diff.\(round)"] = rendered(old, new, ("a/git.\(round)", "b/git.\(round)"))
    }
    let said = sandbox.run(
      """
      round=0
      while [ $round -lt \(rounds) ]; do
        if [ -s diff.$round ]; then
          patch -s --binary old.$round diff.$round || echo "patch $round"
          git apply --whitespace=nowarn diff.$round || echo "git $round"
        fi
        [ -e old.$round ] || : >old.$round
        cmp old.$round new.$round || echo "round $round"
        cmp git.$round new.$round || echo "round $round of git"
        round=$((round + 1))
      done 2>&1
      """)
    #expect(String(decoding: said, as: UTF8.self) == "")
  }

  @Test(arguments: seeds())
  func `a diff is about as short as that of diff -d, and mostly equals it`(
    _ seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var (ours, theirs, same) = (0, 0, 0)
    for _ in 0..<200 {
      let old = text(&random, 8)
      let new = changed(old, &random)
      sandbox["old"] = old
      sandbox["new"] = new
      let (mine, other) = (rendered(old, new), diffOutput("-d"))
      ours += mine.count { $0 == 0x0A }
      theirs += other.count { $0 == 0x0A }
      same += mine == other ? 1 : 0
    }
    #expect(ours * 100 <= theirs * 101)
    #expect(same >= 180)
  }

  @Test(arguments: [
    ("", "a"), ("a", ""), ("", "a\n"), ("a\n", ""), ("a\n", "b\n"), ("a", "a\n"), ("a\n", "a"),
    ("a\nb\nc\n", "a\nc\n"), ("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\n"),
    ("1\n2\n3\n4\n5\n6\n7\n8", "0\n2\n3\n4\n5\n6\n7\n9"),
    ("1\n2\n3\n4\n5\n6\n7\n8\n9", "0\n2\n3\n4\n5\n6\n7\n8\n0"),
    ("x\n1\n2\n3\n4\n5\n6\n7\ny", "1\n2\n3\n4\n5\n6\n7\n"), ("a\0b\n", "a\0c\n"), ("a\n", "a\n"),
  ]) func `equals diff -u`(old: String, new: String) {
    sandbox["old"] = Array(old.utf8)
    sandbox["new"] = Array(new.utf8)
    #expect(rendered(Array(old.utf8), Array(new.utf8)) == diffOutput(""))
    #expect(
      rendered(Array(old.utf8), Array(new.utf8), isColored: true) == diffOutput("--color=always"))
  }

  @Test(arguments: [
    "plain.txt", "a b", "a\tb", "a\nb", "a\"b", "a\\b", "caf\u{e9}", "a'b", "\u{1}\u{7}\u{8}",
    "\u{b}\u{c}\r\u{1b}", "a\u{7f}b", "$x*?~",
  ]) func `names files as diff does`(name: String) {
    sandbox[name] = Array("x\n".utf8)
    let header = sandbox.run("sed -n 2p <(diff -u /dev/null ./*) | cut -f 1")
    #expect(header == Array("+++ ".utf8) + FileNameQuoting.quoted(Array("./\(name)".utf8)) + [0x0A])
  }

  @Test func `names with bytes that are not text are written in octal`() {
    #expect(FileNameQuoting.quoted([0x61, 0xFF, 0]) == Array("\"a\\377\\000\"".utf8))
  }

  @Test func `lines of any length come out whole`() {
    let long = [UInt8](repeating: 0x78, count: 200_000)
    #expect(
      rendered(Array("a\n".utf8), Array("a\n".utf8) + long) == Array(
        "--- old\n+++ new\n@@ -1 +1,2 @@\n a\n+".utf8) + long
        + Array("\n\\ No newline at end of file\n".utf8))
  }

  @Test func `ends when its reader closes the pipe`() {
    let old = PieceTable()
    let new = PieceTable([UInt8](repeating: 0x0A, count: 300_000))
    var diff = UnifiedDiff(
      old: UnifiedDiff.Side(text: old, name: []), new: UnifiedDiff.Side(text: new, name: []),
      hunks: LineDifference(from: old, to: new).hunks)
    diff.contextCount = 0
    var calls = 0
    diff.write { chunk in
      calls += 1
      return false
    }
    #expect(calls == 1)
  }

  @Test func `says when the texts were changed, if that is known`() {
    let (old, new) = (PieceTable("a\n"), PieceTable("b\n"))
    let diff = UnifiedDiff(
      old: UnifiedDiff.Side(text: old, name: Array("x y".utf8), time: Array("then".utf8)),
      new: UnifiedDiff.Side(text: new, name: Array("z".utf8), time: Array("now".utf8)),
      hunks: LineDifference(from: old, to: new).hunks)
    var output: [UInt8] = []
    diff.write { chunk in
      chunk.withUnsafeBytes { output += $0 }
      return true
    }
    #expect(
      String(decoding: output, as: UTF8.self)
        == "--- \"x y\"\tthen\n+++ z\tnow\n@@ -1 +1 @@\n-a\n+b\n")
  }
}
