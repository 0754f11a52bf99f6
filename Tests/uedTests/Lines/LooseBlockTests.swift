import Differential
import Testing

/// `replace loose` and `replace text`.
@Suite struct LooseBlockTests {
  /// A text with repeated lines, the text to replace, and the line where it is found.
  @Test(arguments: [
    ("1xx\nxx\nxx\nyy2\n", "xx\nxx\nxx\nyy", 1), ("1xx\nxx\nxx\nxx\nyy2\n", "xx\nxx\nxx\nyy", 2),
    ("xx\nxx\n1xx\nxx\nxx\nzz\nxx\nyy2\nyy\n", "xx\nzz\nxx\nyy", 5),
  ])
  func `text is found among lines that are repeated`(_ text: String, _ old: String, _ line: Int) {
    let sandbox = Sandbox()
    sandbox["f"] = Array(text.utf8)
    sandbox["script"] = Array("replace text <<O <<N\n\(old)\nO\nnew\nN\n".utf8)
    sandbox.run("\"$UED\" -i f <script; grep -n new f | cut -d : -f 1 >found")
    #expect(sandbox["found"] == Array("\(line)\n".utf8))
  }

  @Test func `an exact match is replaced exactly`() {
    let sandbox = Sandbox()
    sandbox.run(
      """
      loose() { printf "$1" >f; printf 'replace loose <<O <<N\\n%b\\nO\\n%b\\nN\\n' "$2" "$3" | "$UED" -i f; }
      loose '\\tx\\n' '\\tx' '        x'; printf '        x\\n' | cmp f -
      loose '    x\\ny\\n' '    x\\ny' '\\tx\\ny'; printf '\\tx\\ny\\n' | cmp f -
      loose '"q" \\n' '"q" ' "'q'"; printf "'q'\\n" | cmp f -
      """)
  }

  @Test func `lines added by a command are not added again, unless it has a count`() {
    let sandbox = Sandbox()
    sandbox.run(
      """
      again() { "$UED" -i f <script; cp f once; fails "$UED" -i f <script 2>said; cmp f once
        grep -q "already so: $1; 'replace.* 1' does it again" said
        sed -i '1s/replace \\(text\\|loose\\|\\)/& 1/' script; "$UED" -i f <script; ! cmp -s f once; }
      printf 'a\\nend\\n' >f; printf 'replace <<O <<N\\nend\\nO\\nbefore\\nend\\nN\\n' >script; again 'lines 2-3'
      printf '  a\\n  end\\n' >f; printf 'replace loose <<O <<N\\nend\\nO\\nend\\nbehind\\nN\\n' >script
      again 'lines 2-3'
      printf 'import one\\n' >f; printf 'replace text <<O <<N\\nimport one\\nO\\nimport one, two2\\nN\\n' >script
      again 'line 1'
      printf 'a\\nz\\n' >f; printf 'replace <<O <<N\\nz\\nO\\n\\nz\\nN\\n' >script
      "$UED" -i f <script; "$UED" -i f <script; printf 'a\\n\\n\\nz\\n' | cmp f -
      printf 'a\\nz\\n' >f; printf -- '--- f\\n+++ f\\n@@ -1,1 +1,2 @@\\n a\\n+added\\n' >p
      "$UED" --apply=p; fails "$UED" --apply=p 2>said; grep -q 'already applied' said
      test "$(wc -l <f)" = 3
      """)
  }

