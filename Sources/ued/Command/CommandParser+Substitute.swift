extension CommandParser {
  /// Reads what follows an `s`: a substitution in full, or flags that repeat the last one.
  mutating func parseSubstitute(into parsed: inout ParsedCommand) throws(ParseError) {
    switch scanner.next {
    case .newline, UInt8(ascii: "g"), UInt8(ascii: "p"), UInt8(ascii: "r"),
      _ where scanner.next.isNonzeroDigit:
      var flags: [RepeatFlag] = []
      defer { parsed.command = .repeatSubstitute(flags) }
      try parseRepeatFlags(into: &flags)
    default:
      var substitution = Substitution()
      defer { parsed.command = .substitute(substitution) }
      try parse(&substitution)
    }
  }

  /// Reads the flags of a repeated substitution. The newline stays, as in ed: in a list it is a
  /// command of its own.
  private mutating func parseRepeatFlags(into flags: inout [RepeatFlag]) throws(ParseError) {
    while scanner.next != .newline {
      let flag: RepeatFlag
      switch scanner.next {
      case UInt8(ascii: "g"): flag = .toggleAll
      case UInt8(ascii: "p"): flag = .togglePrint
      case UInt8(ascii: "r"): flag = .lastSearch
      case let byte where byte.isNonzeroDigit:
        if flags.contains(where: \.isCount) { throw .invalidSuffix }
        guard let count = scanner.takeNumber() else { throw .invalidSuffix }
        flags.append(.count(count))
        continue
      default: throw .invalidSuffix
      }
      if flags.contains(where: { $0 == flag || ($0.isCount && flag.isCount) }) {
        throw .invalidSuffix
      }
      flags.append(flag)
      scanner.position += 1
    }
  }

  /// Reads pattern, replacement and flags.
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

  /// Goes on with a substitution whose replacement continues on the line that this parser has.
  mutating func continueSubstitution(_ substitution: inout Substitution) throws(ParseError) {
    guard case .template(var template) = substitution.replacement else { return }
    substitution.continues = false
    template += takeTemplate(&substitution)
    substitution.replacement = .template(template)
    if !substitution.continues { try parseFlags(of: &substitution) }
  }

  /// Whether the byte `distance` further on is the delimiter, or the newline that ends the command.
  private func endsReplacement(at distance: Int, delimiter: UInt8) -> Bool {
    let byte = scanner.peek(distance)
    return byte == delimiter
      || (byte == .newline && (!isList || scanner.peek(distance + 1) == 0))
  }

  /// Reads a replacement up to its delimiter, or to the newline that ends the command, or, in a
  /// line, to an escaped newline, which it takes and which sets `continues`.
  private mutating func takeTemplate(_ substitution: inout Substitution) -> [UInt8] {
    var template: [UInt8] = []
    while !endsReplacement(at: 0, delimiter: substitution.delimiter)
      && !scanner.isAtLastNewline
    {
      template.append(scanner.take())
      guard template.last == .backslash else { continue }
      template.append(scanner.take())
      if template.last == .newline && !isList {
        substitution.continues = true
        break
      }
    }
    return template
  }

  /// Reads the last delimiter and the flags behind it.
  private mutating func parseFlags(of substitution: inout Substitution) throws(ParseError) {
    if scanner.next == .newline {
      // The newline stays, as in ed.
      substitution.format = .plain
      substitution.isComplete = true
      return
    }
    _ = scanner.take(substitution.delimiter)
    var ignoreCase = false
    var hasCount = false
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
      default:
        guard let one = LineFormat(letter: byte), !substitution.format.contains(one) else {
          break flags
        }
        substitution.format.insert(one)
      }
      scanner.position += 1
    }
    guard scanner.take() == .newline else { throw .invalidSuffix }
    substitution.isComplete = true
    switch substitution.pattern {
    case .text(let text, _): substitution.pattern = .text(text, ignoreCase: ignoreCase)
    case .previous: substitution.pattern = .previous(withIgnoreCase: ignoreCase)
    case nil: break
    }
  }
}

extension RepeatFlag {
  /// Whether this flag says which matches are replaced: a number or `g`, one of them at most.
  var isCount: Bool {
    switch self {
    case .count, .toggleAll: true
    case .togglePrint, .lastSearch: false
    }
  }
}
