import Differential
import Testing

/// Here-documents in scripts from every source: a pipe, a file, `-f` and `-e`.
@Suite struct HereDocumentTests {
  private static let script = "1a <<END\n.\n$d\nEND\nw\n"

  @Test(arguments: [
    "cat script | \"$UED\" -s f", "\"$UED\" -s f <script", "\"$UED\" -s -f script f",
    "\"$UED\" -s -f - f <script", "\"$UED\" -s -e '1a <<END' -e . -e '$d' -e END -e w f",
    "\"$UED\" -s -e \"$(cat script)\" f",
    "\"$UED\" -s --atomic -f script f",
  ])
  func `text goes up to the line that is its end word`(_ command: String) {
    let sandbox = Sandbox()
    sandbox["f"] = Array("one\ntwo\n".utf8)
    sandbox["script"] = Array(Self.script.utf8)
    sandbox.run(command)
    #expect(sandbox["f"] == Array("one\n.\n$d\ntwo\n".utf8))
  }

  @Test(arguments: ["cat script | \"$UED\" -s -v f", "\"$UED\" -s -v f <script"])
  func `text without an end is not inserted`(_ command: String) {
    let sandbox = Sandbox()
    sandbox["f"] = Array("one\ntwo\n".utf8)
    sandbox["script"] = Array("1c <<'the end'\nend\nw\n".utf8)
    #expect(sandbox.shell(command, status: 1).contains("there is no line 'the end'"))
    #expect(sandbox["f"] == Array("one\ntwo\n".utf8))
  }

  @Test(arguments: [
    ("a\nx\n", "y\n.\nh\n,p\nw\nq\n"), ("a\n", "1p\nQ\n"), ("2c\nx\n", "u\n,p\nQ\n"),
    ("2c\n", ".=\nh\n,p\nQ\n"), ("H\n2i\nx\ny", "z\n.\n,p\nQ\n"), ("1d\na\nx\n", "q\nq\n"),
    ("P\na\nx\n", ""),
  ])
  func `after an interrupt in a text, ued answers like ed and keeps the entered lines`(
    before: String, after: String
  ) {
    let sandbox = Sandbox()
    (sandbox["before"], sandbox["after"]) = (Array(before.utf8), Array(after.utf8))
    sandbox.run(
      """
      mkfifo ed.in ued.in
      for program in ed ued; do
        seq 3 >$program.f
        case $program in ed) path=/usr/bin/ed;; *) path=$UED;; esac
        "$path" -s $program.f <$program.in >$program.out 2>&1 &
        exec 3>$program.in
        cat before >&3; awaits idle $!; kill -INT $!; awaits idle $!; cat after >&3
        exec 3>&-
        wait $! || echo $? >>$program.out
      done
      grep -q '^[*]*?$' ed.out
      cmp ed.out ued.out; cmp ed.f ued.f
      """)
  }

  @Test func `lines after an interrupt are still text`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("one\ntwo\n".utf8)
    let output = sandbox.run(
      """
      mkfifo script
      "$UED" -s f <script &
      exec 3>script
      printf '%s\\n' 1p '1a <<END' x >&3
      awaits idle $!
      kill -INT $!
      awaits idle $!
      printf '%s\\n' 1d END ,p >&3
      exec 3>&-
      wait $!
      """)
    #expect(output == Array("one\n\n?\none\ntwo\n".utf8))
  }
}
