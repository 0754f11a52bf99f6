/// The cost of a pattern for glibc, estimated from its text. glibc's time grows with the square of
/// the length of a line, or with a higher power for back-references. glibc expands `x{5}`.
struct PatternCost: Equatable, Sendable {
  /// The number of atoms once repetitions are written out.
  private(set) var atomCount = 0
  /// The depth of nested groups.
  private(set) var depth = 0
  private(set) var backReferenceCount = 0
  /// Whether a group or a back-reference is repeated or optional. With back-references, glibc may
  /// then take minutes for three bytes.
  private var repeatsGroups = false
  private var byteCount: Int

  /// Whether glibc can compile it: glibc recurses for nested groups and successive optional atoms.
  var isAllowed: Bool { depth <= 10_000 && atomCount <= 1 << 16 }

  /// Whether glibc compiles it in a moment.
  var isSmall: Bool { depth <= 50 && atomCount <= 1000 && byteCount <= 10_000 }

  /// The length of a line that takes a few milliseconds to match.
  var quickByteCount: Int {
    if repeatsGroups && backReferenceCount > 0 { return 0 }
    return switch backReferenceCount {
    case 0: min(2000, 100_000 / max(atomCount, 1))
    case 1: min(48, 2000 / max(atomCount, 1))
    default: min(8, 200 / max(atomCount, 1))
    }
  }

  init(of source: [UInt8], extended: Bool) {
    byteCount = source.count
    /// Per open group: the number of its atoms, and of those an interval would repeat.
    var groups = [(count: 0, last: 0)]
    var rest = source[...]
    while let byte = rest.popFirst() {
      var symbol = byte
      var isOperator = extended
      if byte == .backslash {
        guard let escaped = rest.popFirst() else { break }
        symbol = escaped
        isOperator = !extended
        if symbol.isNonzeroDigit {
          backReferenceCount += 1
          noteRepetition(in: rest, extended)
        }
      } else if byte == UInt8(ascii: "[") {
        Self.skipBracket(&rest)
        isOperator = false
      }
      switch symbol {
      case UInt8(ascii: "(") where isOperator:
        groups.append((0, 0))
        depth = max(depth, groups.count - 1)
      case UInt8(ascii: ")") where isOperator && groups.count > 1:
        let inner = groups.removeLast().count + 1
        Self.add(inner, to: &groups)
        noteRepetition(in: rest, extended)
      case UInt8(ascii: "{") where isOperator:
        let factor = max(Self.factor(&rest), 1)
        let last = groups[groups.count - 1].last
        Self.add(last * (factor - 1), to: &groups)
        groups[groups.count - 1].last = min(last * factor, Self.limit)
      default:
        Self.add(1, to: &groups)
      }
    }
    while groups.count > 1 { Self.add(groups.removeLast().count, to: &groups) }
    atomCount = groups[0].count
  }

  /// Notes whether `rest`, which follows a group, begins with a repetition.
  private mutating func noteRepetition(in rest: ArraySlice<UInt8>, _ extended: Bool) {
    let isEscaped = !extended && rest.first == .backslash
    guard let symbol = isEscaped ? rest.dropFirst().first : rest.first else { return }
    if extended || isEscaped ? "*+?{".utf8.contains(symbol) : symbol == UInt8(ascii: "*") {
      repeatsGroups = true
    }
  }

  /// The largest count: too many already, and its square does not overflow.
  private static let limit = 1 << 24

  private static func add(_ count: Int, to groups: inout [(count: Int, last: Int)]) {
    let index = groups.count - 1
    groups[index] = (min(groups[index].count + count, limit), min(count, limit))
  }

  /// Removes the rest of an interval, and returns its greatest number.
  private static func factor(_ rest: inout ArraySlice<UInt8>) -> Int {
    var (greatest, number) = (0, 0)
    while let byte = rest.first, byte.isDigit || byte == UInt8(ascii: ",") {
      number = byte.isDigit ? min(number * 10 + Int(byte - .zero), limit) : 0
      greatest = max(greatest, number)
      rest.removeFirst()
    }
    if rest.first == .backslash { rest.removeFirst() }
    if rest.first == UInt8(ascii: "}") { rest.removeFirst() }
    return greatest
  }

  /// Skips the rest of a bracket expression.
  private static func skipBracket(_ rest: inout ArraySlice<UInt8>) {
    if rest.first == UInt8(ascii: "^") { rest.removeFirst() }
    if rest.first == UInt8(ascii: "]") { rest.removeFirst() }
    while let byte = rest.popFirst(), byte != UInt8(ascii: "]") {
      guard byte == UInt8(ascii: "["), let kind = rest.first, ".:=".utf8.contains(kind) else {
        continue
      }
      rest.removeFirst()
      while let byte = rest.popFirst(), !(byte == kind && rest.first == UInt8(ascii: "]")) {}
      rest = rest.dropFirst()
    }
  }
}
