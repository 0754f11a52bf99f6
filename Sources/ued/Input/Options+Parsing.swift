/// The action that a command line requests.
enum Invocation: Equatable, Sendable {
  case edit(Options)
  case showHelp
  case showVersion
}

extension Options {
  /// Parses a command line; like GNU ed, it accepts options and file in any order.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the program's name.
  ///   - posixlyCorrect: Whether POSIXLY_CORRECT is in the environment.
  ///   - history: The value of UED_HISTORY; ignored unless it is `on` or `off`.
  /// - Returns: The requested action.
  /// - Throws: The first error, even after `--help`.
  static func parse(
    _ arguments: [[UInt8]], posixlyCorrect: Bool = false, history: [UInt8]? = nil
  ) throws(UsageError) -> Invocation {
    var scanner = OptionScanner(arguments)
    var options = Options()
    var (showsHelp, showsVersion) = (false, false)
    var firstTask: HistoryTask?
    while let (effect, value) = try scanner.next() {
      switch effect {
      case .set(let set): set(&options)
      case .prompt: options.prompt = value
      case .expression: options.scriptParts.append(.expression(value))
      case .scriptFile: options.scriptParts.append(.file(value))
      case .inPlace: options.inPlaceSuffix = value
      case .apply: options.patch = value
      case .expect:
        guard let hash = hash(value) else { throw .badArgument("expect", value) }
        options.expectedHashes.append(hash)
      case .retry:
        guard let count = value.isEmpty ? defaultRetries : number(value) else {
          throw .badArgument("retry", value)
        }
        options.retries = count
      case .validate:
        guard value.contains(.percent) else { throw .badArgument("validate", value) }
        options.validation = value
      case .history:
        options.historyIsRequired = value == Array("require".utf8)
        guard let choice = value.isEmpty || options.historyIsRequired ? true : choice(value) else {
          throw .badArgument("history", value)
        }
        options.keepsHistory = choice
      case .runName:
        guard let name = RunTag.name(value) else { throw .badArgument("run", value) }
        options.runName = name
      case .search: options.historyTask = .search(value)
      case .undoRun: options.historyTask = .undoRun(value)
      case .since:
        guard let since = Since(value) else { throw .badArgument("since", value) }
        options.since = since
      case .help: showsHelp = !showsVersion
      case .version: showsVersion = !showsHelp
      }
      if let task = options.historyTask, let first = firstTask, task.word != first.word {
        throw .wordsConflict(first.word, task.word)
      }
      firstTask = options.historyTask
    }
    if showsHelp { return .showHelp }
    if showsVersion { return .showVersion }
    var names = scanner.operands[...]
    if !options.scriptParts.isEmpty, scanner.operandsBeforeDashes == 1,
      names.elementsEqual([[UInt8(ascii: "-")]])
    {
      options.isFilter = true
      names = []
    }
    // Like ed: a dash before the file means `-s`.
    // In strict runs, a dash behind `--` is the name of a file.
    var dashCount = options.isStrict ? scanner.operandsBeforeDashes : names.count
    while dashCount > 0, names.first == [UInt8(ascii: "-")] {
      options.script = true
      names.removeFirst()
      dashCount -= 1
    }
    if !options.isStrict, names.count > 1, scanner.operandsBeforeDashes > 0,
      let address = startAddress(names.first ?? [])
    {
      options.startAddress = address
      names.removeFirst()
    }
    options.fileNames = Array(names)
    options.keepsHistory =
      options.keepsHistory
      ?? (options.historyTask == .record ? true : history.flatMap { choice($0) })
    options.isFriendly = !options.traditional && !posixlyCorrect && !options.isStrict
    if options.since != nil && [nil, .record].contains(options.historyTask) {
      throw .wordNeedsOther("since", ["log", "search", "undo-run"])
    }
    if options.isStrict {
      try checkConsistency(of: options)
    } else {
      // Like ed, a script ignores operands after the file.
      options.fileNames = Array(names.prefix(1))
      options.laterFileNames = Array(names.dropFirst())
    }
    return .edit(options)
  }

  /// Takes the name of the run and the settings for a person at a terminal from the environment.
  ///
  /// - Parameter environment: Gives the value of a variable; nil when it is not set.
  /// - Throws: `badRunName` if the name can't name a run.
  mutating func adopt(_ environment: (String) -> [UInt8]?) throws(UsageError) {
    let name = environment("UED_RUN") ?? []
    if runName == nil && !name.isEmpty {
      runName = RunTag.name(name)
      if runName == nil { throw .badRunName(name) }
    }
    screenLines = environment("LINES").flatMap { Self.number($0) }.flatMap { $0 > 2 ? $0 : nil }
  }

