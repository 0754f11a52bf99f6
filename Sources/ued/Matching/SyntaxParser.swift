import Glibc

/// The encoding that a subject must be in for automata to match as glibc does.
enum SubjectEncoding: Comparable, Sendable { case anyBytes, utf8, ascii }

/// A pattern that automata can match.
struct ParsedPattern: Sendable {
  let syntax: Syntax
  let encoding: SubjectEncoding
}

/// Parses regular expressions that glibc has compiled, with its meaning. Nil if automata can't
/// match as glibc does, or glibc is inconsistent: back-references, equivalence classes, operators
/// in odd places, multibyte characters in brackets.
struct SyntaxParser {
  let isExtended: Bool
  let ignoresCase: Bool
  let locale: MatchingLocale
  var rest: ArraySlice<UInt8>
  private(set) var encoding = SubjectEncoding.anyBytes
  private var groupCount = 0

  static func parse(
    _ source: [UInt8], extended: Bool, ignoreCase: Bool, locale: MatchingLocale
  ) -> ParsedPattern? {
    if ignoreCase && !locale.hasPlainCase { return nil }
    if source.contains(where: { $0 >= 0x80 }) {
      // In UTF-8, valid characters from 0x80 on match themselves.
      guard locale.isUTF8, !ignoreCase, UTF8Text.isValid(source) else { return nil }
    }
    var parser = SyntaxParser(
      isExtended: extended, ignoresCase: ignoreCase, locale: locale, rest: source[...])
    if ignoreCase { parser.require(.ascii) }
    guard let syntax = parser.alternatives(depth: 0), parser.rest.isEmpty else { return nil }
    return ParsedPattern(syntax: syntax, encoding: locale.isUTF8 ? parser.encoding : .anyBytes)
  }

  private init(
    isExtended: Bool, ignoresCase: Bool, locale: MatchingLocale, rest: ArraySlice<UInt8>
  ) {
    self.isExtended = isExtended
    self.ignoresCase = ignoresCase
    self.locale = locale
    self.rest = rest
  }

  /// Restricts the subjects that automata may match.
  mutating func require(_ encoding: SubjectEncoding) {
    self.encoding = max(self.encoding, encoding)
  }

