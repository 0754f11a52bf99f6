/// Keys at a terminal, and settings that bind them.
extension HostileGenerator {
  private static let keys = [
    "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{1B}[H", "\u{1B}[F", "\u{1B}OA", "\u{1B}OD",
    "\u{1B}[1;5D", "\u{1B}[1;5C", "\u{1B}[3~", "\u{1B}[5~", "\u{1B}[1;2D", "\u{1B}[I", "\u{1B}[Z",
    "\u{1B}b", "\u{1B}f", "\u{1B}d", "\u{1B}x", "\u{1B}y", "\u{1B}\u{7F}", "\u{1B}", "\u{1B}\u{1B}",
    "\u{1B}u", "\u{1B}c", "\u{1B}p", "\u{1B}n", "\u{1B}1", "\u{1B}9", "\u{0}", "\u{1}", "\u{2}",
    "\u{3}",
    "\u{4}", "\u{5}", "\u{6}", "\u{7}", "\u{8}", "\t", "\t\t", "\u{B}", "\u{C}", "\u{E}", "\u{10}",
    "\u{11}", "\u{12}", "\u{12}s", "\u{12}\u{12}", "\u{13}\u{11}", "\u{14}", "\u{15}", "\u{16}",
    "\u{16}\u{1B}", "\u{17}", "\u{18}", "\u{18}\u{18}", "\u{19}", "\u{1A}", "\u{1C}", "\u{1D}",
    "\u{1E}",
    "\u{1F}", "\u{7F}", "\r", "\r", "\r", "\n", "\u{1B}[200~", "\u{1B}[201~", "\u{1B}[<0;1;1M",
    "\u{1B}[6;1R", "\u{1B}]0;t\u{7}", "\u{1B}P\u{1B}\\", "\u{1B}[999999999999999999C",
    "\u{1B}[;;;;;;;;;m",
    "\u{1B}[65;1;1u", "\u{1B}[27;5;13~",
  ]
  private static let lines = [
    "a", ".", "p", ",p", ",n", "1,5d", "u", "undo", "redo", "history", "diff", "g/l/s//L/",
    "1,3edit",
    "help", "help s", "s/l/x/", "$a", "1i", "c", "begin x", "end", "blame", "f", "w", "e", "q", "Q",
    "G/l/",
    "V/x/", "s/l/&/gc", "name n", "jump 0", "l", "z", "z-", "t.", "m0", "j", "kx", "'xp", "r f",
    "f\t", "e \t",
    "w \t", "he\t", "r ../sec\t", "earlier 1s", "expect <<E", "E", "replace <<A <<B", "A", "B",
    "wq x", "P", "H",
    "1!sort", "!true", "!!", "r !cat", "/l/", "?l?", "//", "99999p", "é日本", "👩\u{200D}💻",
    "e\u{301}\u{323}",
  ]

  /// A random scalar, wide, combining, bidirectional or forbidden ones among them.
  private mutating func character() -> String {
    let scalar = random.pick([
      0x20 + random.below(0x5F), 0x300 + random.below(0x70), 0x4E00 + random.below(0x100),
      0x1F300 + random.below(0x300), 0x200B + random.below(0x20), 0x80 + random.below(0x80),
      random.below(0x11_0000), 0xFE00 + random.below(16), 0xE000, 0xFFFD, 0x10FFFF,
    ])
    let text = Unicode.Scalar(UInt32(scalar)).map { String($0) } ?? "x"
    // What could begin a command of the shell.
    return text == "!" ? "x" : text
  }

