import Differential
import Testing

/// Carriage returns at the ends of lines, and last lines without a newline.
@Suite struct LineEndTests {
  /// A script on a file `f`, in which `u` is ued, and what it leaves there.
  struct Row: CustomTestStringConvertible, Sendable {
    let old: String
    let script: String
    let new: String

    init(_ old: String, _ script: String, _ new: String) {
      (self.old, self.script, self.new) = (old, script, new)
    }

    var testDescription: String { "\(script) on \(old.debugDescription)" }
  }

  private static let block = "u -i -e 'replace <<O <<N' -e b -e O -e B -e C -e N"

  private static let rows = [
    // What is entered ends as the lines of the file do.
    Row("a\r\nb\r\n", "u -i -e 1a -e x -e y -e . f", "a\r\nx\r\ny\r\nb\r\n"),
    Row("a\r\nb\r\n", "u -i -e '1i <<E' -e x -e E f", "x\r\na\r\nb\r\n"),
    Row("a\r\nb\r\n", "u -s -e 2c -e x -e . -e w f", "a\r\nx\r\n"),
    Row("a\r\nb\r\n", "u -i -e 'g/./a\\' -e x f", "a\r\nx\r\nb\r\nx\r\n"),
    Row("a\r\nb\r\n", "u -i -e $'1a\\nx\\r\\n.' f", "a\r\nx\r\nb\r\n"),
    Row("a\r\nb\r\nc\r\n", block + " f", "a\r\nB\r\nC\r\nc\r\n"),
    Row("b\r\n", block + " -e 'expect <<E' -e B -e C -e E f", "B\r\nC\r\n"),
    // A last line without a newline has no carriage return either.
    Row("a\r\nb", "u -i -e '$a' -e x -e y -e . f", "a\r\nb\r\nx\r\ny"),
    Row("a\r\nb", "u -i -e 1a -e x -e . f", "a\r\nx\r\nb"),
    Row("a\r\nb", "u -i -e 2c -e x -e y -e . f", "a\r\nx\r\ny"),
    Row("a\r\nb", block + " f", "a\r\nB\r\nC"),
    // Other files, and lines that have lost theirs, keep what they have; a plain script is ed's.
    Row("a\r\nb\n", "u -i -e 1a -e x -e . f", "a\r\nx\nb\n"),
    Row("a\r\nb\r\n", "u -i -e ',s/.$//' -e 1a -e x -e . f", "a\nx\nb\n"),
    Row("a\r\nb\r\n", "u -i --strip-trailing-cr -e 1a -e x -e . f", "a\nx\nb\n"),
    Row("a\r\nb\r\n", "u -s f <<<$'1a\\nx\\n.\\nw'", "a\r\nx\nb\r\n"),
    // A missing newline stays missing, but not in another file, or in a plain script.
    Row("a\nb", "u -s -e 1d -e w f", "b"), Row("a\nb", "u -s --atomic -e 1d -e w f", "b"),
    Row("a\nb", "u --json f <<<$'1d\\nw'", "b"), Row("a\nb", "u -i -e 1d f", "b"),
    Row("a\nb", "u -s --validate='test -s %' -e '$a' -e x -e . -e w f", "a\nb\nx"),
    Row("a\nb", "u -s -e 1d -e w -e 'w g' f; echo b | cmp - g", "b"),
    Row(
      "a\nb", "u --diff -e 1d -e w f >p; tail -n 1 p | grep -q '^. No newline'; patch -s f p", "b"),
    Row("a\nb", "u -s f <<<$'1d\\nw'", "b\n"),
  ]

  @Test(arguments: rows)
  func `lines end as they did`(_ row: Row) {
    let sandbox = Sandbox()
    sandbox["f"] = Array(row.old.utf8)
    sandbox.run("u() { \"$UED\" \"$@\"; }\n" + row.script)
    #expect(sandbox["f"].map { String(decoding: $0, as: UTF8.self) } == row.new)
  }

  /// A script whose lines end with CR LF is refused by name, and its lines of text are not run; to ed it is another script.
  @Test func `a script with CR LF line ends is told so`() {
    let sandbox = Sandbox()
    let lines = "replace <<O <<N\r\na\r\nO\r\n1d\r\nN\r\n,p\r\n"
    sandbox["script"] = Array(lines.utf8)
    sandbox["f"] = Array("a\nb\n".utf8)
    sandbox.run(
      """
      fails "$UED" -i -f script f 2>said; grep -q "script:1: the line ends with CR LF; remove" said
      fails "$UED" -i -e $'1d\\r' f 2>said; grep -q "1:1: the line ends with CR LF" said
      "$UED" --json f <script >answers || test $? = 1
      jq -r 'select(.n) | .command + " " + .error' answers >errors
      printf '%s\\r %s\\n' 'replace <<O <<N' invalid-suffix ,p invalid-suffix | cmp - errors
      printf 'w g\\r\\nQ\\n' | "$UED" -s f; test -e $'g\\r'; printf 'a\\nb\\n' | cmp - f
      """)
  }

  @Test func `a person's text keeps its line ends, also when it is cut off`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("a\r\nb".utf8)
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("$a", "x", ".", "1a <<E", "y")
    session.kill()
    let next = TerminalSession.plain(["f"], in: sandbox)
    next.enter("redo 2", "w")
    next.end("q")
    #expect(sandbox["f"] == Array("a\r\ny\r\nb\r\nx\r\n".utf8))
  }

  @Test(arguments: [
    (
      "x\u{A0}= one", "x = one",
      "in typographic quotes, dashes or blanks: 'x<a0>= one', not 'x = one'"
    ),
    ("\u{FEFF}import ued", "import ued", "line 2 has a surplus U+FEFF: '<feff>import ued'"),
    ("one\u{200B} two", "one two", "line 2 has a surplus U+200B: 'one<200b> two'"),
    ("one\t\r", " one", "line 2 differs in"),
  ])
  func `a hint shows characters that can't be seen`(_ text: String, _ line: String, _ hint: String)
  {
    let sandbox = Sandbox()
    let other = "the first line"
    sandbox["f"] = Array("\(other)\n\(text)\n".utf8)
    sandbox["p"] = Array("--- f\n+++ f\n@@ -1,2 +1,2 @@\n \(other)\n-\(line)\n+y\n".utf8)
    let lines = "\(other)\n\(line)"
    for script in ["replace <<O <<N\n\(lines)\nO\ny\nN", "expect <<E\n\(lines)\nE"] {
      let said = sandbox.told("\"$UED\" -i -f - f <<'X'\n\(script)\nX\n")
      #expect(said.contains(hint), "\(said)")
    }
    let said = sandbox.told("\"$UED\" --apply=p")
    #expect(said.contains("<") == hint.contains("<"), "\(said)")
  }
}
