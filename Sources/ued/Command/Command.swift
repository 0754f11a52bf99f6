/// A command and its arguments; one case for each kind, not for each letter.
enum Command: Equatable, Sendable {
  case append(InputText)
  case insert(InputText)
  case change(InputText)
  case comment
  case copy(to: Addresses)
  case delete
  case edit(FileArgument, discarding: Bool)
  case fileName(FileArgument)
  case global(Global)
  case help
  case join
  case lineNumber
  case mark(UInt8)
  case move(to: Addresses)
  /// The empty command, which prints the next line.
  case null
  case print(LineFormat)
  case put
  case quit(discarding: Bool)
  case read(FileArgument)
  case repeatSubstitute([RepeatFlag])
  case scroll(ScrollPlace, lines: Int?)
  case shell(ShellText)
  case substitute(Substitution)
  case toggleHelp
  case togglePrompt
  case undo
  case unknown
  case ensure(EnsuredLines)
  case expect(Expectation)
  case replace(BlockReplacement)
  /// Another of ued's own commands, which are words, with its argument.
  case word(Word, argument: [UInt8])
  case write(FileArgument, appending: Bool, then: AfterWrite)
  case yank
}

extension Command {
  /// The text of `a`, `i`, `c` or `apply`; nil for other commands.
  var input: InputText? {
    get {
      switch self {
      case .append(let input), .insert(let input), .change(let input): input
      case .word("apply", let argument):
        CommandParser.hereWord(argument).map { .toBeRead(upTo: .word($0)) }
      default: nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .append: self = .append(newValue)
      case .insert: self = .insert(newValue)
      case .change: self = .change(newValue)
      default: break
      }
    }
  }
}

extension Command {
  /// For each text that follows the command in the input, the line that ends it, in order.
  var textEnds: [TextEnd] {
    switch self {
    case .ensure(let ensured): ensured.end.map { [$0] } ?? []
    case .expect(.lines(let end)): [end]
    case .replace(let replacement): [replacement.old, replacement.new]
    default: if case .toBeRead(let end) = input { [end] } else { [] }
    }
  }

  var word: Word? {
    switch self {
    case .ensure: "ensure"
    case .expect: "expect"
    case .replace: "replace"
    case .word(let word, _): word
    default: nil
    }
  }
}

/// The operands of `ensure`.
struct EnsuredLines: Equatable, Sendable {
  /// The place, within the searched lines, where missing lines are added.
  enum Place: Equatable, Sendable {
    case end
    /// After the last line that matches.
    case after(PatternText)
    /// Before the first line that matches.
    case before(PatternText)
  }

  /// The section to be searched.
  struct Section: Equatable, Sendable {
    /// The pattern for the heading of the section; nil if the section begins at the first line.
    var heading: PatternText?
    /// The pattern for the first line after the section.
    var next: PatternText
  }

  /// The pattern for the line to be replaced, or for the first line of the block.
  var pattern: PatternText
  /// Whether matching lines stay unchanged.
  var keepsMatches = false
  /// The pattern for the last line of the block; nil for a single line.
  var last: PatternText?
  var place = Place.end
  var section: Section?
  /// The ensured line; empty if a text follows in the input instead.
  var line: [UInt8] = []
  /// The line that ends the following text; nil without a text.
  var end: TextEnd?
}

/// An error in the operands of `ensure`.
enum EnsureFault: Error, Equatable, Sendable {
  case badPattern(ParseError)
  /// A blank must follow this pattern.
  case noBlank(behind: [UInt8])
  case noLine(isBlock: Bool)
  /// The operands do not begin with a pattern.
  case noPattern
  /// The pattern after the comma, for the last line of a block, is missing.
  case noSecondPattern
  /// `in` needs a comma and a pattern after it.
  case noSection
  /// The pattern has no second delimiter.
  case openPattern([UInt8], UInt8)
  /// The pattern of a clause has another delimiter than the first pattern.
  case otherDelimiter(String, UInt8)
  /// The clause repeats an earlier one, or one of the same kind.
  case surplusClause(String)
}

/// The expectation of `expect`.
enum Expectation: Equatable, Sendable {
  /// The lines equal the text that follows.
  case lines(TextEnd)
  /// Exactly this number of lines match.
  case matches(Int, PatternText)
  /// The hash of the lines begins with this prefix.
  case hash(HashPrefix)
}

/// The operands of `replace`: the first text that follows is the old block of lines, the second the
/// new one.
struct BlockReplacement: Equatable, Sendable {
  enum Matching: Equatable, Sendable {
    /// Whole lines, exactly.
    case lines
    /// Whole lines; some blanks and typographic characters may differ.
    case loose
    /// Exact bytes, even within lines.
    case text
  }

  var matching = Matching.lines
  /// The required number of places with the old block; nil for any number but 0.
  var places: Int? = 1
  /// Whether the command states the number of places.
  var isCounted = false
  var old: TextEnd
  var new: TextEnd
}

/// The formats for printing lines: the suffixes `l`, `n` and `p`.
struct LineFormat: OptionSet, Sendable {
  let rawValue: UInt8
  /// Unchanged.
  static let plain = LineFormat(rawValue: 1)
  /// With special bytes escaped and long lines folded.
  static let list = LineFormat(rawValue: 2)
  /// With line numbers.
  static let numbered = LineFormat(rawValue: 4)

