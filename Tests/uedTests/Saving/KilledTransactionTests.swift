import Differential
import Glibc
import TextBuffer
import Testing

@testable import ued

/// Transactions over six files; each step fails once, or kills the process.
///
/// One file is replaced, one has two links and is written in place, one is in another folder, one is new, one
/// has a backup, and one is removed.
@Suite struct KilledTransactionTests {
  private let sandbox = Sandbox()
  private static let names = ["a", "hard", "d/b", "d/new", "e", "d/gone"]

  private func reset() {
    sandbox.run(
      """
      rm -rf a hard k d e e.bak; mkdir d
      for name in a hard d/b e d/gone; do echo old >$name; done; ln hard k; echo older >e.bak
      """)
  }

  private var writes: [FileWrite] { Self.writes(in: sandbox.path) }

  private static func writes(in folder: String) -> [FileWrite] {
    names.map { name in
      let path = Array("\(folder)/\(name)".utf8)
      return FileWrite(
        path: path, text: PieceTable(Array("new\n".utf8)),
        otherChanges: NonTextChanges(isRemoved: name == "d/gone"),
        backup: name == "e" ? path + Array(".bak".utf8) : nil)
    }
  }

  private var texts: [String?] { (Self.names + ["k", "e.bak"]).map { sandbox.text($0) } }
  private let old = ["old\n", "old\n", "old\n", nil, "old\n", "old\n", "old\n", "older\n"]
  private let new = ["new\n", "new\n", "new\n", "new\n", "new\n", nil, "new\n", "old\n"]

  /// Runs the transaction; `beforeStep` gets the number of each step, from 1 on.
  private static func run(
    in folder: String, beforeStep: @escaping (Int) throws(SystemError) -> Void
  ) throws(FileError) {
    var step = 0
    var transaction = try FileTransaction(
      staging: writes(in: folder),
      beforeStep: { () throws(SystemError) in
        step += 1
        try beforeStep(step)
      })
    try transaction.commit()
    step += 1
    do {
      try beforeStep(step)
    } catch {
      throw .notWritable([], error.code)
    }
    _ = transaction.finish()
  }

  private func countSteps() throws -> Int {
    reset()
    var count = 0
    try Self.run(in: sandbox.path) { count = $0 }
    #expect(texts == new)
    return count
  }

