/// Parses the text of commands. A syntax error becomes the `fault` of the command, so that the
/// editor can report it at the same point as ed, for example after an invalid address.
///
/// Some commands have forms of ued's own: words, addresses before `!`, here-documents, and the flag
/// `F` of `s`. All of them are errors in ed, and here too unless they are allowed.
struct CommandParser: Sendable {
  var scanner: ByteScanner
  /// Whether the text is a command list, which contains all lines of its commands.
  let isList: Bool
  /// Whether ued's own forms are parsed in addition to ed's.
  let allowsOwnForms: Bool
  /// Whether one of ued's own forms has been parsed.
  var usesOwnForm = false
  /// The missing end of a text that is still open at the end of the list; nil if none.
  var openEnd: TextEnd?

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
      let isHash =
        allowsOwnForms && scanner.peek(-1) == UInt8(ascii: ":") && addresses.endWithNumber
      parsed.fault = isHash ? .badHash : .unknownCommand
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
    if scanner.next.isSpace, let row = CommandTable.word(scanner.taken(since: start))?.row {
      return row
    }
    scanner.position = start
    return nil
  }

  /// Parses what follows a command's letter, and adds it to the command, up to a syntax error.
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
    case .ensure, .expect, .null, .replace, .unknown, .word:
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

// MARK: - Addresses

extension CommandParser {
  /// Reads addresses and separators up to another byte. After a syntax error, the last is a fault.
  mutating func parseAddresses() -> Addresses {
    var addresses = Addresses()
    do {
      try parseTerms(into: &addresses)
    } catch {
      addresses.append(.fault(error))
    }
    return addresses
  }

  private mutating func parseTerms(into addresses: inout Addresses) throws(ParseError) {
    /// Whether the next term begins an address, so that a number is a line and not an offset.
    var isStart = true
    scanner.skipBlanks()
    while true {
      let byte = scanner.next
      switch byte {
      case _ where byte.isDigit:
        guard let number = scanner.takeNumber() else { throw .numberOutOfRange }
        addresses.append(
          isStart ? try takeRevision(behind: number) : .offset(number))
        isStart = false
      case .tab, .space:
        scanner.skipBlanks()
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        scanner.position += 1
        var offset = 1
        if scanner.next.isDigit {
          guard let number = scanner.takeNumber() else { throw .numberOutOfRange }
          offset = number
        }
        addresses.append(.offset(byte == UInt8(ascii: "+") ? offset : -offset))
        isStart = false
      case .dot, UInt8(ascii: "$"), .slash, UInt8(ascii: "?"), UInt8(ascii: "'"):
        guard isStart else { throw .invalidAddress }
        addresses.append(try takeStartingTerm())
        isStart = false
      case .percent, UInt8(ascii: ","), UInt8(ascii: ";"):
        scanner.position += 1
        addresses.append(byte == UInt8(ascii: ";") ? .semicolon : .comma)
        isStart = true
      default:
        return
      }
    }
  }

  /// Reads the `@7`, `@`, `:3fa` or `@:3fa` behind a line number, if it is there.
  private mutating func takeRevision(behind number: Int) throws(ParseError) -> AddressTerm {
    if let hash = takeHash() { return .anchored(number, hash: hash, isTracked: false) }
    if allowsOwnForms, scanner.next == UInt8(ascii: ":"),
      Character(Unicode.Scalar(scanner.peek(1))).isHexDigit
    {
      throw .badHash
    }
    guard allowsOwnForms, scanner.take(UInt8(ascii: "@")) else { return .number(number) }
    usesOwnForm = true
    if let hash = takeHash() { return .anchored(number, hash: hash, isTracked: true) }
    guard scanner.next.isDigit else { return .tracked(number, of: nil) }
    guard let revision = scanner.takeNumber() else { throw .numberOutOfRange }
    return .tracked(number, of: revision)
  }

