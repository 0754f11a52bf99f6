/// The options given by the command line and the environment.
struct Options: Equatable, Sendable {
  var extendedRegex = false
  /// `-G`: traditional ed, without GNU extensions.
  var traditional = false
  var looseExitStatus = false
  /// `-p`: the prompt; nil without the option.
  var prompt: [UInt8]?
  var quiet = false
  var restricted = false
  /// `-s`: no byte counts and no `!`.
  var script = false
  var verbose = false
  var stripTrailingCR = false
  /// Whether a person at a terminal gets more than ed: neither `-G` nor POSIXLY_CORRECT is given,
  /// and the run is not strict.
  var isFriendly = true
  /// `-e` and `-f`, in order: the script; empty when it is standard input.
  var scriptParts: [ScriptPart] = []
  /// `-i`: write each file at the end; the suffix of the backup, empty for no backup.
  var inPlaceSuffix: [UInt8]?
  /// `--atomic`: all files of the run are written, or none.
  var atomic = false
  /// Whether the task undoes a run; files that the run removed are created again.
  var undoesRun = false
  /// `--apply`: the file with a patch to apply; `-` is standard input.
  var patch: [UInt8]?
  /// `--create`: a file that does not exist begins empty.
  var create = false
  /// `--diff`: write nothing, and show what writing would change.
  var diff = false
  /// `--check`: write nothing, and report by the exit status whether writing would change anything.
  var check = false
  /// `--expect`: the SHA-256 hashes that the files must have, in the order of the files.
  var expectedHashes: [HashPrefix] = []
  /// `--retry`: how often the script runs again after a file was changed meanwhile.
  var retries = 0
  /// `--validate`: the shell command that accepts or rejects a staged file, whose name is `%`.
  var validation: [UInt8]?
  /// `--json`: answers in JSON, for programs.
  var json = false
  /// `--history` or UED_HISTORY: whether the history is kept on disk; nil when not given.
  var keepsHistory: Bool?
  /// `--history=require`: nothing is written whose history can't be kept.
  var historyIsRequired = false
  /// `--run` or UED_RUN: the name of this run; nil when not given.
  var runName: String?
  /// Whether nothing is written without a history: otherwise a named run could not be undone.
  var requiresHistory: Bool { historyIsRequired || keepsHistory == true && runName != nil }
  /// `--log`, `--record`, `--search` or `--undo-run`: the task on the histories of all or the given
  /// files.
  var historyTask: HistoryTask?
  /// `--since`: the earliest time of the results of `historyTask`.
  var since: Since?
  /// The files of the command line; an empty name stands for no file. The first may be a shell
  /// command after `!`, unless `namesAreFiles`.
  var fileNames: [[UInt8]] = []

  /// The files after the first one, which `next` opens at a terminal; empty in strict runs.
  var laterFileNames: [[UInt8]] = []
  /// `+LINE`, `+/RE` or `+?RE` before the file: the first current line of a person or plain script,
  /// as an address without the `+`.
  var startAddress: [UInt8]?
  /// LINES: the height of the screen; nil when not given.
  var screenLines: Int?

  /// The number of retries of `--retry` without a number.
  static let defaultRetries = 10

  /// Whether standard input is edited, and the result goes to standard output: the FILE is `-`.
  var isFilter = false

  var fileName: [UInt8]? { fileNames.first }
  /// Whether the run is strict: an option that ed does not have makes it so, unless the option has
  /// no effect alone. Errors go to standard error, and the first one ends the script; a dialogue
  /// answers errors instead.
  var isStrict: Bool {
    !scriptParts.isEmpty || json || defersWrites || historyTask != nil || retries > 0
      || validation != nil || !expectedHashes.isEmpty || patch != nil
  }
  /// Whether a program sends commands one by one, and each may depend on the previous answer.
  var isDialogue: Bool {
    json && scriptParts.isEmpty && !defersWrites && retries == 0 && fileNames.count < 2
      && historyTask == nil && patch == nil
  }
  /// Whether nothing is written.
  var isDry: Bool { diff || check }
  /// Whether writes wait until all of the script has succeeded.
  var defersWrites: Bool { writesAtEnd || atomic }
  /// Whether the text is written at the end without a command.
  var writesAtEnd: Bool { inPlaceSuffix != nil || isDry || patch != nil || isFilter }
  /// Whether byte counts and the `!` after shell commands are suppressed.
  var isSilent: Bool { script || writesAtEnd || json }
  /// Whether a name on the command line that begins with `!` names a file.
  var namesAreFiles: Bool {
    isStrict
      && (defersWrites || historyTask != nil || fileNames.count > 1 || retries > 0
        || !expectedHashes.isEmpty)
  }

  /// A number from 1 to 1000000; nil for anything else.
  static func number(_ word: [UInt8]) -> Int? {
    guard word.count <= 7, word.allSatisfy(\.isDigit) else { return nil }
    return Int(String(decoding: word, as: UTF8.self)).flatMap { 1...1_000_000 ~= $0 ? $0 : nil }
  }

