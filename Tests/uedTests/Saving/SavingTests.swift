import UedLinux
import Differential
import Glibc
import Testing

/// Attributes, links and bytes of a file after a save.
@Suite struct SavingTests {
  private let sandbox = Sandbox()

  /// Runs a shell command. In it `save FILE` deletes the first line of a file, and `number FILE`
  /// prints its inode.
  private func run(_ command: String) {
    sandbox.run(
      """
      save() { printf '1d\\nw\\n' | "$UED" -s "$@"; }
      number() { stat -c %i "$1"; }
      clean() { fails grep '^\\.ued-' <(ls -A "$@"); }
      printf 'one\\ntwo\\nthree\\n' >f
      printf 'two\\nthree\\n' >new
      \(command)
      """)
  }

  @Test func `a file is replaced in one step, and its mode stays`() {
    run(
      """
      for mode in 600 640 755 444 4755 2750; do
        printf 'one\\ntwo\\nthree\\n' >f; chmod $mode f; before=$(number f)
        test $mode != 444 || { chmod u+w f; mode=644; }
        save f
        cmp f new; test "$(stat -c %a f)" = $mode; test "$(number f)" != $before; chmod 600 f
      done
      clean
      """)
  }

  @Test
  func `promise 2: a save that replaces a file is synced, a script's new file is not`() {
    run(
      """
      printf '1d\\nw\\nw new file\\n' >script
      strace -qqq -o trace -e trace=fsync,renameat,write -P f -P .ued-$(id -u)-0 -P "$PWD/.ued-$(id -u)-0" -P . -P 'new file' -P "$PWD/new file" \
        "$UED" -s f <script 2>/dev/null
      test "$(sed 's/(.*//' trace | tr '\\n' ' ')" = 'write fsync renameat fsync write '
      """)
  }

