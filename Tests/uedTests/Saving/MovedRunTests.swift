import Differential
import Glibc
import TextBuffer
import Testing

@testable import ued

/// Runs over `d/a` and `d/s/c` that were killed between the two files, and whose folders were moved then.
@Suite struct MovedRunTests {
  private let sandbox = Sandbox()

  /// Kills it when the first of the files has been replaced.
  private func killRun(_ isFirstBelow: Bool = false) async {
    sandbox.run("mkdir -p d/s; echo old >d/a; echo old >d/s/c")
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [folder = sandbox.path as String, isFirstBelow = isFirstBelow as Bool] in
      let names = isFirstBelow ? ["d/s/c", "d/a"] : ["d/a", "d/s/c"]
      let files = names.map {
        FileWrite(path: Array("\(folder)/\($0)".utf8), text: PieceTable(Array("new\n".utf8)))
      }
      var transaction = try FileTransaction(
        staging: files,
        beforeStep: {
          if Disk.read(folder + "/" + names[0]) == Array("new\n".utf8) { raise(SIGKILL) }
        })
      try transaction.commit()
    }
    #expect(sandbox.text("d/a") == (isFirstBelow ? "old\n" : "new\n"))
    #expect(sandbox.text("d/s/c") == (isFirstBelow ? "new\n" : "old\n"))
  }

  @Test(arguments: ["a", "s/c"], ["mv d e", "mkdir -p x/y; mv d x/y/e; ln -s x/y/e e"])
  func `folders that were moved together are found`(_ file: String, _ move: String) async {
    await killRun()
    sandbox.run(move)
    let real = move == "mv d e" ? "e/a" : "x/y/e/a"
    #expect(
      sandbox.mend("e/" + file) == .undone([sandbox.pathBytes(real)]))
    #expect(sandbox.text("e/a") == "old\n" && sandbox.text("e/s/c") == "old\n")
    sandbox.expectClean()
  }

  @Test(arguments: ["mv d/s e", "cp -r d/s e; rm -r d/s", "rm -r d/s; mkdir d/s"])
  func `a run of which a folder is missing is neither finished nor undone`(_ move: String)
    async throws
  {
    await killRun()
    sandbox.run(move)
    guard case .leftAside(let paths) = sandbox.mend("d/a") else {
      return #expect(Bool(false), "not left aside")
    }
    #expect(paths.count == 1 && sandbox.text("d/a") == "new\n")
    let path = String(decoding: try #require(paths.first), as: UTF8.self)
    #expect(Disk.read(path + "/0") == Array("old\n".utf8))
    // The other file has not been changed.
    if move.hasPrefix("mv") {
      #expect(sandbox.mend("e/c") == .nothing)
      #expect(sandbox.text("e/c") == "old\n")
    }
  }

  @Test func `a folder without changes is released, and the others are undone later`() async {
    await killRun(true)
    sandbox.run("mv d/s e")
    #expect(sandbox.mend("d/a") == .nothing)
    #expect(sandbox.mend("e/c") == .undone([sandbox.pathBytes("e/c")]))
    #expect(sandbox.text("d/a") == "old\n" && sandbox.text("e/c") == "old\n")
    sandbox.expectClean()
  }

  @Test func `a run is set aside if a file in its cleared folder was replaced`()
    async throws
  {
    await killRun(true)
    sandbox.run("mv d/s e")
    #expect(sandbox.mend("d/a") == .nothing)
    sandbox.run("echo other >x; mv x d/a")
    guard case .leftAside(let paths) = sandbox.mend("e/c") else {
      return #expect(Bool(false), "not left aside")
    }
    let path = String(decoding: try #require(paths.first), as: UTF8.self)
    #expect(Disk.read(path + "/0") == Array("old\n".utf8) && sandbox.text("e/c") == "new\n")
  }
}
