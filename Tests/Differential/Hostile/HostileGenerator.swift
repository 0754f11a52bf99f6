/// Makes hostile cases, each decided by its seed alone.
///
/// A case must harm nothing but its own folder: a command of the shell stands in it only as it is in a list
/// of harmless ones.
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

  /// Bytes in which whatever could be a shell command is one of the harmless ones.
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

  /// A script: of the corpus, made by the generator of scripts, with ued's own words, or noise.
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
    "m0", "t.",
    "j", "y", "x", "w", "<<E", "\\", "\\\n", "@", "12@7", "z-", "\\{1,255\\}", "\\(\\)",
    "[[:alpha:]", "[",
    "%", "~", "!", "x\n", "f ../secret\n", "r ../secret\n", "e dir/secret\n", "w ../secret\n",
    "r !cat\n",
    "begin\n", "end\n", "wq\n", "Q\n", "l\n", ";", ",", "?", "-99999999999999999999",
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
        ["--diff", "-f", "script", "f", "g"],
        ["-i.bak", "--atomic", "-f", "script", "f", "g"], ["--check", "-f", "script", "f"],
        ["--json", "-i", "-f", "script", "f", "g"], ["--history", "-i", "-f", "script", "f"],
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
        textAfter: Self.text),
      HostileRun(arguments: ["--log", "--json"], textAfter: Self.text),
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
}
