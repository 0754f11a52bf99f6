extension CommandParser {
  /// Reads what ends the text of `a`, `i` or `c`, and the newline: nothing, or a here-document's word.
  mutating func parseTextEnd() throws(ParseError) -> TextEnd {
    // Fast path, and all that ed has.
    if scanner.take(.newline) { return .period }
    guard allowsOwnForms, let word = takeHereWord(), scanner.take() == .newline else {
      throw .invalidSuffix
    }
    usesOwnForm = true
    return .word(word)
  }

  /// Reads the word of a here-document, with blanks around it: `<<END`, `<<'the end'` or `<<"the end"`.
  ///
  /// - Returns: The word, without its quotes; nil if there is none, and what was read is then unclear.
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

  /// The word of a here-document that is the argument of a word of ued's own; nil if it is none.
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
  /// Reads the rest of `replace` or `expect`.
  ///
  /// - Returns: The command; nil for other words, and after an error, and then nothing is read.
  mutating func takeBlockCommand(_ word: Word) -> Command? {
    guard word == .replace || word == .expect else { return nil }
    let start = scanner.position
    if let command = word == .replace ? takeReplacement() : takeExpectation(),
      scanner.next == .newline
    {
      return command
    }
    scanner.position = start
    return nil
  }

  /// Reads `[N or all] <<OLD <<NEW`.
  private mutating func takeReplacement() -> Command? {
    var places: Int? = 1
    if scanner.next.isDigit {
      guard let number = scanner.takeNumber(), number > 0 else { return nil }
      places = number
    } else if "all".utf8.allSatisfy({ scanner.take($0) }) {
      places = nil
    }
    guard let old = takeHereWord(), let new = takeHereWord() else { return nil }
    return .replace(BlockReplacement(places: places, old: .word(old), new: .word(new)))
  }

  /// Reads `<<END` or `N /RE/`.
  private mutating func takeExpectation() -> Command? {
    guard scanner.next.isDigit else { return takeHereWord().map { .expect(.lines(.word($0))) } }
    guard let count = scanner.takeNumber() else { return nil }
    scanner.skipBlanks()
    guard scanner.next == .slash, let pattern = try? parsePattern() else { return nil }
    scanner.skipBlanks()
    return .expect(.matches(count, pattern))
  }
}
