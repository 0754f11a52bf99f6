/// An option of the command line. Its row is all that the parser, `--help` and the completions of the
/// shells know of it.
struct OptionRow: Sendable {
  /// The argument, with its name in `--help`. An optional one is attached: `--word=x`, `-lx`.
  enum Argument: Sendable {
    case none
    case required(String, mayBeEmpty: Bool = false)
    case optional(String)

    var isNone: Bool { if case .none = self { true } else { false } }
  }

  /// The parts of `--help`.
  enum Section { case general, script, histories }

  /// A command line as far as it has been read.
  struct Parsed {
    var options = Options()
    /// What is shown instead of editing.
    var shown: Invocation?
  }

  typealias Effect = @Sendable (inout Parsed, [UInt8]) throws(UsageError) -> Void

  let letter: Unicode.Scalar?
  let word: String
  let argument: Argument
  /// Its line in `--help`; nil for a synonym of the row before.
  let help: String?
  /// Whether only ued has the word. An abbreviation means a word of ed first.
  var isOwn = true
  var section = Section.general
  /// Sets what the option asks for, given its argument; empty without one.
  let effect: Effect

  /// An option with an argument.
  private init(
    _ letter: Unicode.Scalar?, _ word: String, _ argument: Argument, _ help: String?,
    effect: @escaping Effect
  ) {
    (self.letter, self.word, self.argument) = (letter, word, argument)
    (self.help, self.effect) = (help, effect)
  }

  /// An option without an argument.
  private init(
    _ letter: Unicode.Scalar?, _ word: String, _ help: String?,
    set: @escaping @Sendable (inout Options) -> Void
  ) {
    self.init(letter, word, .none, help) { parsed, _ throws(UsageError) in set(&parsed.options) }
  }

  /// All options, in the order of `--help`.
  static let all =
    rows(edRows, areOwn: false) + rows(generalRows) + rows(lastRows, areOwn: false)
    + rows(scriptRows, in: .script) + rows(historyRows, in: .histories)

  private static func rows(
    _ rows: [OptionRow], in section: Section = .general, areOwn: Bool = true
  ) -> [OptionRow] {
    rows.map { row in
      var row = row
      (row.section, row.isOwn) = (section, areOwn)
      return row
    }
  }

  // MARK: - Rows

  /// The options of ed.
  private static let edRows: [OptionRow] = [
    OptionRow("E", "extended-regexp", "regular expressions are extended ones") {
      $0.extendedRegex = true
    },
    OptionRow("G", "traditional", "behave as ed did before GNU") { $0.traditional = true },
    OptionRow("l", "loose-exit-status", "exit with status 0 even if a command failed") {
      $0.looseExitStatus = true
    },
    OptionRow("p", "prompt", .required("STRING"), "show STRING before each command") {
      $0.options.prompt = $1
    },
    OptionRow("q", "quiet", "keep standard error quiet") { $0.quiet = true },
    OptionRow(nil, "silent", nil) { $0.quiet = true },
    OptionRow("r", "restricted", "no shell, and no file outside this folder") {
      $0.restricted = true
    },
    OptionRow("s", "script", "print no byte counts, and no '!' after commands") {
      $0.script = true
    },
    OptionRow("v", "verbose", "explain errors, not only '?' (as after 'H')") { $0.verbose = true },
    OptionRow(nil, "strip-trailing-cr", "drop a carriage return at the end of lines read") {
      $0.stripTrailingCR = true
    },
  ]

  private static let lastRows: [OptionRow] = [
    OptionRow("h", "help", .none, "print this and exit") { parsed, _ in
      parsed.shown = parsed.shown ?? .showHelp
    },
    OptionRow("V", "version", .none, "print the version and exit") { parsed, _ in
      parsed.shown = parsed.shown ?? .showVersion
    },
  ]

  private static let generalRows: [OptionRow] = [
    // An option of GNU ed 1.20, which otherwise refuses control characters in names.
    OptionRow(nil, "unsafe-names", "take control characters in names, as always") { _ in },
    OptionRow(nil, "create", "begin with an empty text if FILE does not exist") {
      $0.create = true
    },
    OptionRow(nil, "json", "answer each command in JSON, for programs") { $0.json = true },
    OptionRow(
      nil, "history", .optional("on|off|require"), "keep the history of FILE on disk, or not"
    ) { parsed, value throws(UsageError) in
      let isRequired = value.elementsEqual("require".utf8)
      guard let choice = value.isEmpty || isRequired ? true : Options.choice(value) else {
        throw .badArgument("history", takes: "on, off or require", value)
      }
      (parsed.options.keepsHistory, parsed.options.historyIsRequired) = (choice, isRequired)
    },
    OptionRow(nil, "run", .required("NAME"), "name this run in the history") {
      parsed, value throws(UsageError) in
      guard let name = RunTag.name(value) else {
        throw .badArgument("run", takes: UsageError.runNames, value)
      }
      parsed.options.runName = name
    },
  ]

