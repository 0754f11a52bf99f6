/// Makes hostile cases, each decided by its seed alone.
///
/// A case must harm nothing but its own folder, so its shell commands come from a list of
/// harmless ones.
package struct HostileGenerator {
  var random: SeededGenerator
  /// The scripts, texts and options that cases are made of.
  let corpus: [Case]

  package init(seed: UInt64, corpus: [Case]) {
    random = SeededGenerator(seed: seed)
    self.corpus = corpus
  }

  package mutating func makeCase(_ kind: HostileKind) -> HostileCase {
    switch kind {
    case .databases: HostileCase(runs: databaseRuns)
    case .patches: makePatch()
    case .scripts: makeScript()
    case .settings: makeSettings()
    case .keys: makeKeys()
    }
  }

  static let text = Array((1...40).map { "\($0) line\n" }.joined().utf8)

  // MARK: - Scripts

  /// The shell commands of scripts: they read and write nothing but their standard input and output.
  private static let shellCommands = ["true", "cat", "sort", "echo x", "tr a b", "head -n 1"]

  /// A copy of the script with harmless commands in place of all possible shell commands.
  mutating func tamed(_ script: [UInt8]) -> [UInt8] {
    var tame: [UInt8] = []
    for line in script.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if !tame.isEmpty || line.startIndex > 0 { tame.append(0x0A) }
      guard let place = line.firstIndex(of: UInt8(ascii: "!")) else {
        tame += line
        continue
      }
      tame += line[..<place] + "!".utf8 + random.pick(Self.shellCommands).utf8
    }
    return tame
  }

  /// A script of the corpus, a generated one with ued's own words, or noise.
  mutating func script() -> Case {
    var test: Case
    switch random.below(10) {
    case 0: test = Case(script: Mutation.noise(random.below(2000), by: &random))
    case 1...5: test = corpus.isEmpty ? Case(script: []) : random.pick(corpus)
    default:
      var generator = ScriptGenerator(seed: random.next())
      test = generator.makeCase().0
      test = OwnWords.added(to: test, seed: random.next())
    }
    if random.chance(85) {
      var words = [String](OwnWords.words.sorted()) + Self.commandWords
      if !corpus.isEmpty {
        words.append(String(decoding: random.pick(corpus).script, as: UTF8.self))
      }
      test.script = Mutation(words: words).changed(test.script, by: &random)
    }
    return test
  }

  private static let commandWords = [
    "a\n", "\n.\n", "g/./", "v/x/", "G//", "s//&/g", "s/\\(.*\\)*\\1/x/", "1,$", "'a", "ka", "u",
    "m0", "t.", "j", "y", "x", "w", "<<E", "\\", "\\\n", "@", "12@7", "z-", "\\{1,255\\}", "\\(\\)",
    "[[:alpha:]", "[", "%", "~", "!", "x\n", "f ../secret\n", "r ../secret\n", "e dir/secret\n",
    "w ../secret\n", "r !cat\n", "begin\n", "end\n", "wq\n", "Q\n", "l\n", ";", ",", "?",
    "-99999999999999999999",
  ]

  private mutating func makeScript() -> HostileCase {
    let test = script()
    var made = HostileCase()
    made.files["w/f"] = text(of: test)
    made.files["w/g"] = Array("alpha\nbeta\n".utf8)
    var run = HostileRun(arguments: [], environment: [random.pick(["LC_ALL=C", "LC_ALL=C.UTF-8"])])
    let script = tamed(test.script)
    switch random.below(5) {
    case 0:
      run.arguments = test.arguments.filter { !$0.contains("!") && !$0.contains("/") }
      run.input = script
    case 1:
      run.arguments = ["-s", "f"] + (random.chance(30) ? ["--history"] : [])
      run.input = script
    case 2:
      run.arguments = ["--json", "f"] + (random.chance(40) ? ["--history"] : [])
      run.input = script
    default:
      made.files["w/script"] = script
      run.arguments = random.pick([
        ["-f", "script", "f"], ["-i", "-f", "script", "f", "g"],
        ["--diff", "-f", "script", "f", "g"], ["-i.bak", "--atomic", "-f", "script", "f", "g"],
        ["--check", "-f", "script", "f"], ["--json", "-i", "-f", "script", "f", "g"],
        ["--history", "-i", "-f", "script", "f"],
        ["--create", "-i", "--retry=2", "-f", "script", "new", "f"],
      ])
    }
    if random.chance(30) && !run.isRestricted { run.arguments.insert("-r", at: 0) }
    if random.chance(15) {
      run.arguments.insert(random.pick(["-E", "-G", "-v", "-l", "-p*"]), at: 0)
    }
    made.runs = [run]
    return made
  }

  private mutating func text(of test: Case) -> [UInt8] {
    let text = test.text ?? Array(Fixture.text.utf8)
    return switch random.below(10) {
    case 0: Mutation.noise(random.below(3000), by: &random)
    case 1, 2: Mutation().changed(text, by: &random)
    default: text
    }
  }

  // MARK: - Databases

  private var databaseRuns: [HostileRun] {
    let changed = Array("new".utf8) + Self.text.drop { $0 != 0x0A }
    return [
      HostileRun(
        arguments: ["--history", "-s", "f"], input: HistoryDamage.readingScript,
        textAfter: Self.text), HostileRun(arguments: ["--log", "--json"], textAfter: Self.text),
      HostileRun(arguments: ["--search=a"], textAfter: Self.text),
      HostileRun(arguments: ["--undo-run=r2", "--check"], textAfter: Self.text),
      HostileRun(
        arguments: ["f"], input: Array("\u{1B}[A\u{1B}[A\u{12}s\u{3}undo\rredo\rhistory\r".utf8),
        isAtTerminal: true, environment: ["UED_HISTORY=on"], textAfter: Self.text),
      HostileRun(
        arguments: ["--history", "-s", "f"], input: Array("1s/.*/new/\nw\n".utf8),
        textAfter: changed),
    ]
  }

  // MARK: - Patches that somebody made to crash a program, or to have it write elsewhere

  /// Parts of patches; some of them are never valid.
  package static let patchParts = [
    "@@ -1,2 +1,2 @@\n", "@@\n", "@@ -0,0 +1 @@\n", "--- a/f\n", "+++ b/f\n", "-a\n", "+b\n",
    " a\n", "\n", "\\ No newline at end of file\n", "diff --git a/f b/f\n", "rename from f\n",
    "rename to \"\\777\\\"\n", "@@ -9999999999999999999999,0 +0,99999999999 @@\n",
    "new file mode 100644\n", "-- \n", "\r\n", "@@ -2147483647 +1 @@\n", "--- /dev/null\n",
    "+++ /dev/null\n", "\\\n", "@@ -1 +1 @@", "\0", "--- ../secret\n", "+++ ../secret\n",
    "+++ dir/../../secret\n", "rename to ../secret\n", "copy from ../secret\n", "copy to g\n",
    "deleted file mode 100644\n", "old mode 100644\n", "new mode 120000\n", "GIT binary patch\n",
    "rename to f\n", "rename from g\n", "similarity index 100%\n", "+++ \"b/\\303\\251\"\n",
    "--- a/f\t2020-01-01 00:00:00\n", "@@ -1,0 +0,1 @@\n", "index 0000000..1111111 100644\n",
  ]

  mutating func makePatch() -> HostileCase {
    var made = HostileCase()
    let old = random.chance(80) ? lines() : Mutation.noise(random.below(500), by: &random)
    made.files["w/f"] = old
    made.files["w/g"] = lines()
    var patch: [UInt8] = []
    for _ in 0..<1 + random.below(3) { patch += self.patch(of: old) }
    if random.chance(70) { patch = Mutation(words: Self.patchParts).changed(patch, by: &random) }
    made.files["w/p"] = patch
    var run: HostileRun
    switch random.below(8) {
    case 0: run = HostileRun(arguments: ["-s", "f"], input: Array("apply p\n,p\nundo\nw\n".utf8))
    case 1:
      run = HostileRun(
        arguments: ["--json", "f"], input: Array("apply <<E\n".utf8) + patch + "E\nw\n".utf8)
    case 2: run = HostileRun(arguments: ["--apply=-"], input: patch)
    default: run = HostileRun(arguments: ["--apply=p"])
    }
    if run.arguments[0].hasPrefix("--apply") {
      run.arguments += random.pick([
        [], [], ["--check"], ["--diff"], ["--atomic"], ["--json"],
        ["--atomic", "--history", "-i.bak"],
      ])
    } else if random.chance(30) {
      run.arguments.insert("-r", at: 0)
    }
    made.runs = [run]
    return made
  }

  private mutating func lines() -> [UInt8] {
    let count = random.pick([0, 1, 3, 10, 40])
    var text = (0..<count).map { _ in random.pick(["a\n", "b\n", "c\n", "\n", "long line\n"]) }
      .joined()
    if random.chance(15) { text += "no newline" }
    return Array(text.utf8)
  }

  /// A patch that mostly fits a text, or random parts of patches.
  private mutating func patch(of text: [UInt8]) -> [UInt8] {
    if random.chance(25) {
      return Array((0..<random.below(14)).map { _ in random.pick(Self.patchParts) }.joined().utf8)
    }
    let name = random.pick([
      "f", "f", "f", "a/f", "g", "new", "dir/new", "../secret", "/dev/full", "link",
    ])
    var patch = random.chance(30) ? "diff --git a/\(name) b/\(name)\n" : ""
    if random.chance(10) {
      patch += random.pick(["rename from f\nrename to h\n", "new file mode 100755\n"])
    }
    patch += "--- \(random.pick([name, "a/" + name, "/dev/null"]))\n"
    patch += "+++ \(random.pick([name, "b/" + name, name]))\n"
    let lines = text.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    var first = 0
    var added = 0
    while first < lines.count && random.chance(75) {
      first += random.below(max(1, lines.count / 3))
      let hunk = lines[min(first, lines.count)..<min(first + 1 + random.below(7), lines.count)]
      var (old, new, body) = (0, 0, "")
      for line in hunk {
        let isKept = random.chance(60)
        body += isKept ? " \(line)\n" : "-\(line)\n"
        old += 1
        new += isKept ? 1 : 0
        if random.chance(20) {
          body += "+new\n"
          new += 1
        }
      }
      let start = first + 1 + (random.chance(20) ? random.below(9) - 4 : 0)
      patch += "@@ -\(start),\(old) +\(start + added),\(new) @@\n" + body
      added += new - old
      first += hunk.count
    }
    return Array(patch.utf8)
  }

  // MARK: - Keys at a terminal, and settings that bind them

  private static let keys = [
    "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{1B}[H", "\u{1B}[F", "\u{1B}OA", "\u{1B}OD",
    "\u{1B}[1;5D", "\u{1B}[1;5C", "\u{1B}[3~", "\u{1B}[5~", "\u{1B}[1;2D", "\u{1B}[I", "\u{1B}[Z",
    "\u{1B}b", "\u{1B}f", "\u{1B}d", "\u{1B}x", "\u{1B}y", "\u{1B}\u{7F}", "\u{1B}", "\u{1B}\u{1B}",
    "\u{1B}u", "\u{1B}c", "\u{1B}p", "\u{1B}n", "\u{1B}1", "\u{1B}9", "\u{0}", "\u{1}", "\u{2}",
    "\u{3}", "\u{4}", "\u{5}", "\u{6}", "\u{7}", "\u{8}", "\t", "\t\t", "\u{B}", "\u{C}", "\u{E}",
    "\u{10}", "\u{11}", "\u{12}", "\u{12}s", "\u{12}\u{12}", "\u{13}\u{11}", "\u{14}", "\u{15}",
    "\u{16}", "\u{16}\u{1B}", "\u{17}", "\u{18}", "\u{18}\u{18}", "\u{19}", "\u{1A}", "\u{1C}",
    "\u{1D}", "\u{1E}", "\u{1F}", "\u{7F}", "\r", "\r", "\r", "\n", "\u{1B}[200~", "\u{1B}[201~",
    "\u{1B}[<0;1;1M", "\u{1B}[6;1R", "\u{1B}]0;t\u{7}", "\u{1B}P\u{1B}\\",
    "\u{1B}[999999999999999999C", "\u{1B}[;;;;;;;;;m", "\u{1B}[65;1;1u", "\u{1B}[27;5;13~",
  ]
  private static let lines = [
    "a", ".", "p", ",p", ",n", "1,5d", "u", "undo", "redo", "history", "diff", "g/l/s//L/",
    "1,3edit", "help", "help s", "s/l/x/", "$a", "1i", "c", "begin x", "end", "blame", "f", "w",
    "e", "q", "Q", "G/l/", "V/x/", "s/l/&/gc", "name n", "jump 0", "l", "z", "z-", "t.", "m0", "j",
    "kx", "'xp", "r f", "f\t", "e \t", "w \t", "he\t", "r ../sec\t", "earlier 1s", "expect <<E",
    "E", "replace <<A <<B", "A", "B", "wq x", "P", "H", "1!sort", "!true", "!!", "r !cat", "/l/",
    "?l?", "//", "99999p", "é日本", "👩\u{200D}💻", "e\u{301}\u{323}",
  ]

  /// A random character; some are wide, combining, bidirectional or forbidden.
  private mutating func character() -> String {
    let scalar = random.pick([
      0x20 + random.below(0x5F), 0x300 + random.below(0x70), 0x4E00 + random.below(0x100),
      0x1F300 + random.below(0x300), 0x200B + random.below(0x20), 0x80 + random.below(0x80),
      random.below(0x11_0000), 0xFE00 + random.below(16), 0xE000, 0xFFFD, 0x10FFFF,
    ])
    let text = Unicode.Scalar(UInt32(scalar)).map { String($0) } ?? "x"
    // It could begin a shell command.
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
        ]), random.pick(["LC_ALL=C.UTF-8", "LC_ALL=C.UTF-8", "LC_ALL=C"]),
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
    "ed-delete-prev-char", "ed-search-prev-history", "em-inc-search-prev", "em-inc-search-next",
    "vi-cmd-mode", "vi-substitute-line", "vi-repeat-next-char", "ed-transpose-chars",
    "ed-argument-digit", "em-universal-argument", "ed-digit", "vi-zero", "em-yank",
    "em-kill-region", "em-copy-region", "em-toggle-overwrite", "em-upper-case", "em-capitol-case",
    "em-lower-case", "ed-quoted-insert", "ed-clear-screen", "ed-redisplay", "ed-start-over",
    "ed-end-of-file", "vi-alias", "vi-yank", "vi-delete-meta", "vi-change-meta", "vi-search-prev",
    "vi-search-next", "vi-to-history-line", "vi-history-word", "vi-comment-out", "vi-redo",
    "vi-match", "vi-paste-next", "em-meta-next", "ed-sequence-lead-in", "ed-ignore",
    "ed-unassigned", "ed-tty-sigint", "ed-tty-sigtstp", "ed-tty-dsusp", "em-exchange-mark",
    "em-set-mark", "em-copy-prev-word", "vi-next-big-word", "vi-kill-line-prev", "ued-paste",
    "ued-draft", "ued-complete", "ued-end", "ued-undo", "ued-redo", "ued-clear", "ued-quote",
    "ued-escape", "el-complete", "no-such-function",
  ]
  private static let settingWords = [
    "bind", "bind -e", "bind -v", "bind -a", "bind -r", "bind -s", "bind -k", "bind -l",
    "bind -k up", "ed:", "ued:", "*:", ":", "[:", "\\(:", "echotc", "echotc cl", "echotc cm 1",
    "echotc cm 99999999 99999999", "echotc DC -1", "edit on", "edit off", "history size 0",
    "history size -1", "history size 2147483648", "history unique 1", "history list",
    "history clear", "history load .editrc", "history save ../secret", "history", "setty",
    "setty -a", "setty -d -echo", "setty -x +raw intr=^A", "setty erase=", "setty ^?", "settc",
    "settc co 0", "settc co 4294967297", "settc li -1", "settc am yes", "settc cl \\E[H",
    "settc km no", "settc xt maybe", "telltc", "^A", "^", "^?", "\\e", "\\e[A", "\\\\", "\\777",
    "\\0", "\\M-a", "\\^", "\\U+", "\\U+110000", "\\", "\"", "'", "\"x", "'x", "\"a b\"", "M-x",
    "é", "日", " ", "\t",
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

/// Hostile or accidental input.
package enum HostileKind: String, Sendable, CaseIterable {
  /// Histories, their index and recalled commands, damaged or planted.
  case databases
  /// Unified diffs, for `--apply` and `apply`.
  case patches
  /// Scripts in ed's language, by standard input, `-e`, `-f` and `--json`, restricted or not.
  case scripts
  /// `.editrc`, and keys typed with the bindings that it makes.
  case settings
  /// Keys at a terminal, pastes and changes of its width among them.
  case keys
}

/// One run of ued among hostile files.
package struct HostileRun: Sendable {
  package var arguments: [String]
  /// The bytes of standard input, or the keys at a terminal.
  package var input: [UInt8] = []
  package var isAtTerminal = false
  /// The sizes of the terminal: at first, and one after the other while keys are typed.
  package var sizes = [ScreenSize(columns: 80)]
  package var environment: [String] = []
  /// The required text of `f` afterwards; nil for any text.
  package var textAfter: [UInt8]?

  /// Whether ued was asked to run no program, and to open no file of another folder.
  package var isRestricted: Bool {
    arguments.contains("-r") || arguments.contains("--restricted")
  }
}

/// A folder with hostile files, and runs of ued in it, one after the other.
package struct HostileCase: Sendable {
  /// Files by their path in the runner's folder.
  package var files: [String: [UInt8]] = [:]
  package var runs: [HostileRun] = []
  /// The damage to files that are not listed, for the report.
  package var note = ""
}

/// A violation by a run.
package struct HostileFault: Sendable, Equatable {
  /// The kind of fault: the same for cases that probably have one cause.
  package var kind: String
  package var details: String
}
