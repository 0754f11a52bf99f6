import Differential
import Glibc
import TextBuffer
import Testing

@testable import ued

/// Several files that are replaced together.
@Suite struct TransactionTests {
  private let sandbox = Sandbox()

  @Test func `all files are replaced, with their attributes, and nothing else is left`() throws {
    sandbox.run("echo old >a; chmod 640 a; mkdir d; echo old >d/b; chmod 755 d/b; ln -s d/b link")
    var transaction = try FileTransaction(staging: [
      sandbox.replacing("a"), sandbox.replacing("link"), sandbox.creating("d/c"),
    ])
    #expect(sandbox.text("a") == "old\n" && sandbox.text("d/c") == nil)
    try transaction.commit()
    let identities = transaction.finish()
    for (index, name) in ["a", "link", "d/c"].enumerated() {
      #expect(sandbox.text(name) == "new\n")
      let status = try #require(OpenFile.status(of: sandbox.pathBytes(name)))
      #expect(FileIdentity(status) == identities[index])
    }
    sandbox.run("test $(stat -c %a a) = 640; test $(stat -c %a d/b) = 755; test -L link")
    sandbox.expectClean()
  }

  @Test func `a transaction that is not committed changes nothing`() throws {
    sandbox.run("echo old >a; echo old >b")
    do { _ = try FileTransaction(staging: [sandbox.replacing("a"), sandbox.creating("c")]) }
    #expect(sandbox.text("a") == "old\n" && sandbox.text("c") == nil)
    sandbox.expectClean()
  }

  @Test func `a committed but unfinished transaction is rolled back`() throws {
    sandbox.run("echo old >a; echo old >b; ln b k")
    let before = FileIdentity(try #require(OpenFile.status(of: sandbox.pathBytes("a"))))
    do {
      var transaction = try FileTransaction(staging: [
        sandbox.replacing("a"), sandbox.creating("c"), sandbox.replacing("b"),
      ])
      try transaction.commit()
      #expect(sandbox.text("a") == "new\n" && sandbox.text("c") == "new\n")
      #expect(sandbox.text("k") == "new\n")
    }
    #expect(
      sandbox.text("a") == "old\n" && sandbox.text("c") == nil && sandbox.text("k") == "old\n")
    let after = FileIdentity(try #require(OpenFile.status(of: sandbox.pathBytes("a"))))
    #expect(after.hasContent(of: before))
    sandbox.expectClean()
  }

  @Test(arguments: ["echo else >b", "mv x b", "rm b", "echo >>b", "touch -d yesterday b; ln b k"])
  func `another program's change after staging stops the whole transaction`(_ change: String)
    throws
  {
    // File times are coarse.
    sandbox.run(
      "echo old >a; echo old >b; echo x >x; until touch later; test later -nt b; do :; done")
    var transaction = try FileTransaction(staging: [
      sandbox.replacing("a"), sandbox.replacing("b"), sandbox.creating("c"),
    ])
    sandbox.run(change)
    let text = sandbox.text("b")
    #expect(throws: FileError.changed(path: sandbox.pathBytes("b"), .changedOutside)) {
      try transaction.commit()
    }
    #expect(sandbox.text("a") == "old\n" && sandbox.text("b") == text && sandbox.text("c") == nil)
    sandbox.expectClean()
  }

  @Test(arguments: ["echo else >b", "mv x b", "rm b", "echo else >c", "mkdir c"])
  func `a file changed in the middle of a commit stays, and all others are restored`(
    _ change: String
  ) throws {
    sandbox.run("echo old >a; echo old >b; echo x >x")
    var count = 0
    let counter = StepCounter()
    var transaction = try FileTransaction(
      staging: [sandbox.replacing("a"), sandbox.replacing("b"), sandbox.creating("c")],
      beforeStep: { [sandbox] () throws(SystemError) in
        count += 1
        if counter.isCommitting {
          counter.commitSteps += 1
          // The journal takes two, the first file one.
          if counter.commitSteps == 4 { sandbox.run(change) }
        }
      })
    counter.isCommitting = true
    #expect(throws: FileError.self) { try transaction.commit() }
    _ = consume transaction
    #expect(sandbox.text("a") == "old\n" && count > 0)
    sandbox.run(
      """
      case '\(change)' in
      'rm b') test ! -e b;; 'mv x b') test "$(cat b)" = x;; 'echo else >b') test "$(cat b)" = else;;
      'mkdir c') test -d c; test "$(cat b)" = old;; *) test "$(cat c)" = else; test "$(cat b)" = old;;
      esac
      """)
    sandbox.expectClean()
  }

