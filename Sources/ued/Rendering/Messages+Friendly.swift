import Glibc
import TextBuffer

/// Messages for people at a terminal, which also say what to do.
extension Messages {
  /// The message for an error. An error that can't occur in ed has only one message.
  static func friendly(_ error: EditorError) -> [UInt8] {
    switch error {
    case .bufferModified:
      bytes("unsaved changes; 'w' saves them, repeat the command to discard them")
    case .endOfInput: bytes("end of input; nothing was changed")
    case .file(let error): reason(error)
    case .fileNameTooLong: bytes("file name too long")
    case .filesLeft(let names):
      bytes(
        "\(names.count == 1 ? "1 file has" : "\(names.count) files have") not been opened; "
          + "'next' opens \(GroupNames.readable(names[0])), repeat the command to quit")
    case .folderRestricted: bytes("restricted: only files in this folder")
    case .match(.infiniteSubstitution):
      bytes("infinite substitution: the pattern matches the empty string")
    case .interrupted: bytes("interrupted; nothing was changed")
    case .invalidDestination: bytes("can't move lines into themselves")
    case .invalidMark: bytes("a mark must be a letter from a to z")
    case .invalidRedirection: bytes("a file name is expected, not a command")
    case .markNotSet(let letter):
      bytes(
        "mark '\(GroupNames.shown([letter])) is not set; "
          + "'k\(GroupNames.shown([letter]))' sets it")
    case .noCurrentFileName: bytes("no file name; use 'w NAME' or 'f NAME'")
    case .noMatch: bytes("no match")
    case .noMatchBecause(.otherLine(let line)):
      bytes("no match in this line; line \(line.value) matches, and ',s' changes all lines")
    case .noMatchBecause(.otherDialect(let form, let here)):
      bytes("no match; '\(form)' is not special here, write '\(here)'")
    case .noMatchBecause(.returnIsLineEnd):
      bytes(
        "no match: the file's lines end with CR LF, and the CR is not part of a line; "
          + "'--strip-trailing-cr' drops it")
    case .noPreviousCommand: bytes("no previous command")
    case .noPreviousPattern: bytes("no previous pattern; write one between the slashes")
    case .noPreviousSubstitution: bytes("no previous substitution")
    case .noSuchLine(let line, let last) where line < LineNumber(1) && last > .zero:
      bytes("no line \(line.value): the first line is 1")
    case .noSuchLine(let line, .zero):
      bytes("no line \(line.value): the text is empty; 'a' adds some")
    case .noSuchLine(let line, let last):
      bytes("no line \(line.value): the last line is \(last.value)")
    case .nothingToPut:
      bytes("nothing to put; 'y' and 'd' fill the cut buffer, 'wq' saves and quits")
    case .nothingToUndo: bytes("nothing to undo")
    case .parse(let error): bytes(friendly(error))
    case .match(.invalidPattern(let message)): bytes("invalid pattern: ") + message
    case .rangeIsBackwards(let lines):
      bytes(
        "the range is backwards: line \(lines.first.value) comes after \(lines.last.value)")
    case .shellRestricted: bytes("restricted: no shell commands")
    case .shellUnavailable: bytes("can't start the shell")
    default: text(error)
    }
  }

  private static func friendly(_ error: ParseError) -> String {
    switch error {
    case .badHash: "a line's hash has three hexadecimal digits, as in '12:3fa'"
    case .delimiterInPlainText:
      "with F the text can't have the delimiter in it; take another one, as in 's|OLD|NEW|F'"
    case .lineEndsWithReturn:
      "the line ends with CR LF; remove the carriage returns of the script, as with \"tr -d '\\r'\""
    case .destinationExpected: "a destination is missing, as in '2,3m10'"
    case .globalInGlobal: "g, v, G and V can't be nested"
    case .ignoreCaseOnEmptyPattern: "'I' needs a pattern between the slashes"
    case .invalidAddress: "invalid address; see 'help addresses'"
    case .invalidPatternDelimiter: "a pattern needs delimiters, as in /pattern/"
    case .invalidSuffix:
      "unexpected text after the command; each command, and each line of text, has a line of its own"
    case .missingPatternDelimiter: "the closing delimiter is missing"
    case .numberOutOfRange: "number too large"
    case .trailingBackslash: "the pattern ends with a lone backslash"
    case .unbalancedBrackets: "unmatched [ in the pattern"
    case .unexpectedAddress: "this command takes no address"
    case .unexpectedSuffix: "no such command, or a space is missing before the file name"
    case .unknownCommand: "no such command; 'help' lists all"
    }
  }