  /// Reads a colon and three hexadecimal digits, if they are there.
  private mutating func takeHash() -> Int? {
    guard allowsOwnForms, scanner.next == UInt8(ascii: ":") else { return nil }
    let digits = (1...3).compactMap { distance in
      let byte = scanner.peek(distance)
      return byte.isDigit || byte.lowercased.isLowercase
        ? Character(Unicode.Scalar(byte)).hexDigitValue : nil
    }
    // A fourth digit would be an offset, but probably belongs to a longer hash.
    guard digits.count == 3, !scanner.peek(4).isDigit else { return nil }
    usesOwnForm = true
    scanner.position += 4
    return digits.reduce(0) { $0 << 4 | $1 }
  }

  /// Reads `.`, `$`, a mark or a search.
  private mutating func takeStartingTerm() throws(ParseError) -> AddressTerm {
    switch scanner.next {
    case .dot:
      scanner.position += 1
      return .current
    case UInt8(ascii: "$"):
      scanner.position += 1
      return .last
    case UInt8(ascii: "'"):
      scanner.position += 1
      return .mark(scanner.take())
    default:
      let isForward = scanner.next == .slash
      return .search(Search(isForward: isForward, pattern: try parsePattern()))
    }
  }

  /// Reads a regular expression with its delimiters and the suffix `I`, as in `/re/I`. The closing
  /// delimiter may be left out at the end of the line.
  mutating func parsePattern() throws(ParseError) -> PatternText {
    let delimiter = scanner.next
    guard delimiter != .space, delimiter != .newline else { throw .invalidPatternDelimiter }
    scanner.position += 1
    if scanner.next == delimiter || scanner.next == .newline {
      let isDelimited = scanner.take(delimiter)
      return .previous(withIgnoreCase: isDelimited && scanner.next == UInt8(ascii: "I"))
    }
    let text = try takePatternText(delimiter: delimiter)
    let ignoreCase = scanner.take(delimiter) && scanner.take(UInt8(ascii: "I"))
    return .text(text, ignoreCase: ignoreCase)
  }

  /// Reads a regular expression up to its delimiter or the end of the line; neither is consumed.
  mutating func takePatternText(delimiter: UInt8) throws(ParseError) -> [UInt8] {
    let start = scanner.position
    while scanner.next != delimiter && scanner.next != .newline {
      switch scanner.take() {
      case UInt8(ascii: "["):
        try skipBracketExpression()
      case .backslash:
        if scanner.take() == .newline { throw .trailingBackslash }
      default: break
      }
    }
    return Array(scanner.taken(since: start))
  }

  /// Skips a bracket expression after its `[`.
  private mutating func skipBracketExpression() throws(ParseError) {
    let close = UInt8(ascii: "]")
    _ = scanner.take(UInt8(ascii: "^"))
    _ = scanner.take(close)
    while scanner.next != close && scanner.next != .newline {
      let kind = scanner.peek(1)
      if scanner.next == UInt8(ascii: "["), Array(".:=".utf8).contains(kind) {
        scanner.position += 2
        var before = scanner.next
        while scanner.next != close || before != kind {
          before = scanner.next
          if before == .newline { throw .unbalancedBrackets }
          scanner.position += 1
        }
      }
      scanner.position += 1
    }
    guard scanner.take(close) else { throw .unbalancedBrackets }
  }
}

// MARK: - Substitutions

extension CommandParser {
  /// Parses what follows `s`: pattern and replacement, or flags that repeat the last substitution.
  mutating func parseSubstitute(into parsed: inout ParsedCommand) throws(ParseError) {
    switch scanner.next {
    case .newline, UInt8(ascii: "g"), UInt8(ascii: "p"), UInt8(ascii: "r"),
      _ where scanner.next.isNonzeroDigit:
      var flags: [RepeatFlag] = []
      defer { parsed.command = .repeatSubstitute(flags) }
      try parseRepeatFlags(into: &flags)
    default:
      let start = scanner.position
      var substitution = Substitution()
      defer { parsed.command = .substitute(substitution) }
      do throws(ParseError) {
        try parse(&substitution)
      } catch {
        let end = scanner.position
        guard allowsOwnForms, let literal = takeLiteral(from: start) else {
          scanner.position = end
          throw error
        }
        substitution = literal
        usesOwnForm = true
      }
    }
  }