  @Test func `the content as read decides if a file may be replaced`() throws {
    sandbox.run("echo old >a")
    let read = sandbox.known("a")
    let none = KnownFile(path: sandbox.pathBytes("a"))
    #expect(throws: FileError.changed(path: sandbox.pathBytes("a"), .changedOutside)) {
      _ = try FileTransaction(staging: [sandbox.replacing("a", known: none)])
    }
    sandbox.run("touch -d yesterday a")
    do { _ = try FileTransaction(staging: [sandbox.replacing("a", known: read)]) }
    sandbox.run("echo other >a")
    #expect(throws: FileError.changed(path: sandbox.pathBytes("a"), .changedOutside)) {
      _ = try FileTransaction(staging: [sandbox.replacing("a", known: read)])
    }
    sandbox.run("rm a")
    #expect(throws: FileError.changed(path: sandbox.pathBytes("a"), .changedOutside)) {
      _ = try FileTransaction(staging: [sandbox.replacing("a", known: read)])
    }
    do { _ = try FileTransaction(staging: [sandbox.replacing("a", known: none)]) }
    var partly = read
    partly.isWhole = false
    sandbox.run("echo old >a")
    #expect(throws: FileError.changed(path: sandbox.pathBytes("a"), .readInPart)) {
      _ = try FileTransaction(staging: [sandbox.replacing("a", known: partly)])
    }
    sandbox.expectClean()
  }

  @Test func `the check sees all new content before any file is replaced`() throws {
    sandbox.run("echo old >a; echo old >b")
    let transaction = try FileTransaction(staging: [sandbox.replacing("a"), sandbox.replacing("b")])
    var seen: [String] = []
    #expect(throws: FileError.rejected(path: sandbox.pathBytes("b"))) {
      try transaction.validate { (staged, write) throws(FileError) in
        seen.append(
          String(decoding: Disk.read(String(decoding: staged, as: UTF8.self)) ?? [], as: UTF8.self))
        if write.path == sandbox.pathBytes("b") { throw .rejected(path: write.path) }
      }
    }
    _ = consume transaction
    #expect(seen == ["new\n", "new\n"] && sandbox.text("a") == "old\n")
    sandbox.expectClean()
  }

  @Test func `a backup is the old file with its attributes, and is rolled back with the file`()
    throws
  {
    sandbox.run("echo old >a; chmod 640 a; echo older >a.bak; echo old >b")
    var both = [sandbox.replacing("a"), sandbox.replacing("b")]
    both[0].backup = sandbox.pathBytes("a.bak")
    both[1].backup = sandbox.pathBytes("b.bak")
    do {
      var transaction = try FileTransaction(staging: both)
      try transaction.commit()
      #expect(sandbox.text("a.bak") == "old\n" && sandbox.text("b.bak") == "old\n")
      sandbox.run("test $(stat -c %a a.bak) = 640")
    }
    #expect(sandbox.text("a.bak") == "older\n" && sandbox.text("b.bak") == nil)
    var transaction = try FileTransaction(staging: both)
    try transaction.commit()
    #expect(transaction.finish().count == 2)
    #expect(sandbox.text("a.bak") == "old\n" && sandbox.text("b.bak") == "old\n")
    sandbox.expectClean()
  }

  @Test func `devices and pipes are written last, and a failure there puts all back`() throws {
    sandbox.run("echo old >a; echo old >b")
    var write = sandbox.replacing("a")
    write.path = Array("/dev/full".utf8)
    write.isStream = true
    var transaction = try FileTransaction(staging: [
      write, sandbox.replacing("a"), sandbox.replacing("b"),
    ])
    #expect(throws: FileError.self) { try transaction.commit() }
    _ = consume transaction
    #expect(sandbox.text("a") == "old\n" && sandbox.text("b") == "old\n")
    write.path = Array("/dev/null".utf8)
    var other = try FileTransaction(staging: [write, sandbox.replacing("a")])
    try other.commit()
    #expect(other.finish().map { $0 == nil } == [true, false])
    sandbox.expectClean()
  }

  @Test func `a pipe turned into a file is not written to, and the other files are restored`()
    throws
  {
    sandbox.run("echo old >a; mkfifo p")
    var write = FileWrite(path: sandbox.pathBytes("p"), text: PieceTable("new\n"))
    write.isStream = true
    var transaction = try FileTransaction(staging: [sandbox.replacing("a"), write])
    sandbox.run("rm p; echo other >p")
    #expect(throws: FileError.changed(path: sandbox.pathBytes("p"), .changedOutside)) {
      try transaction.commit()
    }
    #expect(sandbox.text("a") == "old\n" && sandbox.text("p") == "other\n")
    for path in ["./", ""] {
      #expect(throws: SystemError(code: EISDIR)) { _ = try FilePlace(following: Array(path.utf8)) }
      #expect(throws: SystemError(code: EISDIR)) { _ = try FilePlace(replacing: Array(path.utf8)) }
    }
    _ = consume transaction
    sandbox.expectClean()
  }

  @Test func `an error names the file, and leaves nothing`() throws {
    sandbox.run("echo old >a; mkdir d")
    for (name, code) in [("missing/f", ENOENT), ("d", EISDIR), ("a/f", ENOTDIR)] {
      #expect(throws: FileError.notWritable(sandbox.pathBytes(name), code)) {
        _ = try FileTransaction(staging: [
          sandbox.replacing("a"),
          FileWrite(path: sandbox.pathBytes(name), text: PieceTable()),
        ])
      }
    }
    sandbox.expectClean()
  }
}

/// Counts the steps of a transaction.
final class StepCounter {
  var isCommitting = false
  var commitSteps = 0
}