  private static func reason(_ error: FileError) -> [UInt8] {
    let name = GroupNames.readable(error.path)
    if error.shellStatus != 0 { return bytes("\(name): \(shellEnded(error.shellStatus))") }
    return bytes("\(attempted(error)) \(name): \(systemText(error.code))") + oldTextPlace(error)
  }

  /// The message for a shell command with a status other than 0.
  static func shellEnded(_ status: Int32) -> String { "the command ended with status \(status)" }

  static func attempted(_ error: FileError) -> String {
    switch error.attempt {
    case .openInput, .readInput, .closeInput: "can't read"
    case .openOutput, .writeOutput, .closeOutput: "can't write"
    }
  }

  /// The name and size of a text just read or written.
  static func size(of name: [UInt8], lines: Int, bytes: Int) -> [UInt8] {
    let count = bytes == 1 ? "1 byte" : "\(bytes) bytes"
    return Self.bytes("\(GroupNames.readable(name)): \(GroupNames.count(lines)), \(count)")
  }

  /// The effect of a command on the text.
  static func text(_ effect: Effect) -> String {
    switch effect {
    case .added(let count): "\(GroupNames.count(count)) added"
    case .changed(0): "nothing changed"
    case .changed(let count): "\(GroupNames.count(count)) changed"
    case .copied(let count): "\(GroupNames.count(count)) copied"
    case .moved(let count): "\(GroupNames.count(count)) moved"
    case .removed(let count): "\(GroupNames.count(count)) deleted"
    case .lineRemoved(let line, let text):
      "line \(line.value) deleted: \(GroupNames.shown(text))"
    case .replaced(let old, let new): "\(GroupNames.count(old)) replaced by \(new)"
    case .described(let what): what
    case .promptsHidden: "no prompts from now on; 'P' brings them back"
    }
  }

  static func text(_ report: GroupReport) -> String {
    switch report {
    case .begun: "a group begins: 'end' ends it, 'abort' takes it back"
    case .innerEnded: "the inner group is ended"
    case .unchanged: "the group has changed nothing"
    case .aborted: "the group is taken back"
    case .ended(let id, let title): "now at \(id): \(title)"
    }
  }

  /// The number of changed lines that a move does not show.
  static func moreChanged(_ count: Int, by command: String) -> String {
    "… \(count) more; '\(command)' shows all"
  }

  /// The reason why a difference is empty.
  static func text(_ sameness: Sameness) -> String {
    switch sameness {
    case .saved: "no unsaved changes"
    case .onDisk: "the file on the disk is as the text here"
    case .revisions: "no difference"
    case .group(let id, nil): "\(id) changed nothing"
    case .group(0, let present?):
      "0 is the text as first opened; 'diff 0 \(present)' shows what has changed since"
    case .group(let id, let present?):
      "\(id) changed nothing; 'diff \(id) \(present)' shows how the text differs from it now"
    }
  }

  static func newFile(_ name: [UInt8]) -> [UInt8] {
    bytes("\(GroupNames.readable(name)): new file")
  }

  /// The files of the command line that `next` will open.
  static func laterFiles(_ names: [[UInt8]]) -> [UInt8] {
    let first = names.first.map { GroupNames.readable($0) } ?? ""
    let rest = names.count - 1
    let others = rest > 0 ? "; \(rest) more after it" : ""
    return bytes("'next' opens \(first)\(others)")
  }

