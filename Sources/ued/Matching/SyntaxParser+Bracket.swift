import Glibc

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
        // A class can't begin a range; what glibc makes of that is left to it.
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
