import Differential
import Glibc
import Testing

/// Single rules of strict runs; `StrictTableTests` has their combinations.
@Suite struct StrictRunTests {
  private let sandbox = Sandbox()

  init() {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    sandbox["g"] = Array("one\ntwo\n".utf8)
  }

  private func text(_ name: String) -> String {
    sandbox[name].map { String(decoding: $0, as: UTF8.self) } ?? "(none)"
  }

  private static let long = String(repeating: "x", count: 90)

  @Test(arguments: [
    ("-e 'r \(long)'", "ued: f: -e 1:1: can't read \(long): No such"),
    ("--atomic -i -e 1d \(long)", "ued: \(long): can't read: No such"),
    ("-e 1d -e Y", "ued: f: -e 2:1: no such command; 'help' lists all\n1\n"),
    ("-e '1p\n9p'", "one\nued: f: -e 1:2: no line 9: the last line is 2\n1\n"),
    ("-e 1,0p", "ued: f: -e 1:1: the range is backwards: line 1 comes after 0\n1\n"),
    ("-i -e /zz/p", "ued: f: -e 1:1: no match\n1\n"),
    ("-f s", "ued: f: s:2: no match\n1\n"),
    ("-i <s", "ued: f: stdin:2: no match\n1\n"),
    ("-i -e 1y/o/0/", "ued: f: -e 1:1: y copies lines; ',!tr abc xyz' maps characters\n1\n"),
    (
      "-i -e 'str_replace f'",
      "ued: f: -e 1:1: str_replace f: no such command; did you mean 'replace'?"
    ),
    ("-i -e 1:zzzp", "ued: f: -e 1:1: a line's hash has three hexadecimal digits, as in '12:3fa'"),
    ("-i -e '1d;2d'", "ued: f: -e 1:1: ';' ends no command; write the next one on a line"),
    ("-e G/o/ -e s/o/0/ -e foo", "one\ntwo\nued: f: -e 3:1: foo: no such command, or a space"),
    ("-e V/x/ -e '' -e /zz/p", "one\ntwo\nued: f: -e 3:1: no match\n1\n"),
    ("-i -e '1!d 2>&-'", "ued: f: -e 1:1: the shell has no command 'd 2>&-' (status 127); "),
    ("-i -e '!exit 3'", "ued: f: -e 1:1: the command failed with status 3; "),
    ("-e 1d", "ued: f: unsaved changes; save them with 'w' or -i, or discard them with 'Q'\n2\n"),
    ("-e 1d -e q", "ued: f: -e 2:1: unsaved changes; "),
    ("-q -i -e /zz/", "1\n"),
  ])
  func `an error is reported with file, script and line, and nothing is written`(
    _ arguments: String, _ message: String
  ) {
    sandbox["s"] = Array("1d\n/zz/\n".utf8)
    #expect(sandbox.transcript("\"$UED\" -s f \(arguments)").hasPrefix(message))
    #expect(text("f") == "one\ntwo\n")
  }

  @Test(arguments: [
    ("--atomic -e 1d -e w -e Q f", "two\n", "one\ntwo\n"),
    ("-i -e 1d -e Q f", "one\ntwo\n", "one\ntwo\n"),
    ("-i -e 1d f g", "two\n", "two\n"),
    ("-i -e '$s/x*$/x/' -e 'w h' f", "one\ntwox\n", "one\ntwo\n"),
    ("-e 1d -e w -e 2d f || true", "two\n", "one\ntwo\n"),
    ("--atomic -e 1d -e w -e 'e ./g' -e '$d' -e w f", "two\n", "one\n"),
    ("--atomic -i -e 1d f ./f", "", "one\ntwo\n"),
  ])
  func `waiting writes happen at the end`(_ arguments: String, _ f: String, _ g: String) {
    #expect(sandbox.transcript("\"$UED\" \(arguments)").hasSuffix("0\n"))
    #expect(text("f") == f)
    #expect(text("g") == g)
  }

