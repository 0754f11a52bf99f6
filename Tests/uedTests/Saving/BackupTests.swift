import Differential
import Glibc
import TextBuffer
import Testing

@testable import ued

/// Backups whose names are already in use.
@Suite struct BackupTests {
  private let sandbox = Sandbox()

  /// Backs up `a`, alone or in a transaction that also replaces `a`.
  private func backUp(_ isTogether: Bool) throws {
    let (path, copyPath) = (sandbox.pathBytes("a"), sandbox.pathBytes("a.bak"))
    if !isTogether { return try DiskFiles().backUp(path, to: copyPath) }
    var replacement = sandbox.replacing("a")
    replacement.backup = copyPath
    var transaction = try FileTransaction(staging: [replacement])
    try transaction.commit()
    _ = transaction.finish()
  }

  @Test(arguments: [false, true], ["secret", "a", "missing", "d"])
  func `a backup replaces a symbolic link, and not the file that the link leads to`(
    _ isTogether: Bool, _ target: String
  ) throws {
    sandbox.run("echo old >a; echo secret >secret; mkdir d; ln -s \(target) a.bak")
    try backUp(isTogether)
    sandbox.run("test ! -L a.bak; test ! -e missing; test -d d")
    #expect(sandbox.text("a.bak") == "old\n" && sandbox.text("secret") == "secret\n")
    #expect(sandbox.text("a") == (isTogether ? "new\n" : "old\n"))
    sandbox.expectClean()
  }

  @Test func `a symbolic link comes back when the run is undone`() throws {
    sandbox.run("echo old >a; echo secret >secret; ln -s secret a.bak")
    do {
      var replacement = sandbox.replacing("a")
      replacement.backup = sandbox.pathBytes("a.bak")
      var transaction = try FileTransaction(staging: [replacement, sandbox.creating("b")])
      try transaction.commit()
      sandbox.run("test ! -L a.bak")
    }
    sandbox.run("test -L a.bak; test \"$(cat a)\" = old; test \"$(cat a.bak)\" = secret")
    sandbox.expectClean()
  }

  @Test func `backups are only for regular files, and never share a name`() throws {
    try backUp(false)
    sandbox.run("test ! -e a.bak; mkdir a")
    #expect(throws: FileError.self) { try backUp(false) }
    sandbox.run("test ! -e a.bak; rmdir a; echo old >a; echo old >b")
    var both = [sandbox.replacing("a"), sandbox.replacing("b")]
    for index in both.indices { both[index].backup = sandbox.pathBytes("a.bak") }
    #expect(throws: FileError.notWritable(sandbox.pathBytes("a.bak"), EEXIST)) {
      _ = try FileTransaction(staging: both)
    }
    #expect(sandbox.text("a") == "old\n" && sandbox.text("a.bak") == nil)
    sandbox.expectClean()
  }

  @Test(arguments: [false, true], ["mkdir a.bak", "mkfifo a.bak"])
  func `a backup replaces only a file or a link`(
    _ isTogether: Bool, _ plant: String
  ) {
    sandbox.run("echo old >a; \(plant)")
    #expect(throws: (any Error).self) { try backUp(isTogether) }
    sandbox.run("test ! -f a.bak; test -e a.bak; test \"$(cat a)\" = old")
    sandbox.expectClean()
  }

  @Test(arguments: ["alias", "hard"])
  func `a file with two names is backed up once, also when the script runs again`(_ name: String) {
    sandbox.run(
      """
      printf 'one\\ntwo\\nthree\\n' >f
      ln -s f alias
      if test \(name) = hard; then ln f hard; fi
      printf '%s\\n' '!test -e once || { : >once; echo more >>f; }' 1d w >script
      "$UED" -f script -i.bak --retry f \(name)
      test "$(cat f)" = "$(printf 'three\\nmore')"
      test "$(cat f.bak)" = "$(printf 'one\\ntwo\\nthree\\nmore')"
      test ! -e \(name).bak
      """)
  }
}
