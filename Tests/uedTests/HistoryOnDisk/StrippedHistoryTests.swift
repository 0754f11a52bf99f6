import Differential
import Glibc
import Testing

/// Histories of files whose carriage returns are dropped when they are read.
@Suite struct StrippedHistoryTests {
  private let sandbox = Sandbox()

  /// Runs ued with a history on `f`, and strips carriage returns.
  private func strip(_ words: String) -> String {
    sandbox.shell("\"$UED\" --history --strip-trailing-cr \(words) f")
  }

  private func run(_ words: String) -> String {
    sandbox.shell("\"$UED\" --history \(words) f")
  }

  private var file: String { String(decoding: sandbox["f"] ?? [], as: UTF8.self) }

  @Test(arguments: ["a\r\nb\r\nc\n", "a\r\nb\r\nc", "a\r\n\r\nb\0\r\n", "\r\n"])
  func `undo restores the carriage returns`(_ text: String) {
    sandbox["f"] = Array(text.utf8)
    #expect(strip("-s -i -e 1d") == "")
    #expect(!file.contains("\r\n"))
    #expect(run("-s -i -e undo -e undo") == "")
    #expect(file == text)
  }

  @Test func `undoing a run over several files restores their carriage returns`() {
    sandbox["f"] = Array("a\r\nb\r\n".utf8)
    sandbox["g"] = Array("a\r\nc".utf8)
    #expect(strip("-s -i --run=x -e 1d g") == "")
    #expect(file == "b\n" && sandbox["g"] == Array("c".utf8))
    sandbox.run("\"$UED\" -s --undo-run=x")
    #expect(file == "a\r\nb\r\n" && sandbox["g"] == Array("a\r\nc".utf8))
  }

  @Test func `a run that changes nothing writes nothing and stores nothing`() {
    sandbox["f"] = Array("a\r\nb\r\n".utf8)
    #expect(strip("-s -i -e p") == "b\n")
    #expect(strip("-s -e p -e q") == "b\n")
    #expect(file == "a\r\nb\r\n")
    #expect(
      !Disk.names(in: sandbox.path + "/.local/state/ued").contains { $0.hasSuffix(".history") })
    #expect(strip("-s -i -e 1d") == "")
    #expect(run("-s -i -e undo -e undo") == "")
    #expect(strip("-s -i -e p") == "b\n")
    #expect(run("-s -e 'history all'").split(separator: "\n").count == 4)
  }

  @Test func `writing a text that was only stripped stores its history`() {
    sandbox["f"] = Array("a\r\nb\r\n".utf8)
    #expect(strip("-s -e w") == "")
    #expect(file == "a\nb\n")
    #expect(run("-s -e undo -e w") == "")
    #expect(file == "a\r\nb\r\n")
  }

  @Test func `a name for the text with its carriage returns is stored`() {
    sandbox["f"] = Array("a\r\n".utf8)
    #expect(strip("-s -e undo -e 'name read' -e redo") == "")
    #expect(run("-s -e history").contains("read - Opened f"))
  }

  @Test func `u has nothing to undo, and quitting asks nothing`() {
    sandbox["f"] = Array("a\r\n".utf8)
    sandbox["script"] = Array("u\nh\nq\n".utf8)
    #expect(
      sandbox.shell("cat script | \"$UED\" -s --history --strip-trailing-cr f", status: 1)
        == "?\nNothing to undo\n")
  }

  @Test func `a text without carriage returns gets no group for stripping`() {
    sandbox["f"] = Array("a\nb\n".utf8)
    #expect(strip("-s -i -e 1d") == "")
    #expect(run("-s -e 'history all'").split(separator: "\n").count == 3)
  }

  @Test func `a later session opens the stripped text, and redo restores unsaved groups`() {
    sandbox["f"] = Array("a\r\nb\r\nc\r\n".utf8)
    func session(_ options: [String]) -> TerminalSession {
      TerminalSession.plain(options + ["--strip-trailing-cr", "f"], in: sandbox)
    }
    let first = session([])
    _ = first.enter("1d")
    first.kill()
    let second = session([])
    #expect(second.shown().contains("1 group from a previous session was not saved; 'redo'"))
    #expect(second.enter("redo").contains("redid: Delete line 1; now at 2"))
    #expect(second.enter("undo").contains("undid: Delete line 1"))
    #expect(second.enter("undo").contains("undid: Strip carriage returns"))
    second.kill()
    let third = session(["--history=off"])
    #expect(third.enter("undo").contains("undid: Strip carriage returns"))
  }
}
