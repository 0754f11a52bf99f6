import Differential
import Glibc
import Testing

@testable import ued

/// Histories that can't be used: they never get in the way, and never give a wrong text.
@Suite struct HistoryTroubleTests {
  private let sandbox = Sandbox()
  private static let state = ".local/state/ued"

  private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Makes a history of five groups, the first three of them saved. The program is then
  /// killed, so that a part of the history is in the log of the database.
  ///
  /// - Returns: Every text that there was.
  private func makeHistory() -> [[UInt8]] {
    sandbox.run("rm -rf .local f; seq 300 >f")
    let session = TerminalSession.plain(["f"], in: sandbox)
    var texts: [[UInt8]] = []
    for command in ["#", "2d", "1s/1/one/", "w", "g/7$/s//seven/", "w", "$a", "end", ".", ",m0"] {
      session.enter(command)
    }
    session.enter("2,9d")
    for id in 0...5 {
      session.enter("jump \(id)", ",w !cat >text\(id)")
      texts.append(sandbox["text\(id)"] ?? [])
    }
    session.enter("jump 5", "a", "cut off")
    session.kill()
    sandbox.run("rm -rf pristine; cp -r \(Self.state) pristine; cp f start")
    return texts
  }

  /// The files of the history.
  private var files: [String] {
    Disk.names(in: "\(sandbox.path)/\(Self.state)").filter {
      !$0.contains("damaged") && !$0.hasPrefix("index") && $0 != "runs.lock"
    }
  }

