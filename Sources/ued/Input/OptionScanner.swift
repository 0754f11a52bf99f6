/// An option of the command line.
struct OptionRow: Sendable {
  /// What an option does.
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
  /// Whether only ued has the word. It may be abbreviated to whatever is not an abbreviation in ed.
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
    // Of GNU ed 1.20: without it, that refuses control characters in names.
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
    OptionRow(nil, "search", .search, isOwn: true),
    OptionRow(nil, "undo-run", .undoRun, isOwn: true),
    OptionRow(nil, "since", .since, isOwn: true),
  ]
}

/// Splits a command line into options and operands.
struct OptionScanner {
  /// An option and its argument, which is empty if there is none.
  typealias Option = (effect: OptionRow.Effect, argument: [UInt8])

  /// The arguments that are not options, in order.
  private(set) var operands: [[UInt8]] = []
  /// How many of them stand before a `--`.
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
