import Testing

@testable import ued

/// A line of command text and the command that it is.
struct ParseCase: CustomTestStringConvertible, Sendable {
  let text: String
  let terms: [AddressTerm]
  let command: Command
  var format: LineFormat = []
  var fault: ParseError?

  init(
    _ text: String, _ terms: [AddressTerm] = [], _ command: Command, format: LineFormat = [],
    fault: ParseError? = nil
  ) {
    self.text = text
    self.terms = terms
    self.command = command
    self.format = format
    self.fault = fault
  }

  var testDescription: String { text }
}

struct CommandParserTests {
  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func pattern(_ text: String, ignoreCase: Bool = false) -> PatternText {
    .text(bytes(text), ignoreCase: ignoreCase)
  }

  @Test(arguments: [
    ParseCase("", [], .null), ParseCase("1,$d", [.number(1), .comma, .last], .delete),
    ParseCase("2 3p", [.number(2), .offset(3)], .print(.plain)), ParseCase("%j", [.comma], .join),
    ParseCase(".;+3=", [.current, .semicolon, .offset(3)], .lineNumber),
    ParseCase("--p", [.offset(-1), .offset(-1)], .print(.plain)),
    ParseCase("-2n", [.offset(-2)], .print(.numbered)),
    ParseCase("'a,'bp", [.mark(0x61), .comma, .mark(0x62)], .print(.plain)),
    ParseCase(
      "/x[/.]/Ip", [.search(Search(isForward: true, pattern: pattern("x[/.]", ignoreCase: true)))],
      .print(.plain)),
    ParseCase("?a?", [.search(Search(isForward: false, pattern: pattern("a")))], .null),
    ParseCase(
      "//", [.search(Search(isForward: true, pattern: .previous(withIgnoreCase: false)))], .null),
    ParseCase("1.p", [.number(1), .fault(.invalidAddress)], .unknown, fault: .invalidAddress),
    ParseCase("99999999999p", [.fault(.numberOutOfRange)], .unknown, fault: .numberOutOfRange),
    ParseCase("/[a", [.fault(.unbalancedBrackets)], .unknown, fault: .unbalancedBrackets),
    ParseCase("/a\\", [.fault(.trailingBackslash)], .unknown, fault: .trailingBackslash),
  ])
  func `addresses are terms in order`(_ row: ParseCase) { check(row) }

  @Test(arguments: [
    ParseCase("dpn", [], .delete, format: [.plain, .numbered]),
    ParseCase("pln", [], .print([.plain, .list, .numbered])),
    ParseCase("ppp", [], .print(.plain), fault: .invalidSuffix),
    ParseCase("a", [], .append(.toBeRead(upTo: .period))), ParseCase("kx", [], .mark(0x78)),
    ParseCase("m0", [], .move(to: Addresses([.number(0)]))),
    ParseCase("t.p", [], .copy(to: Addresses([.current])), format: .plain),
    ParseCase("e f", [], .edit(.name(bytes("f")), discarding: false)),
    ParseCase("E", [], .edit(.none, discarding: true)),
    ParseCase("ef", [], .edit(.none, discarding: false), fault: .unexpectedSuffix),
    ParseCase("wq x", [], .write(.name(bytes("x")), appending: false, then: .quit)),
    ParseCase(
      "W !cat", [], .write(.shell(ShellText(bytes: bytes("cat"))), appending: true, then: .nothing)),
    ParseCase("z5n", [], .scroll(.below, lines: 5), format: .numbered),
    ParseCase("z0", [], .scroll(.below, lines: nil), fault: .invalidSuffix),
    ParseCase("!ls %", [], .shell(ShellText(bytes: bytes("ls %")))),
    ParseCase("# words", [], .comment), ParseCase("Y", [], .unknown, fault: .unknownCommand),
    ParseCase("s", [], .repeatSubstitute([])),
    ParseCase("s3gp", [], .repeatSubstitute([.count(3)]), fault: .invalidSuffix),
    ParseCase("sgpr", [], .repeatSubstitute([.toggleAll, .togglePrint, .lastSearch])),
  ])
  func `commands get their arguments`(_ row: ParseCase) { check(row) }

  private static func end(_ word: String) -> InputText { .toBeRead(upTo: .word(bytes(word))) }

  private static func literal(
    _ pattern: String, _ replacement: String, _ delimiter: UInt8 = .slash, ignoreCase: Bool = false,
    count: Int = 1, format: LineFormat = []
  ) -> Command {
    .substitute(
      Substitution(
        pattern: .literal(bytes(pattern), ignoreCase: ignoreCase),
        replacement: .literal(bytes(replacement)), delimiter: delimiter, count: count,
        format: format, isComplete: true))
  }

