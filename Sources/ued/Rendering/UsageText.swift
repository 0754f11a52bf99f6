/// The words about the command line: help, version, and what was wrong.
enum UsageText {
  static let version = "0.1.0"

  /// Answers `--version`, for standard output.
  static let versionText = """
    ued \(version)
    A line editor with the language of ed. MIT license, no warranty.

    """

  /// Answers `--help`, for standard output.
  static let help = """
    Usage: ued [OPTION]... [FILE]
    Edit FILE by line, with the commands of ed. FILE may be '!COMMAND', to edit
    what a shell command prints. A lone '-' means -s; '--' ends the options.

      -E, --extended-regexp     regular expressions are extended ones
      -G, --traditional         behave as ed did before GNU
      -l, --loose-exit-status   exit with status 0 even if a command failed
      -p, --prompt=STRING       show STRING before each command
      -q, --quiet, --silent     keep standard error quiet
      -r, --restricted          no shell, and no file outside this folder
      -s, --script              print no byte counts, and no '!' after commands
      -v, --verbose             say what is wrong, not only '?' (as after 'H')
      -e, --expression=COMMAND  run COMMAND instead of standard input; repeatable
      -f, --file=SCRIPT         run the commands in SCRIPT; repeatable
      -i, --in-place[=SUFFIX]   write FILE at the end; the old one is FILESUFFIX
          --atomic              the first error ends the script, nothing is written
          --diff                write nothing: show what writing would change
          --history[=on|off]    keep the history of FILE on disk, or not
          --strip-trailing-cr   drop a carriage return at the end of lines read
      -h, --help                print this and exit
      -V, --version             print the version and exit

    Exit status: 0 all is well; 1 a command failed, or a file or an option could
    not be used; 2 the input ended with unsaved changes.

    The manual is ued(1).

    """

  /// What standard error is told about a command line that makes no sense; the status is then 1.
  ///
  /// - Parameters:
  ///   - error: What is wrong.
  ///   - program: The name that the program was called by.
  /// - Returns: Two lines.
  static func message(for error: UsageError, calledAs program: [UInt8]) -> [UInt8] {
    var text = Array("ued: ".utf8)
    switch error {
    case .unknownLetter(let letter):
      text += Array("invalid option -- '".utf8) + [letter] + Array("'".utf8)
    case .letterNeedsArgument(let letter):
      text += Array("option requires an argument -- '".utf8) + [letter] + Array("'".utf8)
    case .unknownWord(let argument):
      text += Array("unrecognized option '".utf8) + argument + Array("'".utf8)
    case .ambiguousWord(let argument):
      text += Array("option '".utf8) + argument + Array("' is ambiguous".utf8)
    case .wordNeedsArgument(let word):
      text += Array("option '--\(word)' requires an argument".utf8)
    case .wordTakesNoArgument(let word):
      text += Array("option '--\(word)' doesn't allow an argument".utf8)
    case .badArgument(let word, let argument):
      text += Array("option '--\(word)' can't be '".utf8) + argument + Array("'".utf8)
    }
    return text + Array("\nTry '".utf8) + program + Array(" --help' for more information.\n".utf8)
  }
}
