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
        guard allowsOwnForms, let literal = takeLiteral(from: start) else { throw error }
        substitution = literal
        usesOwnForm = true
      }
    }
  }

  /// Reads a substitution of plain text: pattern, replacement and flags with an `F` among them, between
  /// three delimiters, which are the only special bytes.
  ///
  /// - Parameter start: Where its first delimiter is.
  /// - Returns: nil if the rest of the line is something else.
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

  /// Reads the flags of a repeated substitution. Like in ed, the newline is not consumed: in a list it
  /// is the next command.
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

  /// Reads a replacement up to its delimiter or the newline that ends the command. Outside of a list,
  /// it also stops after an escaped newline and sets `continues`.
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

extension RepeatFlag {
  /// Whether the flag selects matches: a number or `g`. There may be only one of them.
  var isCount: Bool {
    switch self {
    case .count, .toggleAll: true
    case .togglePrint, .lastSearch: false
    }
  }
}
