import Differential
import Testing

/// Saves of a file that others replace all the time.
@Suite struct ContendedSaveTests {
  private let sandbox = Sandbox()

  /// In each of the first 25 attempts, another program replaces the file between its opening and
  /// its check.
  @Test func `a save finds its turn, however often another program replaces the file`() {
    sandbox.run(
      """
      : >f; printf 'a\nx\n.\nw f\n' >script
      strace -qqq -o trace -P f -e inject=openat:signal=STOP:when=1..25 "$UED" -s <script 2>errors &
      for n in $(seq 25); do
        awaits rests trace $n; : >other; mv other f; kill -CONT $(cat /proc/$!/task/$!/children)
      done
      wait $!; test "$(cat f)" = x
      """)
  }

  /// Another program that has the file open writes to it just after the rename.
  @Test(arguments: ["-i", "-i --atomic"])
  func `lines that others append during a rename are not lost`(options: String) {
    sandbox.run(
      """
      printf 'a\nb\n' >f; exec 3>>f
      strace -qqq -o trace -e inject=renameat2:signal=STOP:when=1 "$UED" \(options) -e 1d f \
        2>errors 3>&- &
      awaits rests trace 1; test "$(cat f)" = b
      echo more >&3; kill -CONT $(cat /proc/$!/task/$!/children)
      exits 3 wait $!; printf 'a\nb\nmore\n' | cmp - f
      test -z "$(find . -name '.ued-*')"; grep -q changed errors
      """)
  }

  @Test func `saves in place do not fail when another program has made the file shorter`() {
    sandbox.run(
      """
      seq 2000 >f; ln f k
      for number in 1 2 3 4 5 6; do
        (for turn in 1 2 3 4 5 6 7 8 9 10; do
          # The file may be read in the middle of another save.
          printf '0a\\n1\\n2\\n.\\n2,$d\\nw\\nu\\nw\\n' | "$UED" -s f >>errors 2>&1 || echo $? >>errors
        done) &
      done
      wait; fails grep -v 'overwritten$\\|^Newline appended' errors; grep -q 'overwritten$' errors
      """)
  }
}