  /// Throws if options exclude each other, or need a missing file.
  private static func checkConsistency(of options: Options) throws(UsageError) {
    if options.patch != nil {
      if !options.scriptParts.isEmpty { throw .wordsConflict("apply", "expression") }
      if !options.expectedHashes.isEmpty { throw .wordsConflict("apply", "expect") }
      if options.restricted { throw .wordsConflict("apply", "restricted") }
      if !options.fileNames.isEmpty { throw .patchTakesNoFile }
    }
    if options.looseExitStatus { throw .strictRunIsNotLoose }
    if options.isFilter { try checkFilter(options) }
    let hashCount = options.expectedHashes.count
    if hashCount > 0 && hashCount != options.fileNames.count { throw .hashesDoNotMatchFiles }
    if options.restricted && options.validation != nil {
      throw .wordsConflict("validate", "restricted")
    }
    try checkTask(of: options)
    if options.fileNames.contains([]) { throw .emptyFileName }
    if options.restricted, let suffix = options.inPlaceSuffix, suffix.contains(.slash) {
      throw .badArgument("in-place", suffix)
    }
    if let suffix = options.inPlaceSuffix, !suffix.isEmpty {
      let names = Set(options.fileNames)
      if let name = options.fileNames.first(where: { names.contains($0 + suffix) }) {
        throw .backupIsFile(name + suffix)
      }
    }
  }

  /// Throws if a run on standard input has an option that is only for files.
  private static func checkFilter(_ options: Options) throws(UsageError) {
    let others = [
      ("in-place", options.inPlaceSuffix != nil), ("atomic", options.atomic),
      ("diff", options.diff), ("check", options.check), ("json", options.json),
      ("retry", options.retries > 0), ("validate", options.validation != nil),
      ("expect", !options.expectedHashes.isEmpty), ("create", options.create),
      ("run", options.runName != nil), ("history", options.historyIsRequired),
      ("file=-", options.scriptParts.contains(.file([UInt8(ascii: "-")]))),
    ]
    if let other = others.first(where: \.1) { throw .filterTakesNo(other.0) }
  }

  /// Throws if a task on histories is combined with editing.
  private static func checkTask(of options: Options) throws(UsageError) {
    guard let word = options.historyTask?.word else { return }
    var writes = options.defersWrites
    var takesNoName = true
    if options.historyTask == .record {
      if options.fileNames.isEmpty { throw .wordNeedsFile(word) }
      if options.keepsHistory == false { throw .wordsConflict(word, "history=off") }
      takesNoName = false
    } else if case .undoRun = options.historyTask {
      (writes, takesNoName) = (false, false)
      // A history has absolute file names, which restricted mode forbids.
      if options.restricted { throw .wordsConflict(word, "restricted") }
    }
    let others = [
      (
        "expression",
        options.scriptParts.contains { if case .expression = $0 { true } else { false } }
      ),
      ("file", !options.scriptParts.isEmpty), ("expect", !options.expectedHashes.isEmpty),
      ("in-place", writes && options.inPlaceSuffix != nil), ("diff", writes && options.diff),
      ("check", writes && options.check), ("atomic", writes),
      ("run", takesNoName && options.runName != nil),
    ]
    if options.patch != nil { throw .wordsConflict(word, "apply") }
    if let other = others.first(where: \.1) { throw .wordsConflict(word, other.0) }
  }

  /// The address in an operand that begins with `+`; nil for other operands. `+` alone is the last
  /// line.
  private static func startAddress(_ operand: [UInt8]) -> [UInt8]? {
    guard operand.first == UInt8(ascii: "+") else { return nil }
    let address = Array(operand.dropFirst())
    if address.isEmpty { return [UInt8(ascii: "$")] }
    let isSearch = address[0] == .slash || address[0] == UInt8(ascii: "?")
    return isSearch || address.allSatisfy(\.isDigit) ? address : nil
  }

  /// A SHA-256 hash as `sha256:` and its first hexadecimal digits, 12 at least; nil for anything else.
  private static func hash(_ word: [UInt8]) -> HashPrefix? {
    let prefix = Array("sha256:".utf8)
    return word.starts(with: prefix)
      ? HashPrefix(word.dropFirst(prefix.count), leastCount: 12) : nil
  }

  /// A number from 1 to 1000000; nil for anything else.
  private static func number(_ word: [UInt8]) -> Int? {
    guard word.count <= 7, word.allSatisfy(\.isDigit) else { return nil }
    return Int(String(decoding: word, as: UTF8.self)).flatMap { 1...1_000_000 ~= $0 ? $0 : nil }
  }