  private func isNext(_ text: StaticString) -> Bool {
    unsafe rest.starts(
      with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private var isAtBar: Bool { isNext(isExtended ? "|" : "\\|") }
  private var isAtClose: Bool { isNext(isExtended ? ")" : "\\)") }

  /// Parses alternatives up to the end, or to the parenthesis that closes the group.
  private mutating func alternatives(depth: Int) -> Syntax? {
    guard depth < 20 else { return nil }
    var parts: [Syntax] = []
    while true {
      guard let part = sequence(depth: depth) else { return nil }
      parts.append(part)
      guard isAtBar else { break }
      rest.removeFirst(isExtended ? 1 : 2)
    }
    return parts.count == 1 ? parts[0] : .alternation(parts)
  }

  private mutating func sequence(depth: Int) -> Syntax? {
    var parts: [Syntax] = []
    while !rest.isEmpty, !isAtBar, !isAtClose {
      guard var part = atom(isFirst: parts.isEmpty, depth: depth) else { return nil }
      if let (minimum, maximum) = repetition() {
        // Repeated assertions and nested repetition operators are left to glibc.
        guard minimum >= 0, !part.hasAssertion, repetition() == nil else { return nil }
        part = .repetition(part, minimum: minimum, maximum: maximum)
      }
      parts.append(part)
    }
    return parts.isEmpty ? nil : .concatenation(parts)
  }

  /// Parses one character, bracket expression, assertion or group.
  private mutating func atom(isFirst: Bool, depth: Int) -> Syntax? {
    guard let byte = rest.popFirst() else { return nil }
    switch byte {
    case .backslash: return escaped(depth: depth)
    case .dot: return anyCharacter
    case UInt8(ascii: "["): return bracket()
    case UInt8(ascii: "^") where isFirst || isExtended: return .assertion(.lineStart)
    case UInt8(ascii: "$") where isExtended || rest.isEmpty || isAtBar || isAtClose:
      return .assertion(.lineEnd)
    case UInt8(ascii: "*"): return nil
    case UInt8(ascii: "(") where isExtended: return group(depth: depth)
    case UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{"), UInt8(ascii: "}"):
      return isExtended ? nil : literal(byte)
    case 0x80...: return multibyteLiteral(byte)
    default: return literal(byte)
    }
  }

  private mutating func escaped(depth: Int) -> Syntax? {
    guard let byte = rest.popFirst(), byte < 0x80 else { return nil }
    switch byte {
    case UInt8(ascii: "(") where !isExtended: return group(depth: depth)
    case UInt8(ascii: "{") where !isExtended, UInt8(ascii: "}") where !isExtended: return nil
    case UInt8(ascii: "+") where !isExtended, UInt8(ascii: "?") where !isExtended: return nil
    case _ where byte.isNonzeroDigit: return nil
    case UInt8(ascii: "w"): return asciiSet(.word)
    case UInt8(ascii: "W"): return asciiSet(ByteSet.word.inverted)
    case UInt8(ascii: "s"): return asciiSet(Self.spaces)
    case UInt8(ascii: "S"): return asciiSet(Self.spaces.inverted)
    case UInt8(ascii: "<"): return assertion(.wordStart)
    case UInt8(ascii: ">"): return assertion(.wordEnd)
    case UInt8(ascii: "b"): return assertion(.wordEdge)
    // glibc is not consistent about `\B`.
    case UInt8(ascii: "B"): return nil
    case UInt8(ascii: "`"): return .assertion(.textStart)
    case UInt8(ascii: "'"): return .assertion(.textEnd)
    // When it ignores case, glibc does not fold an escaped letter.
    case _ where ignoresCase && isalpha(Int32(byte)) != 0: return nil
    default: return literal(byte)
    }
  }

  private static let spaces = ByteSet { (9...13).contains($0) || $0 == .space }

  private mutating func asciiSet(_ set: ByteSet) -> Syntax {
    require(.ascii)
    return .bytes(set)
  }

  private mutating func assertion(_ assertion: Syntax.Assertion) -> Syntax {
    require(.ascii)
    return .assertion(assertion)
  }

  private var anyCharacter: Syntax {
    mutating get {
      guard locale.isUTF8 else { return .bytes(.all) }
      require(.utf8)
      return .alternation([.bytes(.ascii), .multibyteCharacter])
    }
  }

  private func literal(_ byte: UInt8) -> Syntax {
    var set = ByteSet(byte...byte)
    if ignoresCase { set = ByteSet { $0.uppercased == byte.uppercased } }
    return .bytes(set)
  }

  /// Parses the rest of a multibyte character as one atom, which a repetition applies to as a whole.
  private mutating func multibyteLiteral(_ first: UInt8) -> Syntax {
    var parts: [Syntax] = [.bytes(ByteSet(first...first))]
    while let byte = rest.first, byte & 0xC0 == 0x80 {
      parts.append(.bytes(ByteSet(byte...byte)))
      rest.removeFirst()
    }
    return .concatenation(parts)
  }

  private mutating func group(depth: Int) -> Syntax? {
    groupCount += 1
    let number = groupCount
    guard let body = alternatives(depth: depth + 1), isAtClose else { return nil }
    rest.removeFirst(isExtended ? 1 : 2)
    return .group(number, body)
  }

  /// Parses a repetition operator; nil without one. The minimum is negative for one left to glibc.
  private mutating func repetition() -> (minimum: Int, maximum: Int?)? {
    let escape = isExtended ? 0 : 1
    if isNext("*") {
      rest.removeFirst()
      return (0, nil)
    } else if isNext(isExtended ? "+" : "\\+") {
      rest.removeFirst(1 + escape)
      return (1, nil)
    } else if isNext(isExtended ? "?" : "\\?") {
      rest.removeFirst(1 + escape)
      return (0, 1)
    } else if isNext(isExtended ? "{" : "\\{") {
      rest.removeFirst(1 + escape)
      return interval()
    }
    return nil
  }

  /// Parses the rest of `{2}`, `{2,}` or `{2,3}`.
  private mutating func interval() -> (minimum: Int, maximum: Int?) {
    let unsupported = (minimum: -1, maximum: Int?.none)
    guard let minimum = number() else { return unsupported }
    var maximum: Int? = minimum
    if rest.first == UInt8(ascii: ",") {
      rest.removeFirst()
      maximum = number()
    }
    guard isNext(isExtended ? "}" : "\\}"), maximum != 0 else { return unsupported }
    rest.removeFirst(isExtended ? 1 : 2)
    return (minimum, maximum)
  }

  private mutating func number() -> Int? {
    var number: Int?
    while let byte = rest.first, byte == .zero || byte.isNonzeroDigit {
      number = min((number ?? 0) * 10 + Int(byte - .zero), 100_000)
      rest.removeFirst()
    }
    return number
  }
}

// MARK: - Bracket expressions

extension SyntaxParser {
  /// Parses a bracket expression whose `[` has been read.
  mutating func bracket() -> Syntax? {
    var members = ByteSet()
    let isInverted = rest.first == UInt8(ascii: "^")
    if isInverted { rest.removeFirst() }
    var isFirst = true
    while let byte = rest.popFirst(), isFirst || byte != UInt8(ascii: "]") {
      isFirst = false
      guard byte < 0x80 else { return nil }
      if byte == UInt8(ascii: "["), let kind = rest.first, Array(":.=".utf8).contains(kind) {
        guard kind == UInt8(ascii: ":"), let set = characterClass() else { return nil }
        members.formUnion(set)
        // A class can't begin a range, so such a pattern is left to glibc.
        if rest.first == UInt8(ascii: "-"), rest.dropFirst().first != UInt8(ascii: "]") {
          return nil
        }
      } else if rest.first == UInt8(ascii: "-"), let last = rest.dropFirst().first,
        last != UInt8(ascii: "]")
      {
        guard locale.hasPlainOrder, last < 0x80, last != UInt8(ascii: "["),
          last != UInt8(ascii: "-"), byte != UInt8(ascii: "-")
        else { return nil }
        let (lower, upper) = (folded(byte), folded(last))
        guard lower <= upper else { return nil }
        members.formUnion(ByteSet(lower...upper))
        rest.removeFirst(2)
      } else {
        members.insert(folded(byte))
      }
    }
    // When it ignores case, glibc converts both members and subject to upper case.
    var set = ignoresCase ? ByteSet { members.contains($0.uppercased) } : members
    if !isInverted { return .bytes(set) }
    set = set.inverted
    guard locale.isUTF8 else { return .bytes(set) }
    require(.utf8)
    return .alternation([.bytes(set.intersection(.ascii)), .multibyteCharacter])
  }

  private func folded(_ byte: UInt8) -> UInt8 { ignoresCase ? byte.uppercased : byte }

  /// Parses a class such as `[:alpha:]` whose `[` has been read.
  private mutating func characterClass() -> ByteSet? {
    guard let end = rest.dropFirst().firstIndex(of: UInt8(ascii: ":")) else { return nil }
    var name = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
    guard rest[(end + 1)...].first == UInt8(ascii: "]") else { return nil }
    rest = rest[(end + 2)...]
    require(.ascii)
    if ignoresCase, name == "upper" || name == "lower" { name = "alpha" }
    let isMember: (Int32) -> Int32
    switch name {
    case "alpha": isMember = isalpha
    case "digit": isMember = isdigit
    case "alnum": isMember = isalnum
    case "upper": isMember = isupper
    case "lower": isMember = islower
    case "space": isMember = isspace
    case "blank": isMember = isblank
    case "punct": isMember = ispunct
    case "print": isMember = isprint
    case "graph": isMember = isgraph
    case "cntrl": isMember = iscntrl
    case "xdigit": isMember = isxdigit
    default: return nil
    }
    return ByteSet { $0 < 0x80 && isMember(Int32($0)) != 0 }
  }
}
