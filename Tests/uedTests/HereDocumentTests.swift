import Differential
import Testing

/// Here-documents, from wherever scripts come.
@Suite struct HereDocumentTests {
  private static let script = "1a <<END\n.\n$d\nEND\nw\n"

  @Test(arguments: [
    "cat script | \"$UED\" -s f", "\"$UED\" -s f <script", "\"$UED\" -s -f script f",
    "\"$UED\" -s -f - f <script", "\"$UED\" -s -e '1a <<END' -e . -e '$d' -e END -e w f",
    "\"$UED\" -s -e \"$(cat script)\" f",
    "\"$UED\" -s --atomic -f script f",
  ])
  func `text goes up to its word`(_ command: String) {
    let sandbox = Sandbox()
    sandbox["f"] = Array("one\ntwo\n".utf8)
    sandbox["script"] = Array(Self.script.utf8)
    sandbox.run(command)
    #expect(sandbox["f"] == Array("one\n.\n$d\ntwo\n".utf8))
  }

  @Test(arguments: ["cat script | \"$UED\" -s -v f", "\"$UED\" -s -v f <script"])
  func `text without an end is no text`(_ command: String) {
    let sandbox = Sandbox()
    sandbox["f"] = Array("one\ntwo\n".utf8)
    sandbox["script"] = Array("1c <<'the end'\nend\nw\n".utf8)
    #expect(sandbox.shell(command, status: 1).contains("there is no line 'the end'"))
    #expect(sandbox["f"] == Array("one\ntwo\n".utf8))
  }

  @Test func `what follows an interrupt is still text`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("one\ntwo\n".utf8)
    let output = sandbox.run(
      """
      mkfifo script
      "$UED" -s f <script &
      exec 3>script
      printf '%s\\n' 1p '1a <<END' x >&3
      sleep 0.5
      kill -INT $!
      sleep 0.2
      printf '%s\\n' 1d END ,p >&3
      exec 3>&-
      wait $!
      """)
    #expect(output == Array("one\n\n?\none\ntwo\n".utf8))
  }
}