  @Test func `the next run makes a history whose creation was killed`() {
    sandbox.run(
      #"""
      printf 'one\ntwo\n' >f; "$UED" -i --history -e 1d f; H=$(ls .local/state/ued/*.history); rm "$H"*
      for call in pwrite64,write:when=1 fsync:when=1 renameat2:when=1; do
        printf 'one\ntwo\n' >f
        exits 137 strace -o trace -P "$PWD/$H-new" -e inject=${call%:*}:signal=KILL:${call#*:} \
          "$UED" -i --history -e 1d f 2>said
        test ! -e "$H"; test -e "$H-new"; printf 'one\ntwo\n' | cmp - f
        "$UED" -i --history -e 2d f; test -e "$H"; test ! -e "$H-new"
        printf 'undo\nw\n' | "$UED" --history -s f; printf 'one\ntwo\n' | cmp - f
        "$UED" -s --history -e forget f; test ! -e "$H"
      done
      """#)
  }

  /// Edits and saves, and shows all texts that there are.
  private func checkWork(_ texts: [[UInt8]], _ what: String) {
    sandbox.run(
      """
      for id in 0 1 2 3 4 5; do printf "jump $id\\n,w !cat >shown$id\\n"; done >script
      printf 'jump saved\\n1s/^/new /\\nw\\n' >>script
      cat script | "$UED" --history -s f >out 2>notices || test $? = 1
      """)
    // A Bool, as a failure would show the text.
    let isSaved = sandbox["f"] == text("new ") + texts[3]
    #expect(isSaved, "\(what)")
    for id in 0...5 {
      let isKnown = texts.contains(sandbox["shown\(id)"] ?? [])
      #expect(isKnown, "\(what): text of \(id)")
    }
    sandbox.run("rm -f shown?; cp start f")
  }

  private func restore() {
    sandbox.run("rm -rf \(Self.state); cp -r pristine \(Self.state)")
  }

  @Test(arguments: seeds(4))
  func `promise 14: bytes of the history that were flipped never stop work or give a wrong text`(
    _ seed: UInt64
  ) {
    let texts = makeHistory()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5 {
      restore()
      let names = files
      if names.isEmpty { return #expect(Bool(false), "no history") }
      let name = random.pick(names)
      let path = "\(Self.state)/\(name)"
      guard var bytes = sandbox[path], !bytes.isEmpty else { continue }
      let kind = random.below(8)
      switch kind {
      case 0: bytes.removeLast(Int(random.below(bytes.count)))
      case 1: bytes = (0..<bytes.count).map { _ in UInt8(random.below(256)) }
      case 2: bytes = []
      default:
        for _ in 0..<(1 << random.below(7)) {
          bytes[Int(random.below(bytes.count))] ^= UInt8(1 << random.below(8))
        }
      }
      sandbox[path] = bytes
      checkWork(texts, "kind \(kind) of \(name)")
    }
  }

  @Test func `a read-only folder for histories is named as such`() {
    sandbox["script"] = Array(
      """
      mkdir state; mount -t tmpfs -o ro none state
      printf 'one\\n' >f; printf '1s/o/0/\\nw\\nq\\n' >commands
      XDG_STATE_HOME=$PWD/state/own "$UED" --history -s f <commands >out 2>&1
      grep -q 'state/own/ued: Read-only file system' out; grep -qx 0ne f
      """.utf8)
    // Only root may mount.
    sandbox.run("test $(id -u) != 0 || unshare -m bash -eu script")
  }

  @Test(arguments: ["/none$$", "$PWD/none"])
  func `a missing HOME is named as such`(_ home: String) {
    sandbox.run(
      """
      echo one >f; home=\(home); HOME=$home "$UED" --history -i -e 's/$/ more/' f 2>said
      echo "ued: f: history is not kept: $home/.local/state/ued: No such file or directory" | cmp - said
      grep -qx 'one more' f; test ! -e "$home"
      """)
  }

  /// A byte of a group on a side branch is only read when a command needs it.
  @Test(arguments: ["jump 1", "merge 1", "pick 1", "diff 1"])
  func `damage found after a merge ends the command, not the session`(_ command: String) {
    sandbox.run(
      """
      printf 'a\nb\nc\n' >f; printf '1s/a/A/\nundo\n2d\nw\n' | "$UED" -s --history f >out
      sqlite3 \(Self.state)/*.history "update revision set changes = x'000202620a410a' where id = 1"
      echo zzz >>f
      printf 'merge disk\\n\(command)\\n0a\\nkept\\n.\\n,p\\nw\\n' |
        exits 1 "$UED" -s -v --history f >out 2>notices
      grep -qx 'the history is damaged; the text is as it was' out; grep -q 'now .*damaged-1' notices
      printf 'kept\na\nc\nzzz\n' | cmp - f; tail -n 4 out | cmp - f
      "$UED" -s --history -e undo -e ,p -e Q f | grep -qx zzz
      """)
  }

  @Test func `promise 14: a damaged history is set aside, not deleted`() {
    _ = makeHistory()
    sandbox.run(
      """
      rm -f \(Self.state)/*-wal; for f in \(Self.state)/*.history; do printf 'garbage%4000s' >"$f"; done
      printf '1s/^/x/\\nw\\n' | "$UED" --history -s f 2>notices
      grep -q 'the history was damaged; a new one begins, the old one is now /' notices
      grep -q garbage "$(sed 's/.* is now //' notices)"
      printf 'undo\\nundo\\nw\\n' | exits 1 "$UED" --history -s f 2>notices >/dev/null
      cmp f start; test ! -s notices
      """)
  }

  @Test(arguments: ["-i -e 1d f", "-s -e 1d -e w f", "-s f"])
  func `without /proc no history is kept, and that is said`(_ words: String) {
    sandbox.run(
      """
      printf 'a\nb\n' >f; printf '1d\nw\n' |
        strace -qqq -o trace -e inject=readlink:error=ENOENT "$UED" --history \(words) 2>said >out
      grep -q 'history is not kept: /proc: No such file or directory' said; test "$(cat f)" = b
      """)
  }

  @Test func `promise 14: a system error is reported once, and work goes on`() {
    sandbox.run(
      """
      edit() { rm -f f; echo one >f; "$@" --history -s f <script >out 2>notices || echo failed >>notices
        test "$(cat f)" = 'one 1 2' || echo wrong >>notices; sed 's/^/  /' notices
        test "$(wc -l <notices)" -le 1; }
      printf 's/$/ 1/\\nw\\ns/$/ 2/\\nw\\nw\\n' >script
      echo x >file; edit env XDG_STATE_HOME="$PWD/file" "$UED"; grep -q 'history is not kept: ' notices
      edit env HOME= "$UED"
      edit env HOME=/proc/nowhere "$UED"; grep -q 'history is not kept: ' notices
      edit "$UED"; test ! -s notices
      database=$(echo \(Self.state)/*.history)
      rm "$database"; mkdir "$database"; edit "$UED"; grep -q 'history is not kept: ' notices
      """)
  }

  @Test func `promise 14: a history of a newer ued is left alone`() {
    sandbox.run(
      """
      echo one >f; printf 's/$/ 1/\\nw\\n' | "$UED" --history -s f
      database=$(echo \(Self.state)/*.history)
      # The version is at byte 60 of a SQLite database.
      printf '\\0\\0\\0\\011' | dd of="$database" bs=1 seek=60 conv=notrunc 2>/dev/null
      cp "$database" old
      printf 's/$/ 2/\\nw\\n' | "$UED" --history -s f 2>notices
      test "$(cat notices)" = 'history is not kept: it was written by a newer version of ued'
      test "$(cat f)" = 'one 1 2'; cmp old "$database"
      """)
  }

  static let calls = [
    "openat", "pwrite64", "fsync,fdatasync", "pread64", "ftruncate", "unlink", "mkdir", "fcntl",
    "fchmod", "newfstatat,fstat",
  ]

  @Test(arguments: calls)
  func `promise 14: a step of keeping the history that fails never costs the text`(_ call: String) {
    for error in call == "pwrite64" ? ["ENOSPC", "EIO"] : ["EIO"] {
      for when in ["1", "3", "1+"] {
        sandbox.run(
          """
          rm -rf .local f; echo one >f
          printf 's/$/ 0/\\nw\\n' | "$UED" --history -s f
          folder="$PWD/\(Self.state)"; database=$(echo "$folder"/*.history)
          printf 's/$/ 1/\\nw\\ns/$/ 2/\\nw\\n' >script
          strace -qqq -o trace -P "$folder" -P "$database" -P "$database-wal" \
            -P "$folder/index.db" -P "$folder/index.db-journal" \
            -e inject=\(call):error=\(error):when=\(when) "$UED" --history -s f <script \
            >out 2>notices
          test "$(cat f)" = 'one 0 1 2'
          test "$(wc -l <notices)" -le 1
          printf 's/$/ 3/\\nw\\n' | "$UED" --history -s f 2>notices
          test "$(cat f)" = 'one 0 1 2 3'
          """)
      }
    }
  }

  @Test func `private files have no history unless it is asked for`() {
    for path in ["/tmp/x", "/var/tmp/x", "/dev/shm/x", "/run/user/0/x", "/home/u/.ssh/config"] {
      #expect(PrivateFiles.contain(text(path)), "\(path)")
    }
    for path in ["/home/u/keys.gpg", "/home/u/.netrc", "/etc/shadow", "/home/u/id_rsa"] {
      #expect(PrivateFiles.contain(text(path)), "\(path)")
    }
    for path in ["/home/u/x", "/tmpfile", "/home/u/tmp/x", "/etc/passwd"] {
      #expect(!PrivateFiles.contain(text(path)), "\(path)")
    }
    sandbox["f"] = text("one\n")
    let session = TerminalSession.plain(["f"], in: sandbox, history: "")
    session.enter("s/$/ 1/")
    session.kill()
    #expect(files == [])
    sandbox.run("printf 's/o/O/\\nw\\n' | UED_HISTORY=off \"$UED\" -s f")
    #expect(files == [])
    sandbox.run("printf 's/O/o/\\nw\\n' | UED_HISTORY=on \"$UED\" -s f")
    #expect(files.count == 1)
  }

  @Test func `the oldest histories are deleted first when all take too much`() throws {
    sandbox.run(
      """
      : >names
      for f in a b c; do echo one >$f; printf 's/$/ 1/\\nw\\n' | "$UED" --history -s $f
        ls \(Self.state)/*.history | grep -vxFf names >>names || true; done
      # A folder with such a name or a history set aside does not matter.
      mkdir \(Self.state)/damaged-d.history; echo >\(Self.state)/e.history.damaged-1
      n=0; for f in $(cat names); do n=$((n + 1)); touch -d "2020-01-0$n" $f; done
      rm \(Self.state)/index.db
      """)
    let names = String(decoding: sandbox["names"] ?? [], as: UTF8.self).split(separator: "\n")
      .compactMap { $0.split(separator: "/").last.map(String.init) }
    setenv("XDG_STATE_HOME", "\(sandbox.path)/.local/state", 1)
    defer { unsetenv("XDG_STATE_HOME") }
    let open = try #require(HistoryPlace(of: text("\(sandbox.path)/b")))
    HistoryIndex().shrink(sparing: open, to: open.byteCount * 5 / 2)
    #expect(Set(files) == Set(names.dropFirst()))
    HistoryIndex().shrink(sparing: open, to: 0)
    #expect(files == Array(names.dropFirst().prefix(1)))
  }

  /// A script that begins without a file, and the message.
  @Test(arguments: [
    ("a\\nx\\n.\\nf f\\n", "this file already has the history of another text"),
    ("a\\nx\\n.\\ne f\\ne f\\n", "the previous text has no file name"),
  ])
  func `a text without a name gets no history of another text`(
    _ script: String, _ said: String
  ) {
    sandbox.run(
      """
      echo one >f; printf '1s/$/ 1/\\nw\\n' | "$UED" --history -s f
      printf '\(script)Q\\n' | "$UED" --history -s >out 2>notices || test $? = 1
      grep -qF '\(said)' notices; printf 'undo\\np\\nQ\\n' | "$UED" --history -s f >out; test "$(cat out)" = one
      """)
  }

  @Test func `without a folder for histories, a text without a name gets a message`() {
    sandbox[".local"] = text("x")
    let session = TerminalSession.plain([], in: sandbox)
    #expect(session.enter("a", "x", ".").contains("history is not kept"))
    #expect(session.enter("w g").contains("written"))
    session.end("q")
    #expect(sandbox["g"] == text("x\n"))
  }

  @Test func `a file system without locks is reported`() {
    sandbox["f"] = text("one\n")
    sandbox.run(
      """
      printf '1s/e/E/p\\nQ\\n' | strace -qqq -o trace -e inject=fcntl:error=ENOLCK \\
        "$UED" --history -s f >out 2>notices; test "$(cat out)" = onE
      test "$(cat notices)" = "history is not kept: the file system that it is on has no locks"
      """)
  }
}
