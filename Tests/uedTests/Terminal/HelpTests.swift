import Differential
import Testing

@testable import ued

/// Everything that can be typed is explained: by `help`, by the manual, by `--help`.
@Suite struct HelpTests {
  private static let letters = "aceEdfgGhHijklmnpPqQrstuvVwWxyz=#!".map { String($0) }
  private static let manual = String(
    decoding: Disk.read(packageFolder + "/man/ued.1") ?? [], as: UTF8.self)

  @Test func `every command and word has an entry, and nothing else`() {
    let names = CommandTable.rows.map(\.name)
    #expect(Set(names) == Set(Self.letters + CommandTable.words.map(\.row.name)))
    #expect(names.count == Set(names).count)
  }

  @Test func `every command has one help topic, and no topic has a command's name`() {
    let names = HelpTopic.allCases.flatMap { $0.rows.map(\.name) }
    #expect(names.sorted() == CommandTable.rows.map(\.name).sorted())
    #expect(Set(names).isDisjoint(with: HelpTopic.allCases.map(\.rawValue)))
  }

  @Test func `the fuzzer knows every word`() {
    #expect(OwnWords.words == Set(CommandTable.words.map(\.row.name)))
  }

  @Test func `every command and word is in the manual`() {
    let headings = Self.manual.split(separator: "\n").filter { $0.hasPrefix(".It ") }
    let described = headings.flatMap { heading in
      let parts = heading.split(separator: " ")
      return zip(parts, parts.dropFirst()).filter { $0.0 == "Ic" }.map { $0.1 }
    }
    for name in CommandTable.rows.map(\.name) {
      let written = [name, "\\&" + name, name + "\\&"]
      #expect(described.contains { written.contains(String($0)) }, "\(name)")
    }
  }

  @Test func `every option is in the manual and in the summary`() {
    for word in OptionRow.all.map(\.word) {
      #expect(OptionRow.help.contains("--\(word)"), "\(word)")
      #expect(Self.manual.contains("Fl Fl \(word)"), "\(word)")
    }
    for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" where isOption(letter) {
      #expect(OptionRow.help.contains("-\(letter),"), "\(letter)")
      #expect(Self.manual.contains("Fl \(letter)"), "\(letter)")
    }
  }

  private func isOption(_ letter: Character) -> Bool {
    do throws(UsageError) {
      _ = try Options.parse([Array("-\(letter)".utf8)])
      return true
    } catch {
      if case .unknownLetter = error { return false }
      return true
    }
  }

  @Test func `the summary and the explanations fit a terminal`() {
    let subjects =
      [HelpSubject.overview] + HelpTopic.allCases.map { .topic($0) }
      + CommandTable.rows.map { .command($0) }
    for subject in subjects {
      let lines = HelpText.lines(subject)
      // The prompt needs a line, too.
      #expect(lines.count < 24, "\(subject)")
      for line in lines { #expect(line.count <= 80, "\(line)") }
    }
    for line in OptionRow.help.split(separator: "\n") { #expect(line.count < 80, "\(line)") }
  }

  /// The searched words, and a part of the answer.
  @Test(arguments: [
    ("save", "w FILE"), ("search", "'/RE/' goes to the next"), ("find", "g/RE/"), ("exit", "q"),
    ("quit", "q"), ("copy", "t"), ("paste", "x"), ("read", "r FILE"), ("shell", "!"),
    ("number", "',n' prints"), ("goto", "'12'"), ("branch", "An edit after 'undo' begins a branch"),
    ("tree", "on a full screen"), ("crash", "start ued on the file"),
    ("recover", "redo"), ("crlf", "CR LF"), ("log", "history [N]"), ("git", "history [N]"),
    ("compare", "diff [ID"),
    ("vi", "There are no modes"),
    ("vim", "There are no modes"), ("nano", "Type a command and Enter"),
    ("wq", "writes the file and quits"),
    ("Patch", "apply"), ("escapes", "l "),
  ])
  func `help knows the words that users look for`(_ word: String, _ answer: String) throws {
    let lines = HelpText.lines(try #require(HelpSubject(word)))
    #expect(lines.count < 24 && lines.allSatisfy { $0.count <= 80 }, "\(lines)")
    #expect(lines.contains { $0.contains(answer) }, "\(lines)")
  }

  @Test(arguments: CommandTable.rows)
  private func `the example of a command is that command`(_ row: CommandRow) {
    let example = String(
      row.example.prefix(upTo: row.example.firstRange(of: "  ")?.lowerBound ?? row.example.endIndex)
    )
    var parser = CommandParser(line: Array(example.utf8))
    let parsed = parser.next()
    #expect(parsed.fault == nil, "\(example)")
    #expect(parsed.rules == row.rules, "\(example)")
    #expect(example.contains(row.name))
    #expect(HelpText.lines(.command(row)).last == "  example:  \(row.example)")
  }

  @Test func `every word of the help screen leads somewhere`() {
    let words = HelpText.lines(.overview).joined(separator: " ").split { !$0.isLetter }
    for word in words where word.count > 2 { #expect(HelpSubject(String(word)) != nil, "\(word)") }
    #expect(HelpSubject("nonsense") == nil)
  }

  @Test func `help answers at a terminal`() {
    TerminalSession().play(
      "0: help undo\r", "undo [N]  undo one group of changes, or N\r\n", "0: help files\r",
      "w FILE  write to a file\r\n", "0: help exit\r", "q  quit", "0: help addresses\r",
      "An address is a line",
      "0: help nonsense\r", "nonsense", "\n0: ")
  }

  @Test(arguments: [20, 40, 80, 200] as [UInt16])
  func `messages and help break between words`(_ columns: UInt16) {
    let folder = TemporaryFolder()
    folder["f"] = Array("one\ntwo\n".utf8)
    let session = TerminalSession.plain(["f"], in: folder, columns: columns)
    for (command, message) in [
      ("9", "no line 9: the last line is 2"),
      ("hello world", "'h' takes no text; to add text, type 'a' first"),
      ("begin", "a group begins: 'end' ends it, 'abort' takes it back"),
      (
        "help crash",
        "start ued on the file again, and 'redo'. redo [N] redo one group of changes, or N"
      ),
      (
        "help history",
        "patches from the first state to this one, 'history git' what 'git fast-import' takes."
      ),
    ] {
      let rows = session.enter(command).split(separator: "\n").dropFirst().dropLast()
      #expect(rows.allSatisfy { $0.count <= Int(columns) }, "\(rows)")
      let words = rows.flatMap { $0.split(separator: " ") }.joined(separator: " ")
      #expect(words.contains(message), "\(rows)")
    }
    session.end()
  }

  @Test func `a word wider than a row gets its own row, and blanks stay`() {
    #expect(DisplayWidth.wrapped("  a  bb ccc", to: 9) == ["  a  bb", "  ccc"])
    #expect(DisplayWidth.wrapped("a bbbbbbb c", to: 6) == ["a", "bbbbbbb", "c"])
    #expect(DisplayWidth.wrapped("", to: 6) == [""])
    #expect(DisplayWidth.wrapped("abc def", to: 7) == ["abc def"])
  }
}
