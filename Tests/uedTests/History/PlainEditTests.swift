import Differential
import Glibc
import Testing

/// Edits as `diff -e` writes them.
@Suite struct PlainEditTests {
  @Test func `edits with NUL, without an end, or at line 0 are read as by ed`() {
    for script in [
      "1d\\n1c\\na\\0b\\n.\\nw\\n",
      "1d\\n0a\\nx\\n.\\n2,3c\\ny",
      "3d\\n1d\\n1a\\n.\\n1c\\n..\\n.\\n.\\nw\\n",
      "4000000000000000000000000000d\\n1d\\n1d\\nw\\n",
    ] {
      let sandbox = Sandbox()
      sandbox.run(
        """
        printf 'line 1\\nline 2\\nline 3\\n' >f; cp f g; printf '\(script)' >script
        "$UED" -s f <script >out || echo $? >>out; ed -s g <script >other || echo $? >>other
        """)
      #expect(sandbox["f"] == sandbox["g"], "\(script)")
      #expect(sandbox["out"] == sandbox["other"], "\(script)")
    }
  }

  @Test func `plain edits are stored before ued waits for more`() {
    let sandbox = Sandbox()
    sandbox["f"] = (1...9).flatMap { Array("line \($0)\n".utf8) }
    let session = HeldProgram.session(["f"], in: sandbox, options: ["-s", "--history=on"])
    session.send("1p\n9d\n5d\n3d\n")
    #expect(session.awaitOutput("line 1\n"))
    session.awaitIdle()
    session.signal(SIGKILL)
    _ = session.ending()
    let history = sandbox.run("echo 'history json' | \"$UED\" -s --history=on f 2>errors | wc -l")
    #expect(String(decoding: history, as: UTF8.self) == "4\n")
  }
}
