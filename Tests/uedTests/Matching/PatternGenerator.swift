import Differential

/// Makes regular expressions, and texts that they can match.
struct PatternGenerator {
  var random: SeededGenerator
  let isExtended: Bool
  /// Whether the last pattern came from `words()`. Only then may lines be long: others can take
  /// glibc for ever.
  private var isOfWords = false

  init(random: SeededGenerator, isExtended: Bool) {
    (self.random, self.isExtended) = (random, isExtended)
  }

  mutating func pattern() -> [UInt8] {
    isOfWords = random.chance(25)
    let grammar = PatternGrammar(isExtended: isExtended, atoms: Self.atoms)
    return Array((isOfWords ? words() : grammar.pattern(by: &random)).utf8)
  }

  /// A pattern whose matches begin with few kinds of bytes.
  private mutating func words() -> String {
    let count = random.pick([1, 1, 2, 4, 12, 40])
    let (bar, open, close) = isExtended ? ("|", "(", ")") : ("\\|", "\\(", "\\)")
    let words = (0..<count).map { _ in
      (0..<2 + random.below(5)).map { _ in
        random.pick([
          "a", "b", "c", "o", "A", "x", "1", " ", "k", "s", "[ab]", "[A-C]", "[ok]", "é", "日",
        ])
      }.joined() + random.pick(["", "", "", "*", ".*a", "[a-c]*", open + "b*" + close, "$"])
    }
    let ends = random.pick([("", ""), ("", ""), ("b*", ""), (open + "[a-c]*" + close, " *")])
    return ends.0 + open + words.joined(separator: bar) + close + ends.1
  }

  private static let atoms = [
    (50, ["a", "a", "b", "b", "c", "o", "A", "B", " ", "_", "1", "-", "\\.", "\\n"]),
    (5, ["é", "日", "É", "😀"]), (13, ["."]),
    (
      18,
      [
        "[ab]", "[^ab]", "[a-c]", "[^a-z]", "[]a]", "[^]b]", "[a-]", "[A-Z]", "[0-9b]", "[.*]",
        "[[:alpha:]]", "[[:space:]]", "[^[:alnum:]]", "[[:upper:]]", "[[:lower:]_]", "[^ ]", "[éa]",
        "[^é]", "[[:punct:]a]", "[^[:digit:]b]", "[!-b]", "[\\]",
      ]
    ), (4, ["\\w", "\\W", "\\s", "\\S"]), (5, ["\\<", "\\>", "\\b", "\\B", "\\`", "\\'"]),
    (1, ["^", "$", "\\1", "*"]), (4, ["x", "\\/", "z", "\\-", ","]),
  ]

  /// A line with many characters that patterns contain.
  mutating func line() -> [UInt8] {
    var line: [UInt8] = []
    let kind = random.below(10)
    for _ in 0..<random.below(isOfWords ? random.pick([24, 150]) : random.pick([4, 10, 24])) {
      switch random.below(100) {
      case ..<70: line.append(random.pick(Array("aabbbcoAB _1-.x\\ksC".utf8)))
      case ..<80: line.append(UInt8(32 + random.below(95)))
      case ..<90 where kind > 4:
        line += Array(random.pick(["é", "É", "日", "😀", "K", "ſ", "ß"]).utf8)
      case 90... where kind > 7:
        line += random.pick([
          [0xFF], [0xC3], [0xA9], [0xE6, 0x97], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF8, 0x88],
          [0xF4, 0x90, 0x80, 0x80], [0xE0, 0x80, 0x80], [0x80],
        ])
      default: line.append(random.pick(Array("abo\t".utf8)))
      }
    }
    return line
  }
}
