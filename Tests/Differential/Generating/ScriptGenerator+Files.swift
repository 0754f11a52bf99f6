extension ScriptGenerator {
  private static let readable = ["g", "g", "nonl", "bin", "u8", "empty", "crlf", "f", "x"]

  /// Shell commands that do the same in every run, succeed, and leave nothing behind but `y`. One that fails is
  /// an error in ed 1.19 only.
  private static let commands = [
    "echo hi", "echo %", "printf 'a\\nb\\n'", "printf 'a\\nb'", "true", "cat g",
    "cat empty", "echo \\%", "printf '\\303\\251\\n'", "sort g",
    "wc -c <g", "echo out >y", "nosuchcommand || true", "echo a!b", "", " echo hi", "echo %%",
    "printf 'a\\000b\\n'", "seq 3",
  ]

  /// Commands that read all of their input: one that does not would race with ed.
  private static let filters = [
    "cat", "wc -l", "sort", "cat >y", "cat >>y", "tr a-z A-Z",
  ]

  mutating func makeRead() {
    let target = random.chance(50) ? "" : address()
    let name = random.pick(weighted: [
      (10, " " + random.pick(Self.readable)), (2, ""), (1, " nofile"), (1, " dir"),
      (1, " dir/nofile"),
      (3, " !" + random.pick(Self.commands)), (1, " "), (1, "g"), (1, " !"), (1, " !!"), (1, "  g"),
      (1, " ./g"), (1, " g "),
    ])
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
    line(random.pick(["e", "e", "E"]) + name)
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
}