  /// Reads a substitution of plain text: three delimiters, the first at `start`, pattern and
  /// replacement between them, then flags with an `F`. No other bytes are special. Nil if the
  /// line is something else.
  private mutating func takeLiteral(from start: Int) -> Substitution? {
    scanner.position = start
    let delimiter = scanner.next
    guard delimiter != .space, delimiter != .newline else { return nil }
    let parts = scanner.takeRestOfLine().split(
      separator: delimiter, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[3].contains(Self.literalFlag) else { return nil }
    scanner.position -= parts[3].count + 1
    var substitution = Substitution()
    substitution.delimiter = delimiter
    substitution.pattern =
      parts[1].isEmpty
      ? .previous(withIgnoreCase: false) : .literal(Array(parts[1]), ignoreCase: false)
    substitution.replacement = .literal(Array(parts[2]))
    do throws(ParseError) { try parseFlags(of: &substitution) } catch { return nil }
    return substitution
  }

  /// The flag of a substitution of plain text.
  private static let literalFlag = UInt8(ascii: "F")
  /// The flag of a substitution that asks about each match.
  private static let askingFlag = UInt8(ascii: "c")

  /// Reads the flags of a repeated substitution. As in ed, the newline is not consumed: in a list
  /// it is the next command.
  private mutating func parseRepeatFlags(into flags: inout [RepeatFlag]) throws(ParseError) {
    while scanner.next != .newline {
      let start = scanner.position
      let flag: RepeatFlag
      switch scanner.take() {
      case UInt8(ascii: "g"): flag = .toggleAll
      case UInt8(ascii: "p"): flag = .togglePrint
      case UInt8(ascii: "r"): flag = .lastSearch
      case let byte where byte.isNonzeroDigit:
        scanner.position = start
        guard let count = scanner.takeNumber() else { throw .invalidSuffix }
        flag = .count(count)
      default: throw .invalidSuffix
      }
      if flags.contains(where: { $0 == flag || ($0.isCount && flag.isCount) }) {
        throw .invalidSuffix
      }
      flags.append(flag)
    }
  }

  /// Reads the pattern, the replacement and the flags.
  private mutating func parse(_ substitution: inout Substitution) throws(ParseError) {
    let delimiter = scanner.next
    guard delimiter != .space, delimiter != .newline else { throw .invalidPatternDelimiter }
    scanner.position += 1
    substitution.delimiter = delimiter
    if scanner.next == delimiter {
      substitution.pattern = .previous(withIgnoreCase: false)
    } else {
      let text = try takePatternText(delimiter: delimiter)
      guard scanner.next == delimiter else { throw .missingPatternDelimiter }
      substitution.pattern = .text(text, ignoreCase: false)
    }
    scanner.position += 1
    if scanner.next == .percent, endsReplacement(at: 1, delimiter: delimiter) {
      scanner.position += 1
      substitution.replacement = .previous
    } else {
      substitution.replacement = .template(takeTemplate(&substitution))
    }
    if !substitution.continues { try parseFlags(of: &substitution) }
  }

  /// Continues a substitution whose replacement continues on this parser's line.
  mutating func continueSubstitution(_ substitution: inout Substitution) throws(ParseError) {
    guard case .template(var template) = substitution.replacement else { return }
    substitution.continues = false
    template += takeTemplate(&substitution)
    substitution.replacement = .template(template)
    if !substitution.continues { try parseFlags(of: &substitution) }
  }

  /// Whether the byte at `distance` is the delimiter, or the newline that ends the command.
  private func endsReplacement(at distance: Int, delimiter: UInt8) -> Bool {
    let byte = scanner.peek(distance)
    return byte == delimiter
      || (byte == .newline && (!isList || scanner.peek(distance + 1) == 0))
  }

  /// Reads a replacement up to its delimiter or the newline that ends the command. Outside of a
  /// list, it also stops after an escaped newline and sets `continues`.
  private mutating func takeTemplate(_ substitution: inout Substitution) -> [UInt8] {
    var template: [UInt8] = []
    while !endsReplacement(at: 0, delimiter: substitution.delimiter)
      && !scanner.isAtLastNewline
    {
      template.append(scanner.take())
      guard template.last == .backslash else { continue }
      template.append(scanner.take())
      if template.last == .newline && !isList { substitution.continues = true }
    }
    return template
  }

  /// Reads the last delimiter and the flags.
  private mutating func parseFlags(of substitution: inout Substitution) throws(ParseError) {
    if scanner.next == .newline {
      // Like in ed, the newline is not consumed.
      substitution.format = .plain
      substitution.isComplete = true
      return
    }
    _ = scanner.take(substitution.delimiter)
    var ignoreCase = false
    var hasCount = false
    var isLiteral = false
    flags: while true {
      let byte = scanner.next
      if byte.isNonzeroDigit {
        guard !hasCount, let count = scanner.takeNumber() else { throw .invalidSuffix }
        hasCount = true
        substitution.count = count
        continue
      }
      switch byte {
      case UInt8(ascii: "g"):
        if hasCount { break flags }
        hasCount = true
        substitution.count = 0
      case UInt8(ascii: "i"), UInt8(ascii: "I"):
        if ignoreCase { break flags }
        ignoreCase = true
      case Self.literalFlag:
        guard case .literal = substitution.replacement else {
          if case .template = substitution.replacement, allowsOwnForms {
            throw .delimiterInPlainText
          }
          break flags
        }
        if isLiteral { break flags }
        isLiteral = true
      case Self.askingFlag where allowsOwnForms:
        if substitution.asks { break flags }
        substitution.asks = true
      default:
        guard let one = LineFormat(letter: byte), !substitution.format.contains(one) else {
          break flags
        }
        substitution.format.insert(one)
      }
      scanner.position += 1
    }
    guard scanner.take() == .newline else { throw .invalidSuffix }
    if substitution.asks { usesOwnForm = true }
    substitution.isComplete = true
    switch substitution.pattern {
    case .text(let text, _): substitution.pattern = .text(text, ignoreCase: ignoreCase)
    case .literal(let text, _): substitution.pattern = .literal(text, ignoreCase: ignoreCase)
    case .previous: substitution.pattern = .previous(withIgnoreCase: ignoreCase)
    case nil: break
    }
  }
}

// MARK: - Text behind a command

extension CommandParser {
  /// Reads the word of a here-document after `a`, `i` or `c`, if it is there, and the newline.
  mutating func parseTextEnd() throws(ParseError) -> TextEnd {
    // Fast path, and all that ed has.
    if scanner.take(.newline) { return .period }
    guard allowsOwnForms, let word = takeHereWord(), scanner.take() == .newline else {
      throw .invalidSuffix
    }
    usesOwnForm = true
    return .word(word)
  }

