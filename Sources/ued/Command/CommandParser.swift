/// Turns command text into commands.
///
/// It needs no editor and changes nothing: what is wrong in the text becomes a fault of the command,
/// so that an editor can meet it in its turn (ed finds a bad address before a bad suffix).
struct CommandParser: Sendable {
  /// The text and the place in it.
  var scanner: ByteScanner
  /// Whether the text is a command list, in which input text and replacements go on.
  let isList: Bool

  /// A parser of one line.
  init(line: [UInt8]) {
    scanner = ByteScanner(line)
    isList = false
  }

  /// A parser of a command list: lines, with the backslashes before their newlines removed.
  init(list: [UInt8]) {
    scanner = ByteScanner(list)
    isList = true
  }

  /// Reads all commands of a list.
  static func commands(ofList list: [UInt8]) -> [ParsedCommand] {
    var parser = CommandParser(list: list)
    var commands: [ParsedCommand] = []
    while !parser.scanner.isAtEnd {
      commands.append(parser.next())
      if commands.last?.fault != nil { break }
    }
    return commands
  }

  /// Reads one command.
  mutating func next() -> ParsedCommand {
    let addresses = parseAddresses()
    if case .fault(let fault) = addresses.last {
      return ParsedCommand(addresses: addresses, command: .unknown, fault: fault)
    }
    scanner.skipBlanks()
    var parsed = ParsedCommand(addresses: addresses, command: .unknown)
    if let row = takeWord(), case .word(let word, _) = row.command {
      scanner.skipBlanks()
      parsed.command = .word(word, argument: scanner.takeRestOfLine())
      parsed.rules = row.rules
      scanner.skipNewlines()
      return parsed
    }
    guard let index = CommandTable.index(ofLetter: scanner.take()) else {
      parsed.fault = .unknownCommand
      return parsed
    }
    parsed.rules = CommandTable.allRows[index].rules
    parsed.command = CommandTable.allRows[index].command
    do throws(ParseError) {
      try parseRest(of: &parsed)
    } catch {
      parsed.fault = error
    }
    return parsed
  }

  /// Reads a word, if one stands here by itself.
  private mutating func takeWord() -> CommandRow? {
    // Most commands are one letter, and then there is nothing to look up.
    guard scanner.peek(1).isLowercase, scanner.peek(2).isLowercase else { return nil }
    let start = scanner.position
    while scanner.next.isLowercase { scanner.position += 1 }
    if scanner.next.isSpace, let row = CommandTable.row(ofWord: scanner.taken(since: start)) {
      return row
    }
    scanner.position = start
    return nil
  }

  /// Reads what follows a command's letter, and completes the command with it.
  ///
  /// What was read before a fault is in `parsed` when it throws.
  private mutating func parseRest(of parsed: inout ParsedCommand) throws(ParseError) {
    switch parsed.command {
    case .append, .insert, .change:
      parsed.format = try parseSuffix()
      if isList { parsed.command.setText(takeListText()) }
    case .comment:
      _ = scanner.takeRestOfLine()
      _ = scanner.take()
    case .edit(_, let discarding):
      parsed.command = .edit(try parseFileArgument(), discarding: discarding)
    case .fileName:
      parsed.command = .fileName(try parseFileArgument())
    case .global(let global):
      try parse(global, into: &parsed)
    case .mark:
      parsed.command = .mark(scanner.take())
      parsed.format = try parseSuffix()
    case .copy:
      let target = parseAddresses()
      parsed.command = .copy(to: target)
      parsed.format = try parseSuffix(after: target)
    case .move:
      let target = parseAddresses()
      parsed.command = .move(to: target)
      parsed.format = try parseSuffix(after: target)
    case .print(let format):
      parsed.command = .print(format.union(try parseSuffix()))
    case .read:
      parsed.command = .read(try parseFileArgument())
    case .repeatSubstitute, .substitute:
      try parseSubstitute(into: &parsed)
    case .scroll:
      if scanner.next.isNonzeroDigit {
        guard let lines = scanner.takeNumber() else { throw .numberOutOfRange }
        parsed.command = .scroll(lines: lines)
      }
      parsed.format = try parseSuffix()
    case .shell:
      parsed.command = .shell(takeShellText())
    case .write(_, let appending, _):
      var then = AfterWrite.nothing
      if scanner.take(UInt8(ascii: "q")) {
        then = .quit
      } else if scanner.take(UInt8(ascii: "Q")) {
        then = .quitDiscarding
      }
      parsed.command = .write(.none, appending: appending, then: then)
      parsed.command = .write(try parseFileArgument(), appending: appending, then: then)
    case .delete, .help, .join, .lineNumber, .put, .quit, .toggleHelp, .togglePrompt, .undo,
      .yank:
      parsed.format = try parseSuffix()
    case .null, .unknown, .word:
      break
    }
  }

  /// Reads the suffixes behind the address of `m` and `t`, which may be where the text stops making
  /// sense.
  private mutating func parseSuffix(after target: Addresses) throws(ParseError) -> LineFormat {
    if case .fault(let fault) = target.last { throw fault }
    return try parseSuffix()
  }

  /// Reads the suffixes `l`, `n` and `p`, once each, and the newline behind them.
  mutating func parseSuffix() throws(ParseError) -> LineFormat {
    var format: LineFormat = []
    while let one = LineFormat(letter: scanner.next), !format.contains(one) {
      format.insert(one)
      scanner.position += 1
    }
    guard scanner.take() == .newline else { throw .invalidSuffix }
    return format
  }

  /// Reads the text of `a`, `i` or `c` in a list: up to a line `.`, or to the end.
  private mutating func takeListText() -> [UInt8] {
    var text: [UInt8] = []
    while !scanner.isAtEnd {
      let line = scanner.takeRestOfLine()
      _ = scanner.take()
      if line == [.dot] { break }
      text += line
      text.append(.newline)
    }
    return text
  }

  /// Reads what stands behind `e`, `f`, `r` or `w`: nothing, or white space and a name or command.
  private mutating func parseFileArgument() throws(ParseError) -> FileArgument {
    guard scanner.next.isSpace else { throw .unexpectedSuffix }
    scanner.skipBlanks()
    if scanner.next == .newline {
      scanner.skipNewlines()
      return .none
    }
    if scanner.take(.bang) { return .shell(takeShellText()) }
    let name = scanner.takeRestOfLine()
    scanner.skipNewlines()
    return .name(name)
  }

  /// Reads a shell command up to the newline.
  private mutating func takeShellText() -> ShellText {
    let text = ShellText(bytes: scanner.takeRestOfLine())
    scanner.skipNewlines()
    return text
  }
}

extension Command {
  /// Gives `a`, `i` or `c` its text.
  fileprivate mutating func setText(_ text: [UInt8]) {
    switch self {
    case .append: self = .append(.given(text))
    case .insert: self = .insert(.given(text))
    default: self = .change(.given(text))
    }
  }
}