  /// A text, the block to replace with `two`, and the message of the refusal.
  @Test(arguments: [
    ("one \ntwo\n", "replace", "one\ntwo", "'replace loose' would match lines 1-2"),
    ("a\nb\n", "replace", "a\\nb", "OLD has '\\n' where lines end"),
    ("a\t\nb\n", "replace", "a", "line 1 differs in trailing blanks"),
    ("return y * 2\n", "replace", "return y", "in line 1: 'return y * 2'"),
    ("1\n2\nabc\n", "1,2replace", "abc", "not in these lines; found at line 3"),
    (
      String(repeating: "0123456789", count: 9) + "\n", "replace",
      String(repeating: "0123456789", count: 9) + " ", "'…01234567890123456789'"
    ),
    ("a a\n", "replace text", "a", "found twice in line 1; add text to OLD"),
    ("a a a\n", "replace text 2", "a", "found 3 times in line 1, not 2 times"),
    ("a a\na\n", "replace text", "a", "found 3 times (lines 1, 1, 2); add lines to OLD"),
    ("if\n  x\nelse\n    x\n", "replace loose", "  x", "'replace' would match line 2 only"),
    ("a\n\n", "replace text", "", "OLD is empty"),
    ("a\n", "replace <<A", "", "replace takes two words and their lines"),
    (
      "a\nO\nb\n", "replace", "a\nO\nb",
      "the new text has a line 'O', which ends the old one; choose words that are no lines of the texts"
    ),
    ("a\nO\nb\n", "replace text", "a\nO\nb", "the new text has a line 'O'"),
    ("a\nO\nb\n", "replace loose", "a\nO\nb", "the new text has a line 'O'"),
    ("a\n", "replace 0", "a", "'all' or a number above 0"),
    ("a\n", "replace loose text", "a", "before them, 'text' or 'loose'"),
  ])
  func `a refusal suggests the next step`(
    _ text: String, _ command: String, _ old: String, _ message: String
  ) {
    let sandbox = Sandbox()
    sandbox["f"] = Array(text.utf8)
    let rest = command.contains("<<") ? "" : " <<O <<N"
    sandbox["script"] = Array("\(command)\(rest)\n\(old)\nO\ntwo\nN\n".utf8)
    let said = sandbox.shell("\"$UED\" -i f <script", status: 1)
    #expect(said.contains(message))
    #expect(sandbox["f"] == Array(text.utf8))
  }

  /// A text, a command of the `replace` family with its texts, and the text that it makes; nil if it is refused.
  struct Row: CustomTestStringConvertible, Sendable {
    let old: String
    let form: String
    let block: String
    let replacement: String
    let new: String?

    init(_ old: String, _ form: String, _ block: String, _ replacement: String, _ new: String?) {
      (self.old, self.form, self.block) = (old, form, block)
      (self.replacement, self.new) = (replacement, new)
    }

    var testDescription: String { "\(form) \(block.debugDescription) in \(old.debugDescription)" }
  }