  mutating func typed(_ count: Int) -> [UInt8] {
    var keys: [UInt8] = []
    for _ in 0..<count {
      switch random.below(20) {
      case 0...7: keys += random.pick(Self.keys).utf8
      case 8...13:
        keys += Array((random.pick(Self.lines) + random.pick(["\r", "\r", "\r", "", "\n"])).utf8)
      case 14...15: for _ in 0..<random.below(8) { keys += character().utf8 }
      case 16: keys += Mutation.noise(random.below(12), by: &random).map { $0 == 0x21 ? 0x22 : $0 }
      case 17:
        let text = (0..<random.below(60)).map { _ in random.chance(10) ? "\r" : character() }
          .joined()
        keys += Array("\u{1B}[200~\(text)\(random.chance(90) ? "\u{1B}[201~" : "")".utf8)
      case 18:
        keys += Array(String(repeating: character(), count: random.pick([10, 90, 1500])).utf8)
      default:
        let key = random.pick(Self.keys)
        for _ in 0..<random.pick([3, 30]) { keys += key.utf8 }
      }
    }
    return keys
  }

  private mutating func terminalRun(keys count: Int) -> HostileRun {
    var run = HostileRun(
      arguments: [random.pick(["f", "f", "new"])], input: typed(count), isAtTerminal: true,
      sizes: [ScreenSize(columns: random.pick([80, 80, 40, 20, 2, 1, 0, 500]))])
    if random.chance(40) {
      for _ in 0..<random.below(6) {
        run.sizes.append(
          ScreenSize(
            rows: random.pick([24, 12, 5, 3, 2, 1, 0]),
            columns: random.pick([80, 79, 40, 20, 8, 4, 2, 1, 0])))
      }
    }
    run.environment = [
      "TERM="
        + random.pick([
          "xterm", "xterm", "screen", "linux", "vt100", "dumb", "xterm-256color", "ansi",
        ]),
      random.pick(["LC_ALL=C.UTF-8", "LC_ALL=C.UTF-8", "LC_ALL=C"]),
      random.pick(["UED_HISTORY=on", "UED_HISTORY=on", "UED_HISTORY=off"]),
    ]
    if random.chance(25) { run.arguments.insert("-r", at: 0) }
    if random.chance(10) {
      run.arguments.insert(
        contentsOf: random.pick([["-p", "\u{1B}[31m> "], ["-G"], ["-v"]]), at: 0)
    }
    return run
  }

  mutating func makeKeys() -> HostileCase {
    var made = HostileCase()
    made.files["w/f"] =
      random.chance(80) ? Self.text : Mutation.noise(random.below(3000), by: &random)
    made.runs = [terminalRun(keys: 1 + random.below(60))]
    // A second session recalls what the first one left.
    if random.chance(30) { made.runs.append(terminalRun(keys: 1 + random.below(30))) }
    return made
  }

  // MARK: - Settings

  private static let functions = [
    "ed-command", "vi-histedit", "ed-insert", "ed-newline", "em-undo", "vi-undo",
    "ed-delete-prev-char",
    "ed-search-prev-history", "em-inc-search-prev", "em-inc-search-next", "vi-cmd-mode",
    "vi-substitute-line",
    "vi-repeat-next-char", "ed-transpose-chars", "ed-argument-digit", "em-universal-argument",
    "ed-digit", "vi-zero", "em-yank", "em-kill-region", "em-copy-region", "em-toggle-overwrite",
    "em-upper-case",
    "em-capitol-case", "em-lower-case", "ed-quoted-insert", "ed-clear-screen", "ed-redisplay",
    "ed-start-over",
    "ed-end-of-file", "vi-alias", "vi-yank", "vi-delete-meta", "vi-change-meta", "vi-search-prev",
    "vi-search-next",
    "vi-to-history-line", "vi-history-word", "vi-comment-out", "vi-redo", "vi-match",
    "vi-paste-next",
    "em-meta-next", "ed-sequence-lead-in", "ed-ignore", "ed-unassigned", "ed-tty-sigint",
    "ed-tty-sigtstp",
    "ed-tty-dsusp", "em-exchange-mark", "em-set-mark", "em-copy-prev-word", "vi-next-big-word",
    "vi-kill-line-prev",
    "ued-paste", "ued-draft", "ued-complete", "ued-end", "ued-undo", "ued-redo", "ued-clear",
    "ued-quote",
    "ued-escape", "el-complete", "no-such-function",
  ]
  private static let settingWords = [
    "bind", "bind -e", "bind -v", "bind -a", "bind -r", "bind -s", "bind -k", "bind -l",
    "bind -k up", "ed:", "ued:",
    "*:", ":", "[:", "\\(:", "echotc", "echotc cl", "echotc cm 1", "echotc cm 99999999 99999999",
    "echotc DC -1",
    "edit on", "edit off", "history size 0", "history size -1", "history size 2147483648",
    "history unique 1",
    "history list", "history clear", "history load .editrc", "history save ../secret", "history",
    "setty",
    "setty -a", "setty -d -echo", "setty -x +raw intr=^A", "setty erase=", "setty ^?", "settc",
    "settc co 0",
    "settc co 4294967297", "settc li -1", "settc am yes", "settc cl \\E[H", "settc km no",
    "settc xt maybe", "telltc",
    "^A", "^", "^?", "\\e", "\\e[A", "\\\\", "\\777", "\\0", "\\M-a", "\\^", "\\U+", "\\U+110000",
    "\\", "\"", "'", "\"x", "'x",
    "\"a b\"", "M-x", "é", "日", " ", "\t",
  ]

  mutating func makeSettings() -> HostileCase {
    var lines: [String] = []
    for _ in 0..<random.below(25) {
      switch random.below(6) {
      case 0...2:
        let key = random.pick([
          "^A", "a", "\\e[A", "^[b", "x", "^X^Y", "\\e", "^J", "é", "日", "ab", "^?", "^@", ".", "~",
        ])
        let prefix = random.pick(["", "", "", "ued:", "-a ", "-s ", "-r ", "-k "])
        let value =
          random.chance(25)
          ? random.pick(["text\\n", "^A^A", "a", key, key + key, "", "\\e[A"])
          : random.pick(Self.functions)
        lines.append(
          "\(prefix == "ued:" ? prefix : "")bind \(prefix == "ued:" ? "" : prefix)\(key) \(value)")
      case 3: lines.append(random.pick(Self.settingWords))
      default:
        lines.append(
          (0..<1 + random.below(5)).map { _ in random.pick(Self.settingWords) }.joined(
            separator: " "))
      }
    }
    var settings = Array(lines.map { $0 + "\n" }.joined().utf8)
    let mutation = Mutation(words: Self.settingWords + Self.functions)
    if random.chance(50) { settings = mutation.changed(settings, by: &random) }
    if random.chance(5) { settings = Mutation.noise(random.below(4000), by: &random) }
    var made = HostileCase()
    made.files["home/.editrc"] = settings
    made.files["w/f"] = Self.text
    made.runs = [terminalRun(keys: 1 + random.below(40))]
    return made
  }
}