  /// The format for a command or suffix letter; nil for other letters.
  init?(letter: UInt8) {
    switch letter {
    case UInt8(ascii: "p"): self = .plain
    case UInt8(ascii: "l"): self = .list
    case UInt8(ascii: "n"): self = .numbered
    default: return nil
    }
  }

  init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// The position of the page printed by `z`, relative to the addressed line.
enum ScrollPlace: Equatable, Sendable {
  /// The page begins with the addressed line.
  case below
  /// `z.`: the addressed line is in the middle of the page, and becomes the current one.
  case around
  /// `z-`: the page ends with the addressed line, and its first line becomes the current one.
  case above
}

/// The text of a command such as `a`, `i` and `c`.
enum InputText: Equatable, Sendable {
  /// Whole lines from a command list.
  case given([UInt8])
  /// Text that follows in the input. In a command list, this means that the word that ends the text
  /// is missing.
  case toBeRead(upTo: TextEnd)
}

/// The line that ends the text of a command.
enum TextEnd: Equatable, Sendable {
  /// A single period. The end of the input, or of the command list, also ends the text.
  case period
  /// The word of a here-document, as in `a <<END`.
  case word([UInt8])

  /// The bytes of the line.
  var line: [UInt8] {
    switch self {
    case .period: [.dot]
    case .word(let word): word
    }
  }
}

/// The argument of `e`, `E`, `f`, `r`, `w` and `W`.
enum FileArgument: Equatable, Sendable {
  /// No argument, which means the default name.
  case none
  /// A name. If it ends with an odd number of backslashes, it continues on the next line.
  case name([UInt8])
  /// A shell command, without its `!`.
  case shell(ShellText)
}

/// A shell command as written, with `%` and `!` not yet replaced.
struct ShellText: Equatable, Sendable {
  var bytes: [UInt8]
}

/// The action after `w`.
enum AfterWrite: Equatable, Sendable {
  case nothing
  /// `wq`
  case quit
  /// `wQ`
  case quitDiscarding
}

/// A substitution with a pattern and a replacement.
struct Substitution: Equatable, Sendable {
  /// The pattern, with `ignoreCase` from the flags; nil after a syntax error in it.
  var pattern: PatternText?
  /// The replacement; nil after a syntax error before it.
  var replacement: ReplacementText?
  /// Whether the replacement continues on the next line.
  var continues = false
  /// The delimiter that ends the replacement.
  var delimiter: UInt8 = 0
  /// The number of the match to replace in each line; 0 for all.
  var count = 1
  /// The format for printing the last changed line; empty to not print it.
  var format: LineFormat = []
  /// Whether ued asks about each match first, by the flag `c`.
  var asks = false
  /// Whether the flags have no syntax error.
  var isComplete = false

  /// The first letter of the replacement whose escape is special in sed, but not in ued, such as
  /// the `t` of `\t`.
  var lostEscape: UInt8? {
    guard case .template(let bytes)? = replacement else { return nil }
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      guard byte == .backslash, let letter = rest.popFirst() else { continue }
      if letter != delimiter, "ELUlnrtu".utf8.contains(letter) { return letter }
    }
    return nil
  }
}

/// The replacement of a substitution.
enum ReplacementText: Equatable, Sendable {
  /// `%`: the last replacement.
  case previous
  /// Text that may contain `&` and `\1` to `\9`.
  case template([UInt8])
  /// Text without special characters, by the flag `F`.
  case literal([UInt8])

  var bytes: [UInt8] {
    switch self {
    case .previous: [.percent]
    case .template(let bytes), .literal(let bytes): bytes
    }
  }
}

/// A flag of a repeated substitution, such as `sg`, `s3`, `sp` or `sr`.
enum RepeatFlag: Equatable, Sendable {
  case count(Int)
  case toggleAll
  case togglePrint
  case lastSearch
}

extension RepeatFlag {
  /// Whether the flag selects matches: a number or `g`. A command may have only one such flag.
  var isCount: Bool {
    switch self {
    case .count, .toggleAll: true
    case .togglePrint, .lastSearch: false
    }
  }
}

/// `g`, `v`, `G` and `V`.
struct Global: Equatable, Sendable {
  /// The pattern; nil after a syntax error in it.
  var pattern: PatternText?
  /// Whether the command selects the lines that do not match.
  var isInverted: Bool
  /// Whether the command reads a command list from the input for each selected line.
  var isInteractive: Bool
  /// The first line of the list, without its newline. If it ends with an odd number of backslashes,
  /// the list continues on the next line.
  var list: [UInt8] = []
}

/// A command with its addresses and suffixes.
struct ParsedCommand: Equatable, Sendable {
  var addresses: Addresses
  var command: Command
  var rules = CommandRules.unknown
  /// The format for printing the current line afterwards; empty to not print it.
  var format: LineFormat = []
  /// A syntax error after the command's letter; ed reports it only after the addresses are checked.
  var fault: ParseError?

  /// Whether it is a `G` or `V`, which reads its lists.
  var readsReplies: Bool {
    if fault == nil, case .global(let global) = command { global.isInteractive } else { false }
  }
}
