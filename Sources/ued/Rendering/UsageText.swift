/// The output of `--help` and `--version`, and the messages about a wrong command line.
enum UsageText {
  static let version = "0.1.0"

  /// The output of `--version`.
  ///
  /// - Parameter commit: The commit that the program was built from; empty if that is not known.
  /// - Returns: Two lines.
  static func versionText(commit: String) -> String {
    """
    ued \(version)\(commit.isEmpty ? "" : " (\(commit))")
    A line editor with the language of ed. MIT license, no warranty.

    """
  }

  /// The output of `--help`.
  static let help = """
    Usage: ued [OPTION]... [+ADDRESS] [FILE]...
    Edit FILE by line, with the commands of ed. FILE may be '!COMMAND', to edit
    what a shell command prints. A lone '-' means -s; '--' ends the options.
    +5, +/RE or +?RE before FILE begins at line 5, the first or the last match.

      -E, --extended-regexp     regular expressions are extended ones
      -G, --traditional         behave as ed did before GNU
      -l, --loose-exit-status   exit with status 0 even if a command failed
      -p, --prompt=STRING       show STRING before each command
      -q, --quiet, --silent     keep standard error quiet
      -r, --restricted          no shell, and no file outside this folder
      -s, --script              print no byte counts, and no '!' after commands
      -v, --verbose             explain errors, not only '?' (as after 'H')
          --strip-trailing-cr   drop a carriage return at the end of lines read
          --unsafe-names        take control characters in names, as always
          --create              begin with an empty text if FILE does not exist
          --json                answer each command in JSON, for programs
          --history[=on|off|require]
                                keep the history of FILE on disk, or not
          --run=NAME            name this run in the history
      -h, --help                print this and exit
      -V, --version             print the version and exit

    With these the script runs on each FILE, and its first error ends it:
      -e, --expression=COMMAND  run COMMAND instead of standard input, repeatable
      -f, --file=SCRIPT         run the commands in SCRIPT; repeatable
      -i, --in-place[=SUFFIX]   write FILE at the end; the old one is FILESUFFIX
          --atomic              write all files at the end, or none
          --apply=PATCH         apply a unified diff of any files; '-' is stdin
          --diff                write nothing; show what would be written
          --check               write nothing: exit with 4 if files would change
          --expect=sha256:HEX   refuse a FILE with other content; one for each FILE
          --retry[=N]           run again when FILE was changed meanwhile
          --validate=COMMAND    write only what COMMAND accepts; '%' is the name

    With these there is no script; FILEs restrict them to the histories of these:
          --log                 list all runs, newest first, and their files
          --search=RE           list the groups whose name or text matches
          --undo-run=RUN        take a run back in all its files, or in none
          --since=T             only what is as new as 30s, 10m, 2h, 1d or a date

    Exit status: 0 success; 1 a command failed, or the options are wrong;
    2 FILE could not be read, or changes were not saved; 3 a FILE is not what was
    read or expected; 4 with --check, something would change.

    The manual is ued(1).

    """

  /// The message for an error in the command line, as two lines.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - program: The name by which the program was called.
  /// - Returns: Two lines.
  static func message(for error: UsageError, calledAs program: [UInt8]) -> [UInt8] {
    shortName(program) + Array(": ".utf8) + reason(error) + Array("\nTry '".utf8) + program
      + Array(" --help' for more information.\n".utf8)
  }

  /// The name of a program without its folder.
  static func shortName(_ program: [UInt8]) -> [UInt8] {
    program.split(separator: .slash).last.map { Array($0) } ?? Array("ued".utf8)
  }

  /// What is wrong in the command line.
  static func reason(_ error: UsageError) -> [UInt8] {
    let (before, argument, after): (String, [UInt8], String) =
      switch error {
      case .unknownLetter(let letter): ("invalid option -- '", [letter], "'")
      case .letterNeedsArgument(let letter): ("option requires an argument -- '", [letter], "'")
      case .unknownWord(let argument): ("unrecognized option '", argument, "'")
      case .ambiguousWord(let argument): ("option '", argument, "' is ambiguous")
      case .wordNeedsArgument(let word): ("option '--\(word)' requires an argument", [], "")
      case .wordTakesNoArgument(let word): ("option '--\(word)' doesn't allow an argument", [], "")
      case .badArgument(let word, let argument):
        ("option '--\(word)' takes \(Self.arguments(of: word)), not '", argument, "'")
      case .badRunName(let name):
        ("UED_RUN takes \(Self.arguments(of: "run")), not '", name, "'")
      case .wordsConflict(let word, let other):
        ("options '--\(word)' and '--\(other)' can't be used together", [], "")
      case .wordNeedsOther(let word, let others):
        ("'--\(word)' is for use with \(others.map { "--\($0)" }.joined(separator: ", "))", [], "")
      case .hashesDoNotMatchFiles: ("each FILE needs an '--expect' of its own", [], "")
      case .patchTakesNoFile: ("'--apply' takes no FILE; the patch names its files", [], "")
      case .emptyFileName: ("a FILE has an empty name", [], "")
      case .backupIsFile(let name): ("the backup '", name, "' is a FILE of this run, too")
      case .fileIsCommand(let name): ("there is no file '", name, "'; a command needs -e")
      case .scriptIsMissing:
        ("no script; use -e, -f or standard input", [], "")
      }
    return Array(before.utf8) + shown(argument, in: error) + Array(after.utf8)
  }

  /// An argument in a message: in those that are GNU ed's as it is, in ours without control characters.
  private static func shown(_ argument: [UInt8], in error: UsageError) -> [UInt8] {
    switch error {
    case .badArgument, .badRunName, .backupIsFile, .fileIsCommand:
      Array(GroupNames.readable(argument).utf8)
    default: argument
    }
  }

  /// What a word takes as its argument.
  private static func arguments(of word: String) -> String {
    switch word {
    case "expect": "sha256: and 64 hexadecimal digits"
    case "history": "on, off or require"
    case "in-place": "a suffix without a slash, since ued runs restricted"
    case "run": "a name in UTF-8 without control characters"
    case "since": "30s, 10m, 2h, 1d, a date or a date and time"
    case "retry": "a number from 1 to 1000000"
    default: "a command with a '%' for the file"
    }
  }
}
