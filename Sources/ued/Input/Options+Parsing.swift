/// What the command line asks for.
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
  /// - Returns: What to do.
  /// - Throws: The first error, even after `--help`.
  static func parse(
    _ arguments: [[UInt8]], posixlyCorrect: Bool = false, history: [UInt8]? = nil
  ) throws(UsageError) -> Invocation {
    var scanner = OptionScanner(arguments)
    var options = Options()
    var (showsHelp, showsVersion) = (false, false)
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
    }
    if showsHelp { return .showHelp }
    if showsVersion { return .showVersion }
    var names = scanner.operands[...]
    // Like ed: a dash before the file means `-s`.
    // In strict runs, one behind `--` is the name of a file.
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
    options.keepsHistory = options.keepsHistory ?? history.flatMap { choice($0) }
    options.isFriendly = !options.traditional && !posixlyCorrect && !options.isStrict
    if options.since != nil && options.historyTask == nil {
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
  /// - Throws: If the name can't be that of a run.
  mutating func adopt(_ environment: (String) -> [UInt8]?) throws(UsageError) {
    let name = environment("UED_RUN") ?? []
    if runName == nil && !name.isEmpty {
      runName = RunTag.name(name)
      if runName == nil { throw .badRunName(name) }
    }
    let wish = environment("UED_AUTOPRINT") ?? []
    printsChangedLine = isFriendly && !wish.isEmpty && wish != [.zero]
    screenLines = environment("LINES").flatMap { Self.number($0) }.flatMap { $0 > 2 ? $0 : nil }
  }

  /// Throws if options exclude each other, or need a file that is not given.
  private static func checkConsistency(of options: Options) throws(UsageError) {
    if options.patch != nil {
      if !options.scriptParts.isEmpty { throw .wordsConflict("apply", "expression") }
      if !options.expectedHashes.isEmpty { throw .wordsConflict("apply", "expect") }
      if options.restricted { throw .wordsConflict("apply", "restricted") }
      if !options.fileNames.isEmpty { throw .patchTakesNoFile }
    }
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

  /// Throws if what is done with many histories is combined with editing.
  private static func checkTask(of options: Options) throws(UsageError) {
    guard let word = options.historyTask?.word else { return }
    var writes = options.defersWrites
    var takesNoName = true
    if case .undoRun = options.historyTask {
      (writes, takesNoName) = (false, false)
      // The names of its files are those in the history, from the root on.
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

  /// The address in an operand that begins with `+`; nil if it is none. `+` alone is the last line.
  private static func startAddress(_ operand: [UInt8]) -> [UInt8]? {
    guard operand.first == UInt8(ascii: "+") else { return nil }
    let address = Array(operand.dropFirst())
    if address.isEmpty { return [UInt8(ascii: "$")] }
    let isSearch = address[0] == .slash || address[0] == UInt8(ascii: "?")
    return isSearch || address.allSatisfy(\.isDigit) ? address : nil
  }

  /// A SHA-256 hash as `sha256:` and 64 hexadecimal digits; nil for anything else.
  private static func hash(_ word: [UInt8]) -> SHA256Hash? {
    let prefix = Array("sha256:".utf8)
    return word.starts(with: prefix) ? SHA256Hash(hexadecimal: word.dropFirst(prefix.count)) : nil
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
