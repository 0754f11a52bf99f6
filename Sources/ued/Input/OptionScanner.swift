/// An option of the command line, whatever way it is spelled.
enum Switch: Equatable, Sendable {
  case extendedRegex, traditional, help, looseExitStatus, prompt, quiet, restricted, script, verbose
  case version, stripTrailingCR

  /// Whether a value follows.
  var takesValue: Bool { self == .prompt }
}

/// Takes a command line apart into options and the rest.
struct OptionScanner {
  /// Arguments that are not options, in order.
  private(set) var operands: [[UInt8]] = []
  private var arguments: ArraySlice<[UInt8]>
  /// Letters still to come of an argument such as `-sv`.
  private var letters: ArraySlice<UInt8> = []

  private static let words: [(word: String, meaning: Switch)] = [
    ("extended-regexp", .extendedRegex), ("traditional", .traditional), ("help", .help),
    ("loose-exit-status", .looseExitStatus), ("prompt", .prompt), ("quiet", .quiet),
    ("silent", .quiet), ("restricted", .restricted), ("script", .script), ("verbose", .verbose),
    ("version", .version), ("strip-trailing-cr", .stripTrailingCR),
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
    default: throw .unknownLetter(letter)
    }
    guard meaning.takesValue else { return (meaning, nil) }
    let value = letters.isEmpty ? arguments.popFirst() ?? [] : Array(letters)
    letters = []
    if value.isEmpty { throw .letterNeedsArgument(letter) }
    return (meaning, value)
  }

  private mutating func meaning(
    ofWord argument: [UInt8]
  ) throws(UsageError) -> (Switch, value: [UInt8]?) {
    let parts = argument.dropFirst(2)
      .split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let written = parts[0]
    let value = parts.count > 1 ? Array(parts[1]) : nil
    let found = Self.words.filter { $0.word.utf8.starts(with: written) }
    guard let first = found.first(where: { $0.word.utf8.elementsEqual(written) }) ?? found.first
    else { throw .unknownWord(argument) }
    let isWhole = first.word.utf8.count == written.count
    if !isWhole && found.contains(where: { $0.meaning != first.meaning }) {
      throw .ambiguousWord(argument)
    }
    guard first.meaning.takesValue else {
      if value != nil { throw .wordTakesNoArgument(first.word) }
      return (first.meaning, nil)
    }
    let given = value ?? arguments.popFirst() ?? []
    if given.isEmpty { throw .wordNeedsArgument(first.word) }
    return (first.meaning, given)
  }
}