  /// Reads the word of a here-document, with blanks around it: `<<END`, `<<'the end'` or `<<"the
  /// end"`; nil without a word: the position is then undefined.
  mutating func takeHereWord() -> [UInt8]? {
    scanner.skipBlanks()
    guard scanner.take(UInt8(ascii: "<")), scanner.take(UInt8(ascii: "<")) else { return nil }
    scanner.skipBlanks()
    let quotes = Array("'\"".utf8)
    let quote = quotes.contains(scanner.next) ? scanner.take() : nil
    let start = scanner.position
    while scanner.next != .newline && scanner.next != quote {
      // A shell would not take these for parts of the word.
      if quote == nil && (scanner.next.isSpace || Array("<\\'\"".utf8).contains(scanner.next)) {
        break
      }
      scanner.position += 1
    }
    let word = Array(scanner.taken(since: start))
    if let quote {
      guard scanner.take(quote) else { return nil }
    } else if word.isEmpty {
      return nil
    }
    scanner.skipBlanks()
    return word
  }

  /// The word of a here-document that is the whole argument of a command; nil for anything else.
  static func hereWord(_ argument: [UInt8]) -> [UInt8]? {
    var parser = CommandParser(line: argument)
    guard let word = parser.takeHereWord(), parser.scanner.isAtLastNewline else { return nil }
    return word
  }

