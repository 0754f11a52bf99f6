import Differential
import Glibc
import TextBuffer
import Testing

@testable import ued

/// Folders that have the name of a staging folder.
@Suite struct StagingFolderTests {
  private let sandbox = Sandbox()
  private let name = String(decoding: StagingFolder.name(), as: UTF8.self)

  private func expectReplaceable(_ file: String) throws {
    var transaction = try FileTransaction(staging: [sandbox.replacing(file)])
    try transaction.commit()
    _ = transaction.finish()
    #expect(sandbox.text(file) == "new\n")
  }

  @Test(arguments: ["main.c", "0", "journal", "0.old", "ued"])
  func `a folder of the user's with the name of a staging folder is left alone`(_ file: String)
    throws
  {
    sandbox.run("echo old >a; mkdir -m 700 proj; echo precious >proj/\(file); mv proj \(name)")
    #expect(sandbox.mend("a") == .nothing)
    try expectReplaceable("a")
    #expect(sandbox.text("\(name)/\(file)") == "precious\n")
    sandbox.run("test $(ls -A | wc -l) = 2")
  }

  @Test(arguments: [
    "mkdir NAME; chmod 755 NAME", "echo >NAME", "mkdir e; chmod 700 e; ln -s e NAME",
    "ln -s /etc/passwd NAME", "mkfifo NAME",
    "mkdir -m 700 NAME; test $(id -u) != 0 || chown 65534 NAME; echo >NAME/0",
  ])
  func `a planted staging folder is not used, and another name is`(_ plant: String) throws {
    sandbox.run("echo old >a; " + plant.replacing("NAME", with: name))
    let before = sandbox.list(name)
    #expect(sandbox.mend("a") == .nothing)
    try expectReplaceable("a")
    #expect(sandbox.list(name) == before && !before.isEmpty)
    sandbox.run("test -f /etc/passwd; test $(ls -A | grep -c ued-) = 1")
  }

  @Test func `a killed run next to a planted folder is repaired`() async throws {
    sandbox.run("echo old >a; echo old >b; echo >\(name)")
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [folder = sandbox.path as String] in
      let files = ["a", "b"].map {
        FileWrite(path: Array("\(folder)/\($0)".utf8), text: PieceTable(Array("new\n".utf8)))
      }
      var transaction = try FileTransaction(
        staging: files,
        beforeStep: { if Disk.read(folder + "/a") == Array("new\n".utf8) { raise(SIGKILL) } })
      try transaction.commit()
    }
    #expect(sandbox.text("a") == "new\n" && sandbox.text("b") == "old\n")
    #expect(sandbox.mend("b") == .undone([sandbox.pathBytes("a")]))
    #expect(sandbox.text("a") == "old\n" && sandbox.text("b") == "old\n")
    sandbox.run("test $(ls -A | wc -l) = 3")
  }

  @Test func `a folder with all names taken gives an error that names the first`() throws {
    sandbox.run("echo old >a; echo >\(name); for n in 2 3 4 5 6 7 8 9; do echo >\(name)-$n; done")
    #expect(throws: FileError.notWritable(sandbox.pathBytes(name), EPERM)) {
      _ = try FileTransaction(staging: [sandbox.replacing("a")])
    }
    #expect(sandbox.mend("a") == .nothing)
    sandbox.run("test $(ls -A | wc -l) = 10")
  }

  @Test func `foreign files in a staging folder stay, and do no harm`() throws {
    sandbox.run("echo old >a")
    do {
      let transaction = try FileTransaction(staging: [sandbox.replacing("a")])
      sandbox.run("mkdir \(name)/cache; echo x >\(name)/.0.swp; echo x >\(name)/0.c~")
      _ = consume transaction
    }
    try expectReplaceable("a")
    sandbox.run("cd \(name); ls -d cache .0.swp 0.c~; test $(ls -A | wc -l) = 4")
  }

  @Test func `a staging folder that can't be cleared is an error`() throws {
    sandbox.run(
      "echo old >a; mkdir -m 700 \(name); mkdir \(name)/0; >\(name)/ued-$(stat -c %i \(name))")
    #expect(throws: FileError.notWritable(sandbox.pathBytes(name), ENOTEMPTY)) {
      _ = try FileTransaction(staging: [sandbox.replacing("a")])
    }
  }

  @Test func `a copy of a staging folder is set aside`() throws {
    sandbox.run("echo old >a; mkdir -m 700 \(name); echo x >\(name)/0; >\(name)/ued-1")
    guard case .leftAside(let paths) = sandbox.mend("a") else {
      return #expect(Bool(false), "not left aside")
    }
    let path = String(decoding: try #require(paths.first), as: UTF8.self)
    #expect(Disk.read(path + "/0") == Array("x\n".utf8))
    try expectReplaceable("a")
  }
}
