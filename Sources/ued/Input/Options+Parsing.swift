/// What to do, by the command line.
enum Invocation: Equatable, Sendable {
  case edit(Options)
  case showHelp
  case showVersion
}

extension Options {
  /// Understands a command line, with options and file in any order, as GNU ed does.
  ///
  /// - Parameters:
  ///   - arguments: What follows the name of the program.
  ///   - posixlyCorrect: Whether POSIXLY_CORRECT is in the environment.
  ///   - history: The value of UED_HISTORY, which counts when it is `on` or `off`.
  /// - Returns: What to do.
  /// - Throws: The first thing that is wrong, even when help was asked for before it.
  static func parse(
    _ arguments: [[UInt8]], posixlyCorrect: Bool = false, history: [UInt8]? = nil
  ) throws(UsageError) -> Invocation {
    var scanner = OptionScanner(arguments)
    var options = Options()
    var shown: Invocation?
    while let (switched, value) = try scanner.next() {
      switch switched {
      case .extendedRegex: options.extendedRegex = true
      case .traditional: options.traditional = true
      case .looseExitStatus: options.looseExitStatus = true
      case .prompt: options.prompt = value
      case .quiet: options.quiet = true
      case .restricted: options.restricted = true
      case .script: options.script = true
      case .verbose: options.verbose = true
      case .stripTrailingCR: options.stripTrailingCR = true
      case .expression: options.scriptParts.append(.expression(value ?? []))
      case .scriptFile: options.scriptParts.append(.file(value ?? []))
      case .inPlace: options.inPlaceSuffix = value ?? []
      case .atomic: options.atomic = true
      case .diff: options.diff = true
      case .history:
        let value = value ?? []
        guard let choice = value.isEmpty ? true : choice(value) else {
          throw .badArgument("history", value)
        }
        options.keepsHistory = choice
      case .help: shown = shown ?? .showHelp
      case .version: shown = shown ?? .showVersion
      }
    }
    // A dash means `-s`, until the file has been found; what follows the file is not looked at.
    options.fileName = scanner.operands.first { $0 != [UInt8(ascii: "-")] }
    if scanner.operands.first == [UInt8(ascii: "-")] { options.script = true }
    options.keepsHistory = options.keepsHistory ?? history.flatMap { choice($0) }
    options.isFriendly = !options.traditional && !posixlyCorrect
    return shown ?? .edit(options)
  }

  /// What `on` or `off` means.
  private static func choice(_ word: [UInt8]) -> Bool? {
    word.elementsEqual("on".utf8) ? true : word.elementsEqual("off".utf8) ? false : nil
  }
}
