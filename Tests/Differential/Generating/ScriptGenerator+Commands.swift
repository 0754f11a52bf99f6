extension ScriptGenerator {
  private static let readable = ["g", "g", "nonl", "bin", "u8", "empty", "crlf", "f", "x"]

  /// Shell commands that do the same in every run, succeed, and leave nothing behind but `y`.
  /// Only ed 1.19 reports one that fails.
  private static let commands = [
    "echo hi", "echo %", "printf 'a\\nb\\n'", "printf 'a\\nb'", "true", "cat g", "cat empty",
    "echo \\%", "printf '\\303\\251\\n'", "sort g", "wc -c <g", "echo out >y",
    "nosuchcommand || true", "echo a!b", "", " echo hi", "echo %%", "printf 'a\\000b\\n'", "seq 3",
  ]

  /// Commands that read all of their input: one that does not would race with ed.
  private static let filters = ["cat", "wc -l", "sort", "cat >y", "cat >>y", "tr a-z A-Z"]

  mutating func makeRead() {
    let target = random.chance(50) ? "" : address()
    let name = random.pick(weighted: [
      (10, " " + random.pick(Self.readable)), (2, ""), (1, " nofile"), (1, " dir"),
      (1, " dir/nofile"), (3, " !" + random.pick(Self.commands)), (1, " "), (1, "g"), (1, " !"),
      (1, " !!"), (1, "  g"), (1, " ./g"), (1, " g "),
    ])
    prepareRepeat(name)
    line(target + "r" + name)
  }

  mutating func makeWrite() {
    let target = random.chance(65) ? "" : range()
    let name = random.pick(weighted: [
      (6, ""), (6, " x"), (2, " g"), (1, " dir"), (1, " dir/x"), (1, " nodir/x"), (2, " f"),
      (3, " !" + random.pick(Self.filters)), (1, "x"), (1, " "), (1, " a\\b"), (1, " a b "),
      (1, " ../w/x"), (1, " l"),
    ])
    line(target + random.pick(["w", "w", "w", "W", "wq", "w"]) + name)
  }

  mutating func makeEdit() {
    let name = random.pick(weighted: [
      (8, " " + random.pick(Self.readable)), (2, ""), (1, " nofile"), (1, " dir"),
      (2, " !" + random.pick(Self.commands)), (1, " "), (1, "g"), (1, " x y"), (1, " !!"),
    ])
    prepareRepeat(name)
    line(random.pick(["e", "e", "E"]) + name)
  }

  /// Runs a command that succeeds, for `!!` to repeat: since ed 1.21, `r` and `e` ignore its
  /// exit status.
  private mutating func prepareRepeat(_ name: String) {
    if name == " !!" { line("!" + random.pick(Self.commands)) }
  }

  mutating func makeShell() {
    switch random.below(100) {
    case ..<55: line("!" + random.pick(Self.commands))
    case ..<70: line(random.pick(["!!", "!!", "!! g", "!!\n!!", "!! %"]))
    case ..<78: line("!read a; echo got $a\n" + random.pick(["p", "taken", ".", ""]))
    case ..<81: line("!cat")
    case ..<90:
      line(
        random.pick([
          "!ln -s f l", "!ln f k", "!chmod 600 f", "!chmod 755 f", "!rm -f f", "!rm -f x",
          "!cp g z; cat z", "!cat f", "!cat x", "!ln -s nofile l", "!mkdir l",
        ]))
    default: line("!echo one \\\ntwo")
    }
  }

  /// Other names of standard input: ed then reads the rest of its script.
  private static let input = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]

  /// Reads, writes and edits special files, and names containing NUL.
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
            "/dev/stdout", "/dev/fd/1", "/dev/stderr", "/dev/null", "/dev/full", "/proc/self/fd/2",
            "/dev/fd/9",
          ]))
    case ..<70: line(random.pick(["g/o/p\\\nw /dev/stdout", "g/o/w /dev/stdout\\\n!echo hi"]))
    case ..<92:
      line(random.pick(["r a\0b", "f g\0x", "w x\0y", "e g\0", "!echo a\0b", "r \0", "f"]))
    default: line(random.pick(["!cat", "!read a; echo got $a\np", "!head -n 1 /dev/null"]))
    }
  }

  /// Characters of several encodings. The second byte of some is a letter or a pattern operator.
  private static let characters: [[UInt8]] = [
    [0x83, 0x41], [0x83, 0x61], [0x83, 0x6F], [0x83, 0x5C], [0x81, 0x5C], [0x84, 0x78],
    [0xA4, 0x41], [0xA5, 0x5C], [0xA4, 0x5B], [0xA4, 0x40], [0xB0, 0xA1], [0xA4, 0xA2], [0xE9],
    [0x84, 0x31, 0xA4, 0x30], [0x83],
  ]

  /// Replaces each `é` with a character of another encoding.
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

  /// Converts a case to another encoding.
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

  mutating func makeGlobal() {
    let mark = delimiter()
    let pattern = random.chance(8) ? "" : pattern(delimiter: mark)
    let flag = random.chance(8) ? "I" : ""
    let target = random.chance(70) ? "" : range()
    emit(target + random.pick(["g", "g", "v"]) + mark + pattern)
    if random.chance(3) {
      line("")
      return
    }
    emit(mark + flag)
    makeList()
  }

  /// The rest of a `g` line: a list of commands. Each line but the last ends in a backslash.
  private mutating func makeList() {
    let count = random.pick(weighted: [(1, 0), (10, 1), (5, 2), (2, 3)])
    let start = script.count
    for index in 0..<count {
      let entry = listEntry()
      emit(entry.joined(separator: "\\\n"))
      // A shell command ends the list: continued, it would swallow the next line as shell text.
      if entry.contains(where: { $0.contains("!") }) { break }
      if index + 1 < count || random.chance(3) { emit("\\\n") }
    }
    // A truncated shell command might not read its input.
    if random.chance(2), script.count > start, !script[start...].contains(UInt8(ascii: "!")) {
      script.removeLast()
    }
    line("")
  }

  private mutating func listEntry() -> [String] {
    switch random.below(100) {
    case ..<20: return [substitution()]
    case ..<32:
      return [
        random.pick(["p", "n", "l", "=", ".=", "-p", "+p", "", "1p", "$p", "-,+p", "z1", "z"])
      ]
    case ..<40: return [random.pick(["d", "d", "+d", "-d", ".,+1d", "1d", "$d", "dp"])]
    case ..<50: return ["m" + destination()]
    case ..<56: return [random.pick(["t.", "t0", "t$", "t.", "1t.", "t-1", "tp"])]
    case ..<62: return [random.pick(["j", "-,.j", "1,2j", ".,+2j", "jp"])]
    case ..<74: return textEntry()
    case ..<78: return [random.pick(["ka", "kb", "'ap", "'bd", "'a=", "-ka"])]
    case ..<82: return [random.pick(["y", "x", "0x", "$x", "-y"])]
    case ..<85: return [random.pick(["u", "u", "up"])]
    case ..<89: return [repeatedSubstitution()]
    case ..<92:
      return [
        random.pick([
          "r g", "w x", "W x", "r !echo hi", "w !cat", "f", "e g", "1r empty", "r nofile",
        ])
      ]
    case ..<95:
      return [random.pick(["!echo hi", "!echo %", "!!", "h", "H", "P", "#c", "q", "Q", "wq"])]
    default:
      return [
        random.pick([
          "g/o/p", "v/o/d", "G/o/", "foo", "pp", "99p", "s", "k", "d d", "//p", "/o/p", "??=",
          "s//x/",
        ])
      ]
    }
  }

  private mutating func textEntry() -> [String] {
    var lines = [random.pick(["a", "i", "c", "a", "0a", "$a", "-i", "ap", ".,+c"])]
    for _ in 0..<random.below(3) {
      lines.append(random.pick(["X", "foo", "new o", "", "a b", "x\\", ".x"]))
    }
    if random.chance(55) { lines.append(".") }
    return lines
  }

  /// `G` or `V` with an answer for each line that they will print, or too few, or too many.
  mutating func makeInteractive() {
    let mark = delimiter()
    let flag = random.chance(8) ? "I" : ""
    let pattern = random.chance(8) ? "" : pattern(delimiter: mark)
    emit(random.chance(70) ? "" : range())
    line(
      random.pick(["G", "G", "V"]) + mark + pattern + mark + flag + (random.chance(5) ? "p" : ""))
    for _ in 0..<random.below(min(lineCount, 6) + 2) {
      switch random.below(10) {
      case 0, 1: line("")
      case 2, 3: line("&")
      default:
        line(listEntry().joined(separator: "\\\n"))
      }
    }
  }
}