  @Test(arguments: [
    ("-i -e g/x/d -e ,v/x/p -e '%g/x/s/x/y/\\\nd'", "0\n"),
    ("-i -e ,s/a/b/", "ued: empty: -e 1:1: no match\n1\n"),
    ("-i -e %s/a/b/", "ued: empty: -e 1:1: no match\n1\n"),
    ("-i -e s/a/b/", "ued: empty: -e 1:1: no line 0: the text is empty; 'a' adds some\n1\n"),
    ("-i -e 1g/x/d", "ued: empty: -e 1:1: no line 1: the text is empty; 'a' adds some\n1\n"),
  ])
  func `g and v on all lines of an empty text do nothing, and s finds no match`(
    _ arguments: String, _ message: String
  ) {
    sandbox["empty"] = []
    #expect(sandbox.transcript("\"$UED\" \(arguments) empty") == message)
    #expect(text("empty") == "")
  }

  @Test(arguments: [
    ("n", "end the line with a backslash to split a line"), ("t", "type the tab itself"),
    ("r", "type the carriage return itself"), ("U", "s has no case conversion"),
    ("l", "s has no case conversion"),
  ])
  func `an escape of sed in a replacement is refused before anything changes`(
    _ letter: String, _ advice: String
  ) {
    let message = "'\\\(letter)' in the replacement would be the letter '\(letter)'; \(advice)\n1\n"
    for script in ["s/o/\\\(letter)/", "g/o/d\\\ns/o/x\\\(letter)&/", "s/o/\\\nx\\\(letter)/"] {
      sandbox["s"] = Array("1\n\(script)\n".utf8)
      let said = sandbox.transcript("\"$UED\" -s -i -f s f")
      #expect(said.hasPrefix("one\nued: f: s:") && said.hasSuffix(message), "\(said)")
      #expect(text("f") == "one\ntwo\n")
    }
    #expect(sandbox.transcript("printf '1s/o/\\\\\(letter)/\nw\n' | \"$UED\" -s f") == "0\n")
    #expect(text("f") == "\(letter)ne\ntwo\n")
  }

  @Test func `other backslashes in a replacement are as in ed`() {
    let script = "1s/o/\\\\n\\&/\n2stot\\t0t\n2s/w/\\n/F\nreplace text <<A <<B\nt0\nA\n\\t\nB\n"
    sandbox["s"] = Array(script.utf8)
    #expect(sandbox.transcript("\"$UED\" -s -i -f s f") == "0\n")
    #expect(text("f") == "\\n&ne\nt\\n\\t\n")
  }

  @Test(arguments: ["-i", "--atomic", "--diff", "--check", "-i --create --retry"])
  func `a run that should edit a file but has none says so`(_ options: String) {
    for script in ["-e 1d", "-e g/x/d", "-e ,s/a/b/", "-e /a/d -e w", "-e Q", "</dev/null"] {
      #expect(sandbox.transcript("\"$UED\" \(options) \(script)") == "ued: no file to edit\n1\n")
      let last = sandbox.transcript("\"$UED\" --json \(options) \(script)")
        .split(separator: "\n").suffix(2)
      let answer = #"{"end":true,"status":1,"error":"no-file-name","message":"no file to edit","#
      #expect(last.first?.hasPrefix(answer) == true && last.last == "1", "\(last)")
    }
    #expect(sandbox.transcript("\"$UED\" -s \(options) -e 'e f' -e 1p").hasPrefix("one\n"))
    #expect(sandbox.transcript("\"$UED\" -s --json \(options) -e ,p").contains("\"no-such-line\""))
  }

  @Test func `a file that was not read is not written over at the end`() {
    let output = sandbox.transcript("\"$UED\" -i -e 1d -e 'f g' f")
    #expect(output.hasPrefix("f: ") || output.hasPrefix("g\nued: g: "), "\(output)")
    #expect(output.hasSuffix("\n1\n"))
    #expect(text("f") == "one\ntwo\n" && text("g") == "one\ntwo\n")
    #expect(sandbox.transcript("\"$UED\" -i -e 1d -e 'f new' f").hasSuffix("0\n"))
    #expect(text("f") == "one\ntwo\n" && text("new") == "two\n")
  }