  private static let rows = [
    // One shift of the indentation for all lines: new lines get it, unchanged lines stay the
    // file's.
    Row("  a\n    b\n", "loose", "a\n  b\n", "a\n  c\n    d\n", "  a\n    c\n      d\n"),
    Row("a\n  b\n", "loose", "  a\n    b\n", "  a\n    c\n", "a\n  c\n"),
    Row("a\n  b\n", "loose", "  a\n    b\n", " c\n    b\n", nil),
    Row("  a\n  b\n", "loose", "a\n  b\n", "c\n", nil),
    Row(
      "\ta\n\t\tb\n", "loose", "    a\n        b\n", "    a\n        c\n            d\n",
      "\ta\n\t\tc\n\t\t\td\n"),
    Row("\ta\n", "loose", "    a\n", "    c\n        d\n", "\tc\n\t\td\n"),
    Row(
      "    a\n        b\n", "loose", "\ta\n\t\tb\n", "\ta\n\t\tc\n\n\td\n",
      "    a\n        c\n\n    d\n"),
    Row("\ta\n", "loose", "a\n", "a\nb\n", "\ta\n\tb\n"),
    // With the same kind of blanks, the same ones are added or removed on all lines.
    Row("\t\ta(\n\t\t  b\n", "loose", "\ta(\n\t  b\n", "\t        c\n", "\t\t        c\n"),
    Row("\ta(\n", "loose", "a(\n", "a(\n  b\n\tc\n", "\ta(\n\t  b\n\t\tc\n"),
    Row("\ta\n", "loose", "\t\ta\n", "\t\t        b\n", "\t        b\n"),
    Row("\t/* a\n", "loose", "/* a\n", "/* a\n * b\n", "\t/* a\n\t * b\n"),
    Row("        a\n", "loose", "    a\n", "    b\n        c\n", "        b\n            c\n"),
    // Tabs and blanks: a step of the lines with blanks is a tab.
    Row("\t\ta\n", "loose", "    a\n", "    a\n        b\n", "\t\ta\n\t\t\tb\n"),
    Row("\t\ta\n", "loose", "    a\n", "b\n    a\n      c\n", "\tb\n\t\ta\n\t\t  c\n"),
    Row("\ta\n", "loose", "a\n", "a\n  b\n     c\n", "\ta\n\t\tb\n\t\t\t c\n"),
    Row("\t\ta\n", "loose", "    a\n", "    a\n      b\n", "\t\ta\n\t\t\tb\n"),
    Row(
      "x\n    y\n        a\n", "loose", "\ta\n", "\tb\n\t\tc\n",
      "x\n    y\n        b\n            c\n"),
    Row("x\n  a\n", "loose", "a\n", "a\n\tb\n", "x\n  a\n    b\n"),
    // A step of eight blanks may be two of four.
    Row("a\n\tb\n\t\tc\n", "loose", "        c\n", "        c\n\nd\n", "a\n\tb\n\t\tc\n\nd\n"),
    // A run of four blanks has become a tab, though steps of two are used around.
    Row(
      "    if x {\n      a\n      c\n", "loose", "\t  a\n\t  c\n", "\t  a\n\t\tb\n\t  c\n",
      "    if x {\n      a\n        b\n      c\n"),
    Row("  {\n    a\n", "loose", "\ta\n", "\ta\n\tb\n  }\n", "  {\n    a\n    b\n  }\n"),
    Row(
      "  {\n    a\n", "loose", "\ta\n", "\ta\n\t  b\n\t\tc\n", "  {\n    a\n      b\n        c\n"),
    Row("        a\n", "loose", "\ta\n", "\t\tb\n", "                b\n"),
    // A block without indentation does not tell the file's kind, but all other lines do.
    Row("f\n\tg\n\t\th\n", "loose", "f\n", "f\n    x\n", "f\n\tx\n\tg\n\t\th\n"),
    Row("f\n\tg\n", "loose all", "f\n", "f\n  x\n    y\n", "f\n\tx\n\t\ty\n\tg\n"),
    Row("f\n  g\n", "loose", "f\n", "f\n\tx\n\t\ty\n", "f\n  x\n    y\n  g\n"),
    Row(
      "    a\nb\n        c\n    d\n", "loose", "a\n", "a\n\tx\n",
      "    a\n        x\nb\n        c\n    d\n"),
    Row("  a\n", "loose", " a\n", " a\n\tx\n", "  a\n         x\n"),
    Row("f\n\tg\n  h\n", "loose", "f\n", "f\n  x\n", "f\n  x\n\tg\n  h\n"),
    Row("f\n *\n\tg\n", "loose", "f\n", "f\n  x\n", "f\n\tx\n *\n\tg\n"),
    Row("f\n\tg\n", "loose", "f\n\tg\n", "f\n  g\n", "f\n  g\n"),
    // Blanks at the ends, also of blank lines.
    Row("a \n \nb\t\n", "loose", "a\n\nb\n", "a\n\nc\n", "a \n \nc\n"),
    Row("a\n", "loose", "a  \n", "b  \n", "b  \n"),
    // Typographic characters instead of plain ones.
    Row("“a” – b\u{A0}c\n", "loose", "\"a\" - b c\n", "\"d\"\n", "\"d\"\n"),
    Row("\"a\"\nb\n", "loose", "“a”\nb\n", "“a”\nc\n", "\"a\"\nc\n"),
    Row("\u{A0}\u{A0}a\n", "loose", "  a\n", "  b\n", "\u{A0}\u{A0}b\n"),
    // No letter may differ, nor a blank within a line; nor may there be a second place.
    Row("a  b\n", "loose", "a b\n", "c\n", nil), Row("A\n", "loose", "a\n", "c\n", nil),
    Row("a\nb\n", "loose", "a\n\nb\n", "c\n", nil), Row("é\n", "loose", "e\n", "c\n", nil),
    Row("a\n  a\n", "loose", "a\n", "c\n", nil),
    Row("a\n  a\n", "loose 2", "a\n", "c\n", "c\n  c\n"),
    Row("  }\n", "loose", "}\n", "c\n", nil), Row("  é\n", "loose", "é\n", "c\n", "  c\n"),
    Row("  a\n a\na\n", "loose all", "a\n", "c\n", "  c\n c\nc\n"),
    Row("a\r\n  b\r\n", "loose", " a\n   b\n", " a\n   c\n", "a\r\n  c\r\n"),
    // Text within lines, over lines, and next to itself.
    Row("x = 1\ny = 2\n", "text", "= 1\ny\n", "= 3\nz\n", "x = 3\nz = 2\n"),
    Row("abcabc\n", "text", "bca\n", "\n", "abc\n"), Row("abc\n", "text", "b\n", "", "ac\n"),
    Row("aaaaa\n", "text 2", "aa\n", "b\n", "bba\n"), Row("aa\n", "text", "a\n", "b\n", nil),
    Row("a\nb\n", "text", "\n", "c\n", nil), Row("a\n\n\nb\n", "text", "\n\n", "c\n", "a\nc\nb\n"),
    Row("ab\nab\nab\n", "text all", "b\na\n", "-\n", "a--b\n"),
    Row("a\nb\na\nb\n", "text all", "a\nb\n", "c\nd\ne\n", "c\nd\ne\nc\nd\ne\n"),
    Row("a b\n", "text", "B\n", "c\n", nil), Row("é\n", "text", "\u{301}\n", "c\n", nil),
    Row("a\r\nb\r\n", "text", "a\nb\n", "c\nd\n", "c\r\nd\r\n"),
    Row("xab", "text", "b\n", "c\n", "xac"),
    // Next to whole lines, an empty line, a lone mark or an indentation matches only as a whole.
    Row("a\nb\n", "text", "\nb\n", "\nc\n", nil), Row("a\nb\n", "text", "a\n\n", "c\n\n", nil),
    Row("\nb\n", "text", "\nb\n", "\nc\n", "\nc\n"), Row("a\n", "text", "\n\n", "c\n", nil),
    Row("x\nb\n\nb\n", "text", "\nb\n", "\nc\n", "x\nb\n\nc\n"),
    Row("# a\n# b\n", "text", "# a\n#\n", "# c\n#\n", nil),
    Row("    }\n  b\n", "text", "  }\n  b\n", "  c\n", nil),
    // Without a second line with letters, nothing shows that the indentation was meant to stay.
    Row("    a\n\n", "text", "a\n\n", "b\n{\n\n", nil),
    Row("    a\n      b\n", "text", "a\n      b\n", "c\n", "    c\n"),
    // If one end of OLD is within a line, so may be the other.
    Row("xa\nb\n", "text", "a\n\n", "c\n", "xcb\n"),
    Row("a\nbx\n", "text", "\nb\n", "c\n", "acx\n"),
    Row("a\n  b\n", "text", "\n  b\n", " b\n", nil),
    Row("a\nb {\n", "text", "a\nb\n", "c\n", "c {\n"),
    Row("a(\n) {\n", "text", "a(\n)\n", "b()\n", "b() {\n"),
    Row("  f(\n  1), 2\n", "text", " f(\n  1)\n", " g(1)\n", "  g(1), 2\n"),
  ]