  @Test(arguments: [
    ParseCase("a <<END", [], .append(end("END"))),
    ParseCase("1in<<-a", [.number(1)], .insert(end("-a")), format: .numbered),
    ParseCase("cpl  <<\t'a \"b' ", [], .change(end("a \"b")), format: [.plain, .list]),
    ParseCase("a <<\"'\"", [], .append(end("'"))), ParseCase("a <<''", [], .append(end(""))),
    ParseCase("s/a.[/&\\1\\/F", [], literal("a.[", "&\\1\\")),
    ParseCase(
      "s,[,%,gFIp", [], literal("[", "%", 0x2C, ignoreCase: true, count: 0, format: .plain)),
    ParseCase("s/[a/%/F3ln", [], literal("[a", "%", count: 3, format: [.list, .numbered])),
    ParseCase(
      "s//x/F", [],
      .substitute(
        Substitution(
          pattern: .previous(withIgnoreCase: false), replacement: .literal(bytes("x")),
          delimiter: .slash, isComplete: true))),
    ParseCase("1!ls", [.number(1)], .shell(ShellText(bytes: bytes("ls")))),
  ])
  func `ued's own forms are parsed, and refused when only ed's are allowed`(_ row: ParseCase) {
    check(row)
    var parser = CommandParser(line: Self.bytes(row.text), allowsOwnForms: false)
    let parsed = parser.next()
    #expect(parsed.fault != nil || parsed.rules == .shellOfEd)
    #expect(!parser.usesOwnForm)
  }

  @Test(arguments: [
    "a <<", "a <<END p", "a <<'END", "a <<END'", "a <<A'B'", "a <<A\\B", "a <<A<<B", "a < <END",
    "d <<END", "s/a/b/c/F", "s/a/b/FF", "s/a/b/g2F", "s a b F", "s/a/b/x",
  ])
  func `a nearly correct form is a syntax error`(_ text: String) {
    var parser = CommandParser(line: Self.bytes(text))
    #expect(parser.next().fault != nil)
    #expect(!parser.usesOwnForm)
  }

  @Test(arguments: [
    "s/[/]/F", "s/a\\/b/F", "s/a/b\\/F", "s/a/F", "s/a/F/", "a", "!ls <<END", "undone",
  ])
  func `valid commands of ed keep their meaning`(_ text: String) {
    var parser = CommandParser(line: Self.bytes(text))
    let parsed = parser.next()
    #expect(!parser.usesOwnForm)
    var edParser = CommandParser(line: Self.bytes(text), allowsOwnForms: false)
    #expect(parsed == edParser.next())
  }

  @Test func `a here-document in a list goes up to its word`() {
    var parser = CommandParser(list: Self.bytes("a <<E\n.\n\u{0}x\nE\np\nc <<''\n\ni <<X\n.\nE"))
    #expect(
      parser.all().map(\.command) == [
        .append(.given(Self.bytes(".\n\u{0}x\n"))), .print(.plain), .change(.given([])),
        .insert(Self.end("X")),
      ])
    #expect(parser.usesOwnForm)
  }

  @Test(arguments: [
    ("undo", "undo" as Word, ""), ("undo 3", "undo", "3"), ("jump saved", "jump", "saved"),
    ("history /a b/", "history", "/a b/"), ("begin  two words", "begin", "two words"),
  ])
  func `words take an argument`(_ text: String, _ word: Word, _ argument: String) {
    check(ParseCase(text, [], .word(word, argument: Self.bytes(argument))))
  }

  @Test(arguments: ["undone", "un", "hist", "endp"])
  func `a prefix or extension of a command word is not that command`(_ text: String) {
    var parser = CommandParser(line: Self.bytes(text))
    if case .word = parser.next().command { Issue.record("\(text) is no word") }
  }

  @Test func `a list is read command by command`() {
    var parser = CommandParser(list: Self.bytes("a\nx\n.\np\n\ns/a/b\nc/"))
    let list = parser.all()
    #expect(
      list.map(\.command) == [
        .append(.given(Self.bytes("x\n"))), .print(.plain), .null,
        .substitute(
          Substitution(
            pattern: Self.pattern("a"), replacement: .template(Self.bytes("b\nc")), delimiter: 0x2F,
            isComplete: true)),
      ])
  }

  private func check(_ row: ParseCase) {
    var parser = CommandParser(line: Self.bytes(row.text))
    let parsed = parser.next()
    #expect(
      parsed
        == ParsedCommand(
          addresses: Addresses(row.terms), command: row.command, rules: parsed.rules,
          format: row.format, fault: row.fault))
  }
}