  @Test(arguments: [
    ("1d", "f f"), ("1d", "--history f f"), ("1d", "f g ./f"), ("1d", "f f f"),
    ("1s/o/x/", "f link f"),
    ("0a <<E\nnew\nE", "f f"), ("$a <<E\nnew\nE", "--create new new"), ("g/e/s//E/", "f f"),
    ("1m$", "f f"), ("1s/ne$/&\r/", "--strip-trailing-cr f f"),
  ])
  func `the difference for a file named twice equals the result of -i`(
    _ script: String, _ files: String
  ) {
    sandbox["s"] = Array("\(script)\n".utf8)
    sandbox.run("ln -s f link; mkdir real; cp f g real; cd real; ln -s f link; cp ../s .")
    let said = sandbox.transcript("\"$UED\" -s --diff -f s \(files) >patch || test $? = 1")
    #expect(sandbox.transcript("cd real; \"$UED\" -s -i -f s \(files) || test $? = 1") == said)
    #expect(text("f") == "one\ntwo\n")
    sandbox.run("sed 's/link/f/' patch | patch -sp0")
    for name in ["f", "g", "new"] { #expect(text(name) == text("real/\(name)")) }
  }

  @Test func `the backup is the file before the run`() {
    #expect(sandbox.transcript("\"$UED\" -i.bak -e 1d -e w -e 1d f") == "0\n")
    #expect(text("f") == "" && text("f.bak") == "one\ntwo\n")
    #expect(sandbox.transcript("\"$UED\" --atomic -i.bak -e 1d -e w -e Q g") == "0\n")
    #expect(text("g") == "two\n" && text("g.bak") == "one\ntwo\n")
  }

  @Test func `with --atomic a file that can't be written leaves all unchanged`() {
    sandbox.run("mkdir closed; cp g closed; chmod a-w closed/g; chmod a-w closed")
    let command =
      "\"$UED\" --atomic -e 1d -e w -e 'e closed/g' -e 1d -e w f"
    if geteuid() == 0 {
      sandbox.run("rm -rf closed; mkdir closed closed/g")
    }
    let said = sandbox.transcript(command)
    #expect(said.contains("ued: closed/g: ") && said.hasSuffix("\n1\n"), "\(said)")
    #expect(text("f") == "one\ntwo\n")
  }

  @Test(arguments: [
    ("-e 1s/$/x/ -e w -e 1s/$/y/ -e 'w h'", "f", "onexy\ntwo\n"),
    ("-e 1s/$/x/ -e w -e 1s/$/y/ -e 'W h'", "f", "onexy\ntwo\n"),
    ("-e 1s/$/x/ -e 'w h'", "f f", "onexx\ntwo\n"),
    ("--atomic -e 1s/$/x/ -e 'w h'", "f g ./f", "onexx\ntwo\n"),
    ("-e 1s/$/x/ -e w -e undo -e 'w h'", "f", "one\ntwo\n"),
    ("-e 1d -e 'w h' -e 1w", "f", "two\n"), ("-e 1d -e 'W f'", "f", "two\n"),
    ("-e 1w", "f", "one\n"), ("-e 1s/$/x/ -e 1w", "f", "onex\ntwo\n"),
  ])
  func `a write to another file does not stand for that of the edited one`(
    _ script: String, _ files: String, _ new: String
  ) {
    sandbox.run("\"$UED\" -i \(script) \(files)")
    #expect(text("f") == new)
  }

  @Test func `a file whose text is the same is not touched`() {
    let status = "stat -c '%i %y %z' f"
    let before = sandbox.run(status)
    for script in ["-i -e 1s/o/o/", "-i.bak -e '1d' -e undo", "--atomic -e w", "-e w", "-i -e 1p"] {
      #expect(sandbox.transcript("\"$UED\" \(script) f >out").hasSuffix("0\n"))
      #expect(sandbox.run(status) == before, "\(script)")
    }
    #expect(text("f.bak") == "(none)" && text("out") == "one\n")
  }

  @Test func `a missing last newline stays missing`() {
    for (script, result) in [
      ("1d", "two"), ("2s/t/T/", "one\nTwo"), ("1,2j", "onetwo"), ("$d", "one"), (",d", ""),
      ("2t.", "one\ntwo\ntwo"),
    ] {
      sandbox["f"] = Array("one\ntwo".utf8)
      #expect(sandbox.transcript("\"$UED\" -i -e '\(script)' f") == "0\n")
      #expect(text("f") == result, "\(script)")
    }
    sandbox["f"] = Array("one\ntwo".utf8)
    #expect(sandbox.transcript("\"$UED\" --check -e 1s/o/o/ f") == "0\n")
    #expect(
      sandbox.transcript("\"$UED\" --diff -e 1d f").hasSuffix(
        " two\n\\ No newline at end of file\n0\n"))
  }

