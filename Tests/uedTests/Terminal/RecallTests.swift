import Differential
import Glibc
import Testing

@testable import ued

/// Recall of earlier lines, in a session and in later ones.
@Suite struct RecallTests {
  private static let up = "\u{1B}[A"
  private static let recall = ".local/state/ued/recall.db"

  private static func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func `commands are recalled in a later session, and text is not`() {
    let folder = TemporaryFolder()
    let first = TerminalSession(["-s"], environment: ["UED_HISTORY": "on"], in: folder)
    first.play(
      "0: a\r", "1> a secret\r", "2> .\r", "1*: s/secret/word/p\r", "a word\r\n1*: p\r",
      "a word\r\n1*: p\r", "a word\r\n1*: Q\r", ends: 0)
    #expect(Self.mode(folder.path + "/" + Self.recall) == 0o600)
    #expect(Self.mode(folder.path + "/.local/state/ued") == 0o700)
    let second = TerminalSession(in: folder)
    second.play(
      "0: \(Self.up)\(Self.up)\(Self.up)", "s/secret/word/p¦\u{3}", "0: \u{12}secret",
      "s/secret/word/p¦\r", "0: a\r", "1> \(Self.up)\r", "2> .\r", "1*: 1l\r", "$\r\n¦Q\r", ends: 0)
    let kept = folder[Self.recall] ?? []
    #expect(!String(decoding: kept, as: UTF8.self).contains("a secret"))
  }

  @Test func `parallel sessions see each other's commands`() {
    let one = TerminalSession(environment: ["UED_HISTORY": "on"])
    let other = TerminalSession(environment: ["UED_HISTORY": "on"], in: one.folder)
    one.play("0: !echo one\r", "\none\r\n!\r\n")
    other.play("0: !echo other\r", "\nother\r\n!\r\n0: \(Self.up)\(Self.up)+\r", "\none+\r\n!\r\n")
    one.play("0: !echo again\r", "\nagain\r\n!\r\n0: \(Self.up)\(Self.up)\r", "\none+\r\n!\r\n")
  }

  @Test(arguments: [["UED_HISTORY": "off"], ["HOME": "/nonexistent"], ["HOME": "/dev/null"]])
  func `no commands are kept if that is unwanted or impossible`(variables: [String: String]) {
    let session = TerminalSession(environment: variables)
    session.play("0: # here\r", "0: \(Self.up)", "# here¦\r", "0: q\r", ends: 0)
    #expect(session.file(Self.recall) == nil)
  }

  @Test func `a recall that is damaged or locked does not get in the way`() throws {
    let folder = TemporaryFolder()
    let recall = try CommandRecall(in: Array(folder.path.utf8))
    #expect(recall.add(Array("one".utf8)).isEmpty)
    let lock = try Database(path: Array((folder.path + "/recall.db").utf8))
    try lock.run("BEGIN EXCLUSIVE")
    #expect(recall.add(Array("two".utf8)).isEmpty)
    try lock.run("ROLLBACK")
    #expect(recall.add(Array("three".utf8)).isEmpty)
    #expect(
      try CommandRecall(in: Array(folder.path.utf8)).newLines() == [
        Array("one".utf8), Array("three".utf8),
      ])
    let damaged = folder.path + "/damaged"
    mkdir(damaged, 0o700)
    Disk.write(damaged + "/recall.db", Array(repeating: 0x2A, count: 5000))
    #expect(throws: StorageError.self) { try CommandRecall(in: Array(damaged.utf8)) }
  }

  @Test func `the newest commands are kept, without repetitions in a row`() throws {
    let folder = TemporaryFolder()
    let recall = try CommandRecall(in: Array(folder.path.utf8))
    let other = try CommandRecall(in: Array(folder.path.utf8))
    for number in 1...CommandRecall.limit + 10 {
      _ = recall.add(Array("\(number)".utf8))
      _ = recall.add(Array("\(number)".utf8))
    }
    let last = Array("\(CommandRecall.limit + 10)".utf8)
    #expect(other.add(last).count == CommandRecall.limit)
    let kept = try CommandRecall(in: Array(folder.path.utf8)).newLines()
    #expect(kept.count == CommandRecall.limit)
    #expect(kept.first == Array("11".utf8))
    #expect(kept.last == last)
  }
}
