/// An option of the command line, whatever way it is spelled.
enum Switch: Equatable, Sendable {
  case extendedRegex, traditional, help, looseExitStatus, prompt, quiet, restricted, script, verbose
  case version, stripTrailingCR
  case expression, scriptFile, inPlace, atomic, diff, history

  enum Value { case none, needed, neededNotEmpty, optional }

  /// What follows.
  var value: Value {
    switch self {
    case .prompt: .neededNotEmpty
    case .expression, .scriptFile: .needed
    case .inPlace, .history: .optional
    default: .none
    }
  }
}

/// Takes a command line apart into options and the rest.
struct OptionScanner {
  /// Arguments that are not options, in order.
  private(set) var operands: [[UInt8]] = []
  private var arguments: ArraySlice<[UInt8]>
  /// Letters still to come of an argument such as `-sv`.
  private var letters: ArraySlice<UInt8> = []

  /// The words of ed.
  static let words: [(word: String, meaning: Switch)] = [
    ("extended-regexp", .extendedRegex), ("traditional", .traditional), ("help", .help),
    ("loose-exit-status", .looseExitStatus), ("prompt", .prompt), ("quiet", .quiet),
    ("silent", .quiet), ("restricted", .restricted), ("script", .script), ("verbose", .verbose),
    ("version", .version), ("strip-trailing-cr", .stripTrailingCR),
  ]

  /// The words that ed does not have. They can be shortened only to what is no short form of a word
  /// of ed's.
  static let ownWords: [(word: String, meaning: Switch)] = [
    ("expression", .expression), ("file", .scriptFile), ("in-place", .inPlace),
    ("atomic", .atomic), ("diff", .diff), ("history", .history),
  ]

  init(_ arguments: [[UInt8]]) {
    self.arguments = arguments[...]
  }

  /// The next option and its value, or nil when only operands are left.
  mutating func next() throws(UsageError) -> (Switch, value: [UInt8]?)? {
    if let letter = letters.popFirst() { return try meaning(ofLetter: letter) }
    while let argument = arguments.popFirst() {
      if argument == Array("--".utf8) {
        operands += arguments
        arguments = []
      } else if argument.starts(with: "--".utf8) {
        return try meaning(ofWord: argument)
      } else if argument.count > 1 && argument[0] == UInt8(ascii: "-") {
        letters = argument[2...]
        return try meaning(ofLetter: argument[1])
      } else {
        operands.append(argument)
      }
    }
    return nil
  }

  private mutating func meaning(
    ofLetter letter: UInt8
  ) throws(UsageError) -> (Switch, value: [UInt8]?) {
    let meaning: Switch
    switch letter {
    case UInt8(ascii: "E"): meaning = .extendedRegex
    case UInt8(ascii: "G"): meaning = .traditional
    case UInt8(ascii: "h"): meaning = .help
    case UInt8(ascii: "l"): meaning = .looseExitStatus
    case UInt8(ascii: "p"): meaning = .prompt
    case UInt8(ascii: "q"): meaning = .quiet
    case UInt8(ascii: "r"): meaning = .restricted
    case UInt8(ascii: "s"): meaning = .script
    case UInt8(ascii: "v"): meaning = .verbose
    case UInt8(ascii: "V"): meaning = .version
    case UInt8(ascii: "e"): meaning = .expression
    case UInt8(ascii: "f"): meaning = .scriptFile
    case UInt8(ascii: "i"): meaning = .inPlace
    default: throw .unknownLetter(letter)
    }
    if meaning.value == .none { return (meaning, nil) }
    let rest = Array(letters)
    letters = []
    if meaning.value == .optional { return (meaning, rest) }
    let value = rest.isEmpty ? arguments.popFirst() : rest
    guard let value, meaning.value == .needed || !value.isEmpty else {
      throw .letterNeedsArgument(letter)
    }
    return (meaning, value)
  }

  private mutating func meaning(
    ofWord argument: [UInt8]
  ) throws(UsageError) -> (Switch, value: [UInt8]?) {
    let parts = argument.dropFirst(2)
      .split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let written = parts[0]
    let value = parts.count > 1 ? Array(parts[1]) : nil
    let isMeant = { (word: String) in word.utf8.starts(with: written) }
    let known = Self.words.filter { isMeant($0.word) }
    let own = Self.ownWords.filter { isMeant($0.word) }
    let isOwn = known.isEmpty || own.contains { $0.word.utf8.elementsEqual(written) }
    let found = isOwn ? own : known
    guard let first = found.first(where: { $0.word.utf8.elementsEqual(written) }) ?? found.first
    else { throw .unknownWord(argument) }
    let isWhole = first.word.utf8.count == written.count
    if !isWhole && found.contains(where: { $0.meaning != first.meaning }) {
      throw .ambiguousWord(argument)
    }
    switch first.meaning.value {
    case .none:
      if value != nil { throw .wordTakesNoArgument(first.word) }
      return (first.meaning, nil)
    case .optional:
      return (first.meaning, value ?? [])
    case .needed, .neededNotEmpty:
      let given = value ?? arguments.popFirst()
      guard let given, first.meaning.value == .needed || !given.isEmpty else {
        throw .wordNeedsArgument(first.word)
      }
      return (first.meaning, given)
    }
  }
}
