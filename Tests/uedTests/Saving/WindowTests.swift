import Differential
import Testing

@testable import ued

/// Runs without `--atomic` over many files, which are written in windows.
@Suite struct WindowTests {
  private let sandbox = Sandbox()

  private let files = "for n in $(seq 10 29); do printf 'one\\ntwo\\n' >f$n; done\n"

  @Test func `the folder of many files is synced once, and each file once`() {
    sandbox.run(
      files + """
        strace -fqqqo trace -e trace=fsync,fdatasync "$UED" -i -e '1s/$/x/' f*
        test $(wc -l <trace) = 21; test $(cat f* | grep -c onex) = 20; test $(ls -A | wc -l) = 21
        """)
  }

  @Test func `a later run syncs each file and the log of its history once, and their folders`() {
    sandbox.run(
      files + """
        HOME=$PWD/home; export HOME; mkdir home
        "$UED" -i --history -e '1s/$/x/' f*
        strace -fqqqo trace -e trace=fsync,fdatasync "$UED" -i --history -e '2s/$/x/' f*
        test $(wc -l <trace) = 42; test $(cat f* | grep -c twox) = 20
        """)
  }

  @Test(arguments: [
    "-i -e 1s/o/o/", "-i -e 1c -e one -e .", "-i -e ',!cat'", "-i.old -e 1s/o/o/", "-i -e p",
  ])
  func `a run that changes nothing syncs and writes nothing`(_ run: String) {
    sandbox.run(
      files + """
        HOME=$PWD/home UED_HISTORY=on; export HOME UED_HISTORY; mkdir home
        "$UED" -i -e '1s/$/x/' -e '1s/x$//' -e '2s/$/x/' f*; before=$(stat -c '%i %Y' f*; ls -A)
        grep -x twox f10
        for f in f10 'f10 f11'; do
          strace -fqqqo trace -e signal=none -e trace=fsync,fdatasync "$UED" \(run) $f >out; test ! -s trace; rm trace out
        done
        test "$(stat -c '%i %Y' f*; ls -A)" = "$before"
        """)
  }

  @Test(arguments: ["-i", "-i --atomic", "-i --history"])
  func `a text that is undone after a write is written at the end`(_ options: String) {
    sandbox.run(
      """
      HOME=$PWD/home; export HOME; mkdir home; echo a >f
      "$UED" \(options) -e '1s/a/x/' -e w -e undo f; grep -x a f; "$UED" \(options) -e '1s/a/x/' -e w f; grep -x x f
      """)
  }

  @Test func `a new history is kept for a file that several scripts change`() {
    sandbox.run(
      """
      HOME=$PWD/home; export HOME; mkdir home; seq 4 >f; seq 9 >other
      printf '1d\nE other\n1d\nw\n' | "$UED" -i --atomic --history=on f f 2>said
      fails grep 'not kept' said; test "$(head -n 1 other)" = 3
      """)
  }

  @Test func `a file whose script fails is reported, and all others are written`() {
    sandbox.run(
      files + """
        echo other >f15; rm f17; ln f18 g
        status=0; "$UED" -i -e '/two/s/$/x/' f* f17 2>errors || status=$?
        test $status = 2; test $(wc -l <errors) = 2
        grep '^ued: f15: ' errors; grep '^ued: f17: ' errors; test $(cat f* | grep -c twox) = 18
        grep twox g; test $(ls -A | wc -l) = 21
        """)
  }

  @Test func `a file that another program changes meanwhile is edited as it is then`() {
    sandbox.run(
      files + """
        strace -qqqo trace -P f19 -e inject=openat:signal=STOP:when=1 \\
          "$UED" -i -e '1s/$/x/' f* & ued=$!
        awaits rests trace 1; echo other >f12; kill -CONT $(cat /proc/$ued/task/$ued/children)
        wait $ued; test "$(cat f12)" = otherx; test $(cat f* | grep -c onex) = 19
        """)
  }

  @Test(arguments: [1, 2, 7, 20])
  func `a kill leaves each file old or new, and later runs keep it so`(
    _ number: Int
  ) {
    sandbox.run(
      files + """
        strace -fqqqo trace -e inject=renameat2:signal=KILL:when=\(number) \\
          "$UED" -i -e '1s/$/x/' f* || true
        test $(cat f* | grep -c onex) -le \(number); test $(cat f* | grep -c two) = 20
        cat f* >before; printf '%s\\n' 'r f11' Q | "$UED" -s f10 >out 2>&1; cat f* | cmp - before
        "$UED" -i -e '1s/x*$/x/' f*; test $(cat f* | grep -c onex) = 20
        test $(ls -A | grep -c '^[.]ued-') = 0
        """)
  }

