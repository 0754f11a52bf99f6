/// Makes cases: each is decided by its seed alone.
///
/// Words, marks and file names come from small sets, so that searches match and marks are set;
/// about one command in seven is a mistake.
///
/// Any difference between GNU ed and ued is a fault, so scripts avoid undefined results and
/// intended differences. Results are undefined if a shell command leaves input unread (ed may get
/// SIGPIPE) or complains in a pipeline (messages come in any order). So are times, process numbers,
/// `--version`, `--help`, closed standard input, and scripts over a megabyte.
/// Intended differences are ued's own options, its own words and forms without a mistake before
/// them, and its warning if a shell command changes a file before ued writes it.
package struct ScriptGenerator {
  var random: SeededGenerator
  var script: [UInt8] = []
  /// Lines in `f` at the start: numbers in addresses are drawn with it in mind.
  var lineCount = 0
  var isExtended = false
  /// True in cases that avoid mistakes, so that the script goes far.
  private(set) var isCareful = false
  /// True in cases whose lines have few different texts.
  private(set) var isRepetitive = false

  package init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  package mutating func makeCase(_ wanted: Category? = nil) -> (Case, Category) {
    let category =
      wanted ?? random.pick(weighted: Category.allCases.map { ($0.weight, $0) })
    isCareful = random.chance(45)
    isRepetitive = category == .equals || random.chance(5)
    var test = Case(text: makeText(), script: [])
    lineCount = test.text.map { $0.count { $0 == 0x0A } } ?? 0
    test.standardInput = random.pick(weighted: [(77, .pipe), (18, .file), (2, .null), (3, .slow)])
    test.environment = [random.chance(70) ? "LC_ALL=C" : "LC_ALL=C.UTF-8"]
    if random.chance(4) { test.environment.append("POSIXLY_CORRECT=1") }
    test.arguments = makeArguments()
    isExtended = test.arguments.contains { $0 == "-E" || $0.hasPrefix("--ext") }
    if category == .streams {
      // A write to a script file would replace it, so no script is a file here.
      test.standardInput = random.pick(weighted: [(8, .pipe), (1, .null)])
      if random.chance(4), let last = test.arguments.indices.last {
        test.arguments[last] = "/dev/stdin"
      }
    }
    makeScript(category)
    test.script = script
    if category == .encodings { recode(&test) }
    if random.chance(15) {
      test = OwnWords.addedAfterMistake(to: test, by: &random)
    } else {
      test.removeFilters()
    }
    return (test, category)
  }

  private mutating func makeScript(_ category: Category) {
    let favourites = category.favourites
    let count = random.pick(weighted: [(5, 2), (20, 5), (10, 9), (3, 16)]) + random.below(5)
    if random.chance(3) { line("H") }
    if random.chance(30) && lineCount > 0 {
      line(random.pick(["1ka\n$kb", "1ka\n1kb\n$kc", "$ka"]))
    }
    if random.chance(10) && lineCount > 0 {
      line(random.pick(["1,2y", "1t.", "/o/", "1s/./x/", "$d"]))
    }
    for _ in 0..<count {
      let isFavourite = random.chance(75)
      make(random.pick(weighted: isFavourite ? favourites : Ingredient.everything))
      if random.chance(15) { line(random.pick([".=", ",n", "p", "'a=", ",l", "f", "$=", "h"])) }
    }
    if random.chance(70) { line(random.pick([".=\n,n", ",p", ",l", "1,.n"])) }
    if random.chance(45) { line(random.pick(["w", "w", "wq", "Q", "q", "q\nq", "w\nq"])) }
    if random.chance(4) { emit(random.pick(["p", ",d", "a\nlast", "q", ",s/o/x/\\"])) }
  }

  mutating func make(_ ingredient: Ingredient) {
    switch ingredient {
    case .print: line(range() + random.pick(["p", "p", "n", "l", "p"]) + suffix())
    case .null: line(range())
    case .number: line(range() + "=" + suffix())
    case .scroll: makeScroll()
    case .enter: makeEntry()
    case .delete: line((isCareful ? address() : range()) + "d" + suffix())
    case .join: line((isCareful ? "1,2" : range()) + "j" + suffix())
    case .move: line(range() + "m" + destination() + suffix())
    case .copy: line(shortRange() + "t" + destination() + suffix())
    case .yank: line(range() + "y" + suffix())
    case .put: line(address() + "x" + suffix())
    case .mark: line(address() + "k" + random.pick(["a", "a", "b", "c", "z"]) + suffix())
    case .printMark:
      line(random.pick(["'a", "'a", "'a", "'b", "'c", "'z", "'a,'b", "'a,$"]) + printing())
    case .substitute: line(range() + substitution())
    case .repeatSubstitute: line(range() + repeatedSubstitution())
    case .global: makeGlobal()
    case .interactive: makeInteractive()
    case .undo: line("u" + suffix())
    case .read: makeRead()
    case .write: makeWrite()
    case .edit: makeEdit()
    case .name: line(random.pick(["f", "f", "f x", "f g", "f x y", "f dir/x", "fx", "f a\\b "]))
    case .leave: line(random.pick(["q", "Q", "wq", "wq x", "1,2wq x", "wQ", "q\nq", "1q", "qp"]))
    case .shell: makeShell()
    case .modes:
      line(random.pick(["H", "h", "P", "Hp", "hn", "Pl", "1h", "H", "h", "P\nP", "hp"]))
    case .stream: if random.chance(50) { makeStream() } else { line("p") }
    case .comment: line(random.pick(["#", "# p", "1#", "2,3# x", "9999#", "#p"]))
    case .mistake: line(isCareful && random.chance(70) ? "p" : mistake())
    }
  }

  mutating func emit(_ text: String) {
    script += text.utf8
  }

  mutating func line(_ text: String) {
    emit(text)
    script.append(0x0A)
  }

  private mutating func printing() -> String {
    random.pick(["p", "=", "n", "l", "", "p"])
  }

  /// The suffix of a command: mostly none, sometimes a wrong one.
  mutating func suffix() -> String {
    if random.chance(65) { return "" }
    if isCareful || random.chance(80) { return random.pick(["p", "p", "n", "l", "pn", "nl"]) }
    return random.pick([
      "pn", "nl", "ln", "pln", "npl", "pp", "nn", " p", " ", "x", "p1", "lp ", ".",
    ])
  }

  private mutating func makeScroll() {
    let count = random.pick(["", "", "1", "2", "3", "7", "0", "99", "22"])
    let suffix = suffix()
    // `z.` is one of ued's own forms.
    line(address() + "z" + count + (count.isEmpty && suffix == "." ? "x" : suffix))
  }

  private mutating func makeEntry() {
    let target = random.chance(60) ? address() : range()
    line(target + random.pick(["a", "i", "c", "a"]) + suffix())
    for _ in 0..<random.pick(weighted: [(2, 0), (6, 1), (4, 2), (2, 3)]) {
      script += textLine()
      script.append(0x0A)
    }
    if !random.chance(4) { line(".") }
  }

  mutating func mistake() -> String {
    switch random.below(5) {
    case 0:
      range() + random.pick(["b", "o", "A", "{", "D", "R", "^", "&", "\\", "_", "\u{1}"])
    case 1: range() + random.pick(["p", "d", "j", "y", "u", "=", "k", "a"]) + "q"
    case 2:
      "\(lineCount + 1 + random.below(5))" + random.pick(["p", "d", "m0", "t.", "s/o/x/", "k"])
    case 3:
      random.pick([
        "k", "kA", "k1", "k a", "kab", "m9999", "t-9", "m", "t", "s", "s/", "s/a", "s//", "g", "g/",
        "g//", "g /o/p", "v", "G", "V/", "1,2", "2,1p", "$,1p", "0p", "0d", "0c", "0s/o/x/", "0j",
        "0y", "0k", "0x", "0z", "''a", "'Ap", "'", "/", "?", "//", "??", "1u", "1H", "1P", "1f",
        "1Q", "1e g", "1,2,3p", "1;2;3p", "p p", "1 p", " p", "\tp", "1\tp", "1,\t2p", "+ +p",
        "-,+n", ",,n", ";;n", "%%n", "1,%n", ";,n", ",;n", "e", "E", "r", "W", "w!", "E!", "q!",
        "sx", "s x", "s1", "sgg", "spp", "s&", "jj", "yy", "uu", "dd", "m1,2", "m1m2", "t1t2",
        "m2p", "m 2 p", "\\", "\"",
      ])
    default: substitution() + random.pick(["q", "gg", "g2", "pp", " ", "/", "z", "0", "&"])
    }
  }
}
