import Differential
import Testing

@testable import ued

/// Runs that can't be made as a whole, and commands of the shell that can't be started: they are
/// refused with the reason, and nothing changes.
@Suite struct RefusedRunTests {
  private let sandbox = Sandbox()

  private static let closed = "strace -qqq -o trace -e inject=mkdirat:error=EACCES"

  /// The preparation, the program with its arguments, and its message.
  @Test(arguments: [
    (
      "cp f f.bak", "\"$UED\" --atomic -i.bak -e 's/o/0/' f f.bak",
      "the backup 'f.bak' is a FILE of this run, too"
    ),
    (
      "echo '---_a/d/g +++_/dev/null @@_-1_+0,0_@@ -gone' | tr ' _' '\\n ' >p",
      "\(closed) \"$UED\" --apply=p", "can't write: Permission denied"
    ),
    (
      "echo '---_/dev/null +++_b/d/new @@_-0,0_+1_@@ +new' | tr ' _' '\\n ' >p",
      "\(closed) \"$UED\" --apply=p", "can't write: Permission denied"
    ),
    (
      """
      ln f k; echo 'diff_--git_a/f_b/f old_mode_100644 new_mode_100755 ---_a/f +++_b/f @@_-1_+1_@@ -one +two' |
        tr ' _' '\\n ' >p
      """, "\"$UED\" --apply=p", "f: can't write: Operation not permitted"
    ),
  ])
  func `a run that can't be made changes nothing`(
    _ setup: String, _ program: String, _ said: String
  ) {
    sandbox.run(
      """
      echo one >f; mkdir d; echo gone >d/g; \(setup); touch trace said; before=$(stat -c '%n %i %a %Y' * d/*)
      status=0; \(program) 2>message || status=$?; test $status -gt 0; grep -qF "\(said)" message; rm message
      : >said; test "$(cat f d/g)" = "$(printf 'one\\ngone')"; test "$(ls -A d)" = g
      test "$(stat -c '%i %a' f)" = "$(echo "$before" | sed -n 's/^f \\([0-9]* [0-9]*\\) .*/\\1/p')"
      """)
  }

  @Test func `a run over more files than may be open replaces all of them`() {
    sandbox.run(
      """
      for i in $(seq 40); do echo $i >n$i; done
      (ulimit -n 100; "$UED" --atomic -i -e 's/$/x/' n*); for i in $(seq 40); do test "$(cat n$i)" = ${i}x; done
      fails grep '^.ued' <(ls -A)
      # If all may be open, no file is opened twice.
      open() { strace -qqqo trace -e trace=openat "$@" "$UED" --atomic -i -e 's/$/x/' n*; wc -l <trace; }
      many=$(open); few=$(ulimit -n 100; open); test $many -lt $few
      """)
  }

  /// A failing system call, and the messages of the shell commands.
  @Test(arguments: [
    ("pipe2:error=EMFILE", "?\nCannot open input file\n?\nCannot open output file\n"),
    (
      "clone3,clone,vfork:error=EAGAIN",
      "?\nCan't create shell process\n?\nCannot open input file\n?\nCannot open output file\n"
    ),
  ])
  func `a shell command that can't be started gives a message, and the text stays`(
    _ fault: String, _ said: String
  ) {
    sandbox.run(
      """
      echo one >f; printf 'H\\n!true\\nr !echo x\\nw !cat >g\\n,p\\n$a\\nmore\\n.\\nw\\n' >script
      (cat script | exits 1 strace -qqq -o trace -e inject=\(fault) "$UED" -s f >out 2>errors)
      grep -qE '^!echo x: (Too many open files|Resource temporarily unavailable)' errors
      test ! -e g; test "$(cat f)" = "$(printf 'one\\nmore')"
      """)
    #expect(sandbox["out"] == Array((said + "one\n").utf8))
  }

  @Test func `an interrupt during opening does not count as a file that can't be opened`() {
    #expect(RunFailure(file: [], error: .interrupted, isOpening: true).status == 1)
    #expect(RunFailure(file: [], error: .badArgument([], of: "apply"), isOpening: true).status == 2)
  }

  @Test func `a failed write does not count as a change by another program`() {
    sandbox.run(
      #"""
      echo a >f; printf '1s/$/x/\nw\nw\nq\n' >script
      (cat script | exits 1 strace -qqq -o trace -e inject=fsync:error=EIO:when=2 "$UED" -G f >out 2>errors)
      grep -q INJECTED trace; test "$(cat f)" = ax; test "$(cat errors)" = 'f: Input/output error'
      """#)
  }

  @Test func `a part of a text that can't be passed to a filter stays`() {
    sandbox.run(
      """
      echo one >f; printf '1!sed s/one/two/\\nw\\nQ\\n' >script
      strace -qqq -o trace -e inject=memfd_create:error=ENOSYS "$UED" -s f <script >out 2>errors ||
        test $? = 1
      grep -q INJECTED trace; grep -q 'Function not implemented' errors; test "$(cat f)" = one
      """)
  }
}
