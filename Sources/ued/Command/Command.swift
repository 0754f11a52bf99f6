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
  case expect(Expectation)
  case replace(BlockReplacement)
  /// One of ued's own words, and the text after it.
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
      case .word(.apply, let argument):
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
  /// What ends each of the texts that follow the command in the input, in order.
  var textEnds: [TextEnd] {
    switch self {
    case .expect(.lines(let end)): [end]
    case .replace(let replacement): [replacement.old, replacement.new]
    default: if case .toBeRead(let end) = input { [end] } else { [] }
    }
  }

  /// The word that it is, if it is one.
  var word: Word? {
    switch self {
    case .expect: .expect
    case .replace: .replace
    case .word(let word, _): word
    default: nil
    }
  }
}

/// What `expect` expects of lines.
enum Expectation: Equatable, Sendable {
  /// That they are those of the text that follows.
  case lines(TextEnd)
  /// That a number of them match.
  case matches(Int, PatternText)
  /// That their hash begins so.
  case hash(HashPrefix)
}

/// The operands of `replace`: the old block of lines is the first text that follows, the new one the second.
struct BlockReplacement: Equatable, Sendable {
  /// How the old text is found.
  enum Matching: Equatable, Sendable {
    /// As whole lines, exactly.
    case lines
    /// As whole lines, of which some blanks and typographic characters may differ.
    case loose
    /// Exactly, also within lines.
    case text
  }

  var matching = Matching.lines
  /// In how many places the old block has to be; nil for any number but 0.
  var places: Int? = 1
  /// Whether it says so.
  var isCounted = false
  var old: TextEnd
  var new: TextEnd
}

/// The formats in which lines are printed: the suffixes `l`, `n` and `p`.
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

/// Where the page of `z` lies.
enum ScrollPlace: Equatable, Sendable {
  /// It begins with the addressed line.
  case below
  /// `z.`: the addressed line is in its middle, and becomes the current one.
  case around
  /// `z-`: it ends with the addressed line, and its first line becomes the current one.
  case above
}

/// Text that belongs to a command, as that of `a`, `i` and `c`.
enum InputText: Equatable, Sendable {
  /// Whole lines from a command list.
  case given([UInt8])
  /// Text that follows in the input, or that should follow in a command list but has no end there.
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

/// A shell command as written, before `%` and `!` are replaced.
struct ShellText: Equatable, Sendable {
  /// The text after the `!`.
  var bytes: [UInt8]
}

/// What to do after `w`.
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
  /// Which match in a line to replace; 0 for all.
  var count = 1
  /// The format in which to print the last changed line; empty to not print it.
  var format: LineFormat = []
  /// Whether each match is asked about first, by the flag `c`.
  var asks = false
  /// Whether the flags have no syntax error.
  var isComplete = false
}

/// The replacement of a substitution.
enum ReplacementText: Equatable, Sendable {
  /// `%`: the last replacement.
  case previous
  /// Text that may contain `&` and `\1` to `\9`.
  case template([UInt8])
  /// Text in which nothing is special, by the flag `F`.
  case literal([UInt8])

  /// What was written.
  var bytes: [UInt8] {
    switch self {
    case .previous: [.percent]
    case .template(let bytes), .literal(let bytes): bytes
    }
  }
}

/// A flag of a repeated substitution: `s`, `sg`, `s3`, `sp`, `sr`.
enum RepeatFlag: Equatable, Sendable {
  case count(Int)
  case toggleAll
  case togglePrint
  case lastSearch
}

extension RepeatFlag {
  /// Whether the flag selects matches: a number or `g`. There may be only one of them.
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
  /// Whether it selects the lines that do not match.
  var isInverted: Bool
  /// Whether it reads a command list for each line.
  var isInteractive: Bool
  /// The first line of the list, without its newline. If it ends with an odd number of backslashes, the
  /// list continues on the next line.
  var list: [UInt8] = []
}

/// A command with its addresses and suffixes.
struct ParsedCommand: Equatable, Sendable {
  var addresses: Addresses
  var command: Command
  var rules = CommandRules.unknown
  /// The format in which to print the current line afterwards; empty to not print it.
  var format: LineFormat = []
  /// A syntax error after the command's letter; ed reports it only after the addresses are checked.
  var fault: ParseError?
}
