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
    return end == .period ? .given(text) : .toBeRead(upTo: end)
  }
}
