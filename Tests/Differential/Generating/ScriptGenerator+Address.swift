extension ScriptGenerator {
  /// No address, one, or a range, in every form that ed knows.
  mutating func range() -> String {
    switch random.below(100) {
    case ..<28: return ""
    case ..<58: return address(orNone: false)
    case ..<78: return address() + "," + address()
    case ..<83: return address() + ";" + address()
    case ..<89: return ","
    case ..<92: return "%"
    case ..<95: return ";"
    case ..<97: return "\(1 + random.below(2)),\(2 + random.below(4))"
    default:
      let parts = (0..<(2 + random.below(3))).map { _ in address() }
      return parts.dropFirst().reduce(parts[0]) { $0 + random.pick([",", ";", "%", ", "]) + $1 }
    }
  }

  /// A range of few lines, so that copying does not grow the text without end.
  mutating func shortRange() -> String {
    random.chance(60)
      ? address() : random.pick(["1,2", "1,3", ".,+", "-,.", "$-1,$", "2,3", "/o/,+1"])
  }

  mutating func address(orNone: Bool = true) -> String {
    if orNone && random.chance(20) { return "" }
    let lead = random.chance(2) ? " " : ""
    return lead + base() + offsets()
  }

  private mutating func base() -> String {
    switch random.below(100) {
    case ..<42: number()
    case ..<52: "."
    case ..<62: "$"
    case ..<74: search()
    case ..<83: "'" + random.pick(["a", "a", "b", "c", "z"])
    case ..<86: "0"
    default: random.pick(["+", "-", "++", "--", "+1", "-1", "-2", "+2", "+0", "-0"])
    }
  }

  mutating func number() -> String {
    switch random.below(10) {
    case 0: "\(lineCount)"
    case 1: "\(lineCount + random.below(3))"
    case 2: "\(random.below(max(1, lineCount)) + 1)"
    default: "\(random.below(max(1, min(lineCount, 6))) + 1)"
    }
  }

  private mutating func offsets() -> String {
    if random.chance(82) { return "" }
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
    switch random.below(10) {
    case 0: random.pick(["", "1,2", "9999", "1;2", ",", "0,1", "/zz/", "'q", "1,"])
    case 1, 2: random.pick(["0", "$"])
    case 3: random.pick([" 0", " $", " 2", ".", " .", "-", "+", ".-1"])
    default: address()
    }
  }
}
