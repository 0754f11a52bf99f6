import Differential
import Testing

/// `ensure` in runs over files.
@Suite struct EnsureTests {
  @Test func `an ensured line is written once, in every kind of file`() {
    Sandbox("UED_HISTORY=on").run(
      #"""
      cat >rules <<'.'
      ensure /^#*Port / Port 22
      ensure /^#*Root / after /^Port / Root no
      ensure /^# BEGIN/,/^# END/ <<END
      # BEGIN
      new
      # END
      END
      .
      printf '#Port 1\na\nPort 2\n' >plain; printf 'Port 22\r\na\r\n' >crlf; printf 'Port 22' >short; : >empty
      status=0; "$UED" --check -f rules plain crlf short empty || status=$?; test $status = 4
      "$UED" --run=rules --atomic -i -f rules plain crlf short none 2>said && exit 9; grep none said
      test "$(cat plain)" = "$(printf '#Port 1\na\nPort 2\n')"
      "$UED" --run=rules --atomic -i -f rules plain crlf short
      printf 'Port 22\nRoot no\na\n# BEGIN\nnew\n# END\n' | cmp - plain
      printf 'Port 22\r\nRoot no\r\na\r\n# BEGIN\r\nnew\r\n# END\r\n' | cmp - crlf
      printf 'Port 22\nRoot no\n# BEGIN\nnew\n# END\n' | cmp - short
      stat -c '%i %Y' plain crlf short >before; "$UED" -i -f rules plain crlf short <&-; "$UED" --check -f rules plain
      "$UED" -i <rules plain crlf; stat -c '%i %Y' plain crlf short | cmp - before
      "$UED" --undo-run=rules; printf '#Port 1\na\nPort 2\n' | cmp - plain; printf 'Port 22' | cmp - short
      """#)
  }

  @Test(arguments: [
    "ensure /x/ x", "ensure /x/ after /a/ x", "ensure unless /x/ x", "1ensure /b/ b2",
    "ensure /x/,/y/ <<E\nx\ny\nE", "ensure /[bB]/ b",
  ])
  func `ensured lines make the text modified`(_ command: String) {
    Sandbox().run(
      """
      printf 'a\nb\nB\n' >f; printf '%s\nq\n' '\(command)' >script
      exits 1 "$UED" -s f <script >out; exits 1 "$UED" -f script f 2>said; grep -q unsaved said
      printf 'Q\n' | cat script - | "$UED" --json f >answers || test $? = 1
      test "$(jq 'select(.n == 1).modified' answers)" = true; printf 'a\nb\nB\n' | cmp - f
      """)
  }

  @Test func `lines behind the addressed ones are not added again`() {
    Sandbox().run(
      """
      printf 'a\nb\nc\n' >f
      for n in 1 2; do "$UED" -i -e '1,2ensure /^z/ z' f; printf 'a\nb\nz\nc\n' | cmp - f; done
      exits 1 "$UED" -i -e '1ensure /x/ after /^c/ x' f 2>said; grep -q "of the section or address" said
      """)
  }

  @Test func `an error does not change the text, and has a code`() {
    Sandbox().run(
      #"""
      printf '# BEGIN\na\n# BEGIN\n# END\n' >f
      printf '%s\n' 'ensure /^# B/,/^# E/ <<E' '# B' '# E' E 'ensure /x/ after /none/ x' 'ensure /x/' 'ensure /x/ <<E' \
        a b E 'ensure /\(/ x' 'ensure /[/ x' 'ensure /a/ b' 'ensure /b/ in /a/,/none/ b' ,p Q | "$UED" --json f >answers || test $? = 1
      jq -r '.error // empty' answers >codes
      printf '%s\n' unbalanced-markers no-match invalid-argument invalid-argument invalid-pattern invalid-pattern \
        invalid-argument | cmp - codes
      jq -r 'select(.n == 9).output[]' answers >text; printf '# BEGIN\na\n# BEGIN\n# END\nb\n' | cmp - text
      """#)
  }

  /// A wrong form, and the end of its message.
  @Test(arguments: [
    ("", "ensure takes a pattern and a line: 'ensure /RE/ LINE'; see 'help ensure'"),
    (" a b", "ensure takes a pattern and a line: 'ensure /RE/ LINE'; see 'help ensure'"),
    (" /a b", "'/a b' has no second '/': 'ensure /RE/ LINE'"),
    (" |a\\|", "'|a\\|' has no second '|': 'ensure /RE/ LINE'"),
    (" /a/ after /b a", "'/b a' has no second '/': 'ensure /RE/ LINE'"),
    (" /[a/ a", "unmatched [ in the pattern"),
    (" /a/b/ c", "a blank and the line have to follow '/a/': 'ensure /RE/ LINE'"),
    (" /a/I", "the line is missing: 'ensure /RE/ LINE', or '<<END' and the line below"),
    (" /a/ ", "the line is missing: 'ensure /RE/ LINE', or '<<END' and the line below"),
    (" /a/ before /b/", "the line is missing: 'ensure /RE/ LINE', or '<<END' and the line below"),
    (" /a/,/b/", "the block is missing: 'ensure /RE/,/RE/ <<END'"),
    (" /a/, a", "a pattern for the last line has to follow the comma: 'ensure /RE/,/RE/ <<END'"),
    (" /a/ in /b/ a", "'in' takes two patterns: 'in /RE/,/RE/', or 'in ,/RE/' from the first line"),
    (" /a/ in ,b a", "'in' takes two patterns: 'in /RE/,/RE/', or 'in ,/RE/' from the first line"),
    (
      " /a/ after /b/ before /c/ a",
      "'before' is one clause too many: 'after' or 'before' once, and 'in' once; '<<END' takes a line that begins so"
    ),
    (
      " |a| after /b/ a",
      "'after' takes a pattern between '|', as the first one; '<<END' takes a line that begins so"
    ),
    (
      " /# B/,/# E/ <<X\n# B\nx\n# E of a\n# E\nX",
      "line 3 of the text, '# E of a', matches a pattern; "
        + "make them match only the first and the last line"
    ),
    (
      " /# B/,/# E/ <<X\n# B\n# B of a\n# E\nX",
      "line 2 of the text, '# B of a', matches a pattern; "
        + "make them match only the first and the last line"
    ),
    (
      " /# B/,/# E/ <<X\n# B\n# E\nx\nX",
      "the text has to begin and end with lines that match the two patterns"
    ),
    (
      " /#/,/#/ <<X\n# B\nX",
      "the text has to begin and end with lines that match the two patterns"
    ),
    (
      " /^a/ behind /b/ a",
      "the pattern '^a' has to match the line 'behind /b/ a', too; otherwise another value would be added beside it"
    ),
  ])
  func `a wrong form has an exact message`(_ rest: String, _ message: String) {
    let sandbox = Sandbox()
    sandbox["f"] = Array("a".utf8)
    sandbox["script"] = Array("ensure\(rest)\n".utf8)
    let said = sandbox.shell("\"$UED\" -i -f script f", status: 1)
    #expect(said == "ued: f: script:1: \(message)\n")
    #expect(sandbox["f"] == Array("a".utf8))
  }

  /// A text, a command without a match, and the hint in the message.
  @Test(arguments: [
    (
      "x\nPort 1\r\n", "ensure /^Port [0-9]*$/ Port 2",
      "line 2 would match without its carriage return"
    ),
    (
      "\u{FEFF}Port 1\nx\n", "ensure /^Port / Port 2",
      "line 1 would match without the byte order mark"
    ),
    ("\u{FEFF}Port 1\nx\r\n", ",s/^Port/x/", "line 1 would match without the byte order mark"),
    (
      "# B\r\n# E\r\nx\n", "ensure /^# B$/,/^# E$/ <<Z\n# B\ny\n# E\nZ",
      "line 1 would match without its carriage return"
    ),
  ])
  func `a hidden character that prevents a match is told`(
    _ text: String, _ command: String, _ message: String
  ) {
    let sandbox = Sandbox()
    sandbox["f"] = Array(text.utf8)
    sandbox["command"] = Array("\(command)\n".utf8)
    sandbox.run(
      """
      exits 1 "$UED" -i f <command 2>said; grep -q "no match, but \(message)" said
      : >empty; "$UED" -i -e 'ensure /^a$/ a' empty; echo a | cmp - empty
      printf 'a\\r\\nb\\n' >mixed; "$UED" -i -e 'ensure /^c$/ c' mixed; grep -q '^c$' mixed
      """)
    #expect(sandbox["f"] == Array(text.utf8))
  }

  /// A file without a last newline, the operands of `ensure`, and the result.
  @Test(arguments: [
    ("x", "/^a/ a", "x\na\n"), ("x", "/^a/ after /^x/ a", "x\na\n"),
    ("x\r\ny", "/^a/ a", "x\r\ny\r\na\r\n"), ("x\0", "/^a/ a", "x\0\na\n"),
    ("[x]", "/^a/ in /^.x/,/^.y/ a", "[x]\na\n"), ("x", "/^a/,/^b/ <<E\na\nb\nE", "x\na\nb\n"),
    // A changed last line still has no newline.
    ("x", "/^x/ x 1", "x 1"), ("x", "/^a/ before /^x/ a", "a\nx"),
  ])
  func `a line that is added at the end is a whole line`(
    _ old: String, _ operands: String, _ new: String
  ) {
    let sandbox = Sandbox("UED_HISTORY=on")
    for name in ["f", "g", "h"] { sandbox[name] = Array(old.utf8) }
    sandbox["script"] = Array("ensure \(operands)\n".utf8)
    sandbox["saving"] = Array("ensure \(operands)\nw\n".utf8)
    sandbox.run(
      """
      "$UED" --run=r --atomic -i -f script f; "$UED" -s -f saving g; cp f once
      "$UED" --check -f script f g; "$UED" -i -f script f; cmp f once; cmp g once
      "$UED" -i -e begin -f script -e abort h; "$UED" -i -f script -e u h
      """)
    #expect(sandbox["f"] == Array(new.utf8))
    #expect(sandbox["h"] == Array(old.utf8))
    sandbox.run("\"$UED\" --undo-run=r")
    #expect(sandbox["f"] == Array(old.utf8))
    // ed's own way in a plain script.
    sandbox["f"] = Array(old.utf8)
    sandbox.run("\"$UED\" -s f <saving >out 2>said")
    #expect(sandbox["f"].map { $0.last } == (old.contains("\0") && !new.hasSuffix("\n") ? 0 : 10))
  }
}