  @Test func `promise 18: a step that fails leaves all old files and nothing else`() throws {
    let count = try countSteps()
    #expect(count > 30)
    for failing in 1...count {
      reset()
      #expect(throws: FileError.self) {
        try Self.run(in: sandbox.path) { (step) throws(SystemError) in
          if step == failing { throw SystemError(code: EIO) }
        }
      }
      #expect(texts == old, "step \(failing)")
      sandbox.expectClean()
    }
  }

  @Test func `promise 18: a kill at any step is mended by the next run`() async throws {
    let count = try countSteps()
    var mendings = 0
    for deadly in 1...count {
      reset()
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [folder = sandbox.path as String, deadly = deadly as Int] in
        try Self.run(in: folder) { step in
          if step == deadly { raise(SIGKILL) }
        }
      }
      // Mending from any file of the run mends all of them.
      let name = ["a", "d/new"][deadly % 2]
      let mending = sandbox.mend(name)
      let isOld = texts == old
      #expect(isOld || (texts == new && mending == .completed), "step \(deadly): \(texts)")
      if mending != .nothing { mendings += 1 }
      for name in Self.names { _ = sandbox.mend(name) }
      sandbox.expectClean()
    }
    #expect(mendings > 5)
  }

  @Test func `a run that was killed is mended by a transaction in one of its folders`() async throws
  {
    for deadly in [12, 30] {
      reset()
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [folder = sandbox.path as String, deadly = deadly as Int] in
        try Self.run(in: folder) { step in
          if step == deadly { raise(SIGKILL) }
        }
      }
      do {
        _ = try FileTransaction(staging: [sandbox.creating("d/other")])
      }
      #expect(texts == old, "step \(deadly): \(texts)")
      _ = sandbox.mend("a")
      sandbox.expectClean()
    }
  }

  @Test func `another program's later text stays, and the old text is put aside`() async throws {
    reset()
    // Killed when the first file has been renamed, and not the last one.
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [folder = sandbox.path as String] in
      try Self.run(in: folder) { _ in
        if Disk.read(folder + "/a") == Array("new\n".utf8) { raise(SIGKILL) }
      }
    }
    #expect(sandbox.text("a") == "new\n" && sandbox.text("d/b") == "old\n")
    sandbox.run("echo more >>a")
    guard case .leftAside(let paths) = sandbox.mend("d/b"),
      let path = paths.first
    else { return #expect(Bool(false), "not left aside") }
    #expect(sandbox.text("a") == "new\nmore\n")
    #expect(Disk.read(String(decoding: path, as: UTF8.self)) == Array("old\n".utf8))
    let loaded = try DiskFiles().read(sandbox.pathBytes("a"), strippingCR: false)
    #expect(loaded.oldText == path)
  }

  /// Changes by another program to a file `F` of the run. The first one also takes the name for
  /// the preserved old text.
  private static let meddlings = [
    "echo other >>F; : >$(dirname F)/.ued-old-$(stat -c %i F)", "echo other >x; mv x F",
    "rm -f F; echo other >F", "rm -f F", "rm -f F; mkdir F",
  ]

  /// Checks that the other program's text is in its file, and the old text somewhere.
  private func expectBoth(_ name: String, _ meddling: String, wasOld: Bool, _ what: String) {
    let isThere = meddling.contains("other")
    #expect(
      isThere ? sandbox.text(name)?.hasSuffix("other\n") == true : sandbox.text(name) != "new\n",
      "\(what): \(sandbox.text(name) ?? "none")")
    // Meddling may remove the old text.
    if name != "d/new" && (!wasOld || meddling.contains(">>")) {
      sandbox.run("grep -qs old \(name) $(find . -path '*.ued-*' -type f)")
    }
    for (other, text) in zip(Self.names, old) where other != name {
      #expect(sandbox.text(other) == text, "\(what): \(other)")
    }
  }

  /// `EVERY_STEP` tries all steps.
  @Test(arguments: meddlings)
  func `promise 18: a failing run keeps what another program writes at any step`(
    _ meddling: String
  ) throws {
    let count = try countSteps()
    let stride = setting("EVERY_STEP", or: 0) == 0 ? 4 : 1
    for name in Self.names where name != "hard" {
      for step in Swift.stride(from: 1, to: count, by: stride) {
        reset()
        var wasOld = false
        #expect(throws: FileError.self) {
          try Self.run(in: sandbox.path) { (now) throws(SystemError) in
            if now == step {
              wasOld = sandbox.text(name) == "old\n"
              sandbox.run(meddling.replacing("F", with: name))
            }
            if now == step + 1 { throw SystemError(code: EIO) }
          }
        }
        expectBoth(name, meddling, wasOld: wasOld, "\(meddling) \(name) at \(step)")
      }
    }
  }

  @Test(arguments: meddlings, names)
  func `promise 18: what another program writes after a kill stays, and the old text is put aside`(
    _ meddling: String, _ name: String
  ) async {
    reset()
    // Killed when all files have been renamed, and one is being overwritten.
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [folder = sandbox.path as String] in
      let name = String(decoding: StagingFolder.name(), as: UTF8.self)
      try Self.run(in: folder) { _ in
        if Disk.names(in: "\(folder)/\(name)").contains(where: { $0.hasSuffix(".begun") }) {
          raise(SIGKILL)
        }
      }
    }
    sandbox.run(meddling.replacing("F", with: name))
    let mending = sandbox.mend("e")
    #expect(mending != .nothing && mending != .completed)
    expectBoth(name, meddling, wasOld: false, "\(meddling) \(name)")
  }

  @Test func `a journal that names other folders, or is cut off, does no harm`() throws {
    reset()
    let name = String(decoding: StagingFolder.name(), as: UTF8.self)
    let make = "mkdir -m 700 \(name); echo evil >\(name)/0; >\(name)/ued-$(stat -c %i \(name))"
    let inode = try #require(OpenFile.status(of: Array("/etc".utf8))).st_ino
    let victim = try #require(OpenFile.status(of: Array("/etc/passwd".utf8)))
    let content = TransactionJournal.Content(FileIdentity(victim))
    let entry = TransactionJournal.Entry(
      staging: 0, number: 0, folder: 0, name: Array("passwd".utf8), old: 1, new: content)
    let journal = TransactionJournal(
      folders: [TransactionJournal.Folder(path: Array("/etc".utf8), inode: UInt64(inode))],
      entries: [entry]
    )
    sandbox.run(make)
    Disk.write("\(sandbox.path)/\(name)/journal", try journal.bytes())
    guard case .leftAside = sandbox.mend("a") else {
      return #expect(Bool(false), "not left aside")
    }
    sandbox.run("test ! -e \(name); rm -r .ued-old-*; " + make)
    Disk.write("\(sandbox.path)/\(name)/journal", Array(try journal.bytes().dropLast()))
    #expect(sandbox.mend("a") == .nothing)
    sandbox.expectClean()
    #expect(
      FileIdentity(victim)
        == OpenFile.status(of: Array("/etc/passwd".utf8)).map { FileIdentity($0) })
  }

  @Test func `a journal is read as written, for any names`() throws {
    let names: [[UInt8]] = [Array("a b%\n".utf8), [0xFF, 1, 0x7F], Array("é".utf8)]
    let journal = TransactionJournal(
      folders: names.map { TransactionJournal.Folder(path: [.slash] + $0, inode: .max) },
      entries: names.indices.map { index in
        TransactionJournal.Entry(
          staging: index, number: 7, folder: 2 - index, name: names[index], old: .max,
          new: TransactionJournal.Content(
            inode: 1 << 63, byteCount: 3, modified: .init(seconds: 5, nanoseconds: 999)))
      })
    let bytes = try journal.bytes()
    let read = try #require(TransactionJournal(bytes))
    #expect(read.folders == journal.folders && read.entries == journal.entries && read.isSealed)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 1
      #expect(TransactionJournal(damaged)?.isSealed != true)
      #expect(TransactionJournal(Array(bytes[..<index])) == nil)
    }
  }

  @Test(arguments: [
    "ued-run 1", "ued-run 2\nfolder", "ued-run 2\nfolder x /a",
    "ued-run 2\nfolder 1 a", "ued-run 2\nfolder 1 /a%0", "ued-run 2\nfolder 1 /a%00",
    "ued-run 2\nfolder 1 /a%zz", "ued-run 2\nother 1 /a", "ued-run 2\nfolder 1 /a\nfolder 1 2 /a",
    "ued-run 2\nfolder 1 /a\nfile 0 0 1 1 1 1 1 1 a",
    "ued-run 2\nfolder 1 /a\nfile 1 0 0 1 1 1 1 1 a",
    "ued-run 2\nfolder 1 /a\nfile 0 0 0 1 1 1 1 1 ..",
    "ued-run 2\nfolder 1 /a\nfile 0 0 0 1 1 1 1 1 ../a",
    "ued-run 2\nfolder 1 /a\nfile 0 0 0 1 1 1 1 1 a\nfolder 1 /a",
  ])
  func `a journal with an invalid line is rejected`(_ lines: String) {
    let bytes = Array("\(lines)\n".utf8)
    let seal = [UInt8](repeating: 48, count: 64)
    let end = Array("end \(TransactionJournal.checksum(bytes[...])) ".utf8) + seal + [0x0A]
    #expect(TransactionJournal(bytes + end) == nil)
    let good = Array("ued-run 2\nfolder 1 /a\nfile 0 0 0 1 1 1 1 1 a\n".utf8)
    let whole = Array("end \(TransactionJournal.checksum(good[...])) ".utf8) + seal + [0x0A]
    #expect(TransactionJournal(good + whole)?.entries.count == 1)
  }
}
