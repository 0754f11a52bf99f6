import Differential
import Testing

@testable import ued

/// `--record`: other programs' changes of files, as groups of a run.
@Suite struct RecordTests {
  private let sandbox = Sandbox()

  @Test func `a run of another program is undone in all files, also in deleted ones`() {
    sandbox.run(
      """
      seq 3 >f; seq 4 >g; printf x >h; printf '1\\r\\n2\\r\\n' >d; : >e; mkdir old; cp f g h d e old
      "$UED" --record f g h d e; test -z "$("$UED" --log | grep fmt)"
      sed -i s/2/two/ f d; rm g e; printf '\\0y' >>h
      "$UED" --run=fmt --record f g h d e >out 2>&1; test ! -s out
      "$UED" --log | grep -q ' fmt  *5$'
      "$UED" -i --history -e '$s/3/three/' f
      "$UED" --undo-run=fmt
      printf '1\\n2\\nthree\\n' | cmp - f
      for n in g h d e; do cmp $n old/$n; done
      "$UED" --undo-run=fmt; "$UED" --history -s -e history f | grep -q 'Record changes made outside ued'
      """)
  }

  @Test func `a change back to an earlier text is recorded, and undone in turn`() {
    sandbox.run(
      """
      seq 3 >f; "$UED" --record f
      rm f; "$UED" --run=1st --record f; "$UED" --undo-run=1st; "$UED" --record f
      rm f; "$UED" --run=2nd --record f; echo new >f; "$UED" --run=3rd --record f
      echo 1 >f; "$UED" --run=4th --record f; echo new >f; "$UED" --run=5th --record f
      "$UED" --undo-run=5th; test "$(cat f)" = 1; "$UED" --undo-run=4th; test "$(cat f)" = new
      "$UED" --undo-run=3rd; test ! -e f; "$UED" --undo-run=2nd; seq 3 | cmp - f
      """)
  }

  @Test func `ued's own changes, and files that never existed, are not recorded`() {
    sandbox.run(
      """
      seq 3 >f; "$UED" --history --run=own -i -e 1d f; "$UED" --run=none --record f
      test -z "$("$UED" --log | grep none)"
      status=0; "$UED" --json --run=K --record nosuch f >answers || status=$?; test $status = 2
      jq -se '.[0].files[0].error == "file-not-found" and .[0].files[1].revision == 1' answers
      echo x >>f; "$UED" --json --run=K --record f >answers
      jq -se '.[0].status == 0 and .[0].files[0].revision == 2' answers
      fails "$UED" --record; fails "$UED" --record -i f; fails "$UED" --record -e p f
      fails "$UED" --record --log f; fails "$UED" --search=x --undo-run=K; UED_HISTORY=off "$UED" --record f
      seq 2 >x; "$UED" --record x; rm x; "$UED" --run=rm --record x; echo other >x
      fails "$UED" --undo-run=rm 2>said; echo other | cmp x -; grep -q 'another one is there now' said
      fails "$UED" --record --history=off f; fails "$UED" --record --since=1d f
      """)
  }

  /// What is given to `--record`, the status and the message.
  @Test(arguments: [
    ("/dev/null", 2, "not a regular file"), ("none", 2, "can't read: No such file or directory"),
    ("large", 3, "not recorded, as its history can't be kept: the text is too large"),
  ])
  func `a file that can't be recorded is refused with the reason`(
    _ name: String, _ status: Int, _ message: String
  ) {
    sandbox.run(
      """
      head -c 17000000 /dev/zero >large; exits \(status) "$UED" --run=H --record \(name) 2>said
      echo "ued: \(name): \(message)" | cmp - <(tail -n 1 said)
      """)
  }

  @Test func `without a place for the history recording fails`() {
    let sandbox = Sandbox("XDG_STATE_HOME=/proc/none")
    sandbox.run(
      """
      seq 3 >f; status=0; "$UED" --run=K --record f 2>said || status=$?; test $status = 3
      test -s said
      """)
  }
}
