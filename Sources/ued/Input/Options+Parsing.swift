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
    var shown: Invocation?
    while let (effect, value) = try scanner.next() {
      switch effect {
      case .set(let set): set(&options)
      case .prompt: options.prompt = value
      case .expression: options.scriptParts.append(.expression(value))
      case .scriptFile: options.scriptParts.append(.file(value))
      case .inPlace: options.inPlaceSuffix = value
      case .history:
        guard let choice = value.isEmpty ? true : choice(value) else {
          throw .badArgument("history", value)
        }
        options.keepsHistory = choice
      case .help: shown = shown ?? .showHelp
      case .version: shown = shown ?? .showVersion
      }
    }
    // Like ed: a dash before the file means `-s`; operands after the file are ignored.
    options.fileName = scanner.operands.first { $0 != [UInt8(ascii: "-")] }
    if scanner.operands.first == [UInt8(ascii: "-")] { options.script = true }
    options.keepsHistory = options.keepsHistory ?? history.flatMap { choice($0) }
    options.isFriendly = !options.traditional && !posixlyCorrect
    return shown ?? .edit(options)
  }

  /// The meaning of `on` or `off`; nil for anything else.
  private static func choice(_ word: [UInt8]) -> Bool? {
    word.elementsEqual("on".utf8) ? true : word.elementsEqual("off".utf8) ? false : nil
  }
}
