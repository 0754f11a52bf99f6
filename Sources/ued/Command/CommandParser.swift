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
    if let word = takeWord() {
      scanner.skipBlanks()
      parsed.command = .word(word, argument: scanner.takeRestOfLine())
      scanner.skipNewlines()
      return parsed
    }
    do {
      try parse(letter: scanner.take(), into: &parsed)
    } catch {
      parsed.fault = error
    }
    return parsed
  }

  /// Reads a word, if one stands here by itself.
  private mutating func takeWord() -> Word? {
    // Most commands are one letter, and then there is nothing to look up.
    guard scanner.peek(1).isLowercase, scanner.peek(2).isLowercase else { return nil }
    let start = scanner.position
    var end = start
    while end < scanner.bytes.count && scanner.bytes[end].isLowercase { end += 1 }
    guard scanner.bytes[end].isSpace, let word = Word(bytes: scanner.bytes[start..<end]) else {
      return nil
    }
    scanner.position = end
    return word
  }

  /// Reads what follows a command's letter.
  ///
  /// What was read before a fault is in `parsed` when it throws.
  private mutating func parse(
    letter: UInt8, into parsed: inout ParsedCommand
  ) throws(ParseError) {
    switch letter {
    case UInt8(ascii: "a"), UInt8(ascii: "i"), UInt8(ascii: "c"):
      parsed.command = Self.textCommand(letter, .toBeRead)
      parsed.format = try parseSuffix()
      if isList { parsed.command = Self.textCommand(letter, .given(takeListText())) }
    case UInt8(ascii: "d"): try parse(.delete, into: &parsed)
    case UInt8(ascii: "e"), UInt8(ascii: "E"):
      let discarding = letter == UInt8(ascii: "E")
      parsed.command = .edit(.none, discarding: discarding)
      parsed.command = .edit(try parseFileArgument(), discarding: discarding)
    case UInt8(ascii: "f"):
      parsed.command = .fileName(.none)
      parsed.command = .fileName(try parseFileArgument())
    case UInt8(ascii: "g"), UInt8(ascii: "v"), UInt8(ascii: "G"), UInt8(ascii: "V"):
      try parseGlobal(letter: letter, into: &parsed)
    case UInt8(ascii: "h"): try parse(.help, into: &parsed)
    case UInt8(ascii: "H"): try parse(.toggleHelp, into: &parsed)
    case UInt8(ascii: "j"): try parse(.join, into: &parsed)
    case UInt8(ascii: "k"): try parse(.mark(scanner.take()), into: &parsed)
    case UInt8(ascii: "l"), UInt8(ascii: "n"), UInt8(ascii: "p"):
      let format = LineFormat(letter: letter) ?? []
      parsed.command = .print(format)
      parsed.command = .print(format.union(try parseSuffix()))
    case UInt8(ascii: "m"): try parse(.move(to: parseAddresses()), into: &parsed)
    case UInt8(ascii: "t"): try parse(.copy(to: parseAddresses()), into: &parsed)
    case UInt8(ascii: "P"): try parse(.togglePrompt, into: &parsed)
    case UInt8(ascii: "q"): try parse(.quit(discarding: false), into: &parsed)
    case UInt8(ascii: "Q"): try parse(.quit(discarding: true), into: &parsed)
    case UInt8(ascii: "r"):
      parsed.command = .read(.none)
      parsed.command = .read(try parseFileArgument())
    case UInt8(ascii: "s"): try parseSubstitute(into: &parsed)
    case UInt8(ascii: "u"): try parse(.undo, into: &parsed)
    case UInt8(ascii: "w"), UInt8(ascii: "W"):
      let appending = letter == UInt8(ascii: "W")
      var then = AfterWrite.nothing
      if scanner.take(UInt8(ascii: "q")) {
        then = .quit
      } else if scanner.take(UInt8(ascii: "Q")) {
        then = .quitDiscarding
      }
      parsed.command = .write(.none, appending: appending, then: then)
      parsed.command = .write(try parseFileArgument(), appending: appending, then: then)
    case UInt8(ascii: "x"): try parse(.put, into: &parsed)
    case UInt8(ascii: "y"): try parse(.yank, into: &parsed)
    case UInt8(ascii: "z"):
      parsed.command = .scroll(lines: nil)
      if scanner.next.isNonzeroDigit {
        guard let lines = scanner.takeNumber() else { throw .numberOutOfRange }
        parsed.command = .scroll(lines: lines)
      }
      parsed.format = try parseSuffix()
    case UInt8(ascii: "="): try parse(.lineNumber, into: &parsed)
    case .bang:
      parsed.command = .shell(takeShellText())
    case UInt8(ascii: "#"):
      parsed.command = .comment
      _ = scanner.takeRestOfLine()
      _ = scanner.take()
    case .newline:
      parsed.command = .null
    default:
      throw .unknownCommand
    }
  }

  /// Takes `command`, which needs nothing but suffixes, and reads these.
  private mutating func parse(
    _ command: Command, into parsed: inout ParsedCommand
  ) throws(ParseError) {
    parsed.command = command
    // The third address of `m` and `t` may be where the text stops making sense.
    switch command {
    case .move(let target), .copy(let target):
      if case .fault(let fault) = target.last { throw fault }
    default: break
    }
    parsed.format = try parseSuffix()
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

  private static func textCommand(_ letter: UInt8, _ text: InputText) -> Command {
    switch letter {
    case UInt8(ascii: "a"): .append(text)
    case UInt8(ascii: "i"): .insert(text)
    default: .change(text)
    }
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