  /// The meaning of `on` or `off`; nil for anything else.
  private static func choice(_ word: [UInt8]) -> Bool? {
    word.elementsEqual("on".utf8) ? true : word.elementsEqual("off".utf8) ? false : nil
  }
}

/// An option of the command line.
struct OptionRow: Sendable {
  /// The effect of an option.
  enum Effect: Sendable {
    case set(@Sendable (inout Options) -> Void)
    case help, version
    case prompt, expression, scriptFile, inPlace, apply, expect, retry, validate, history, runName,
      search, undoRun, since
  }

  enum Argument { case none, required, requiredNotEmpty, optional }

  let letter: Unicode.Scalar?
  let word: String
  let effect: Effect
  /// Whether only ued has the word. Its abbreviations must not be abbreviations in ed.
  let isOwn: Bool

  init(_ letter: Unicode.Scalar?, _ word: String, _ effect: Effect, isOwn: Bool = false) {
    (self.letter, self.word, self.effect, self.isOwn) = (letter, word, effect, isOwn)
  }

  var argument: Argument {
    switch effect {
    case .set, .help, .version: .none
    case .prompt, .validate, .apply, .runName, .search, .undoRun, .since: .requiredNotEmpty
    case .expression, .scriptFile, .expect: .required
    case .inPlace, .retry, .history: .optional
    }
  }

  /// All options.
  static let all = [
    OptionRow("E", "extended-regexp", .set { $0.extendedRegex = true }),
    OptionRow("G", "traditional", .set { $0.traditional = true }),
    OptionRow("h", "help", .help),
    OptionRow("l", "loose-exit-status", .set { $0.looseExitStatus = true }),
    OptionRow("p", "prompt", .prompt),
    OptionRow("q", "quiet", .set { $0.quiet = true }),
    OptionRow(nil, "silent", .set { $0.quiet = true }),
    OptionRow("r", "restricted", .set { $0.restricted = true }),
    OptionRow("s", "script", .set { $0.script = true }),
    OptionRow("v", "verbose", .set { $0.verbose = true }),
    OptionRow("V", "version", .version),
    OptionRow(nil, "strip-trailing-cr", .set { $0.stripTrailingCR = true }),
    // An option of GNU ed 1.20, which otherwise refuses control characters in names.
    OptionRow(nil, "unsafe-names", .set { _ in }, isOwn: true),
    OptionRow("e", "expression", .expression, isOwn: true),
    OptionRow("f", "file", .scriptFile, isOwn: true),
    OptionRow("i", "in-place", .inPlace, isOwn: true),
    OptionRow(nil, "apply", .apply, isOwn: true),
    OptionRow(nil, "atomic", .set { $0.atomic = true }, isOwn: true),
    OptionRow(nil, "check", .set { $0.check = true }, isOwn: true),
    OptionRow(nil, "create", .set { $0.create = true }, isOwn: true),
    OptionRow(nil, "diff", .set { $0.diff = true }, isOwn: true),
    OptionRow(nil, "expect", .expect, isOwn: true),
    OptionRow(nil, "json", .set { $0.json = true }, isOwn: true),
    OptionRow(nil, "retry", .retry, isOwn: true),
    OptionRow(nil, "validate", .validate, isOwn: true),
    OptionRow(nil, "history", .history, isOwn: true),
    OptionRow(nil, "run", .runName, isOwn: true),
    OptionRow(nil, "log", .set { $0.historyTask = .log }, isOwn: true),
    OptionRow(nil, "record", .set { $0.historyTask = .record }, isOwn: true),
    OptionRow(nil, "search", .search, isOwn: true),
    OptionRow(nil, "undo-run", .undoRun, isOwn: true),
    OptionRow(nil, "since", .since, isOwn: true),
  ]
}

/// Splits a command line into options and operands.
struct OptionScanner {
  /// An option and its argument; the argument is empty if missing.
  typealias Option = (effect: OptionRow.Effect, argument: [UInt8])

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
    if row.argument != .none && !letters.isEmpty {
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
    if row.argument == .none && attached != nil { throw .wordTakesNoArgument(row.word) }
    return try option(row, attached, orThrow: .wordNeedsArgument(row.word))
  }

  /// Adds the argument: the attached one, or else the next argument of the command line.
  private mutating func option(
    _ row: OptionRow, _ attached: [UInt8]?, orThrow error: UsageError
  ) throws(UsageError) -> Option {
    switch row.argument {
    case .none: return (row.effect, [])
    case .optional: return (row.effect, attached ?? [])
    case .required, .requiredNotEmpty:
      let argument = attached ?? arguments.popFirst()
      guard let argument, row.argument == .required || !argument.isEmpty else { throw error }
      return (row.effect, argument)
    }
  }
}
