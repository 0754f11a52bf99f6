extension ScriptGenerator {
  /// Standard input under other names, of which ed reads the rest of its script.
  private static let input = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]

  /// Reads, writes and edits what is no regular file, and names that a NUL ends.
  mutating func makeStream() {
    let input = random.pick(Self.input)
    switch random.below(100) {
    case ..<12: line(address() + "r " + input)
    case ..<16: line(random.pick(["e ", "E "]) + input)
    case ..<20: line(random.pick(["g/o/p\\\nr ", "g/o/r "]) + input)
    case ..<32: line(address() + "r " + random.pick(["/dev/null", "/dev/fd/9", "dir/../g", "."]))
    case ..<62:
      line(
        range() + random.pick(["w ", "w ", "W ", "wq "])
          + random.pick([
            "/dev/stdout", "/dev/fd/1", "/dev/stderr", "/dev/null", "/dev/full",
            "/proc/self/fd/2", "/dev/fd/9",
          ]))
    case ..<70: line(random.pick(["g/o/p\\\nw /dev/stdout", "g/o/w /dev/stdout\\\n!echo hi"]))
    case ..<92:
      line(random.pick(["r a\0b", "f g\0x", "w x\0y", "e g\0", "!echo a\0b", "r \0", "f"]))
    default: line(random.pick(["!cat", "!read a; echo got $a\np", "!head -n 1 /dev/null"]))
    }
  }

  /// Characters of several encodings, of which some have letters and operators of patterns as their second
  /// byte, and some none.
  private static let characters: [[UInt8]] = [
    [0x83, 0x41], [0x83, 0x61], [0x83, 0x6F], [0x83, 0x5C], [0x81, 0x5C], [0x84, 0x78],
    [0xA4, 0x41], [0xA5, 0x5C], [0xA4, 0x5B], [0xA4, 0x40], [0xB0, 0xA1], [0xA4, 0xA2], [0xE9],
    [0x84, 0x31, 0xA4, 0x30], [0x83],
  ]

  /// Puts a character of another encoding in the place of each `é`.
  private mutating func recoded(_ bytes: [UInt8]) -> [UInt8] {
    var recoded: [UInt8] = []
    for byte in bytes {
      if byte == 0xA9, recoded.last == 0xC3 {
        recoded.removeLast()
        recoded += random.pick(Self.characters)
      } else {
        recoded.append(byte)
      }
    }
    return recoded
  }

  /// Makes a case one in another encoding.
  mutating func recode(_ test: inout Case) {
    test.environment[0] = "LC_ALL=" + random.pick(Locales.names)
    test.script = recoded(test.script)
    var text: [UInt8] = []
    for byte in test.text ?? [] {
      text.append(byte)
      if random.chance(25) { text += [0xC3, 0xA9] }
    }
    if test.text != nil { test.text = recoded(text) }
  }
}
