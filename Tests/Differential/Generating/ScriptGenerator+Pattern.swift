extension ScriptGenerator {
  /// A regular expression, basic or extended as the case asks, ready to stand between delimiters.
  mutating func pattern(delimiter: String) -> String {
    let raw: String
    if isRepetitive {
      raw = random.pick(["a", "a", ".", "b", "^", "[ab]"])
    } else if random.chance(isCareful ? 80 : 40) {
      raw = random.pick([
        "o", "o", "a", "e", "b", "x", "foo", "bar", "ab", "t", "^", "$", ".", ".*", "zz", "[ab]",
        "^a", "o$", "^$", "a*", "x*", "T",
      ])
    } else if !isCareful && random.chance(8) {
      raw = random.pick([
        "[", "[a", "[]", "[]a]", "[^]a]", "[a-", "[z-a]", "[[:foo:]]", "[[:alpha:]", "[[.a.]]",
        "[[=a=]]", "[[.", "\\(", "\\)", "\\(a", "a\\)", "(", ")", "(a", "a)", "()", "\\(\\)", "*",
        "**", "+", "?", "\\{", "\\{1", "a\\{", "a\\{1", "a\\{1,", "a\\{2,1\\}", "a\\{x\\}", "a{",
        "a{1", "a{2,1}", "a{x}", "a\\{1\\}\\{2\\}", "a{1}{2}", "\\1", "\\(a\\)\\2", "(a)\\2", "|",
        "a|", "|a", "\\|", "a\\|", "\\|a", "a**", "a*\\{2\\}", "^*", "\\(*a\\)", "\\(^a\\)",
        "a\\(b$\\)", "a^b", "a$b", "x\\", "[\\n]", "[\\]]", "a\\{99999\\}", "a\\{256\\}", "[a-a]",
        "[--/]", "[a\\]b", "[[:alpha:][:digit:]]", "[^[:space:]]",
      ])
    } else {
      raw = PatternGrammar(isExtended: isExtended, atoms: Self.atoms).pattern(by: &random)
    }
    // A delimiter inside must be escaped, except that some are left bare: a mistake, or a shorter pattern.
    if random.chance(95) && !delimiter.isEmpty {
      return raw.split(separator: delimiter, omittingEmptySubsequences: false)
        .joined(separator: "\\" + delimiter)
    }
    return raw
  }

  private static let atoms = [
    (57, ["a", "b", "o", "f", "e", "x", "t", " ", "é", "r"]), (13, ["."]),
    (
      13,
      [
        "[ab]", "[^ab]", "[a-f]", "[[:alpha:]]", "[[:space:]]", "[^a-z]", "[]x]", "[o/]", "[.*]",
        "[A-Z]", "[[:upper:]]", "[[:digit:]]", "[éa]", "[^ ]",
      ]
    ), (4, ["\\1", "\\1", "\\2"]),
    (9, ["\\w", "\\W", "\\b", "\\B", "\\<", "\\>", "\\s", "\\S", "\\`", "\\'"]),
    (4, ["\\.", "\\*", "\\n", "\\t", "\\\\", "\\/", "\\&", "\\%", "\\a", "\\]", "/"]),
  ]

  mutating func delimiter() -> String {
    if random.chance(80) { return "/" }
    return random.pick([
      ",", "|", "#", ";", ":", "@", "!", "\"", "'", "%", "&", "?", ".", "*", "x", "o", "$", "=",
      "+",
    ])
  }

  /// `s` with everything that may follow it.
  mutating func substitution() -> String {
    let mark = delimiter()
    let pattern = random.chance(8) ? "" : pattern(delimiter: mark)
    let text = "s" + mark + pattern + mark + replacement(delimiter: mark)
    if random.chance(7) { return text }
    return text + mark + flags()
  }

  private mutating func flags() -> String {
    switch random.below(100) {
    case ..<40: ""
    case ..<60: "g"
    case ..<75: random.pick(["p", "l", "n"])
    case ..<93:
      random.pick([
        "gp", "pg", "2", "2p", "p2", "3", "1", "i", "I", "Ig", "gIp", "gl", "gn", "pn", "gpln",
        "2I", "12",
      ])
    default:
      random.pick([
        "gg", "pp", "g2", "2g", "0", "x", "gx", " g", "g ", "ii", "iI", "r", "2 ", "99999999999",
      ])
    }
  }

  private mutating func replacement(delimiter: String) -> String {
    if random.chance(5) { return "%" }
    if isRepetitive { return random.pick(["a", "&", "&", "b", "a\\\n"]) }
    var text = ""
    for _ in 0..<random.pick(weighted: [(2, 0), (6, 1), (3, 2), (1, 3)]) {
      switch random.below(100) {
      case ..<50: text += random.pick(["x", "X", "o", "ab", "foo", "a", " ", "é", "1"])
      case ..<64: text += "&"
      case ..<74: text += random.pick(["\\1", "\\1", "\\2", "\\3", "\\9", "\\0"])
      case ..<84: text += "\\\n"
      case ..<90:
        text += random.pick(["\\&", "\\\\", "\\n", "\\t", "\\%", "%%", "%", "\\x", "\\~", "~"])
      case ..<94: text += "\\" + delimiter
      default: text += random.pick(["%", "/", ".", "$"])
      }
    }
    return text
  }

  /// `s` that repeats the last one, with the suffixes that change it.
  mutating func repeatedSubstitution() -> String {
    random.pick([
      "s", "s", "s", "sg", "sp", "sr", "sgp", "srp", "sgr", "srg", "s2", "s3p", "s1", "spg", "sgg",
      "spp", "srr", "sgrp", "s2g", "sg2", "sn", "sl", "s p", "sx", "s0", "srgp",
    ])
  }
}
