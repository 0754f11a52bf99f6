/// Parses the text of commands.
///
/// A syntax error becomes the `fault` of the command, so that the editor can report it at the same point
/// as ed, for example after an invalid address.
///
/// Some commands have forms of ued's own: words, addresses before `!`, here-documents, and the flag `F`
/// of `s`. All of them are errors in ed, and here too unless they are allowed.
struct CommandParser: Sendable {
  var scanner: ByteScanner
  /// Whether the text is a command list, which contains all lines of its commands.
  let isList: Bool
  /// Whether ued's own forms are parsed, and not only those of ed.
  let allowsOwnForms: Bool
  /// Whether one of ued's own forms has been parsed.
  var usesOwnForm = false
  /// What would have ended the text that the list ends in; nil if it does not end in a text.
  var openEnd: TextEnd?

  /// Parses one line.
  init(line: [UInt8], allowsOwnForms: Bool = true) {
    scanner = ByteScanner(line)
    isList = false
    self.allowsOwnForms = allowsOwnForms
  }

  /// Parses a command list: lines, without the backslashes before their newlines.
  init(list: [UInt8], allowsOwnForms: Bool = true) {
    scanner = ByteScanner(list)
    isList = true
    self.allowsOwnForms = allowsOwnForms
  }

  /// Whether a text is a command with an address or a pattern, and so hardly the name of a file.
  static func isCommand(_ text: [UInt8]) -> Bool {
    guard text.contains(where: { !$0.lowercased.isLowercase }) else { return false }
    var parser = CommandParser(line: text)
    let parsed = parser.next()
    guard parsed.fault == nil else { return false }
    switch parsed.command {
    case .substitute, .global: return true
    default: return !parsed.addresses.isEmpty
    }
  }

  /// Parses all commands of a list, up to the first with a syntax error.
  mutating func all() -> [ParsedCommand] {
    var commands: [ParsedCommand] = []
    while !scanner.isAtEnd {
      commands.append(next())
      if commands.last?.fault != nil { break }
    }
    return commands
  }

  /// Parses the next command.
  mutating func next() -> ParsedCommand {
    let addresses = parseAddresses()
    if case .fault(let fault) = addresses.last {
      return ParsedCommand(addresses: addresses, command: .unknown, fault: fault)
    }
    scanner.skipBlanks()
    var parsed = ParsedCommand(addresses: addresses, command: .unknown)
    if allowsOwnForms, let row = takeWord(), case .word(let word, _) = row.command {
      usesOwnForm = true
      scanner.skipBlanks()
      parsed.command = takeBlockCommand(word) ?? .word(word, argument: scanner.takeRestOfLine())
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

  /// Reads a word, if there is one.
  private mutating func takeWord() -> CommandRow? {
    // Fast path: most commands are a single letter.
    guard scanner.peek(1).isLowercase, scanner.peek(2).isLowercase else { return nil }
    let start = scanner.position
    while scanner.next.isLowercase { scanner.position += 1 }
    // As in `merge!`.
    if scanner.next == UInt8(ascii: "!") { scanner.position += 1 }
    if scanner.next.isSpace, let row = CommandTable.row(ofWord: scanner.taken(since: start)) {
      return row
    }
    scanner.position = start
    return nil
  }

  /// Parses what follows a command's letter, and adds it to the command.
  ///
  /// - Throws: A syntax error; `parsed` then has what was read before it.
  private mutating func parseRest(of parsed: inout ParsedCommand) throws(ParseError) {
    switch parsed.command {
    case .append, .insert, .change:
      parsed.format = takeSuffixes()
      let end = try parseTextEnd()
      parsed.command.input = isList ? takeListText(upTo: end) : .toBeRead(upTo: end)
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
      parsed.command = .copy(to: parseAddresses())
      parsed.format = try parseSuffix()
    case .move:
      parsed.command = .move(to: parseAddresses())
      parsed.format = try parseSuffix()
    case .print(let format):
      parsed.command = .print(format.union(try parseSuffix()))
    case .read:
      parsed.command = .read(try parseFileArgument())
    case .repeatSubstitute, .substitute:
      try parseSubstitute(into: &parsed)
    case .scroll:
      let place = takeScrollPlace(into: &parsed)
      parsed.command = .scroll(place, lines: nil)
      if scanner.next.isNonzeroDigit {
        guard let lines = scanner.takeNumber() else { throw .numberOutOfRange }
        parsed.command = .scroll(place, lines: lines)
      }
      parsed.format = try parseSuffix()
    case .shell:
      if !parsed.addresses.isEmpty {
        if allowsOwnForms { usesOwnForm = true } else { parsed.rules = .shellOfEd }
      }
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
    case .expect, .null, .replace, .unknown, .word:
      break
    }
  }

  /// Reads the `.`, `-` or `+` of `z`, which also changes its default line.
  private mutating func takeScrollPlace(into parsed: inout ParsedCommand) -> ScrollPlace {
    guard allowsOwnForms else { return .below }
    switch scanner.next {
    case .dot:
      parsed.rules.addresses = .line(or: .current)
      scanner.position += 1
      usesOwnForm = true
      return .around
    case UInt8(ascii: "-"):
      parsed.rules.addresses = .line(or: .pageAbove)
      scanner.position += 1
      usesOwnForm = true
      return .above
    case UInt8(ascii: "+"):
      scanner.position += 1
      usesOwnForm = true
      return .below
    default:
      return .below
    }
  }

  /// Parses the pattern of `g`, `v`, `G` or `V`, and the first line of its list, or its suffixes.
  private mutating func parse(
    _ template: Global, into parsed: inout ParsedCommand
  ) throws(ParseError) {
    var global = template
    defer { parsed.command = .global(global) }
    if isList { throw .globalInGlobal }
    global.pattern = try parsePattern()
    if global.isInteractive {
      parsed.format = try parseSuffix()
    } else {
      global.list = scanner.takeRestOfLine()
      _ = scanner.take()
    }
  }

  /// Reads the suffixes `l`, `n` and `p`, each at most once, and the newline.
  mutating func parseSuffix() throws(ParseError) -> LineFormat {
    let format = takeSuffixes()
    guard scanner.take() == .newline else { throw .invalidSuffix }
    return format
  }

  /// Reads the suffixes `l`, `n` and `p`, each at most once.
  private mutating func takeSuffixes() -> LineFormat {
    var format: LineFormat = []
    while let one = LineFormat(letter: scanner.next), !format.contains(one) {
      format.insert(one)
      scanner.position += 1
    }
    return format
  }

  /// Reads the argument of `e`, `f`, `r` or `w`: white space, and a name or shell command if given.
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