  @Test func `w writes whole lines to another file`() {
    sandbox["f"] = Array("one\ntwo".utf8)
    #expect(
      sandbox.transcript("\"$UED\" -i -e 1s/o/O/ -e 'w log' -e 'W log' -e 'w ./f' f") == "0\n")
    #expect(text("f") == "One\ntwo")
    #expect(text("log") == "One\ntwo\nOne\ntwo\n")
    #expect(sandbox.transcript("\"$UED\" -i -e 2s/t/T/ -e '2W log' f") == "0\n")
    #expect(text("f") == "One\nTwo")
    #expect(text("log").hasSuffix("two\nTwo\n"))
  }

  @Test func `--check, --expect and --create report by exit status`() {
    #expect(sandbox.transcript("\"$UED\" --check -e 1d f") == "4\n")
    #expect(sandbox.transcript("\"$UED\" --check -e 1p f g") == "one\none\n0\n")
    let hash = "--expect=sha256:$(sha256sum f | cut -c1-64)"
    #expect(sandbox.transcript("\"$UED\" -i \(hash) -e 1d f") == "0\n")
    #expect(sandbox.transcript("\"$UED\" -i \(hash) -e 1d f") == "0\n")
    #expect(
      sandbox.transcript("\"$UED\" -i --expect=sha256:\(String(repeating: "0", count: 64)) -e 1d g")
        .hasSuffix("not the one given by --expect\n3\n"))
    #expect(sandbox.transcript("\"$UED\" -i -e '$a' -e x -e . new").hasSuffix("2\n"))
    #expect(sandbox.transcript("\"$UED\" -i --create -e '$a' -e x -e . new") == "0\n")
    #expect(text("new") == "x\n")
    #expect(sandbox.transcript("\"$UED\" -i --create -e '1,$p' empty || true").hasSuffix("0\n"))
    #expect(text("empty") == "(none)")
  }

  @Test func `--validate sees the new text before the save, whatever the file name`() {
    sandbox.run("mkdir 'a b' '$(touch pwned)'; cp f 'a b/f'; cp f '$(touch pwned)/f'")
    for name in ["f", "a b/f", "$(touch pwned)/f"] {
      for validation in [
        "grep -q two %", "x=\"$(cat \"%\")\"; test \"$x\" = two", "cat '%' | grep -qv one",
      ] {
        sandbox[name] = Array("one\ntwo\n".utf8)
        let command = "\"$UED\" -i --validate='\(validation.replacing("'", with: "'\\''"))' -e"
        #expect(sandbox.transcript("\(command) 1d '\(name)'") == "0\n", "\(validation)")
        #expect(text(name) == "two\n")
        let other = sandbox.transcript("\(command) '1a' -e one -e . '\(name)'")
        #expect(other.hasSuffix("1\n") == validation.hasPrefix("x"), "\(validation)")
      }
    }
    #expect(text("pwned") == "(none)")
    #expect(sandbox.transcript("\"$UED\" -i --validate='false %' -e 1d g").hasSuffix("1\n"))
    #expect(text("g") == "one\ntwo\n")
  }

  @Test func `a missing -e, and an escaped delimiter in plain text, give a hint`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("/usr\n".utf8)
    sandbox.run(
      """
      for command in 's/A/B/' ',d' '$a' 'g/x/d'; do
        exits 1 "$UED" -i "$command" f </dev/null 2>said
        grep -qxF "ued: there is no file '$command'; a command needs -e" said
      done
      exits 2 "$UED" -i d f </dev/null 2>said; grep -q "^ued: d: can't read" said
      fails "$UED" -i -e 's/\\/usr/\\/opt/F' f 2>said; grep -q "with F the text can't have the delimiter" said
      "$UED" -i -e 's|/usr|/opt|F' f; echo /opt | cmp - f
      """)
  }

  @Test func `a name is a file, not a command`() {
    sandbox["!touch x"] = Array("one\n".utf8)
    #expect(sandbox.transcript("\"$UED\" -i -e 1d -- '!touch x'") == "0\n")
    #expect(text("!touch x") == "" && text("x") == "(none)")
    sandbox["a;touch x"] = Array("one\n".utf8)
    #expect(sandbox.transcript("\"$UED\" -i -e '!cat %' 'a;touch x'").hasSuffix("1\n"))
    #expect(text("x") == "(none)")
  }

  @Test(arguments: [
    "--expect=md5:1", "--expect=sha256:12", "--retry=0", "--retry=x", "--retry=-1",
    "--validate=true",
    "--validate=", "-r --validate='test %'", "--expect=sha256:$(printf %064d 0) f", "''",
  ])
  func `options that make no sense are refused`(_ option: String) {
    let output = sandbox.transcript("\"$UED\" -i -e 1d \(option) f")
    #expect(output.hasPrefix("ued: ") && output.hasSuffix("\n1\n"), "\(output)")
    #expect(text("f") == "one\ntwo\n")
  }

  @Test(arguments: [
    "-f .", "-f none", "-f /bin/true", "-i -e 1d pipe", "-e 1p pipe", "-i -e 1d .",
    "-i -e 1d /dev/null",
    "-i -e 'a <<END' -e x f", "-i -e 'g/x/a <<END\\' -e 'x' f",
  ])
  func `input that can't be used is refused, and no file is touched`(_ arguments: String) {
    sandbox.run("mkfifo pipe")
    let output = sandbox.transcript("\"$UED\" \(arguments) f")
    #expect(output.hasPrefix("ued: ") && !output.hasSuffix("\n0\n"), "\(output)")
    #expect(text("f") == "one\ntwo\n" || arguments.hasPrefix("-i -e 1d"))
  }

  @Test func `lost output is reported once, however many files there are`() {
    sandbox.run(
      """
      for name in {1..20}; do printf 'a\\n' >f$name; done
      exits 1 "$UED" --diff -e s/a/b/ f{1..20} 2>errors >/dev/full
      test "$(cat errors)" = "ued: can't write standard output; pending writes were dropped"
      """)
  }

  @Test func `output that is lost is an error, and nothing is written then`() {
    #expect(
      sandbox.transcript("\"$UED\" -i -e 1p -e 1d f >/dev/full").hasPrefix(
        "ued: can't write standard output"))
    #expect(text("f") == "one\ntwo\n")
  }

  @Test func `a change in the last moment is not written over`() {
    sandbox.run("seq 2000000 >big")
    let output = sandbox.transcript(
      """
      "$UED" -i -e '1s/1/ONE/' big & p=$!
      awaits eval 'ls -A | grep -q "^.ued-"' || true
      echo more >>big; wait $p
      """)
    let isWritten = sandbox.run("head -n 1 big") == Array("ONE\n".utf8)
    #expect(output.hasSuffix(isWritten ? "0\n" : "3\n"))
    #expect(String(decoding: sandbox.run("tail -n 1 big"), as: UTF8.self) == "more\n")
  }

  @Test func `a history knows the saves of its runs`() {
    #expect(sandbox.transcript("\"$UED\" -i --history -e '1s/o/0/' f") == "0\n")
    #expect(sandbox.transcript("\"$UED\" -i --history --atomic -e '2s/o/0/' f g") == "0\n")
    #expect(
      sandbox.transcript("\"$UED\" -i --history --atomic -e '2s/t/T/' -e 9p f g").hasSuffix("1\n"))
    let history = sandbox.transcript("\"$UED\" -s --history -e 'history all' f")
    #expect(history.contains("*w 2") && history.contains(" s 1") && !history.contains("   3"))
    #expect(sandbox.transcript("\"$UED\" -s -i --history -e 'undo 2' f") == "0\n")
    #expect(text("f") == "one\ntwo\n")
    #expect(sandbox.transcript("\"$UED\" -s -i --history -e 'undo 3' f").hasSuffix("1\n"))
  }
}
