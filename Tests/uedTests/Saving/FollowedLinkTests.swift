import Differential
import Glibc
import TextBuffer
import Testing

@testable import ued

/// Symbolic links at the names of files that are saved.
@Suite struct FollowedLinkTests {
  private let sandbox = Sandbox()
  private static let isRoot = geteuid() == 0

  private func save(_ name: String, isCareful: Bool) throws {
    let text = PieceTable(Array("new\n".utf8))
    let all = ByteOffset(0)..<ByteOffset(text.byteCount)
    try DiskFiles(isCareful: isCareful).write(
      text, all, to: sandbox.pathBytes(name), appending: false)
  }

  @Test(arguments: [true, false])
  func `a file is created through a dangling link, as by ed`(_ isCareful: Bool) throws {
    sandbox.run("mkdir d; ln -s d/f link")
    try save("link", isCareful: isCareful)
    sandbox.run("test -L link; test ! -L d/f")
    #expect(sandbox.text("d/f") == "new\n")
    sandbox.expectClean()
  }

  @Test(.enabled(if: isRoot, "only root can give links away"))
  func `a link that another user has planted in a shared folder is not followed`() throws {
    sandbox.run("mkdir -m 1777 s; chown 1 s; ln -s ../f s/link; chown -h 2 s/link")
    #expect(throws: FileError.self) { try save("s/link", isCareful: true) }
    #expect(throws: FileError.notWritable(sandbox.pathBytes("s/link"), EACCES)) {
      _ = try FileTransaction(staging: [sandbox.creating("s/link")])
    }
    sandbox.run("test ! -e f; echo old >f")
    #expect(throws: FileError.notWritable(sandbox.pathBytes("s/link"), EACCES)) {
      _ = try FileTransaction(staging: [sandbox.replacing("s/link")])
    }
    #expect(throws: FileError.self) { try save("s/link", isCareful: true) }
    #expect(sandbox.text("f") == "old\n")
    sandbox.expectClean()
  }

  @Test(
    .enabled(if: isRoot, "only root can give links away"),
    arguments: ["1777 1 0", "1777 2 2", "755 1 2"])
  func `a link of the user's, or of the owner of the folder, is followed`(_ rights: String) throws {
    sandbox.run(
      """
      set -- \(rights); mkdir -m $1 s; chown $2 s; ln -s ../f s/link; chown -h $3 s/link
      """)
    try save("s/link", isCareful: true)
    #expect(sandbox.text("f") == "new\n")
  }

  @Test func `a path that can't be used is an error`() {
    sandbox.run("ln -s circle circle; echo x >f; mkdir d; ln -s f/g inside")
    for (name, code) in [("circle", ELOOP), ("inside", ENOTDIR), ("d", EISDIR), ("no/f", ENOENT)] {
      #expect(
        throws: FileError(attempt: .openOutput, path: sandbox.pathBytes(name), code: code)
      ) { try save(name, isCareful: false) }
    }
  }

  /// The file is stopped after its K-th look at the name, and becomes a link of its owner.
  @Test(
    .enabled(if: isRoot, "only root can give links away"), arguments: 1...10,
    ["-i", "-i.bak", "-i --history"])
  func `promise 23: a file that becomes a planted link is neither read nor written`(
    _ look: Int, _ options: String
  ) {
    sandbox.run(
      """
      mkdir -m 1777 s; chown 1 s; echo own >g; echo other >s/f; ln -s ../g s/l; chown -h 2 s/l s/f
      cd s
      strace -qqq -o ../trace -P f -e trace=newfstatat -e inject=newfstatat:signal=STOP:when=\(look) \
        "$UED" \(options) -e '1s/$/x/' f 2>../said & tracer=$!
      awaits rests ../trace 1 || true
      ued=$(cat /proc/$tracer/task/$tracer/children || true)
      if test -n "$ued"; then mv -T l f; kill -CONT $ued; fi
      wait $tracer || test $? -le 3
      test "$(cat ../g)" = own; fails grep -q own f.bak
      grep -q ': f: ' ../said || test "$(cat f)" = otherx
      """)
  }

  @Test(
    .enabled(if: isRoot, "only root can give links away"),
    arguments: ["-e 'r s/link' f", "-e 'e s/link' f", "-e p s/link", "-i -e '0r s/link' f"])
  func `promise 23: a strict run does not read through a planted link`(_ words: String) {
    sandbox.run(
      """
      echo secret >g; chmod 600 g; echo a >f; mkdir -m 1777 s; chown 1 s; ln -s ../g s/link
      chown -h 2 s/link; exits 1 "$UED" -s \(words) >said 2>&1 || exits 2 "$UED" -s \(words) >said 2>&1
      grep -q 's/link.*: Permission denied' said; fails grep -q secret said f
      """)
  }

  @Test(
    .enabled(if: isRoot, "only root can give links away"),
    arguments: ["-i -e 1d s/link", "-e 'W s/link' f"])
  func `a strict run does not write through a planted link that the system follows`(_ words: String)
  {
    sandbox.run(
      """
      printf 'a\\nb\\n' >g; cp g f; mkdir -m 1777 s; chown 1 s; ln -s ../g s/link; chown -h 2 s/link
      """)
    sandbox.run("exits 1 \"$UED\" -s \(words) 2>said; grep -q 's/link.*: Permission denied' said")
    #expect(sandbox.text("g") == "a\nb\n")
  }
}
