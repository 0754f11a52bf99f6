/// How the program is to behave, as the command line and the environment say.
struct Options: Equatable, Sendable {
  var extendedRegex = false
  /// `-G`: as ed was before GNU.
  var traditional = false
  var looseExitStatus = false
  /// Shown before commands when given; without `-p` it is nil.
  var prompt: [UInt8]?
  var quiet = false
  var restricted = false
  /// `-s`: no byte counts and no `!`.
  var script = false
  var verbose = false
  var stripTrailingCR = false
  /// Whether the user is a person, who gets what is safe and readable: at a terminal, without `-G`
  /// and POSIXLY_CORRECT. Parsing leaves the terminal out of account.
  var isFriendly = true
  /// What `-e` and `-f` give, in order; the script instead of standard input unless empty.
  var scriptParts: [ScriptPart] = []
  /// `-i`: write the file at the end; the suffix of a backup, which is empty for none.
  var inPlaceSuffix: [UInt8]?
  /// `--atomic`: nothing is written unless all of the script succeeds.
  var atomic = false
  /// `--diff`: nothing is written; what writing would change is shown.
  var diff = false
  /// `--history` or UED_HISTORY: whether the history is kept on disk; nil where nobody has said.
  var keepsHistory: Bool?
  /// The file to edit, or a shell command after `!`. It may be empty, and then it names no file.
  var fileName: [UInt8]?

  /// Whether writes wait until all of the script has succeeded.
  var defersWrites: Bool { atomic || diff }
  /// Whether the text is written at the end without being told to.
  var writesAtEnd: Bool { inPlaceSuffix != nil || diff }
  /// Whether byte counts and the `!` behind shell commands are left out.
  var isSilent: Bool { script || diff }
}

/// A part of a script on the command line.
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
  /// The full word, and an argument that it does not accept.
  case badArgument(String, [UInt8])
}