  @Test func `a backup has the permissions of the file, and an interrupt ends a wait for a reader`()
  {
    run(
      """
      chmod 600 f; "$UED" -s -i.old -e 1d f; test "$(stat -c %a f.old)" = 600; test "$(head -1 f.old)" = one
      # The pipe has a reader that never reads, and ued waits in a write.
      mkfifo p; exec 4<>p; printf 'r !seq 30000\\nw p\\nh\\n' >script
      "$UED" -s <script >out 2>&1 4<&- & awaits eval 'idle $! && test -n "$(ls -l /proc/$!/fd | grep /p$)"'
      kill -INT $!; exits 2 wait $!
      test "$(cat out)" = "$(printf '\\n?\\nInterrupt\\n?')"; clean
      """)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
  func `the owner's set-user-ID and set-group-ID bits stay`() {
    run(
      """
      chmod 777 .; own() { setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent "$UED" "$@"; }
      for options in -i '--atomic -i'; do
        for links in 1 2; do
          rm -f s t; echo a >s; test $links = 1 || ln s t; chown 65534:65534 s; chmod 6755 s
          own $options -e s/a/b/ s; test "$(stat -c %a s)" = 6755; grep -x b s
        done
      done
      """)
  }

  @Test func `a name that is too long changes nothing, and leaves no staged files`() {
    run(
      """
      long=$(printf 'x%.0s' {1..252}); echo a >m; echo a >$long
      "$UED" --atomic -i.bak -e s/a/b/ m $long 2>said || test $? = 1; grep -q 'too long' said; grep -x a m $long
      "$UED" -i.bak -e s/a/b/ m $long 2>said || test $? = 1; grep -x b m; grep -x a $long m.bak; rm $long
      "$UED" --atomic -i -e s/b/c/ m; grep -x c m; rm m m.bak; clean
      """)
  }

  @Test func `a new file follows the umask`() {
    run(
      "umask 027; printf 'a\\nx\\n.\\nw y\\nW y\\n' | \"$UED\" -s; test \"$(stat -c %a y)\" = 640")
  }

  @Test func `a failing save does not leave a new file`() {
    run(
      "ulimit -f 8; printf 'r !seq 9000\\nw y\\n' | exits 2 \"$UED\" -s >/dev/null; test ! -e y; clean"
    )
  }

  @Test func `a file that is overwritten in place is not made again`() {
    let sandbox = Sandbox()
    sandbox.run(
      """
      echo a >f; ln f g; strace -qqo trace -e trace=openat "$UED" -i -e s/a/b/ f; test "$(cat g)" = b
      grep -q '"f", O_WRONLY' trace; fails grep '"f", O_WRONLY.*O_CREAT' trace
      """)
  }

  @Test func `promise 8: hard links stay`() {
    run("ln f k; before=$(number f); save f; cmp k new; test $(number f) = $before; clean")
    run("rm k; ln f k; printf 'a\\nx\\n.\\nw f\\n' | \"$UED\" -s; test \"$(cat k)\" = x; clean")
  }

  @Test func `symbolic links are followed to the end`() {
    run(
      """
      mkdir -p d/e; mv f d/e/f; ln -s e/f d/l; ln -s d/l l; ln -s "$PWD/l" absolute
      save absolute
      cmp d/e/f new; test -L d/l; test -L l; test -L absolute; test ! -L d/e/f
      ln -s d/nothing dangling; printf 'a\\nx\\n.\\nw dangling\\n' | "$UED" -s
      test -L dangling; test "$(cat d/nothing)" = x
      ln -s circle circle; fails save circle 2>/dev/null >&2
      clean . d d/e
      """)
  }

  @Test func `promise 8: owner and group stay`() {
    // Only root can give files away; others see that their own stays theirs.
    let owner = geteuid() == 0 ? "65534:65534" : "\(geteuid()):\(getegid())"
    run("chown \(owner) f; save f; cmp f new; test \"$(stat -c %u:%g f)\" = \(owner); clean")
  }

  @Test func `promise 8: extended attributes and access lists stay`() {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    let path = sandbox.path + "/f"
    setxattr(path, "user.note", "kept\0too", 8, 0)
    setxattr(path, "user.empty", "", 0, 0)
    // Version 2; rw for the owner, r for user 1, nothing for the group, r as mask, nothing for others.
    let entries: [(UInt16, UInt16, UInt32)] = [
      (1, 6, .max), (2, 4, 1), (4, 0, .max), (16, 4, .max), (32, 0, .max),
    ]
    var list: [UInt8] = [2, 0, 0, 0]
    for (tag, rights, id) in entries {
      withUnsafeBytes(of: (tag, rights, id)) { list += $0 }
    }
    setxattr(path, "system.posix_acl_access", list, list.count, 0)
    let before = Attributes(of: path)
    sandbox.run("printf '1d\\nw\\n' | \"$UED\" -s f; test \"$(cat f)\" = two")
    #expect(Attributes(of: path) == before)
  }

  /// If an attribute can't be read or given to a new file, the file is overwritten in place.
  @Test(arguments: [
    ("ioctl:error=ENOTTY", false), ("ioctl:error=EPERM:when=1", true),
    ("ioctl:error=EPERM:when=2", true), ("flistxattr:error=EOPNOTSUPP", false),
    ("flistxattr:error=EIO", true), ("fgetxattr:error=EIO:when=2", true),
    ("fgetxattr:error=ERANGE:when=2", false), ("fsetxattr:error=EPERM", true),
  ])
  func `promise 8: an attribute that can't be copied stays with the file that has it`(
    _ fault: String, _ isSame: Bool
  ) {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    setxattr(sandbox.path + "/f", "user.note", "kept", 4, 0)
    sandbox.run(
      """
      before=$(stat -c %i f)
      printf '1d\\nw\\n' | strace -qqq -o trace -P f -P .ued-$(id -u)-0 -P $PWD/.ued-$(id -u)-0 -P $PWD/f \
        -e inject=\(fault) "$UED" -s f
      grep -q INJECTED trace; test "$(cat f)" = two; test $(stat -c %i f) \(isSame ? "=" : "!=") $before
      """)
    var note = [UInt8](repeating: 0, count: 9)
    let count = getxattr(sandbox.path + "/f", "user.note", &note, 9)
    #expect(count == (fault.hasPrefix("flistxattr:error=EOP") ? -1 : 4))
  }

  @Test func `promise 8: the flags of chattr stay`() throws {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    func flags() -> Int32? {
      let descriptor = open(sandbox.path + "/f", O_RDONLY)
      defer { close(descriptor) }
      var flags: Int32 = 0
      return clinux_get_flags(descriptor, &flags) == 0 ? flags : nil
    }
    // No dump, no access times; a file system without flags tests nothing.
    let descriptor = open(sandbox.path + "/f", O_RDONLY)
    _ = clinux_set_flags(descriptor, (flags() ?? 0) | 0x40 | 0x80)
    close(descriptor)
    let before = flags()
    for options in ["-s", "-s -i", "-s -i --atomic"] {
      sandbox.run("printf '1s/^/x/\nw\n' >script; \"$UED\" \(options) -f script f")
      #expect(flags() == before, "\(options)")
    }
    sandbox.run("grep -q xxxone f; test \"$(stat -c %h f)\" = 1")
  }

  @Test func `a folder's default access list is not given to old files`() {
    sandbox.run("mkdir d; printf 'one\\ntwo\\n' >d/f; chmod 640 d/f")
    let entries: [(UInt16, UInt16, UInt32)] = [
      (1, 7, .max), (2, 7, 1), (4, 7, .max), (16, 7, .max), (32, 7, .max),
    ]
    var list: [UInt8] = [2, 0, 0, 0]
    for entry in entries { withUnsafeBytes(of: entry) { list += $0 } }
    setxattr(sandbox.path + "/d", "system.posix_acl_default", list, list.count, 0)
    let before = Attributes(of: sandbox.path + "/d/f")
    sandbox.run(
      "printf '1d\\nw\\n' | \"$UED\" -s d/f; test $(stat -c %a d/f) = 640; test $(cat d/f) = two")
    #expect(Attributes(of: sandbox.path + "/d/f") == before)
  }

  @Test func `a save works while another program keeps replacing the file`() {
    run(
      """
      for round in 1 2 3 4 5; do
        for number in 1 2 3 4 5 6 7 8 9 10 11 12; do
          (printf '$a\nx\n.\nw\n' | "$UED" -s f 2>/dev/null || echo >>failed) &
        done
        wait
      done
      test ! -e failed; head -n 3 f | grep -q two; test "$(tail -n 1 f)" = x; clean
      """)
  }

  @Test func `any bytes make a name, 255 of them too`() {
    for name in [
      String(repeating: "n", count: 255), "a\nb", " ", "-s", ".ued-0-0", "*", "'\"$x\\",
    ] {
      sandbox[name] = Array("one\ntwo\n".utf8)
      sandbox.edit(["-s", "--", name], Array("1d\nw\n".utf8))
      #expect(sandbox[name] == Array("two\n".utf8), "\(name)")
    }
    sandbox.run(
      """
      name=$(printf 'a\\377\\200b'); echo one >"$name"; printf 's/one/two/\\nw\\n' | "$UED" -s "$name"
      test "$(cat "$name")" = two
      """)
  }

  @Test func `FIFOs and devices are written to and not replaced`() {
    run(
      """
      mkfifo p; cat p >got & printf 'w p\\n' | "$UED" -s f; wait; cmp f got; test -p p
      cat p >got & printf 'W p\\n' | "$UED" -s f; wait; cmp f got; test -p p
      printf 'w /dev/null\\nW /dev/null\\n' | "$UED" -s f; test -c /dev/null
      printf 'w /dev/full\\n' | exits 1 "$UED" -s f >/dev/null 2>&1
      clean
      """)
  }

  @Test func `a file that the script has open is written in place`() {
    run(
      """
      printf 'w /dev/stdout\\n' | "$UED" -s f | cmp - f
      printf 'w /dev/stdout\\n' | "$UED" -s f >out; cmp out f
      exec 3<>f; save f; cat <&3 | cmp - new
      clean
      """)
  }

  @Test func `a failed append is removed again`() {
    run(
      """
      seq 2000 >big; cp big old; size=$(stat -c %s big)
      (ulimit -f $((size / 1024 + 1)); printf 'W big\\n' | exits 1 "$UED" -s big >/dev/null 2>said)
      cmp big old; clean; grep -q 'File too large' said
      """)
  }

  @Test func `a read-only file is refused, even if it could be replaced`() {
    asSomebodyElse(
      "chmod 444 f; fails save f >out 2>err; grep -q 'Permission denied' err; cmp f old")
  }

  @Test func `a file in a folder that can't be written to is written in place`() {
    asSomebodyElse(
      """
      mkdir home; HOME=$PWD/home; export HOME; chmod 555 .; before=$(number f)
      save f; chmod 755 .; cmp f new; test $(number f) = $before
      test -d home/.local/state/ued; test -z "$(ls -A home/.local/state/ued)"
      test "$(stat -c %a home/.local/state/ued)" = 700
      mkdir d; echo one >d/f; echo three >>d/f; chmod 555 d
      HOME=$PWD/none save d/f; test "$(cat d/f)" = three; test ! -e none; chmod 755 d
      """)
  }

  /// Runs a command as a user for whom permissions count, in a folder of that user's own.
  private func asSomebodyElse(_ command: String) {
    let prefix =
      geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups" : ""
    sandbox["script"] = Array(
      """
      UED=$PWD/../ued
      save() { printf '1d\\nw\\n' | "$UED" -s "$@"; }
      number() { stat -c %i "$1"; }
      printf 'one\\ntwo\\nthree\\n' >f; cp f old
      printf 'two\\nthree\\n' >new
      \(command)
      fails grep '^\\.ued-' <(ls -A)
      """.utf8)
    sandbox.run(
      """
      cp "$UED" ued; chmod 755 ued .; mkdir theirs; chmod 644 script
      test $(id -u) != 0 || chown 65534:65534 theirs
      cd theirs; export -f exits fails; \(prefix) bash -euo pipefail ../script
      """)
  }
}

/// All extended attributes of a file.
private struct Attributes: Equatable {
  private var values: [String: [UInt8]] = [:]

  init(of path: String) {
    var names = [CChar](repeating: 0, count: 4096)
    let count = listxattr(path, &names, names.count)
    for name in names.prefix(max(0, count)).split(separator: 0) {
      var value = [UInt8](repeating: 0, count: 4096)
      let name = String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let count = getxattr(path, name, &value, value.count)
      values[name] = Array(value.prefix(max(0, count)))
    }
  }
}
