extension ScriptGenerator {
  private static let words: [String] = [
    "one", "two", "three", "four", "five", "foo", "bar", "foo bar", "aab", "abab", "a", "b", "x",
    "", "The top", "o", "oo", "  indented", "a/b", "100%", "a&b", "tab\there", "back\\slash",
    "caf\u{e9}", "\u{65e5}\u{672c}\u{8a9e}", "$", "*", "a.b", "axxb", "foo foo foo", "Ab aB", "x=1",
    "it's", "[a]", "ab ab", "\u{c9}t\u{e9}", "eee", "xx xx",
  ]

  /// Lines that are unlike text: every kind of byte that ed treats in a way of its own.
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

  private mutating func lines(
    _ count: Int, _ make: (inout ScriptGenerator) -> [UInt8]
  ) -> [UInt8] {
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
        ["--restricted"], ["-l"],
        ["--loose-exit-status"], ["-q"], ["--strip-trailing-cr"], ["-Gs"], ["-vp", "ab"],
        ["-p", ""], ["--verb"],
        ["--strip"], ["--pro", ":"], ["-x"], ["--nope"], ["-p"], ["--"], ["--quiet=1"],
        ["--prompt"], ["-sv"],
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
}