  /// The meaning of `on` or `off`; nil for anything else.
  static func choice(_ word: [UInt8]) -> Bool? {
    word.elementsEqual("on".utf8) ? true : word.elementsEqual("off".utf8) ? false : nil
  }
}

/// The action that a command line requests.
enum Invocation: Equatable, Sendable {
  case edit(Options)
  case showHelp
  case showVersion
}

// MARK: - Rows

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
    /// `--help` or `--version`, which replace editing; nil without them.
    var shown: Invocation?
  }

  typealias Setter = @Sendable (inout Parsed, [UInt8]) throws(UsageError) -> Void

  let letter: Unicode.Scalar?
  let word: String
  let argument: Argument
  /// Its line in `--help`; nil for a synonym of the row before.
  let help: String?
  /// Whether only ued has the word. An abbreviation means a word of ed first.
  var isOwn = true
  var section = Section.general
  /// Sets what the option asks for, given its argument; empty without one.
  let effect: Setter

  /// An option with an argument.
  private init(
    _ letter: Unicode.Scalar?, _ word: String, _ argument: Argument, _ help: String?,
    effect: @escaping Setter
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
      guard let name = GroupNames.run(value) else {
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

// MARK: - Values

enum HistoryTask: Equatable, Sendable {
  /// Lists the runs.
  case log
  /// Records changes that other programs made to the files of the command line as groups of this
  /// run.
  case record
  /// Lists the groups that match a regular expression.
  case search([UInt8])
  /// Undoes a run, or all runs with a name.
  case undoRun([UInt8])

  /// Whether it adds groups to histories.
  var makesGroups: Bool {
    switch self {
    case .log, .search: false
    case .record, .undoRun: true
    }
  }

  var word: String {
    switch self {
    case .log: "log"
    case .record: "record"
    case .search: "search"
    case .undoRun: "undo-run"
    }
  }
}

/// A time in the past.
enum Since: Equatable, Sendable {
  /// Some seconds before now.
  case ago(Double)
  /// Seconds since 1970-01-01 UTC.
  case time(Double)
}

extension Since {
  /// Parses `30s`, `10m`, `2h` or `1d`, or a local date such as `2026-11-20`. A blank or `T` and a
  /// time such as `14:02` or `14:02:11` may follow the date. Nil for anything else.
  init?(_ word: [UInt8]) {
    let units: [UInt8: Int] = [
      UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600,
      UInt8(ascii: "d"): 86400,
    ]
    if let unit = word.last.flatMap({ units[$0] }) {
      guard let number = Self.number(word.dropLast()) else { return nil }
      self = .ago(Double(number * unit))
      return
    }
    let halves = word.split(
      maxSplits: 1, omittingEmptySubsequences: false,
      whereSeparator: { $0 == .space || $0 == UInt8(ascii: "T") })
    let date = halves[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let clock =
      halves.count < 2
      ? [] : halves[1].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let numbers = (date + clock).compactMap { Self.number($0) }
    guard date.count == 3, clock.isEmpty || 2...3 ~= clock.count, date[0].count == 4,
      numbers.count == date.count + clock.count,
      let time = SystemClock.time(numbers + Array(repeating: 0, count: 6 - numbers.count))
    else { return nil }
    self = .time(time)
  }

  /// A number of at most seven digits.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard 1...7 ~= digits.count, digits.allSatisfy(\.isDigit) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}

/// One `-e` or `-f` option.
enum ScriptPart: Equatable, Sendable {
  /// The argument of `-e`: lines of commands.
  case expression([UInt8])
  /// The argument of `-f`: the name of a file with commands; `-` is standard input.
  case file([UInt8])
}

/// An error in the command line.
enum UsageError: Error, Equatable, Sendable {
  case unknownLetter(UInt8)
  case letterNeedsArgument(UInt8)
  /// The argument as written, including its dashes.
  case unknownWord([UInt8])
  case ambiguousWord([UInt8])
  /// The full word, without dashes.
  case wordNeedsArgument(String)
  case wordTakesNoArgument(String)
  /// The full word, its valid arguments, and the invalid one given.
  case badArgument(String, takes: String, [UInt8])
  /// The value of UED_RUN, which can't be the name of a run.
  case badRunName([UInt8])
  /// Two options that exclude each other.
  case wordsConflict(String, String)
  /// An option that needs one of several others.
  case wordNeedsOther(String, [String])
  /// An option that needs a FILE.
  case wordNeedsFile(String)
  /// The number of hashes of `--expect` differs from the number of files.
  case hashesDoNotMatchFiles
  case emptyFileName
  /// A FILE in addition to a patch, which names its own.
  case patchTakesNoFile
  /// `-l`, which hides failures, in a strict run.
  case strictRunIsNotLoose
  /// An option that needs a real file, with the FILE `-`.
  case filterTakesNo(String)
  /// An option has two values, and only one can count.
  case isGivenTwice(String)
  /// A strict run at a terminal without `-e` and `-f`.
  case scriptIsMissing
  /// A FILE that does not exist, and would be a valid command: `-e` is probably missing.
  case fileIsCommand([UInt8])

  /// The valid names of runs.
  static let runNames = "a name in UTF-8 without control characters"
}
