/// A syntax error in a command.
enum ParseError: Error, Equatable, Sendable {
  /// A colon after a line number, without three hexadecimal digits.
  case badHash
  /// The text of a substitution with the flag `F` contains the delimiter.
  case delimiterInPlainText
  case destinationExpected
  case globalInGlobal
  case ignoreCaseOnEmptyPattern
  case invalidAddress
  case invalidPatternDelimiter
  case invalidSuffix
  /// The line ends with CR LF.
  case lineEndsWithReturn
  case missingPatternDelimiter
  case numberOutOfRange
  case trailingBackslash
  case unbalancedBrackets
  case unexpectedAddress
  case unexpectedSuffix
  case unknownCommand

  /// Whether the cause may be a misspelled command.
  var isOfSpelling: Bool {
    self == .unknownCommand || self == .invalidSuffix || self == .unexpectedSuffix
  }
}

/// The input text that follows a command with a syntax error. A program that sends a misspelled
/// `append <<E` also sends the lines of the text, which ued must not run as commands.
enum StrayText {
  /// Guesses from the faulty line which lines end its texts, in order: the words of here-documents,
  /// or else a period if the command may be a misspelled `a`, `i` or `c`. The last line of a
  /// command list needs no period.
  static func ends(of line: [UInt8], isInList: Bool) -> [TextEnd] {
    if line.last == .carriageReturn {
      // The line that ends the text also ends with CR LF.
      return ends(of: line.dropLast(), isInList: isInList).map {
        .word($0.line + [.carriageReturn])
      }
    }
    guard var parser = parser(behindAddressesOf: line) else { return [] }
    let start = parser.scanner.position
    while (parser.scanner.next | 0x20).isLowercase { parser.scanner.position += 1 }
    let name = parser.scanner.taken(since: start).map { $0 | 0x20 }
    let next = parser.scanner.next
    let hasPattern = !next.isSpace && !next.isDigit && next != UInt8(ascii: "<")
    switch name.first {
    case UInt8(ascii: "g") where hasPattern, UInt8(ascii: "v") where hasPattern:
      guard (try? parser.parsePattern()) != nil else { return [] }
      return ends(of: parser.scanner.takeRestOfLine(), isInList: true)
    case UInt8(ascii: "s") where hasPattern: return []
    default: break
    }
    let rest = parser.scanner.takeRestOfLine()
    if rest.drop(while: \.isSpace).first == .bang { return [] }
    let words = hereWords(in: rest)
    if !words.isEmpty { return words.map { .word($0) } }
    return !isInList && isTextCommand(name) ? [.period] : []
  }

  private static func parser(behindAddressesOf line: [UInt8]) -> CommandParser? {
    var parser = CommandParser(line: line)
    _ = parser.parseAddresses()
    // After a quote at the end of the line, the parser has taken the newline as the mark's letter.
    if parser.scanner.isPastEnd { return nil }
    parser.scanner.skipBlanks()
    return parser
  }

  /// The lines that end the texts of a faulty `apply`, `ensure`, `expect` or `replace`, whose line
  /// ends with the word of a here-document.
  static func endsOfBlocks(after line: [UInt8]) -> [TextEnd] {
    guard var parser = parser(behindAddressesOf: line) else { return [] }
    let rest = parser.scanner.takeRestOfLine()
    let name = rest.prefix { ($0 | 0x20).isLowercase }
    let words = ["apply", "ensure", "expect", "replace"].map(\.utf8)
    guard words.contains(where: { name.elementsEqual($0) }) else { return [] }
    let ends = hereWords(in: rest)
    let end = rest.reversed().drop { $0.isSpace || "'\"".utf8.contains($0) }
    return ends.last.map { end.starts(with: $0.reversed()) } ?? false ? ends.map { .word($0) } : []
  }

  /// The words after each `<<`, without their quotes.
  private static func hereWords(in text: [UInt8]) -> [[UInt8]] {
    var scanner = ByteScanner(text)
    var words: [[UInt8]] = []
    while !scanner.isAtLastNewline {
      guard scanner.take(UInt8(ascii: "<")) else {
        scanner.position += 1
        continue
      }
      guard scanner.take(UInt8(ascii: "<")) else { continue }
      scanner.skipBlanks()
      let quote = Array("'\"".utf8).contains(scanner.next) ? scanner.take() : nil
      let start = scanner.position
      func isEnd(_ byte: UInt8) -> Bool {
        if let quote { byte == quote } else { byte.isSpace || byte == UInt8(ascii: "<") }
      }
      while !scanner.isAtLastNewline && !isEnd(scanner.next) { scanner.position += 1 }
      let word = Array(scanner.taken(since: start))
      if !word.isEmpty { words.append(word) }
    }
    return words
  }

  /// Whether a lower-case name may be a misspelled `a`, `i` or `c`.
  private static func isTextCommand(_ name: [UInt8]) -> Bool {
    if name.count < 3 { return name.first.map { "aic".utf8.contains($0) } ?? false }
    return ["append", "insert", "change"].contains { word in
      let word = Array(word.utf8)
      return word.starts(with: name) || name.starts(with: word)
        || CommandHint.distance(word, name) <= 2
    }
  }
}
