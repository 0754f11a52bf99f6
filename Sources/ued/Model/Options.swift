/// The options given by the command line and the environment.
struct Options: Equatable, Sendable {
  var extendedRegex = false
  /// `-G`: traditional ed, without GNU extensions.
  var traditional = false
  var looseExitStatus = false
  /// `-p`: the prompt; nil without the option.
  var prompt: [UInt8]?
  var quiet = false
  var restricted = false
  /// `-s`: no byte counts and no `!`.
  var script = false
  var verbose = false
  var stripTrailingCR = false
  /// Whether a person is at a terminal, without `-G` and POSIXLY_CORRECT. The parser does not check for
  /// a terminal.
  var isFriendly = true
  /// `-e` and `-f`, in order: the script; empty when it is standard input.
  var scriptParts: [ScriptPart] = []
  /// `-i`: write the file at the end; the suffix of the backup, empty for no backup.
  var inPlaceSuffix: [UInt8]?
  /// `--atomic`: nothing is written unless all of the script succeeds.
  var atomic = false
  /// `--diff`: write nothing, and show what writing would change.
  var diff = false
  /// `--history` or UED_HISTORY: whether the history is kept on disk; nil when not given.
  var keepsHistory: Bool?
  /// The file to edit, or a shell command after `!`. An empty name is no file.
  var fileName: [UInt8]?

  /// Whether writes wait until all of the script has succeeded.
  var defersWrites: Bool { atomic || diff }
  /// Whether the script is held to stricter rules than those of ed.
  var isStrict: Bool { !scriptParts.isEmpty || inPlaceSuffix != nil || atomic || diff }
  /// Whether the text is written at the end without a command.
  var writesAtEnd: Bool { inPlaceSuffix != nil || diff }
  /// Whether byte counts and the `!` after shell commands are suppressed.
  var isSilent: Bool { script || diff }
}

/// One `-e` or `-f` option.
enum ScriptPart: Equatable, Sendable {
  /// The argument of `-e`: lines of commands.
  case expression([UInt8])
  /// The argument of `-f`: the name of a file with commands; `-` is standard input.
  case file([UInt8])
}

/// An error in the command line.
enum UsageError: Error, Equatable, Sendable {
  case unknownLetter(UInt8)
  case letterNeedsArgument(UInt8)
  /// The argument as written, including its dashes.
  case unknownWord([UInt8])
  case ambiguousWord([UInt8])
  /// The full word, without dashes.
  case wordNeedsArgument(String)
  case wordTakesNoArgument(String)
  /// The full word, and an invalid argument.
  case badArgument(String, [UInt8])
}
