import Differential
import Testing

/// Carriage returns at the ends of lines, and last lines without a newline.
@Suite struct LineEndTests {
  /// A script with `u` for ued, and the resulting file `f`.
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

  /// A script that applies a patch to `f`.
  private static func patch(_ lines: String...) -> String {
    let count = (
      lines.count { !"+\\".contains($0.first ?? " ") },
      lines.count { !"-\\".contains($0.first ?? " ") }
    )
    let hunk = lines.joined(separator: "\n")
    return "u --apply=- <<'X'\n--- f\n+++ f\n@@ -1,\(count.0) +1,\(count.1) @@\n\(hunk)\nX"
  }

  /// A script that applies a patch whose lines all end with CR LF.
  private static func converted(_ lines: String...) -> String {
    "u --apply=- <<'X'\n\(lines.map { $0 + "\r\n" }.joined())X"
  }

  private static let rows = [
    // Entered lines get the file's line ends.
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
    // A carriage return at the end of such a line belongs to the line, and then every other, too.
    Row("a\r\nb\r", "u -i -e '1s/$/z/' f", "a\rz\nb\r"),
    Row("a\r\nb\r", "u -i -e '$s/b/c/' f", "a\r\nc\r"),
    // The same holds for lines made from others or read from other files. No command sees the
    // carriage return.
    Row("a\r\nb\r\n", "u -i -e '2s/.*/new/' f", "a\r\nnew\r\n"),
    Row("a\r\nb\r\n", "u -i -e $'1s/a/one\\\n''two/' f", "one\r\ntwo\r\nb\r\n"),
    Row("a\r\nb\r\n", "u -i -e ',s/$/;/' f", "a;\r\nb;\r\n"),
    Row("a\r\nb\r\n", "u -i -e ',s/.$/x/' f", "x\r\nx\r\n"),
    Row("a\r\nb\r\n", "u -i -e 1,2j f", "ab\r\n"),
    Row("a\r\nb\r\n", "echo x >lf; u -i -e '1r lf' f", "a\r\nx\r\nb\r\n"),
    Row("a\r\nb\r\n", "printf 'x\r\ny\n' >m; u -i -e '1r m' f", "a\r\nx\r\ny\r\nb\r\n"),
    Row("a\r\nb\r\n", "u -i -e '1r !echo x' f", "a\r\nx\r\nb\r\n"),
    Row("b\r\na\r\n", "u -i -e '1,2!sort' f", "a\r\nb\r\n"),
    Row("b\r\na\r\n", "u -i -e '1!sed s/b$/x/' f", "x\r\na\r\n"),
    Row("a\r\nb\r\n", "u -i -e '/^a$/d' f", "b\r\n"),
    Row("a\r\nb\r\n", "u -i -e 'g/a$/t.' -e 'v/^.$/d' f", "a\r\na\r\nb\r\n"),
    Row("a\r\nb\r\n", "u -i -e 'expect 1 /^a$/' -e 1d f", "b\r\n"),
    Row("a\r\nb\r\n", "u -i -e 1m2 -e '1t0' f", "b\r\nb\r\na\r\n"),
    Row("a\r\nb\r\n", "u -i -e ,d -e a -e x -e . f", "x\r\n"),
    Row("a\r\nb\r\n", "echo x >lf; u -i -e ,d -e 'r lf' f", "x\r\n"),
    Row("a\r\nb\r\n", "u -s -e 1d -e w -e '1w g' -e 'W g' f; cmp f <(head -n 1 g)", "b\r\n"),
    Row("a\r\nb\r\n", "u -i -e '1w !cat >g' -e 1d f; printf 'a\r\n' | cmp - g", "b\r\n"),
    Row("", "printf 'a\r\n' >g; u -i -e 'r g' -e a -e x -e . f", "a\r\nx\r\n"),
    // A patch may lack carriage returns, as in a mail, or it may change them.
    Row("a\r\nb\r\n", patch(" a", "-b", "+c", "+d"), "a\r\nc\r\nd\r\n"),
    Row("a\r\nb\r\n", patch(" a\r", "-b\r", "+c"), "a\r\nc\r\n"),
    Row("a\r\nb\r\n", patch(" a\r", "-b\r", "+b"), "a\r\nb\n"),
    Row("a\r\nb\r\n", patch("-a\r", "-b\r", "+a", "+b"), "a\nb\n"),
    Row("a\nb\n", patch("-a", "-b", "+a\r", "+b\r"), "a\r\nb\r\n"),
    Row("a\nb\n", patch(" a\r", "-b\r", "+c\r"), "a\nc\n"),
    // With carriage returns in the headers, too, the patch was converted as a whole.
    Row("a\nb\n", converted("--- f", "+++ f", "@@ -1,0 +2,1 @@", "+x"), "a\nx\nb\n"),
    Row("a\r\nb\r\n", converted("--- f", "+++ f", "@@ -1,0 +2,1 @@", "+x"), "a\r\nx\r\nb\r\n"),
    Row(
      "a\nb\n", "u --apply=- <<'X'\n--- f\n+++ f\n@@ -1,0 +2,1 @@ a\r\n+x\r\nX", "a\nx\r\nb\n"),
    Row(
      "a\nb\n",
      "rm f; " + converted("*** Begin Patch", "*** Add File: f", "+x", "+y", "*** End Patch"),
      "x\ny\n"),
    Row("a\r\nb\r\nc", patch("-a", "+A", " b"), "A\r\nb\r\nc"),
    Row("a\r\nb\r\nc", patch(" b", " c", "+d"), "a\r\nb\r\nc\r\nd"),
    Row("a\r\nc", patch(" a", "-c", "\\ No newline", "+d", "\\ No newline"), "a\r\nd"),
    Row("a\r\nc", patch(" a", "-c", "\\ No newline", "+c"), "a\r\nc\r\n"),
    // Lines added to mixed or stripped line ends get LF. A second CR stays. A plain script acts as
    // in ed.
    Row("a\r\nb\n", "u -i -e 1a -e x -e . f", "a\r\nx\nb\n"),
    Row("a\r\nb\r\n", "u -s -e 1i -e x -e . -e '$s/$/\r/' -e w f", "x\r\na\r\nb\r\r\n"),
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

  /// ued rejects a CR LF script and runs none of its texts. A plain script runs as in ed.
  @Test func `a script with CR LF line ends gets a message`() {
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

  /// A plain script sees the carriage returns, which no history has, and so keeps none.
  @Test func `a plain script keeps no history of a file with CR LF`() {
    let sandbox = Sandbox()
    sandbox.run(
      """
      is() { printf "$1" | cmp - f; }
      printf 'a\\r\\nb\\r\\nc\\r\\n' >f
      "$UED" -i --history --run=one -e 2s/b/B/ f
      printf '%s\n' '1s/a.$/A\r/' w | "$UED" -s --history f 2>said
      grep -q "the lines end with CR LF, and a plain script sees the CR; '-e' or '-i' keeps one" said
      is 'A\\r\\nB\\r\\nc\\r\\n'
      "$UED" -i --history --run=two -e 3d f; is 'A\\r\\nB\\r\\n'
      "$UED" --undo-run=one; is 'A\\r\\nb\\r\\n'
      "$UED" -i --history -e 'undo 2' f; is 'A\\r\\nB\\r\\nc\\r\\n'
      "$UED" -i --history -e undo -e '$a' -e new f; is 'a\\r\\nB\\r\\nc\\r\\nnew\\r\\n'
      status=0; echo w | "$UED" -s --history=require f 2>said || status=$?; test $status = 3
      printf 'a\\nb\\n' >g; printf '%s\n' ',s/$/\r/' w | "$UED" -s --history g 2>said
      grep -q 'CR LF' said; "$UED" -i --history -e 2d g; printf 'a\\r\\n' | cmp - g
      mv f h; "$UED" -i --history -e 'jump 0' h; printf 'a\\r\\nb\\r\\nc\\r\\n' | cmp - h
      """)
  }

  /// The line end is a property of a revision, whose text does not include it.
  @Test func `changed line ends are a group that undo, revert and runs undo`() {
    let sandbox = Sandbox()
    sandbox.run(
      """
      is() { printf "$1" | cmp - f; }
      u() { "$UED" -i --history "$@" f; }
      printf 'a\\nb\\n' >f
      u --run=one -e 2s/b/B/
      sed -i 's/$/\r/' f
      u -e 1s/a/A/; is 'A\\r\\nB\\r\\n'
      u -e 'jump 1' -e '$a' -e c; is 'a\\nB\\nc\\n'
      u -e 'jump 2' -e '$a' -e c; is 'a\\r\\nB\\r\\nc\\r\\n'
      u -e 'jump 3'; "$UED" --undo-run=one; is 'A\\r\\nb\\r\\n'
      u -e 'revert 2'; is 'A\\nb\\n'
      sed -i 's/$/\r/' f
      u -e 2d; is 'A\\r\\n'
      sed -i 's/\r//' f
      u -e p; u -e undo; is 'A\\r\\n'
      # Line ends that a command changes hold at once.
      u --run=two -e ',s/$/x/' -e 's/x//' -e 'jump 1' -e ',s/$/\r/' -e '$a' -e c; is 'a\\r\\nB\\r\\nc\\r\\n'
      u -e undo -e undo; is 'a\\nB\\n'
      u -e begin -e ',s/$/\r/' -e end -e '$a' -e c; is 'a\\r\\nB\\r\\nc\\r\\n'
      u -e begin -e ,d -e a -e d -e . -e abort -e undo -e '$a' -e c; is 'a\\r\\nB\\r\\nc\\r\\n'
      u -e 'jump 1' -e ',s/$/\r/' -e u -e '$a' -e c; is 'a\\nB\\nc\\n'
      # Marks stay, and a group that only changes line ends says so.
      printf 'a\\r\\nb\\nc\\r\\n' >f; u -e 1ka -e '2s/$/\r/' -e "'ad"; is 'b\\r\\nc\\r\\n'
      printf 'a\\nc\\n' >f
      u -e begin -e ',s/$/\r/' -e end -e history >groups; grep -q 'End lines with CR LF' groups
      printf 'a\\r\\nb\\r\\n' >f; u --strip-trailing-cr -e 1d; is 'b\\n'
      u -e 'undo 2' -e '$a' -e c; is 'a\\r\\nb\\r\\nc\\r\\n'
      """)
  }

  @Test(arguments: ["2d", ",j", "2s/$/\r/"])
  func `a file whose mixed line ends became CR LF gets them back`(_ command: String) {
    let sandbox = Sandbox()
    sandbox.run(
      """
      is() { printf "$1" | cmp - f; }
      u() { "$UED" -i --history "$@" f; }
      set -- '\(command)'; printf 'a\\r\\nb\\nc\\r\\n' >f
      u --run=one -e "$1"; fails cmp -s f <(printf 'a\\r\\nb\\nc\\r\\n')
      cp f new; "$UED" --undo-run=one; is 'a\\r\\nb\\nc\\r\\n'
      u -e 'revert 2'; cmp f new; u -e 'jump 1' -e '$a' -e d; cp f new
      exits 1 "$UED" -i --history -e 'revert 1' f 2>said; grep -q "was made with other line ends; revert it" said
      exits 1 "$UED" -i --history -e 1undo f 2>said; grep -q "was made with other line ends; revert it" said; cmp f new
      """)
  }

  @Test func `recorded texts and a last line without an end keep their line ends`() {
    let sandbox = Sandbox()
    sandbox.run(
      """
      is() { printf "$1" | cmp - f; }
      record() { printf "$1" >f; "$UED" --history --record --run=$2 f; }
      record 'x\\r\\ny\\nz\\r\\n' one; record 'x\\r\\ny\\r\\nz\\r\\n' two; record 'x\\r\\ny\\n' three
      "$UED" --undo-run=three; is 'x\\r\\ny\\r\\nz\\r\\n'; "$UED" --undo-run=two; is 'x\\r\\ny\\nz\\r\\n'
      mkdir d; cd d; printf 'a\\r\\nb' >f
      "$UED" --history -i --run=four -e 1d f; "$UED" --history -s -e history f >said; fails grep outside said
      "$UED" --undo-run=four; is 'a\\r\\nb'
      "$UED" --history -i -e undo f; "$UED" --history -i -e undo f; is 'a\\r\\nb'
      """)
  }

  @Test func `a last line that has lost its LF is no damage`() {
    let sandbox = Sandbox()
    sandbox.run(
      """
      is() { printf "$1" | cmp - f; }
      u() { "$UED" --history "$@" f 2>>said; }
      next() { mkdir $1; cd $1; }
      next 1; printf 'a\\r\\nb\\r\\n' >f; u -i -e '1s/^/x/'; printf %s "$(cat f)" >f; u -s -e blame >/dev/null
      u -i -e '2s/^/y/'; is 'xa\\r\\nyb\\r'; u -i -e 'jump 1'; is 'xa\\r\\nb\\r\\n'; u -i -e 'jump 0'; is 'a\\r\\nb\\r\\n'
      fails grep damaged said
      next 2; printf 'a\\r\\nb' >f; u -i -e '$s/$/'$'\\r'/; is 'a\\r\\nb\\r'; u -i -e undo; is 'a\\r\\nb'; test ! -s said
      next 3; printf 'a\\r\\nb\\r' >f; u -i -e '$a' -e c -e .; is 'a\\r\\nb\\r\\nc'; u -i -e undo; is 'a\\r\\nb\\r'
      test ! -s said
      """)
  }

  @Test func `runs undone newest first give back line ends and the last newline`() {
    let sandbox = Sandbox()
    sandbox.run(
      """
      is() { printf "$1" | cmp - f; }
      u() { "$UED" --history "$@" f; }
      record() { printf "$2" >f; u --run=$1 --record; }
      next() { mkdir $1; cd $1; }
      back() { "$UED" --undo-run=q; "$UED" --undo-run=r; is "$1"; }
      next 1; record p 'l\\n'; record r 'l\\r\\n'; record q 'l\\n'; back 'l\\n'
      next 2; printf 'l\\r\\n' >f; u --run=r -i --strip-trailing-cr -e '$a' -e x -e .; record q 'l\\r\\nx\\r\\n'
      back 'l\\r\\n'
      next 3; printf 'k\\r\\nl\\r\\n' >f; u --run=r -i -e ,d; u --run=q -i -e a -e x -e .; back 'k\\r\\nl\\r\\n'
      next 4; printf 'l\\n' >f; u --run=r -i -e 1d; record q w; back 'l\\n'
      next 6; record p 'k\\r\\nl\\r'; record r 'm\\r\\nk\\r\\n'; record q 'n\\r\\n'; back 'k\\r\\nl\\r'
      next 7; printf 'k\\r\\nl\\r' >f; u --run=r -i -e '1t$' -e '$s/.*//'; u -i -e 'revert 2'; is 'k\\r\\nl\\r\\nk\\r'
      u -i -e 'revert 1'; is 'k\\r\\nl\\r'
      next 8; printf 'k\\r\\r\\nl\\r\\n' >f; u --run=r -i -e 1s/k/m/; u --run=q -i -e 2d; back 'k\\r\\r\\nl\\r\\n'
      u -i -e 1s/k/m/; u -i -e 1undo; is 'k\\r\\r\\nl\\r\\n'
      next 5; printf 'k\\nl' >f; u --run=r -i -e 'ensure /z/ z'; record q 'k\\nl\\nzw'; back 'k\\nl'
      """)
  }

  @Test func `patches, merges and other programs' texts keep their line ends`() {
    let sandbox = Sandbox()
    sandbox.run(
      """
      is() { printf "$1" | cmp - f; }
      u() { "$UED" -i --history "$@" f; }
      printf 'a\\r\\nb\\r\\n' >f; cp f g; sed 's/\r//' f >h; diff -u f h >p || test $? = 1
      u -e 'apply p' -e '$a' -e c; is 'a\\nb\\nc\\n'
      u -e 'undo 2' -e '$a' -e c; is 'a\\r\\nb\\r\\nc\\r\\n'
      cp g f; "$UED" -s --json -e 1s/a/A/ -e '!sed -i s/.$// f' -e 'merge disk' -e w f; is 'A\\nb\\n'
      "$UED" -s --json -e 1s/A/a/ -e '!sed -i "s/$/\\r/" f' -e 'merge disk' -e w f; is 'a\\r\\nb\\r\\n'
      printf 'a\\r\\n' >f
      "$UED" -i --history --run=r --apply=- <<'X'
      --- f
      +++ /dev/null
      @@ -1 +0,0 @@
      -a
      X
      test ! -e f; "$UED" --undo-run=r; is 'a\\r\\n'
      """)
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("$a", "b", ".")
    sandbox["f"] = Array("a\n".utf8)
    session.enter("w", "w")
    session.end("q")
    sandbox.run(
      """
      printf 'a\\r\\nb\\r\\n' | cmp - f
      "$UED" -i --history -e 'history all' f >groups; id=$(grep outside groups | head -n 1 | grep -o ' [0-9]\\+' | head -n 1)
      "$UED" -i --history -e "jump $id" f; printf 'a\\n' | cmp - f
      """)
  }

  @Test func `a period that ends with CR LF does not end a text in silence`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("a\r\n".utf8)
    sandbox["script"] = Array("1a\nx\r\n.\r\nw\r\n".utf8)
    let said = sandbox.transcript("\"$UED\" -i -f script f")
    #expect(said.contains("script:1: the line ends with CR LF"), "\(said)")
    #expect(sandbox["f"] == Array("a\r\n".utf8))
  }

  @Test func `a failed search for a CR names the line ends`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("a\r\nb\r\n".utf8)
    for command in ["s/\r$//", "/\r/p", "/\\r$/d"] {
      let said = sandbox.transcript("\"$UED\" -i -e '\(command)' f")
      #expect(said.contains("no match: the file's lines end with CR LF"), "\(said)")
    }
    #expect(!sandbox.transcript("\"$UED\" -i -e s/x// f").contains("CR"))
  }

  @Test func `a typed text keeps its line ends, also when it is cut off`() {
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
      let said = sandbox.transcript("\"$UED\" -i -f - f <<'X'\n\(script)\nX\n")
      #expect(said.contains(hint), "\(said)")
    }
    let said = sandbox.transcript("\"$UED\" --apply=p")
    #expect(said.contains("<") == hint.contains("<"), "\(said)")
  }
}
