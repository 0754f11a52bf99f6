extension CommandParser {
  /// Reads addresses and separators up to the first other byte. After a syntax error, the last term is
  /// a fault.
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

  /// Reads the `@7` or `@` behind a line number, if it is there.
  private mutating func takeRevision(behind number: Int) throws(ParseError) -> AddressTerm {
    guard allowsOwnForms, scanner.take(UInt8(ascii: "@")) else { return .number(number) }
    usesOwnForm = true
    guard scanner.next.isDigit else { return .tracked(number, of: nil) }
    guard let revision = scanner.takeNumber() else { throw .numberOutOfRange }
    return .tracked(number, of: revision)
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

  /// Reads a regular expression with its delimiters and the suffix `I`, as in `/re/I`.
  ///
  /// The closing delimiter may be left out at the end of the line.
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
