import Differential
import Testing

/// Clients that read the output of a command before they let ued go on.
@Suite struct WaitingOutputTests {
  private let sandbox = Sandbox()

  /// Runs an editor on pipes; `said TEXT` waits until its output is that.
  private func run(_ commands: String) {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    sandbox.run(
      """
      is() { test "$(cat out)" = "$1"; }
      said() { awaits is "$1"; }
      mkfifo in late
      "$UED" -s f <in >out &
      exec 3>in
      \(commands)
      wait $!
      """)
  }

  @Test func `output is flushed before a pipe is read`() {
    run(
      "printf '1p\\nr late\\n' >&3; said one; echo three >late; printf '$p\\nQ\\n' >&3; exec 3>&-")
    #expect(sandbox["out"] == Array("one\nthree\n".utf8))
  }

  @Test func `output is flushed before a pipe is written`() {
    run("printf '1p\\nw late\\n2p\\n' >&3; said one; cat late >g; said 'one\ntwo'; exec 3>&-")
    #expect(sandbox["g"] == Array("one\ntwo\n".utf8))
  }

  @Test func `output is flushed before ued waits for more text`() {
    run("printf '1p\\n$a\\nthr' >&3; said one; printf 'ee\\n.\\n,p\\nQ\\n' >&3; exec 3>&-")
    #expect(sandbox["out"] == Array("one\none\ntwo\nthree\n".utf8))
  }

  @Test func `a script runs to its end without a reader of its output`() {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    sandbox.run(
      """
      mkfifo gone
      (printf '1p\\n'; cat gone; printf '2p\\n1d\\nw\\n') | { "$UED" -s f || test $? = 1; } | { exec <&-; : >gone; }
      """
    )
    #expect(sandbox["f"] == Array("two\n".utf8))
  }

  @Test func `a message begins with the name by which the program was called`() {
    sandbox.run("mkdir bin && ln -s \"$UED\" bin/ed")
    #expect(
      sandbox.shell("exits 1 ed -x; ed -e nope g", status: 2)
        == """
        ed: invalid option -- 'x'
        Try 'ed --help' for more information.
        ed: g: can't read: No such file or directory

        """)
  }

  @Test func `a strict run expands ~ in a file name`() {
    sandbox["g"] = Array("three\n".utf8)
    sandbox["f"] = Array("one\n".utf8)
    sandbox.edit(["-i", "-e", "r ~/g", "f"], [])
    #expect(sandbox["f"] == Array("one\nthree\n".utf8))
  }
}