  /// The end of a message about a move: the revision, unless mentioned already, and the current line.
  static func place(_ move: Move, line: LineNumber, of lines: Int) -> [UInt8] {
    let place = ", line \(line.value) of \(lines)"
    return switch move {
    case .undone(_, let id), .redone(_, let id), .reverted(_, let id), .picked(_, let id),
      .merged(_, _, let id):
      bytes("; now at \(id)" + place)
    case .jumped, .toggled: bytes(place)
    }
  }

  /// A move from one revision to another; of many groups, only the last is named.
  static func friendly(_ move: Move) -> [UInt8] {
    switch move {
    case .undone(let titles, _) where titles.count > 3:
      bytes("undid \(titles.count) groups, the last: \(titles[titles.count - 1])")
    case .redone(let titles, _) where titles.count > 3:
      bytes("redid \(titles.count) groups, the last: \(titles[titles.count - 1])")
    default: text(move)
    }
  }

  static func named(_ id: Int, _ title: String) -> [UInt8] { bytes("named \(id): \(title)") }

  /// The message for an error, with the state of its command's changes.
  static func friendly(_ error: EditorError, _ detail: ErrorDetail) -> [UInt8] {
    let end: [UInt8]
    switch error {
    case .endOfInput: end = bytes("end of input")
    case .interrupted: end = bytes("interrupted")
    case .textHasNoEnd: end = friendly(error)
    default: return friendly(error)
    }
    switch detail {
    case .kept: return end + bytes("; earlier changes are kept")
    case .cutOff(let lines, let isInGroup):
      return end
        + bytes(
          "; '\(isInGroup ? "u" : "redo")' brings back the "
            + "\(lines == 1 ? "line" : "\(lines) lines") entered")
    case .brief, .explained, .explainedAt: return friendly(error)
    }
  }

  static func text(_ fault: SettingsFault) -> [UInt8] {
    bytes(
      "\(GroupNames.readable(fault.path)):\(fault.line): not understood, ignored; see editrc(5)")
  }

  static let firstScreen = bytes(
    "'a' adds text, 'p' prints, 'w' saves, 'q' quits, 'help' lists all commands")

  static let endOfText = bytes("end with a line of a single dot")

  /// The hint for a line of text that looks like a command.
  static func looksLikeCommand(_ line: [UInt8]) -> [UInt8] {
    bytes("'\(GroupNames.shown(line))' is text here; a line of a single dot ends the text")
  }

  /// The message for the dropped rest of a paste.
  static func pasteDropped(_ lines: [[UInt8]]) -> [UInt8] {
    let shown = GroupNames.shown(Array(lines.joined(separator: bytes("; "))))
    return bytes(
      "\(lines.count) pasted \(lines.count == 1 ? "line was" : "lines were") not run: \(shown)")
  }

  /// The activity of a slow command.
  static func progress(of traits: CommandRules.Traits) -> String {
    traits.contains(.reads) ? "reading" : traits.contains(.writes) ? "writing" : "working"
  }
}

// MARK: - Strict

/// Messages of strict runs, for standard error.
extension Messages {
  /// The line about a failed run: `ued: FILE: SCRIPT:LINE: message`.
  static func text(_ failure: RunFailure) -> [UInt8] { program + named(failure) }

  /// The name by which ued was called, as the start of a message.
  private static var program: [UInt8] {
    UsageText.shortName(ProcessArguments.programName) + bytes(": ")
  }

  /// The reason why a run failed, with its file and the place in the script.
  static func named(_ failure: RunFailure) -> [UInt8] {
    let names = [failure.file, failure.place].filter { !$0.isEmpty }
    return names.flatMap { shown($0) + bytes(": ") } + reason(failure)
  }

