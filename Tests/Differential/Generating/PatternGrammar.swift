/// Makes regular expressions from weighted lists of parts.
package struct PatternGrammar: Sendable {
  private let isExtended: Bool
  private let atoms: [(weight: Int, value: [String])]

  /// A grammar of basic or of extended expressions.
  package init(isExtended: Bool, atoms: [(weight: Int, value: [String])]) {
    (self.isExtended, self.atoms) = (isExtended, atoms)
  }

  /// A pattern of up to three alternatives.
  package func pattern(by random: inout SeededGenerator, depth: Int = 0) -> String {
    let count = random.pick(weighted: [(82, 1), (15, 2), (3, 3)])
    return (0..<count).map { _ in sequence(by: &random, depth) }
      .joined(separator: isExtended ? "|" : "\\|")
  }

  private func sequence(by random: inout SeededGenerator, _ depth: Int) -> String {
    var text = random.chance(9) ? "^" : ""
    for _ in 0..<(1 + random.below(4)) { text += piece(by: &random, depth) }
    return text + (random.chance(9) ? "$" : "")
  }

  private func piece(by random: inout SeededGenerator, _ depth: Int) -> String {
    let atom = atom(by: &random, depth)
    if random.chance(62) { return atom }
    let escape = isExtended ? "" : "\\"
    let repeats = ["+", "?"] + ["2", "1,2", "0,1", "2,", ",2"].map { "{\($0)\(escape)}" }
    // The other syntax's plus is an ordinary character.
    return atom
      + random.pick(["*", "*", "*", isExtended ? "\\+" : "+"] + repeats.map { escape + $0 })
  }

  private func atom(by random: inout SeededGenerator, _ depth: Int) -> String {
    guard depth < 3, random.chance(11) else { return random.pick(random.pick(weighted: atoms)) }
    let (open, close) = isExtended ? ("(", ")") : ("\\(", "\\)")
    return open + pattern(by: &random, depth: depth + 1) + close
  }
}