  /// Reads the text of `a`, `i` or `c` in a command list.
  mutating func takeListText(upTo end: TextEnd) -> InputText {
    var text: [UInt8] = []
    while end == .period ? !scanner.isAtEnd : !scanner.isPastEnd {
      let line = scanner.takeRestOfLine()
      _ = scanner.take()
      if line == end.line { return .given(text) }
      text += line
      text.append(.newline)
    }
    openEnd = end
    return end == .period ? .given(text) : .toBeRead(upTo: end)
  }
}

/// Commands with blocks of lines.
extension CommandParser {
  /// Reads the rest of `ensure`, `expect` or `replace`. For another word or an error,
  /// returns nil and reads nothing.
  mutating func takeBlockCommand(_ word: Word) -> Command? {
    let start = scanner.position
    let command: Command? =
      switch word {
      case "ensure": (try? takeEnsuredLines()).map { .ensure($0) }
      case "expect": takeExpectation()
      case "replace": takeReplacement()
      default: nil
      }
    if command != nil && scanner.next == .newline { return command }
    scanner.position = start
    return nil
  }

  /// The fault in the operands of `ensure`; nil without one.
  static func fault(inEnsured operands: [UInt8]) -> EnsureFault? {
    var parser = CommandParser(line: operands)
    do throws(EnsureFault) {
      _ = try parser.takeEnsuredLines()
      return nil
    } catch {
      return error
    }
  }

  /// Reads `[unless] /RE/[,/RE/] [after|before /RE/] [in [/RE/],/RE/]`, and a blank and the line, or `<<END`. The
  /// slash may be another delimiter.
  private mutating func takeEnsuredLines() throws(EnsureFault) -> EnsuredLines {
    let keepsMatches = takeWord("unless")
    let delimiter = scanner.next
    guard !(delimiter | 0x20).isLowercase, !delimiter.isDigit, delimiter != UInt8(ascii: "<"),
      delimiter != .newline
    else { throw .noPattern }
    var ensured = EnsuredLines(pattern: try takeOperandPattern(delimiter, else: .noPattern))
    ensured.keepsMatches = keepsMatches
    if scanner.take(UInt8(ascii: ",")) {
      ensured.last = try takeOperandPattern(delimiter, else: .noSecondPattern)
    }
    while scanner.take(.space) {
      if ensured.place == .end, takeClause("after", delimiter) {
        ensured.place = .after(try takeOperandPattern(delimiter, else: .noPattern))
      } else if ensured.place == .end, takeClause("before", delimiter) {
        ensured.place = .before(try takeOperandPattern(delimiter, else: .noPattern))
      } else if ensured.section == nil, takeClause("in", delimiter) {
        let isHeaded = scanner.next == delimiter
        let heading = isHeaded ? try takeOperandPattern(delimiter, else: .noSection) : nil
        guard scanner.take(UInt8(ascii: ",")) else { throw .noSection }
        let next = try takeOperandPattern(delimiter, else: .noSection)
        ensured.section = EnsuredLines.Section(heading: heading, next: next)
      } else {
        let start = scanner.position
        if let word = takeHereWord(), scanner.next == .newline {
          ensured.end = .word(word)
          return ensured
        }
        scanner.position = start
        // Probably a misplaced clause. A here-document can give such a line.
        scanner.skipBlanks()
        for word in ["after", "before", "in"] where takeWord(word) {
          if scanner.next == delimiter { throw .surplusClause(word) }
          if scanner.next == .slash { throw .otherDelimiter(word, delimiter) }
        }
        scanner.position = start
        ensured.line = scanner.takeRestOfLine()
        if !ensured.line.isEmpty { return ensured }
      }
    }
    throw .noLine(isBlock: ensured.last != nil)
  }

