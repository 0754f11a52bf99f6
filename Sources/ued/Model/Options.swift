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
  /// Whether a person at a terminal gets more than ed: neither `-G` nor POSIXLY_CORRECT is given,
  /// and the run is not strict.
  var isFriendly = true
  /// `-e` and `-f`, in order: the script; empty when it is standard input.
  var scriptParts: [ScriptPart] = []
  /// `-i`: write each file at the end; the suffix of the backup, empty for no backup.
  var inPlaceSuffix: [UInt8]?
  /// `--atomic`: all files of the run are written, or none.
  var atomic = false
  /// Whether the task undoes a run; files that the run removed are created again.
  var undoesRun = false
  /// `--apply`: the file with a patch to apply; `-` is standard input.
  var patch: [UInt8]?
  /// `--create`: a file that does not exist begins empty.
  var create = false
  /// `--diff`: write nothing, and show what writing would change.
  var diff = false
  /// `--check`: write nothing, and report by the exit status whether writing would change anything.
  var check = false
  /// `--expect`: the SHA-256 hashes that the files must have, in the order of the files.
  var expectedHashes: [HashPrefix] = []
  /// `--retry`: how often the script runs again after a file was changed meanwhile.
  var retries = 0
  /// `--validate`: the shell command that accepts or rejects a staged file, whose name is `%`.
  var validation: [UInt8]?
  /// `--json`: answers in JSON, for programs.
  var json = false
  /// `--history` or UED_HISTORY: whether the history is kept on disk; nil when not given.
  var keepsHistory: Bool?
  /// `--history=require`: nothing is written whose history can't be kept.
  var historyIsRequired = false
  /// `--run` or UED_RUN: the name of this run; nil when not given.
  var runName: String?
  /// Whether nothing is written without a history: otherwise a named run could not be undone.
  var requiresHistory: Bool { historyIsRequired || keepsHistory == true && runName != nil }
  /// `--log`, `--record`, `--search` or `--undo-run`: the task on the histories of all or the given
  /// files.
  var historyTask: HistoryTask?
  /// `--since`: the earliest time of the results of `historyTask`.
  var since: Since?
  /// The files of the command line; an empty name stands for no file. The first may be a shell
  /// command after `!`, unless `namesAreFiles`.
  var fileNames: [[UInt8]] = []

  /// The files after the first one, which `next` opens at a terminal; empty in strict runs.
  var laterFileNames: [[UInt8]] = []
  /// `+LINE`, `+/RE` or `+?RE` before the file: the first current line of a person or plain script,
  /// as an address without the `+`.
  var startAddress: [UInt8]?
  /// LINES: the height of the screen; nil when not given.
  var screenLines: Int?

  /// The number of retries of `--retry` without a number.
  static let defaultRetries = 10

  /// Whether standard input is edited, and the result goes to standard output: the FILE is `-`.
  var isFilter = false

  var fileName: [UInt8]? { fileNames.first }
  /// Whether the run is strict: an option that ed does not have makes it so, unless the option has
  /// no effect alone. Errors go to standard error, and the first one ends the script; a dialogue
  /// answers errors instead.
  var isStrict: Bool {
    !scriptParts.isEmpty || json || defersWrites || historyTask != nil || retries > 0
      || validation != nil || !expectedHashes.isEmpty || patch != nil
  }
  /// Whether a program sends commands one by one, and each may depend on the previous answer.
  var isDialogue: Bool {
    json && scriptParts.isEmpty && !defersWrites && retries == 0 && fileNames.count < 2
      && historyTask == nil && patch == nil
  }
  /// Whether nothing is written.
  var isDry: Bool { diff || check }
  /// Whether writes wait until all of the script has succeeded.
  var defersWrites: Bool { writesAtEnd || atomic }
  /// Whether the text is written at the end without a command.
  var writesAtEnd: Bool { inPlaceSuffix != nil || isDry || patch != nil || isFilter }
  /// Whether byte counts and the `!` after shell commands are suppressed.
  var isSilent: Bool { script || writesAtEnd || json }
  /// Whether a name on the command line that begins with `!` names a file.
  var namesAreFiles: Bool {
    isStrict
      && (defersWrites || historyTask != nil || fileNames.count > 1 || retries > 0
        || !expectedHashes.isEmpty)
  }
}

enum HistoryTask: Equatable, Sendable {
  /// Lists the runs.
  case log
  /// Records changes that other programs made to the files of the command line as groups of this
  /// run.
  case record
  /// Lists the groups that match a regular expression.
  case search([UInt8])
  /// Undoes a run, or all runs with a name.
  case undoRun([UInt8])

  /// Whether it adds groups to histories.
  var makesGroups: Bool {
    switch self {
    case .log, .search: false
    case .record, .undoRun: true
    }
  }

  var word: String {
    switch self {
    case .log: "log"
    case .record: "record"
    case .search: "search"
    case .undoRun: "undo-run"
    }
  }
}

/// A time in the past.
enum Since: Equatable, Sendable {
  /// Some seconds before now.
  case ago(Double)
  /// Seconds since 1970-01-01 UTC.
  case time(Double)
}

extension Since {
  /// Parses `30s`, `10m`, `2h` or `1d`, or a local date such as `2026-11-20`. A blank or `T` and a
  /// time such as `14:02` or `14:02:11` may follow the date. Nil for anything else.
  init?(_ word: [UInt8]) {
    let units: [UInt8: Int] = [
      UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600,
      UInt8(ascii: "d"): 86400,
    ]
    if let unit = word.last.flatMap({ units[$0] }) {
      guard let number = Self.number(word.dropLast()) else { return nil }
      self = .ago(Double(number * unit))
      return
    }
    let halves = word.split(
      maxSplits: 1, omittingEmptySubsequences: false,
      whereSeparator: { $0 == .space || $0 == UInt8(ascii: "T") })
    let date = halves[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let clock =
      halves.count < 2
      ? [] : halves[1].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let numbers = (date + clock).compactMap { Self.number($0) }
    guard date.count == 3, clock.isEmpty || 2...3 ~= clock.count, date[0].count == 4,
      numbers.count == date.count + clock.count,
      let time = SystemClock.time(numbers + Array(repeating: 0, count: 6 - numbers.count))
    else { return nil }
    self = .time(time)
  }

  /// A number of at most seven digits.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard 1...7 ~= digits.count, digits.allSatisfy(\.isDigit) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }
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
  /// The full word, its valid arguments, and the invalid one given.
  case badArgument(String, takes: String, [UInt8])
  /// The value of UED_RUN, which can't be the name of a run.
  case badRunName([UInt8])
  /// Two options that exclude each other.
  case wordsConflict(String, String)
  /// An option that needs one of several others.
  case wordNeedsOther(String, [String])
  /// An option that needs a FILE.
  case wordNeedsFile(String)
  /// The number of hashes of `--expect` differs from the number of files.
  case hashesDoNotMatchFiles
  case emptyFileName
  /// A FILE in addition to a patch, which names its own.
  case patchTakesNoFile
  /// `-l`, which hides failures, in a strict run.
  case strictRunIsNotLoose
  /// An option that needs a real file, with the FILE `-`.
  case filterTakesNo(String)
  /// An option has two values, and only one can count.
  case isGivenTwice(String)
  /// A strict run at a terminal without `-e` and `-f`.
  case scriptIsMissing
  /// A FILE that does not exist, and would be a valid command: `-e` is probably missing.
  case fileIsCommand([UInt8])

  /// The valid names of runs.
  static let runNames = "a name in UTF-8 without control characters"
}
