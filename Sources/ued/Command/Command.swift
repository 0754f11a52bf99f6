/// One command with all that it needs; a case per kind, not per letter.
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
  /// The empty command: prints the next line.
  case null
  case print(LineFormat)
  case put
  case quit(discarding: Bool)
  case read(FileArgument)
  case repeatSubstitute([RepeatFlag])
  case scroll(lines: Int?)
  case shell(ShellText)
  case substitute(Substitution)
  case toggleHelp
  case togglePrompt
  case undo
  case unknown
  /// A word of ued's own, and what follows it.
  case word(Word, argument: [UInt8])
  case write(FileArgument, appending: Bool, then: AfterWrite)
  case yank
}

/// How lines are printed; the suffixes `l`, `n` and `p`.
struct LineFormat: OptionSet, Sendable {
  let rawValue: UInt8
  /// As they are.
  static let plain = LineFormat(rawValue: 1)
  /// With escapes for what can't be seen, folded.
  static let list = LineFormat(rawValue: 2)
  /// With their numbers.
  static let numbered = LineFormat(rawValue: 4)

  /// The format that a command or suffix letter asks for, or nil for other letters.
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

/// The lines that `a`, `i` and `c` put into the buffer.
enum InputText: Equatable, Sendable {
  /// They stand in a command list; whole lines.
  case given([UInt8])
  /// They are still to be read.
  case toBeRead
}

/// What stands behind `e`, `E`, `f`, `r`, `w` and `W`.
enum FileArgument: Equatable, Sendable {
  /// Nothing: the default name.
  case none
  /// A name. An odd number of backslashes at its end continues it on the next line.
  case name([UInt8])
  /// A shell command, without its `!`.
  case shell(ShellText)
}

/// A shell command as written, `%` and `!` not yet replaced.
struct ShellText: Equatable, Sendable {
  /// The text after the `!`.
  var bytes: [UInt8]
}

/// What follows a `w`.
enum AfterWrite: Equatable, Sendable {
  case nothing
  /// `wq`
  case quit
  /// `wQ`
  case quitDiscarding
}

/// A substitution written in full.
struct Substitution: Equatable, Sendable {
  /// What to look for, with `ignoreCase` from the flags; nil when a fault stands in it.
  var pattern: PatternText?
  /// What to put in its place; nil when a fault stands before it.
  var replacement: ReplacementText?
  /// Whether the replacement goes on in the next line.
  var continues = false
  /// The delimiter that ends the replacement.
  var delimiter: UInt8 = 0
  /// Which match of a line: 0 is all of them.
  var count = 1
  /// How to print the last changed line; empty for not at all.
  var format: LineFormat = []
  /// Whether the flags were read without a fault.
  var isComplete = false
}

/// The right side of a substitution.
enum ReplacementText: Equatable, Sendable {
  /// `%`: as in the last substitution.
  case previous
  /// Text with `&` and `\1` to `\9` in it.
  case template([UInt8])
}

/// A flag of a repeated substitution: `s`, `sg`, `s3`, `sp`, `sr`.
enum RepeatFlag: Equatable, Sendable {
  case count(Int)
  case toggleAll
  case togglePrint
  case lastSearch
}

/// `g`, `v`, `G` and `V`.
struct Global: Equatable, Sendable {
  /// Which lines to take; nil when a fault stands in it.
  var pattern: PatternText?
  /// Whether those lines are taken that do not match.
  var isInverted: Bool
  /// Whether a command list is asked for at each line.
  var isInteractive: Bool
  /// The first line of the list, without its newline. An odd number of backslashes at its end
  /// continues the list on the next line.
  var list: [UInt8] = []
}

/// A command with its addresses and suffixes.
struct ParsedCommand: Equatable, Sendable {
  /// The addresses before it.
  var addresses: Addresses
  /// What to do.
  var command: Command
  /// What has to be known of it before it runs.
  var rules = CommandRules.unknown
  /// How to print the current line afterwards; empty for not at all.
  var format: LineFormat = []
  /// What is wrong behind the command's letter. Whoever runs the command meets this after the
  /// address has been found good.
  var fault: ParseError?
}
