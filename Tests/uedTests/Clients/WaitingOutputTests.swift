import Differential
import Testing

/// Clients that read what a command printed before they let ued go on.
@Suite struct WaitingOutputTests {
  private let sandbox = Sandbox()

  /// Runs an editor on pipes; `said TEXT` waits until its output is that.
  private func run(_ commands: String) {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    sandbox.run(
      """
      said() { until test "$(cat out)" = "$1"; do sleep .01; done; }
      mkfifo in late
      "$UED" -s f <in >out &
      exec 3>in
      \(commands)
      wait
      """)
  }

  @Test func `what was printed is written before a pipe is read`() {
    run(
      "printf '1p\\nr late\\n' >&3; said one; echo three >late; printf '$p\\nQ\\n' >&3; exec 3>&-")
    #expect(sandbox["out"] == Array("one\nthree\n".utf8))
  }

  @Test func `what was printed is written before a pipe is written`() {
    run("printf '1p\\nw late\\n2p\\n' >&3; said one; cat late >g; said 'one\ntwo'; exec 3>&-")
    #expect(sandbox["g"] == Array("one\ntwo\n".utf8))
  }

  @Test func `what was printed is written before more text is waited for`() {
    run("printf '1p\\n$a\\nthr' >&3; said one; printf 'ee\\n.\\n,p\\nQ\\n' >&3; exec 3>&-")
    #expect(sandbox["out"] == Array("one\none\ntwo\nthree\n".utf8))
  }

  @Test func `with nobody reading its output a script goes on to its end`() {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    sandbox.run("(printf '1p\\n'; sleep .1; printf '2p\\n1d\\nw\\n') | \"$UED\" -s f | true")
    #expect(sandbox["f"] == Array("two\n".utf8))
  }

  @Test func `a message begins with the name by which the program was called`() {
    sandbox.run("mkdir bin && ln -s \"$UED\" bin/ed")
    let told = sandbox.run("ed -x 2>&1; ed -e nope g 2>&1", statuses: [2])
    #expect(
      Escapes.encode(told)
        == #"ed: invalid option -- 'x'\nTry 'ed --help' for more information.\n"#
        + #"ed: g: can't read: No such file or directory\n"#)
  }

  @Test func `a home folder is found in a strict run`() {
    sandbox["g"] = Array("three\n".utf8)
    sandbox["f"] = Array("one\n".utf8)
    sandbox.edit(["-i", "-e", "r ~/g", "f"], [])
    #expect(sandbox["f"] == Array("one\nthree\n".utf8))
  }
}
