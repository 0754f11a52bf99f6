import Differential
import Glibc
import Testing

/// Files that are overwritten in place, since a replacement would lose text or does not fit.
@Suite struct OverwritingTests {
  private static let isRoot = geteuid() == 0
  private let sandbox = Sandbox()

  @Test(arguments: ["/usr/bin/ed", "\"$UED\""])
  func `later appends to an open file survive a save by a script`(
    _ editor: String
  ) {
    sandbox.run(
      """
      printf 'one\\ntwo\\n' >f; exec 3>>f
      printf '1d\\nw\\nq\\n' | \(editor) -s f 3>&-
      echo later >&3; test "$(cat f)" = "$(printf 'two\\nlater')"
      fails grep '^\\.ued-' <(ls -A)
      """)
  }

  @Test(arguments: [("-i -e 1d", "two"), ("-s -e 1d -e w", "two")])
  func `a strict run replaces a file that a process has open`(_ arguments: String, _ text: String) {
    sandbox.run(
      """
      printf 'one\\ntwo\\n' >f; exec 3>>f; before=$(stat -c %i f)
      "$UED" \(arguments) f 3>&-; test "$(cat f)" = \(text); test $(stat -c %i f) != $before
      """)
  }

  @Test func `a process that opens the file while ued looks for writers does not end ued`() {
    sandbox.run(
      """
      printf 'one\\ntwo\\n' >f
      printf '1d\\nw\\n' >script
      # ued stops at F_SETSIG, which chooses the signal, and at F_SETLEASE, which takes the lease.
      strace -qqq -o trace -e inject=fcntl:signal=STOP:when=1..2 -P f "$UED" -s f <script & ued=$!
      go() { kill -CONT $(cat /proc/$ued/task/$ued/children); }
      awaits rests trace 1; go; awaits rests trace 2
      (: >>f) & awaits idle $!; go
      wait $ued; wait; test "$(cat f)" = two; grep -q 'F_SETLEASE, F_UNLCK' trace
      """)
  }

  /// Runs a command as root with file systems of its own: `small` is a disk of 1 MB with the file `f` of
  /// 700 kB, and `closed FOLDER…` makes folders read-only.
  private func mounted(_ command: String) {
    sandbox["script"] = Array(
      """
      closed() { for folder; do mount -t tmpfs -o ro none "$folder"; done; }
      # The program may be in a folder that is closed.
      touch ued; mount --bind "$UED" ued; UED=./ued
      mkdir small home; mount -t tmpfs -o size=1m none small
      seq -f %06.0f 100000 >small/f; cp small/f old; unset TMPDIR
      \(command)
      test -z "$(find small home -name '.ued-*')"
      """.utf8)
    sandbox.run("HOME=$PWD/home unshare -m bash -eu script")
  }

  @Test(.enabled(if: isRoot, "only root can mount"), arguments: ["/usr/bin/ed", "\"$UED\""])
  func `a disk without room for both texts takes the new one`(_ editor: String) {
    mounted(
      """
      printf '1d\\nw\\nr !seq 2 2000\\nw\\n' | \(editor) -s small/f
      tail -n +2 old >new; seq 2 2000 >>new; cmp new small/f
      """)
  }

  @Test(
    .enabled(if: isRoot, "only root can mount"),
    arguments: [
      ("/var/tmp", "/tmp"), ("/var/tmp /dev/shm", "/tmp"), ("/var/tmp /dev/shm home", "/tmp"),
      ("home /var/tmp /tmp", "/dev/shm"), ("home /var/tmp /tmp /dev/shm", "/mnt"),
    ])
  func `the old text goes to any folder that has room, or the save fails`(
    _ closed: String, _ open: String
  ) {
    mounted(
      """
      mount -t tmpfs none /mnt; export TMPDIR=/mnt
      test \(open) = /mnt || unset TMPDIR
      closed \(closed); test -w \(open)
      printf '1d\\nw\\n' | "$UED" -s small/f; tail -n +2 old | cmp - small/f
      closed home /tmp /var/tmp /dev/shm /mnt
      cp old small/f; status=0; printf '1d\\nw\\n' | "$UED" -s small/f 2>said || status=$?
      test $status = 2; cmp old small/f; grep 'No space left on device' said
      """)
  }

  @Test(.enabled(if: isRoot, "only root can mount"))
  func `a file in a read-only folder is saved with its old text in /tmp`() {
    mounted(
      """
      closed /var/tmp home; mkdir -m 755 d; printf 'one\\ntwo\\n' >d/f; chown 65534 d/f; chmod 755 .
      for options in -s '-s -i --atomic'; do
        printf '1d\\nw\\n' >s
        setpriv --reuid 65534 --regid 65534 --clear-groups \\
          "$UED" -s $(test "$options" = -s || echo -i --atomic -f s) d/f <s
      done
      test "$(wc -c <d/f)" = 0; key=/tmp/.ued-65534-key
      test "$(find /tmp -maxdepth 1 -name '.ued-*' -user 65534)" = $key; rm $key
      """)
  }
}