  /// The reason why a run failed, without its file and the place in the script.
  static func reason(_ failure: RunFailure) -> [UInt8] {
    var message = strict(failure.error)
    if case .file(let error) = failure.error, error.path == failure.file || error.path.isEmpty {
      let reason = error.shellStatus != 0 ? shellEnded(error.shellStatus) : systemText(error.code)
      message = bytes("\(attempted(error)): \(reason)") + oldTextPlace(error)
    }
    if failure.suggestsRetry { message += bytes("; --retry runs the script again") }
    return message
  }

  /// A message about a file; about no file if the name is empty.
  static func strict(_ message: [UInt8], of file: [UInt8]) -> [UInt8] {
    program + (file.isEmpty ? [] : shown(file) + bytes(": ")) + message
  }

  /// The message for an error.
  static func strict(_ error: EditorError) -> [UInt8] {
    switch error {
    case .bufferModified:
      bytes("unsaved changes; save them with 'w' or -i, or discard them with 'Q'")
    case .endOfInput: bytes("the script ends in the middle of this command")
    case .fileUnseen(let danger): bytes(notOverwritten(danger))
    case .interrupted: interrupted + bytes("; pending writes were dropped")
    case .rangeIsBackwards(let lines) where lines.last == .zero:
      bytes("the text is empty; 'a' adds some")
    default: friendly(error)
    }
  }

  /// The shortest message for an interrupt.
  static let interrupted = bytes("interrupted")

  private static func shown(_ name: [UInt8]) -> [UInt8] { bytes(GroupNames.readable(name)) }

  static let newlineAdded = bytes("the last line had no newline; one was added")
}

// MARK: - Terminal

/// Words that the line editor shows around the typed text.
extension Messages {
  static let endlessMacro = bytes(
    "line dropped: a macro of your settings calls itself without end; see 'bind -s' in editrc(5)")

  /// The prompt of a search in earlier lines. `isShown`: a line is shown, found for a part of the
  /// text or by the search before. `isOlder`: the search went to older lines.
  static func recallSearch(
    _ text: [UInt8], isFound: Bool, isShown: Bool, isOlder: Bool
  ) -> [UInt8] {
    let others = isShown ? isOlder ? "earlier line" : "later line" : "line"
    return bytes(isFound ? "search '" : "no \(others) has '") + VisibleText.of(text) + bytes("': ")
  }
}

// MARK: - The tree

/// Words of the full-screen view of `tree`.
extension Messages {
  static let treeIsThere = "'tree' shows and walks it"