  @Test(arguments: rows)
  func `replaces the right lines, or nothing`(_ row: Row) {
    let sandbox = Sandbox()
    sandbox["f"] = Array(row.old.utf8)
    let script = "replace \(row.form) <<OLD <<NEW\n\(row.block)OLD\n\(row.replacement)NEW\n"
    sandbox["script"] = Array(script.utf8)
    sandbox.run(
      "status=0; \"$UED\" -i -f script f || status=$?; test $status = \(row.new == nil ? 1 : 0)")
    #expect(sandbox["f"].map { String(decoding: $0, as: UTF8.self) } == row.new ?? row.old)
  }

  @Test(arguments: [
    (
      "loose", "a\n\tb  \n", "a\n    b\n",
      "matched lines 1-2; indentation differs on 1 line, blanks at the end differ on 1 line"
    ),
    ("loose", "  a\n", "b\n", "not found, nor lines like these"),
    ("", "  a\n", "a\n", "; 'replace loose' would match line 1"),
    ("", "xay\n", "a\n", "; 'replace text' would match in line 1"),
    ("loose", "xay\n", "a\n", "; 'replace text' would match in line 1"),
    ("text", "“a”\n", "\"a\"\n", "'replace loose' would match line 1"),
    ("", "new\n", "old\n", "not found; already so: line 1"),
    ("", "foo\nnew\nbar(1)\n", "foo\nbar(2)\n", "most like it"),
    ("", "a\nb\n", "1\ta\n2\tb\n", "OLD begins with line numbers, which are not in the file"),
    ("", "a\nb\n", "1→a\n 2→b\n", "OLD begins with line numbers"),
    ("", "a\nb\n", " 9:a\n10:b\n", "OLD begins with line numbers"),
    ("", "a\nb\n", "1:3fa\ta\n2:000\tb\n", "OLD begins with line numbers"),
    ("", "a\n\nb\n", " 9 | a\n10 |\n11 | b\n", "OLD begins with line numbers"),
    ("", "a\n\tb\n", "1 │ a\n2 │ \tb\n", "OLD begins with line numbers"),
    ("", "| a\n| b\n", "1 | a\n2 | b\n", "OLD begins with line numbers"),
    ("", "a\nb\n", "-a\n-b\n", "OLD begins with the marks of a diff, which are not in the file"),
    ("", "a\nb\nd\n", " a\n-b\n+c\n d\n", "OLD begins with the marks of a diff"),
    ("", "a\n\nc\n", " a\n\n-b\n+c\n", "OLD begins with the marks of a diff"),
    ("loose", "}\n", "  }\n", "OLD has no letter or digit"),
    ("loose", "a\n  b\n", "  a\n    b\n", "would begin left of the margin"),
    ("loose", "a\n a\n", "a\n", "found 2 times (lines 1, 2)"),
    (
      "loose", "  a = 'x'  \n  give(a)\n", "a = ‘x’\ngive(b)\n",
      "; line 2 is '  give(a)', not 'give(b)'"
    ),
    ("loose", "one = 1\n  two = 2\n", "one = 1\ntwo = 2\n", "; line 2 differs in leading blanks"),
  ])
  func `reports overlooked differences, or suggests the next step`(
    _ form: String, _ text: String, _ block: String, _ message: String
  ) {
    let sandbox = Sandbox()
    sandbox["f"] = Array(text.utf8)
    let said = sandbox.transcript(
      "\"$UED\" -i -f - f <<'X'\nreplace \(form) <<OLD <<NEW\n\(block)OLD\nnew\nNEW\nX\n")
    #expect(said.contains(message), "\(said)")
  }

