extension Options {
  /// Parses the arguments after the program's name. Options and files may come in any order, as in
  /// GNU ed.
  /// `history` is the value of UED_HISTORY, ignored unless it is `on` or `off`.
  ///
  /// - Throws: The first error, even after `--help`.
  static func parse(
    _ arguments: [[UInt8]], posixlyCorrect: Bool = false, history: [UInt8]? = nil
  ) throws(UsageError) -> Invocation {
    var scanner = OptionScanner(arguments)
    var parsed = OptionRow.Parsed()
    while let (row, value) = try scanner.next() {
      let earlier = parsed.options.historyTask
      try row.effect(&parsed, value)
      if let earlier, let task = parsed.options.historyTask, task != earlier {
        throw task.word == earlier.word
          ? .isGivenTwice(task.word) : .wordsConflict(earlier.word, task.word)
      }
    }
    if let shown = parsed.shown { return shown }
    var options = parsed.options
    var names = scanner.operands[...]
    if !options.scriptParts.isEmpty, scanner.operandsBeforeDashes == 1,
      names.elementsEqual([[UInt8(ascii: "-")]])
    {
      options.isFilter = true
      names = []
    }
    // Like ed: a dash before the file means `-s`.
    // In strict runs, a dash after `--` is the name of a file.
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
      ?? (options.historyTask?.makesGroups == true ? true : history.flatMap { choice($0) })
    options.isFriendly = !options.traditional && !posixlyCorrect && !options.isStrict
    if options.since != nil && [nil, .record].contains(options.historyTask) {
      throw .wordNeedsOther("since", ["log", "search", "undo-run"])
    }
    if options.isStrict {
      try checkConsistency(of: options)
    } else {
      // Like ed, a run that is not strict ignores operands after the file.
      options.fileNames = Array(names.prefix(1))
      options.laterFileNames = Array(names.dropFirst())
    }
    return .edit(options)
  }

  /// Takes the name of the run from UED_RUN, unless an option gives it, and the height of the
  /// screen from LINES. `environment` returns nil for unset variables.
  ///
  /// - Throws: `badRunName` if UED_RUN is not a valid name.
  mutating func adopt(_ environment: (String) -> [UInt8]?) throws(UsageError) {
    let name = environment("UED_RUN") ?? []
    if runName == nil && !name.isEmpty {
      runName = GroupNames.run(name)
      if runName == nil { throw .badRunName(name) }
    }
    screenLines = environment("LINES").flatMap { Self.number($0) }.flatMap { $0 > 2 ? $0 : nil }
  }

  /// Throws if options of a strict run exclude each other, or lack a file that they need.
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
      throw .badArgument(
        "in-place", takes: "a suffix without a slash, since ued runs restricted", suffix)
    }
  }

  /// Throws if a run that filters standard input has an option that works only on files.
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

  /// Throws if a task on histories is combined with options for editing, or lacks its file.
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
      if options.keepsHistory == false { throw .wordsConflict(word, "history=off") }
    }
    // A history has absolute file names, which restricted mode forbids.
    if options.restricted && options.historyTask != .record {
      throw .wordsConflict(word, "restricted")
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

  /// The address in an operand such as `+5` or `+/RE`; `$` for a lone `+`; nil for other operands.
  private static func startAddress(_ operand: [UInt8]) -> [UInt8]? {
    guard operand.first == UInt8(ascii: "+") else { return nil }
    let address = Array(operand.dropFirst())
    if address.isEmpty { return [UInt8(ascii: "$")] }
    let isSearch = address[0] == .slash || address[0] == UInt8(ascii: "?")
    return isSearch || address.allSatisfy(\.isDigit) ? address : nil
  }
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