  @Test
  func `output comes before the write of its file, and a file whose output is lost is not written`()
  {
    sandbox.run(
      files + """
        "$UED" -i -e '1s/$/x/p' f* >out; test "$(cat out)" = "$(yes onex | head -n 20)"
        exits 1 "$UED" -i -e '2s/$/x/p' f* >/dev/full; test $(cat f* | grep -c twox) = 0
        "$UED" -i -e '2s/$/y/' -e '2w /dev/stderr' f* 2>out; test $(grep -c twoy out) = 20
        """)
  }

  @Test(arguments: [
    "(ulimit -n 64; UED -i --history -e '1s/$/x/' f*)",
    "strace -fqqqo trace -e inject=fsync:error=EIO:when=2 UED -i --history -e '1s/$/x/' f*",
    "strace -fqqqo trace -e inject=renameat2:error=EIO:when=3 UED -i --history -e '1s/$/x/' f*",
    "UED -i --history -e '1s/$/x/' -e 'W nn' f* nn f29 nn f29; sed -i s/xx/x/ f29",
  ])
  func `a window that fails leaves no groups in the histories`(_ command: String) {
    sandbox.run(
      files + """
        HOME=$PWD/home; export HOME; mkdir home; echo >nn
        \(command.replacing("UED", with: "\"$UED\"")) 2>errors
        test ! -s errors || { cat errors; false; }
        test $(cat f* | grep -c onex) = 20
        "$UED" -s --history -e 'history all' -e Q f12 >listed; test $(grep -c Substitute listed) = 1
        """)
  }

  @Test func `files that could not be put back are not edited again`() {
    sandbox.run(
      files + """
        status=0
        strace -fqqqo trace -e inject=renameat2:error=EACCES:when=2+ "$UED" -i -e '1s/e/ee/' f* \\
          2>errors || status=$?
        test $status = 1; grep 'could not restore' errors; test $(cat f* | grep -c oneee) = 0
        """)
  }

  @Test func `a shell command sees the files that were written before`() {
    sandbox.run(
      files + """
        "$UED" -i -e '1s/$/x/' -e '$r !cat f* | grep -c onex || :' f* >/dev/null
        test "$(tail -qn 1 f* | paste -sd ' ')" = "$(seq -s ' ' 0 19)"
        """)
  }

  @Test func `a file given twice is edited twice, and a script reads the written text`() {
    sandbox.run(
      files + """
        "$UED" -i -e '1s/$/x/' f11 f12 f11; grep -x onexx f11; grep -x onex f12
        "$UED" -i -e '1s/$/y/' -e '$r f13' f13 f14; test $(grep -c oney f14) = 2
        """)
  }

  @Test(arguments: [3, 40, 90])
  func `--log lists all histories of a killed run`(_ number: Int) {
    sandbox.run(
      files + """
        HOME=$PWD/home; export HOME; mkdir home
        strace -fqqqo trace -e inject=pwrite64:signal=KILL:when=\(number)00 \\
          "$UED" -i --history --run=K -e '1s/$/x/' f* || true
        "$UED" --log | grep -c "$PWD/f" >listed || true
        stored=0; for f in f*; do
          "$UED" -s --history -e history -e Q $f 2>/dev/null | grep -Eq "^.{3}1  " && stored=$((stored + 1))
        done
        test $(cat listed) = $stored
        "$UED" -i --history --run=L -e '2s/$/x/' f*; test $("$UED" --log | grep -c "$PWD/f") -ge 20
        """)
  }

  @Test func `a run of more than a second shows how many files are done, at a terminal`() {
    sandbox.run(
      #"""
      for n in 1 2; do printf 'one\ntwo\n' >f$n; done; export UED
      script -qec '"$UED" -i -e "!sleep 1.1" -e "1s/^t/&/" f1 f2' seen >/dev/null || true
      grep -q "ued: 1 of 2 files$(printf '\r')" seen; grep -q "^.*ued: f1: .*no match" seen
      script -qec '"$UED" -q -i -e "!sleep 1.1" -e 1d f1 f2' seen >/dev/null
      "$UED" -i -e '!sleep 1.1' -e '1s/z/&/' f1 f2 2>>seen || true
      test $(grep -c ' of 2 files' seen) = 0; grep -q f1 seen
      """#)
  }
}