  /// The age of a group: `40 s`, `2 min`, `3 h`, `yesterday`, `4 days`, or a date, at most ten
  /// characters. Times are in seconds since 1970-01-01 UTC.
  static func age(of time: Double, now: Double) -> String {
    let seconds = Int(min(max(now - time, 0), 1e12))
    let day: (Double) -> String = HistoryTable.day
    return switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min"
    case _ where day(time) == day(now) || seconds < 6 * 3600: "\(seconds / 3600) h"
    case _ where day(time) == day(now - 86400): "yesterday"
    case ..<(7 * 86400): "\(max(seconds / 86400, 2)) days"
    default: day(time)
    }
  }

  static func text(_ note: TreePage.Note) -> String {
    func shown(_ pattern: String) -> String { GroupNames.shown(Array(pattern.utf8)) }
    switch note {
    case .done(let move, let line, let lineCount):
      return String(
        decoding: friendly(move) + place(move, line: line, of: lineCount), as: UTF8.self)
    case .named(let id, let title): return String(decoding: named(id, title), as: UTF8.self)
    case .failed(let error): return String(decoding: friendly(error), as: UTF8.self)
    case .found(let count, let pattern):
      return "\(GroupNames.groups(count)) with '\(shown(pattern))'; '/' and Enter show all"
    case .noneFound(let pattern): return "no group has '\(shown(pattern))'"
    case .onlySaved: return "saved states only; 's' shows all"
    case .noneSaved: return "nothing has been saved yet"
    case .noBranchBeside: return "no branch on that side"
    case .noSuchKey(let key): return "'\(key)' is no key here; '?' lists the keys"
    }
  }

  static func prompt(of question: TreePage.Question) -> String {
    switch question {
    case .filter: "/"
    case .name(let id): "name of \(id): "
    }
  }

  /// The most useful keys, with as many words as fit.
  static func treeKeys(in columns: Int, _ page: TreePage) -> String {
    if page.isWorking { return DisplayWidth.cut("working …", to: columns) }
    let keys: [(key: String, words: String)] =
      switch page.panel {
      case .keys: [("any key", "goes back")]
      case .conflict(let conflict):
        [
          (conflict.reachable.count > 1 ? "1-\(conflict.reachable.count)" : "1", "select"),
          ("Esc", "back"), ("?", "keys"), ("q", "leave"),
        ]
      case .lines, .nothing:
        [("Enter", "go")]
          + (columns < 70 ? [] : [("p", "pick"), ("r", "revert"), ("d", "diff")])
          + [("/", "filter"), ("?", "keys"), ("q", "leave")]
      }
    for (words, gap) in [(true, 4), (true, 2), (false, 2)] {
      let line = keys.map { words ? "\($0.key) \($0.words)" : $0.key }
        .joined(separator: String(repeating: " ", count: gap))
      if line.count <= columns || !words { return DisplayWidth.cut(line, to: columns) }
    }
    return ""
  }

  /// All keys, or the most useful ones if there are too few rows.
  static func treeHelp(_ columns: Int, _ rows: Int) -> [String] {
    let keys = [
      ("Up, k", "a newer revision"), ("Down, j", "an older one"),
      ("Left, h", "the branch to the left"), ("Right, l", "the branch to the right"),
      ("PageUp, PageDown", "a page"), ("Home, End", "the newest, the oldest"),
      ("Enter", "go there, and leave"), ("q, Esc, Ctrl-C", "leave"),
      ("d", "the difference from the text, or what it changed"),
      ("/", "only groups whose name or text matches"), ("s", "only saved ones, or all"),
      ("p", "pick: do it in the text, too"), ("r", "revert: undo it in the text"),
      ("n", "name it"),
    ]
    let width = keys.map(\.0.count).max() ?? 0
    let lines = keys.map { HistoryTable.padded($0.0, width) + "  " + $0.1 }
    if lines.count <= rows { return lines }
    let short =
      "Enter goes there, d shows the difference, / filters, s shows saved ones, p picks, r reverts, "
      + "n names, arrows and h j k l move, q leaves"
    return Array(DisplayWidth.wrapped(short, to: columns).prefix(rows))
  }

  static func revisionTitle(_ row: HistoryRow) -> String {
    let run = row.runName.map { ", run \($0)" } ?? ""
    return "\(row.id): \(row.title) (\(HistoryTable.text(row.time, withDate: true))\(run))"
  }

  static func differenceTitle(_ id: Int) -> String { "from \(id) to the present text" }

  static func noLines(of id: Int, fromPresent: Bool) -> String {
    if fromPresent { return "the present text is the same" }
    return id == 0 ? "the text as first opened" : "no lines changed"
  }

  /// The number of lines that do not fit.
  static func moreLines(_ count: Int) -> String { "… \(count) more" }

  static func conflictTitle(_ conflict: TreeConflict) -> String {
    "in the way of \(conflict.isPick ? "picking" : "reverting") \(conflict.id):"
  }

  static func lines(of conflict: TreeConflict) -> [String] {
    conflict.groups.enumerated().map { index, blocking in
      let key = index < conflict.reachable.count ? "\(index + 1)" : " "
      let lines = blocking.lines.map(place).joined(separator: ", ")
      let what =
        blocking.isHere ? "changed \(lines)" : "is not here; it comes first"
      return "\(key)  \(blocking.group.id) (\(blocking.group.title)) \(what)"
    }
  }
}