  @Test(arguments: [
    ("f\n\tg\n", "          x", "ued: f: NEW is indented with blanks, and the file with tabs\n0\n"),
    ("f\n          g\n", "\tx", "ued: f: NEW is indented with tabs, and the file with blanks\n0\n"),
    ("f\n\tg\n", " * comment", "0\n"),
  ])
  func `an indentation whose width is unknown stays, with a notice`(
    _ text: String, _ line: String, _ message: String
  ) {
    let sandbox = Sandbox()
    sandbox["f"] = Array(text.utf8)
    sandbox["script"] = Array("replace loose <<O <<N\nf\nO\nf\n\(line)\nN\n".utf8)
    #expect(sandbox.transcript("\"$UED\" -i f <script") == message)
    #expect(sandbox["f"] == Array("f\n\(line)\n\(text.dropFirst(2))".utf8))
  }

  @Test(arguments: ["", "all", "text", "loose"])
  func `an edit that changes nothing says so`(_ form: String) {
    let sandbox = Sandbox()
    let script = "replace \(form) <<OLD <<NEW\na\nOLD\na\nNEW\n"
    (sandbox["f"], sandbox["script"]) = (
      Array("\(form == "loose" ? " " : "")a\n".utf8), Array(script.utf8)
    )
    let said = sandbox.transcript("\"$UED\" -i f <script")
    #expect(said.hasPrefix("ued: f: OLD and NEW are the same; nothing was changed\n"), "\(said)")
    #expect(said.hasSuffix("\n0\n"))
    sandbox.run(
      """
      "$UED" --json f <script >answers; jq -se '.[0].notices == ["OLD and NEW are the same; nothing was changed"]' answers
      """)
  }

