import Differential
import TextBuffer
import Testing

@testable import ued

/// The environment and the allowed actions of the program that checks staged content.
@Suite struct ValidationTests {
  private let sandbox = Sandbox()

  @Test(arguments: [
    ("a.c", ".c"), ("a.tar.GZ2", ".GZ2"), ("a", ""), ("a.", ""), ("a.c~", ""), (".x", ".x"),
    ("a.old", ""), ("a.é", ""),
  ])
  func `the check gets a name with the extension of the file`(_ name: String, _ ending: String)
    throws
  {
    sandbox.run("echo old >'\(name)'")
    var transaction = try FileTransaction(staging: [sandbox.replacing(name)])
    try transaction.validate { (staged, _) in
      let path = String(decoding: staged, as: UTF8.self)
      #expect(path.hasSuffix("/0" + ending))
      #expect(Disk.read(path) == Array("new\n".utf8))
    }
    sandbox.run("test $(ls \(String(decoding: StagingFolder.name(), as: UTF8.self)) | wc -l) = 2")
    try transaction.commit()
    _ = transaction.finish()
    #expect(sandbox.text(name) == "new\n")
    sandbox.expectClean()
  }

  @Test(arguments: [
    "echo more >>FILE", "echo bad >x; mv x FILE", "rm FILE", "ln -sf /etc/passwd FILE",
  ])
  func `staged content that the check changes is refused`(_ change: String) throws {
    sandbox.run("echo old >a.c; echo old >b.c")
    let transaction = try FileTransaction(staging: [
      sandbox.replacing("a.c"), sandbox.replacing("b.c"),
    ])
    let name = String(decoding: StagingFolder.name(), as: UTF8.self)
    #expect(throws: FileError.altered(path: sandbox.pathBytes("a.c"))) {
      try transaction.validate { (_, replacement) in
        // Changes the first while the last is checked.
        guard replacement.path == sandbox.pathBytes("b.c") else { return }
        sandbox.run(change.replacing("FILE", with: "\(name)/0"))
      }
    }
    _ = consume transaction
    #expect(sandbox.text("a.c") == "old\n" && sandbox.text("b.c") == "old\n")
    sandbox.expectClean()
  }

  @Test func `a second name that a killed check has left is removed`() throws {
    let name = String(decoding: StagingFolder.name(), as: UTF8.self)
    sandbox.run("mkdir -m 700 \(name); >\(name)/ued-$(stat -c %i \(name)); echo >\(name)/0")
    sandbox.run("ln \(name)/0 \(name)/0.c")
    #expect(sandbox.mend("a") == .nothing)
    sandbox.expectClean()
  }
}
