import Differential
import Glibc
import Testing

@testable import ued

/// The index of all histories, which is a cache.
@Suite(.serialized) struct HistoryIndexTests {
  private let sandbox = Sandbox("UED_HISTORY=on")
  private var folder: String { sandbox.path + "/.local/state/ued" }

  /// The log without the identities of runs.
  private var log: String { sandbox.shell(#""$UED" --log | sed 's/^[^ ]* *//'"#) }

  /// Damages the history index as a power cut may: a table lacks rows that its SQL index has.
  private static let contradiction = """
    sql() { python3 -c 'import sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    for line in sys.argv[2:]: db.execute(line)
    db.commit()' "$I" "$@"; }
    sql 'CREATE TABLE none (id INTEGER PRIMARY KEY)' 'PRAGMA writable_schema = ON' "UPDATE sqlite_schema SET rootpage =
    (SELECT rootpage FROM sqlite_schema WHERE name = 'none') WHERE name = 'history'"

    """

  @Test func `a history that another process reads is not deleted`() async throws {
    sandbox["h"] = [0]
    let file = try OpenFile(Array((sandbox.path + "/h").utf8), O_RDWR)
    var lock = flock()
    lock.l_type = Int16(F_RDLCK)
    #expect(fcntl(file.descriptor, F_SETLK, &lock) == 0)
    await #expect(processExitsWith: .exitCode(3)) { [path = sandbox.path as String] in
      exit(HistoryFolder.delete(Array((path + "/h").utf8)) ? 0 : 3)
    }
    #expect(sandbox["h"] == [0])
  }

  @Test func `only its owner can read it`() {
    sandbox.shell(#"umask 0; seq 3 >f; "$UED" -i -e 1d f"#)
    #expect(sandbox.shell("stat -c %a .local/state/ued/index.db*") == "600\n600\n")
  }

  @Test(arguments: [
    "rm $I", "echo rubbish >$I", ": >$I",
    "dd if=/dev/zero of=$I bs=1 seek=5000 count=3000 conv=notrunc",
    "touch .local/state/ued/index.stale",
    contradiction + "touch .local/state/ued/index.stale",
    contradiction + "sql \"UPDATE state SET boot = x'00'\"",
  ])
  func `a lost, damaged or stale one is rebuilt`(_ damage: String) {
    sandbox.shell(#"seq 3 >f; seq 3 >g; for n in 1 2 3; do "$UED" --run=r$n -i -e 1d f; done"#)
    sandbox.shell(#"UED_RUN=two "$UED" -i -e 2d g"#)
    let before = sandbox.shell(#""$UED" --log"#)
    #expect(before.split(separator: "\n").count == 9)
    sandbox.shell("I=.local/state/ued/index.db; exec >/dev/null; \(damage)")
    #expect(sandbox.shell(#"seq 3 >h; UED_RUN=new "$UED" -i -e 1d h"#) == "")
    #expect(
      sandbox.shell(#""$UED" --log | tail -n +4"#) == before.split(separator: "\n").dropFirst()
        .joined(
          separator: "\n") + "\n")
    #expect(!Disk.names(in: folder).contains("index.stale"))
  }

  @Test func `a locked index delays a save only briefly, and missing rows come later`() throws {
    sandbox.shell(#"seq 3 >f; "$UED" -i -e 1d f"#)
    do {
      let other = try Database(path: Array((folder + "/index.db").utf8))
      try other.run("BEGIN EXCLUSIVE")
      #expect(
        sandbox.shell(#"seq 3 >g; UED_RUN=late "$UED" -i -e 1d g; cat g"#)
          == "2\n3\n")
      try other.run("ROLLBACK")
    }
    #expect(Disk.names(in: folder).contains("index.stale"))
    #expect(log.contains("late"))
  }

  @Test(arguments: ["", "rm .local/state/ued/index.db"])
  func `a log says which runs have taken a run back`(_ loss: String) {
    sandbox.run(
      #"""
      seq 9 >f; cp f g
      identity() { "$UED" --json --log | sed -n '1s/{"run":"\([^"]*\)".*/\1/p'; }
      "$UED" -i --run=one -e 1d f g
      "$UED" -i --run=two -e 2d f
      "$UED" -i -e 3d g; unnamed=$(identity)
      "$UED" --undo-run=one --run=first; first=$(identity)
      "$UED" --undo-run=$unnamed; second=$(identity)
      printf 'revert run two\nw\n' | "$UED" --run=third --history -s f; third=$(identity)
      # A dry run, and a group with such a name, don't count.
      exits 4 "$UED" --undo-run=third --check
      printf '1d\nname Undo run third\nw\n' | "$UED" --run=last --history -s f
      \#(loss)
      "$UED" --log | grep -v / | cut -c 36- | sed 's/ *$//' >log
      printf '%s\n' 'name   files  undone by' 'last   1' 'third  1' '       1' 'first  2' \
        "       1      $second" 'two    1      third' 'one    2      first' | diff - log
      "$UED" --json --log | grep -o '"taken_back_by":.*' >log
      printf '"taken_back_by":[%s]}\n' '' '' '' '' "\"$second\"" "\"$third\"" "\"$first\"" | diff - log
      """#)
  }

  @Test func `a damaged history is read once, and again when it has changed`() {
    sandbox.run(
      #"""
      seq 3 >f; "$UED" -i -e 1d f; H=$(ls .local/state/ued/*.history)
      "$UED" --log | grep /f; dd if=/dev/zero of="$H" bs=1 seek=90 count=3000 conv=notrunc
      rm -f .local/state/ued/*-wal; touch -d +1min "$H"; touch .local/state/ued/index.stale
      reads() { seq $1 >$1; strace -o trace -e openat "$UED" -i -e 1d $1 2>>said; grep -c "$H" trace || true; }
      test $(reads 4) -gt 0; test $(reads 5) = 0
      touch -d +2min "$H"; touch .local/state/ued/index.stale; test $(reads 6) -gt 0; test $(reads 7) = 0
      """#)
  }

  @Test func `missing histories are not in the log, and forget removes one`() {
    sandbox.shell(#"seq 3 >f; seq 3 >g; "$UED" --run=one -i -e 1d f; "$UED" --run=two -i -e 1d g"#)
    sandbox.shell(#""$UED" -e forget g"#)
    #expect(log.contains("one") && !log.contains("two"))
    sandbox.shell("rm .local/state/ued/*.history; touch .local/state/ued/index.stale")
    #expect(log == "")
  }

  @Test func `a failed run isn't in the log`() {
    sandbox.shell(#"seq 3 >f; seq 3 >g; "$UED" --run=one --atomic -i -e 1d f g"#)
    let before = log
    sandbox.shell(#"UED_RUN=two exits 1 "$UED" --atomic -i -e 1d --validate='grep -q x %' f g"#)
    #expect(log == before)
  }

  @Test func `fifty runs at once are all in it`() {
    sandbox.shell(#"for n in $(seq 50); do seq 3 >f$n; done"#)
    let out = sandbox.shell(#"seq 50 | xargs -P 50 -I N "$UED" --run=rN -i -e 1d fN"#)
    #expect(out == "")
    #expect(log.split(separator: "\n").count { $0.contains(" r") } == 50)
    #expect(!Disk.names(in: folder).contains("index.stale"))
  }

  @Test func `only the run that makes the index lists the folder`() {
    sandbox.shell(#"seq 3 >f; seq 3 >g; "$UED" -i -e 1d f"#)
    let calls = sandbox.shell(#"strace -f -e trace=getdents64 "$UED" -i -e 1d g 2>&1"#)
    #expect(!calls.contains("getdents") && sandbox["g"] == Array("2\n3\n".utf8))
  }
}
