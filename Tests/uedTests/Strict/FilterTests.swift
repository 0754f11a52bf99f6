import Differential
import Testing

/// The FILE `-`: standard input is edited, and standard output gets the text.
@Suite struct FilterTests {
  @Test(arguments: [
    ("a\nb\nc", "-e 1d -e s/b/B/", "B\nc"), ("", "-e 'a <<E' -e x -e E", "x\n"),
    ("", "-e g/x/d -e ,p -e /x/d -e 1s/a/b/ -e /a+/d", ""),
    ("", "-e /x/a -e foo -e . -e 'i <<E' -e y -e E", "y\n"),
    ("", "-e 1d -e '$a' -e x -e . -e 0a -e y -e .", "y\nx\n"),
    ("a\r\nb\r\n", "-e '$a' -e x -e .", "a\r\nb\r\nx\r\n"),
    ("a\nb\n", "-e 1d -e Q", "a\nb\n"), ("a\nb\n", "-e 1d -e q", "b\n"),
    ("a\nb\n", "-e 1p -e 1d", "a\nb\n"), ("a\nb\n", "-e 1d -e undo -e 's/$/!/'", "a\nb!\n"),
    ("b\na\n", "-s -e '1,2!sort'", "a\nb\n"), ("a\u{0}b", "-e s/b/c/", "a\u{0}c"),
    ("a \r\nb\r\n", "--strip-trailing-cr -e ',s/ $//'", "a\nb\n"),
    ("a\n", "-f script", "A\n"), ("\u{1B}]0;x\n", "-e p", "\u{1B}]0;x\n\u{1B}]0;x\n"),
  ])
  func `edits the lines that it reads`(_ input: String, _ arguments: String, _ output: String) {
    let sandbox = Sandbox()
    sandbox["in"] = Array(input.utf8)
    sandbox["script"] = Array("s/a/A/\n".utf8)
    sandbox.run("\"$UED\" \(arguments) - <in >out; test ! -e -")
    #expect(sandbox["out"] == Array(output.utf8))
  }

  @Test func `a failure prints no text, and options for files are errors`() {
    let sandbox = Sandbox()
    sandbox["in"] = Array("a\nb\n".utf8)
    sandbox.run(
      """
      fails "$UED" -e 1d -e 9d - <in >out 2>said; test ! -s out; grep -q '^ued: -e 2:1: no line 9' said
      fails "$UED" -e 1d -e w - <in >out 2>said; test ! -s out; grep -q 'no file name' said
      "$UED" -e 1d -e 'w g' - <in >out; cmp g out
      for option in -i -i.bak --atomic --json --check --diff --create --retry --run=x --history=require
      do fails "$UED" $option -e p - <in >out 2>said; grep -q "the FILE '-' is standard input" said || test $option = --json
      done
      fails "$UED" -l -i -e 9d in 2>said; grep -q "'-l' would hide the failures" said
      fails "$UED" -f - - <in >out 2>said; grep -q "takes no '--file=-'" said
      fails "$UED" -e p - <in >/dev/full 2>said
      status=0; "$UED" -e p -- - <in >out 2>said || status=$?; test $status = 2
      echo x >-; "$UED" -i -e s/x/y/ -- -; grep -q y ./-
      HOME=$PWD "$UED" --history -e 1d - <in >out; test ! -e .local
      printf 'p\nq\n' | "$UED" - in >out; printf 'b\n' | cmp - out
      """)
  }
}
