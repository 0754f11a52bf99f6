extension ScriptGenerator {
  /// No address, one, or a range, in every form that ed knows.
  mutating func range() -> String {
    if isCareful {
      return random.pick([
        "", "", "1", "2", "$", ".", ",", "1,2", "2,3", "1,$", ".,$", "1,.", "%", pair(),
      ])
    }
    switch random.below(100) {
    case ..<28: return ""
    case ..<58: return address(orNone: false)
    case ..<70: return pair()
    case ..<76: return address() + "," + address()
    case ..<80: return address() + ";" + address()
    case ..<83:
      return random.pick(["1,.", ".,$", "1,$", "2,$", "1;+1", ".;$", ".,.", "'a,$", "1,/o/"])
    case ..<89: return ","
    case ..<92: return "%"
    case ..<95: return ";"
    case ..<97: return "\(1 + random.below(2)),\(2 + random.below(4))"
    default:
      let parts = (0..<(2 + random.below(3))).map { _ in address() }
      return parts.dropFirst().reduce(parts[0]) { $0 + random.pick([",", ";", "%", ", "]) + $1 }
    }
  }

  /// Two numbers in order.
  private mutating func pair() -> String {
    let first = 1 + random.below(max(1, min(lineCount, 4)))
    return "\(first),\(first + random.below(max(1, min(lineCount - first + 1, 4))))"
  }

  /// A range of few lines, so that copying does not grow the text without end.
  mutating func shortRange() -> String {
    random.chance(60)
      ? address() : random.pick(["1,2", "1,3", ".,+", "-,.", "$-1,$", "2,3", "/o/,+1"])
  }

  mutating func address(orNone: Bool = true) -> String {
    if orNone && random.chance(20) { return "" }
    if isCareful { return random.pick(["1", "2", "$", ".", "3", "1", "/o/", "/e/", "?o?", "$-1"]) }
    let lead = random.chance(2) ? " " : ""
    return lead + base() + offsets()
  }

  private mutating func base() -> String {
    switch random.below(100) {
    case ..<48: number()
    case ..<60: "."
    case ..<72: "$"
    case ..<84: search()
    case ..<91: "'" + random.pick(["a", "a", "a", "a", "b", "c", "z"])
    case ..<93: "0"
    default: random.pick(["+", "-", "++", "--", "+1", "-1", "-2", "+2", "+0", "-0"])
    }
  }

  mutating func number() -> String {
    switch random.below(10) {
    case 0: "\(max(1, lineCount - random.below(2)))"
    case 1: "\(random.below(max(1, lineCount)) + random.below(3))"
    case 2, 3, 4: "1"
    default: "\(random.below(max(1, min(lineCount, 5))) + 1)"
    }
  }

  private mutating func offsets() -> String {
    if random.chance(88) { return "" }
    let one = random.pick([
      "+", "-", "+1", "-1", "+2", "-2", " 1", " + 1", "-9+9", "+-", "-+-", "++", " -",
    ])
    return random.chance(10) ? one + offsets() : one
  }

  mutating func search() -> String {
    let mark = random.chance(70) ? "/" : "?"
    let pattern = random.chance(12) ? "" : pattern(delimiter: mark)
    let flag = random.chance(6) ? "I" : ""
    return mark + pattern + mark + flag
  }

  /// Where `m` and `t` put the lines.
  mutating func destination() -> String {
    if isCareful { return random.pick(["0", "$", "1", ".", "0", "$", "2"]) }
    return switch random.below(10) {
    case 0: random.pick(["", "1,2", "9999", "1;2", ",", "0,1", "/zz/", "'q", "1,"])
    case 1, 2: random.pick(["0", "$"])
    case 3: random.pick([" 0", " $", " 2", ".", " .", "-", "+", ".-1"])
    default: address()
    }
  }
}
