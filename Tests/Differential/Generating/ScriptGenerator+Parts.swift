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

  /// The destination of `m` and `t`.
  mutating func destination() -> String {
    if isCareful { return random.pick(["0", "$", "1", ".", "0", "$", "2"]) }
    return switch random.below(10) {
    case 0: random.pick(["", "1,2", "9999", "1;2", ",", "0,1", "/zz/", "'q", "1,"])
    case 1, 2: random.pick(["0", "$"])
    case 3: random.pick([" 0", " $", " 2", ".", " .", "-", "+", ".-1"])
    default: address()
    }
  }

  private static let words: [String] = [
    "one", "two", "three", "four", "five", "foo", "bar", "foo bar", "aab", "abab", "a", "b", "x",
    "", "The top", "o", "oo", "  indented", "a/b", "100%", "a&b", "tab\there", "back\\slash",
    "caf\u{e9}", "\u{65e5}\u{672c}\u{8a9e}", "$", "*", "a.b", "axxb", "foo foo foo", "Ab aB", "x=1",
    "it's", "[a]", "ab ab", "\u{c9}t\u{e9}", "eee", "xx xx",
  ]

  /// Lines unlike text: every kind of byte that ed treats specially.
  private static let oddLines: [[UInt8]] = [
    [0x61, 0x00, 0x62], [0x00], [0x61, 0xFF, 0x62], [0xC3], [0xA9, 0x6F], [0x6F, 0x0D], [0x0D],
    [0x61, 0x0D, 0x62], [0x07, 0x08, 0x0B, 0x0C, 0x1B, 0x7F], [0x5C, 0x5C], [0x6F, 0x5C],
    [0xE2, 0x82], [0xF0, 0x9F, 0x98, 0x80], [0xED, 0xA0, 0x80], [0x2E, 0x2E], [0x2E, 0x20],
    [0x20, 0x2E],
  ]

  /// A line of text to be entered, without its newline.
  mutating func textLine() -> [UInt8] {
    if isRepetitive { return Array(random.pick(["a", "a", "b"]).utf8) }
    if random.chance(6) { return random.pick(Self.oddLines) }
    if random.chance(1) { return longLine() }
    return Array(random.pick(Self.words).utf8)
  }

  private mutating func longLine() -> [UInt8] {
    let unit = Array(random.pick(["ab", "o", "x y ", "\t", "é", "0123456789"]).utf8)
    return Array((0..<(20 + random.below(200))).map { _ in unit }.joined())
  }

  /// The content of `f`; nil where it does not exist.
  mutating func makeText() -> [UInt8]? {
    if isRepetitive { return lines(1 + random.below(6)) { $0.textLine() } }
    switch random.below(100) {
    case ..<25: return Array(Fixture.text.utf8)
    case ..<70:
      return lines((isCareful ? 4 : 1) + random.below(9)) { Array($0.random.pick(Self.words).utf8) }
    case ..<74: return lines(1 + random.below(5)) { $0.textLine() + [0x0D] }
    case ..<79: return lines(1 + random.below(5)) { $0.random.pick(Self.oddLines) }
    case ..<83: return lines(1 + random.below(6)) { $0.textLine() }.dropLast()
    case ..<88:
      return lines(2 + random.below(3)) { $0.random.chance(40) ? $0.longLine() : $0.textLine() }
    case ..<92: return lines(60 + random.below(200)) { Array($0.random.pick(Self.words).utf8) }
    case ..<95: return []
    case ..<98: return Array(Fixture.text.utf8)
    default: return nil
    }
  }

  private mutating func lines(_ count: Int, _ make: (inout ScriptGenerator) -> [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    for _ in 0..<count { text += make(&self) + [0x0A] }
    return text
  }

  /// The command line: `-s f` or near it, with messages on in about half of all cases.
  mutating func makeArguments() -> [String] {
    var arguments: [String] = []
    if random.chance(65) {
      arguments.append(random.pick(["-s", "-s", "-s", "--quiet", "-", "--silent"]))
    }
    if random.chance(50) { arguments.append(random.pick(["-v", "-v", "--verbose"])) }
    if random.chance(25) { arguments.append(random.pick(["-E", "--extended-regexp"])) }
    if random.chance(25) {
      arguments += random.pick([
        ["-p", "*"], ["-p:"], ["--prompt=> "], ["-G"], ["-G"], ["--traditional"], ["-r"],
        ["--restricted"], ["-l"], ["--loose-exit-status"], ["-q"], ["--strip-trailing-cr"], ["-Gs"],
        ["-vp", "ab"], ["-p", ""], ["--verb"], ["--strip"], ["--pro", ":"], ["-x"], ["--nope"],
        ["-p"], ["--"], ["--quiet=1"], ["--prompt"], ["-sv"],
      ])
    }
    switch random.below(100) {
    case ..<90: arguments.append("f")
    case ..<93: break
    case ..<97:
      arguments.append(
        random.pick(["nonl", "bin", "u8", "crlf", "empty", "nofile", "dir", "!echo a", "./f"]))
    case ..<98: arguments += ["f", "g"]
    default: arguments.insert("f", at: 0)
    }
    return arguments
  }

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
    // Most delimiters inside are escaped. A bare one is a mistake, or ends a shorter pattern.
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