  /// Options of runs whose first error ends them.
  private static let scriptRows: [OptionRow] = [
    OptionRow(
      "e", "expression", .required("COMMAND", mayBeEmpty: true),
      "run COMMAND instead of standard input, repeatable"
    ) { $0.options.scriptParts.append(.expression($1)) },
    OptionRow(
      "f", "file", .required("SCRIPT", mayBeEmpty: true),
      "run the commands in SCRIPT; repeatable"
    ) { $0.options.scriptParts.append(.file($1)) },
    OptionRow(
      "i", "in-place", .optional("SUFFIX"), "write FILE at the end; the old one is FILESUFFIX"
    ) { $0.options.inPlaceSuffix = $1 },
    OptionRow(nil, "atomic", "write all files at the end, or none") { $0.atomic = true },
    OptionRow(nil, "apply", .required("PATCH"), "apply a unified diff of any files; '-' is stdin") {
      parsed, value throws(UsageError) in
      try set(&parsed.options.patch, to: value, by: "apply")
    },
    OptionRow(nil, "diff", "write nothing; show what would be written") { $0.diff = true },
    OptionRow(nil, "check", "write nothing: exit with 4 if files would change") { $0.check = true },
    OptionRow(
      nil, "expect", .required("sha256:HEX", mayBeEmpty: true),
      "refuse a FILE with other content; one for each FILE"
    ) { parsed, value throws(UsageError) in
      let prefix = Array("sha256:".utf8)
      guard value.starts(with: prefix),
        let hash = HashPrefix(value.dropFirst(prefix.count), leastCount: 12)
      else {
        throw .badArgument("expect", takes: "sha256: and 12 to 64 hexadecimal digits", value)
      }
      parsed.options.expectedHashes.append(hash)
    },
    OptionRow(nil, "retry", .optional("N"), "run again when FILE was changed meanwhile") {
      parsed, value throws(UsageError) in
      guard let count = value.isEmpty ? Options.defaultRetries : Options.number(value) else {
        throw .badArgument("retry", takes: "a number from 1 to 1000000", value)
      }
      parsed.options.retries = count
    },
    OptionRow(
      nil, "validate", .required("COMMAND"), "write only what COMMAND accepts; '%' is the name"
    ) { parsed, value throws(UsageError) in
      guard value.contains(.percent) else {
        throw .badArgument("validate", takes: "a command with a '%' for the file", value)
      }
      try set(&parsed.options.validation, to: value, by: "validate")
    },
  ]

  /// Sets an option that has one value; throws `isGivenTwice` for another one.
  private static func set(
    _ option: inout [UInt8]?, to value: [UInt8], by word: String
  ) throws(UsageError) {
    if let option, option != value { throw .isGivenTwice(word) }
    option = value
  }

  /// Options of tasks on the histories of files.
  private static let historyRows: [OptionRow] = [
    OptionRow(nil, "log", "list all runs, newest first, and their files") { $0.historyTask = .log },
    OptionRow(nil, "record", "record changes by other programs as part of the run") {
      $0.historyTask = .record
    },
    OptionRow(nil, "search", .required("RE"), "list the groups whose name or text matches") {
      $0.options.historyTask = .search($1)
    },
    OptionRow(nil, "undo-run", .required("RUN"), "undo a run in all its files, or in none") {
      $0.options.historyTask = .undoRun($1)
    },
    OptionRow(nil, "since", .required("T"), "only what is as new as 30s, 10m, 2h, 1d or a date") {
      parsed, value throws(UsageError) in
      guard let since = Since(value) else {
        throw .badArgument("since", takes: "30s, 10m, 2h, 1d, a date or a date and time", value)
      }
      parsed.options.since = since
    },
  ]

  // MARK: - Help