  /// Reads a regular expression between two delimiters.
  private mutating func takeOperandPattern(
    _ delimiter: UInt8, else fault: EnsureFault
  ) throws(EnsureFault) -> PatternText {
    let start = scanner.position
    guard scanner.take(delimiter) else { throw fault }
    do throws(ParseError) {
      _ = try takePatternText(delimiter: delimiter)
    } catch {
      throw .badPattern(error)
    }
    let written = scanner.taken(since: start)
    guard scanner.next == delimiter else { throw .openPattern(Array(written), delimiter) }
    scanner.position = start
    guard let pattern = try? parsePattern() else { throw .noPattern }
    guard [.space, .newline, UInt8(ascii: ",")].contains(scanner.next) else {
      throw .noBlank(behind: written + [delimiter])
    }
    return pattern
  }

  /// Reads a word and a blank before a delimiter, if they are there.
  private mutating func takeClause(_ word: String, _ delimiter: UInt8) -> Bool {
    let start = scanner.position
    if takeWord(word) {
      if scanner.next == delimiter || word == "in" && scanner.next == UInt8(ascii: ",") {
        return true
      }
    }
    scanner.position = start
    return false
  }

  /// Reads `[text or loose] [N or all] <<OLD <<NEW`, where the count may come first.
  private mutating func takeReplacement() -> Command? {
    var matching = BlockReplacement.Matching.lines
    var places: Int? = 1
    var isCounted = takeCount(&places)
    if takeWord("text") { matching = .text } else if takeWord("loose") { matching = .loose }
    if !isCounted { isCounted = takeCount(&places) }
    guard let old = takeHereWord(), let new = takeHereWord() else { return nil }
    return .replace(
      BlockReplacement(
        matching: matching, places: places, isCounted: isCounted, old: .word(old), new: .word(new)))
  }

  /// Reads `N`, or `all` as nil, and blanks after it; returns whether it was there.
  private mutating func takeCount(_ places: inout Int?) -> Bool {
    if takeWord("all") {
      places = nil
      return true
    }
    let start = scanner.position
    guard scanner.next.isDigit, let number = scanner.takeNumber(), number > 0 else {
      scanner.position = start
      return false
    }
    places = number
    scanner.skipBlanks()
    return true
  }

  /// Reads a word and the blanks behind it, if it is there.
  private mutating func takeWord(_ word: String) -> Bool {
    let start = scanner.position
    guard word.utf8.allSatisfy({ scanner.take($0) }) else {
      scanner.position = start
      return false
    }
    scanner.skipBlanks()
    return true
  }

  /// Reads `<<END`, `N /RE/` or `sha256:HEX`.
  private mutating func takeExpectation() -> Command? {
    if "sha256:".utf8.allSatisfy({ scanner.take($0) }) {
      let start = scanner.position
      while Character(Unicode.Scalar(scanner.next)).hexDigitValue != nil { scanner.position += 1 }
      let digits = HashPrefix(scanner.taken(since: start), leastCount: 6)
      scanner.skipBlanks()
      return digits.map { .expect(.hash($0)) }
    }
    guard scanner.next.isDigit else { return takeHereWord().map { .expect(.lines(.word($0))) } }
    guard let count = scanner.takeNumber() else { return nil }
    scanner.skipBlanks()
    guard scanner.next == .slash, let pattern = try? parsePattern() else { return nil }
    scanner.skipBlanks()
    return .expect(.matches(count, pattern))
  }
}