  @Test func `an answer in JSON counts overlooked differences`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("  a \n".utf8)
    sandbox.run(
      """
      "$UED" -i --json -e 'replace loose <<O <<N' -e a -e O -e b -e N f >answers
      jq -se '.[0].overlooked == [{first: 1, last: 1, indentation: 1, trailing_blanks: 1, typography: 0}]' answers
      """)
  }

  /// `replace loose` finds a block with changed blanks or quotes, and makes the right text. It
  /// refuses one with changed letters. The test skips blocks that occur twice.
  @Test(arguments: seeds(20))
  func `a spoiled block is found, and a wrong one refused`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let files = Disk.names(in: packageFolder + "/Sources/ued/Editor")
    let path = packageFolder + "/Sources/ued/Editor/" + random.pick(files.sorted())
    let text = String(decoding: Disk.read(path) ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
      String.init)
    let sandbox = Sandbox()
    sandbox["f"] = Array(text.utf8)
    var script: [UInt8] = []
    var expected: [String?] = []
    for _ in 0..<50 {
      let count = 2 + random.below(8)
      let first = random.below(lines.count - count)
      let block = Array(lines[first..<first + count])
      guard block.contains(where: { $0.contains(where: \.isLetter) }), block.last != "",
        block[0] != ""
      else { continue }
      var (old, new) = (block, block)
      let changed = random.below(count)
      new[changed] = block[changed] + " // changed"
      var isRight = true
      switch random.below(6) {
      case 0:
        (old, new) = (
          old.map { $0.isEmpty ? "" : "   " + $0 }, new.map { $0.isEmpty ? "" : "   " + $0 }
        )
      case 1:
        func tabbed(_ line: String) -> String {
          let blanks = line.prefix { $0 == " " }.count
          return String(repeating: "\t", count: blanks / 2)
            + String(repeating: " ", count: blanks % 2) + line.dropFirst(blanks)
        }
        (old, new) = (old.map(tabbed), new.map(tabbed))
      case 2: old[random.below(count)] += "  "
      case 3:
        func curled(_ line: String) -> String {
          line.replacing("\"", with: "”").replacing(" - ", with: " – ")
        }
        for index in old.indices where index != changed {
          (old[index], new[index]) = (curled(old[index]), curled(new[index]))
        }
      case 4:
        old[changed] = old[changed] + "x"
        isRight = false
      default:
        guard let letter = old[changed].firstIndex(where: { $0.isLowercase }) else { continue }
        old[changed].replaceSubrange(letter...letter, with: old[changed][letter].uppercased())
        isRight = false
      }
      // Elsewhere there may be the same lines, but for their indentation.
      let bare = { (line: String) in
        line.trimmed.replacing("”", with: "\"").replacing(" – ", with: " - ")
      }
      let wanted = block.map(bare)
      let placeCount = (0...lines.count - count).count { place in
        (0..<count).allSatisfy { bare(lines[place + $0]) == wanted[$0] }
      }
      if placeCount > 1 { continue }
      var result = lines
      result[first + changed] += " // changed"
      expected.append(isRight ? result.map { $0 + "\n" }.joined() : nil)
      let texts = "\(old.joined(separator: "\n"))\nO L D\n\(new.joined(separator: "\n"))\nN E W\n"
      script += Array(
        "begin\nreplace loose <<'O L D' <<'N E W'\n\(texts)w out\(expected.count)\nend\nundo\n".utf8
      )
    }
    sandbox["script"] = script
    sandbox.run("{ cat script; echo Q; } | \"$UED\" -s --json f >answers || test $? = 1")
    for (index, text) in expected.enumerated() {
      let made = sandbox["out\(index + 1)"].map { String(decoding: $0, as: UTF8.self) }
      #expect(made == text, "\(path) \(index + 1)")
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