  /// The output of `--help`.
  static let help = """
    Usage: ued [OPTION]... [+ADDRESS] [FILE]...
    Edit FILE by line, with the commands of ed. FILE may be '!COMMAND', to edit
    what a shell command prints. A lone '-' means -s; '--' ends the options.
    +5, +/RE or +?RE before FILE begins at line 5, the first or the last match.

    \(lines(of: .general))

    With these the script runs on each FILE, and its first error ends it:
    \(lines(of: .script))

    With these there is no script. With FILEs, only their histories count:
    \(lines(of: .histories))

    Exit status: 0 success; 1 a command failed, or the options are wrong;
    2 FILE could not be read, or changes were not saved; 3 a FILE is not what was
    read or expected; 4 with --check, something would change.

    The manual is ued(1).

    """

  private static func lines(of section: Section) -> String {
    var lines: [String] = []
    for (index, row) in all.enumerated() where row.section == section {
      guard let help = row.help else { continue }
      var words = row.letter.map { "  -\($0), " } ?? "      "
      words += "--" + row.word
      for other in all[(index + 1)...].prefix(while: { $0.help == nil }) {
        words += ", --" + other.word
      }
      switch row.argument {
      case .none: break
      case .required(let name, _): words += "=" + name
      case .optional(let name): words += "[=\(name)]"
      }
      if words.count > helpColumn - 2 {
        lines.append(words)
        words = ""
      }
      lines.append(words + String(repeating: " ", count: helpColumn - words.count) + help)
    }
    return lines.joined(separator: "\n")
  }

  /// The column of the explanations, counted from 0.
  private static let helpColumn = 28
}

/// Splits a command line into options and operands.
struct OptionScanner {
  /// An option and its argument; the argument is empty if missing.
  typealias Option = (row: OptionRow, argument: [UInt8])
  /// The arguments that are not options, in order.
  private(set) var operands: [[UInt8]] = []
  /// The number of operands before a `--`.
  private(set) var operandsBeforeDashes = 0
  private var arguments: ArraySlice<[UInt8]>
  /// The remaining letters of an argument such as `-sv`.
  private var letters: ArraySlice<UInt8> = []

  init(_ arguments: [[UInt8]]) {
    self.arguments = arguments[...]
  }

  /// The next option, or nil after the last one.
  mutating func next() throws(UsageError) -> Option? {
    if let letter = letters.popFirst() { return try option(ofLetter: letter) }
    while let argument = arguments.popFirst() {
      if argument == Array("--".utf8) {
        operands += arguments
        arguments = []
      } else if argument.starts(with: "--".utf8) {
        return try option(ofWord: argument)
      } else if argument.count > 1 && argument[0] == UInt8(ascii: "-") {
        letters = argument[2...]
        return try option(ofLetter: argument[1])
      } else {
        operands.append(argument)
        operandsBeforeDashes += 1
      }
    }
    return nil
  }

  private mutating func option(ofLetter letter: UInt8) throws(UsageError) -> Option {
    guard let row = OptionRow.all.first(where: { $0.letter == Unicode.Scalar(letter) }) else {
      throw .unknownLetter(letter)
    }
    var attached: [UInt8]?
    if !row.argument.isNone && !letters.isEmpty {
      attached = Array(letters)
      letters = []
    }
    return try option(row, attached, orThrow: .letterNeedsArgument(letter))
  }

  private mutating func option(ofWord argument: [UInt8]) throws(UsageError) -> Option {
    let parts = argument.dropFirst(2)
      .split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let attached = parts.count > 1 ? Array(parts[1]) : nil
    let matches = OptionRow.all.filter { $0.word.utf8.starts(with: parts[0]) }
    let exact = matches.first { $0.word.utf8.elementsEqual(parts[0]) }
    let known = matches.filter { !$0.isOwn }
    let found = known.isEmpty ? matches : known
    guard let row = exact ?? found.first else { throw .unknownWord(argument) }
    if exact == nil && found.count > 1 { throw .ambiguousWord(argument) }
    if row.argument.isNone && attached != nil { throw .wordTakesNoArgument(row.word) }
    return try option(row, attached, orThrow: .wordNeedsArgument(row.word))
  }

  /// Adds the argument: the attached one, or else the next argument of the command line.
  private mutating func option(
    _ row: OptionRow, _ attached: [UInt8]?, orThrow error: UsageError
  ) throws(UsageError) -> Option {
    switch row.argument {
    case .none: return (row, [])
    case .optional: return (row, attached ?? [])
    case .required(_, let mayBeEmpty):
      let argument = attached ?? arguments.popFirst()
      guard let argument, mayBeEmpty || !argument.isEmpty else { throw error }
      return (row, argument)
    }
  }
}
