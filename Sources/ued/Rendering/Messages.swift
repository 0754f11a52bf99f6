import Glibc
import TextBuffer
import TextLines

/// The text of all messages. Those of errors are in the table of `ErrorTable.swift`.
enum Messages {
  /// The system's reason for a failure, after the name of the file.
  static func systemReason(_ error: FileError) -> [UInt8] {
    let name = error.path.isEmpty ? [] : error.path + bytes(": ")
    return name + SystemError(code: error.code).text + oldTextPlace(error)
  }

  static func systemText(_ code: Int32) -> String {
    // Only the standard output of `OutputCapture` fails like this.
    if code == ENOTCONN { return "only answers go there; print with 'p'" }
    return String(decoding: SystemError(code: code).text, as: UTF8.self)
  }

  static func oldTextPlace(_ error: FileError) -> [UInt8] {
    error.oldText.map { bytes("; the old text is in ") + $0 } ?? []
  }

  /// A warning, for standard error.
  static func text(_ warning: Warning) -> [UInt8] {
    switch warning {
    case .mended(let mending): mended(mending)
    case .notAtStart(let address, let error):
      bytes("+") + address + bytes(": ") + ErrorEntry(error).edMessage
    case .changedMeanwhile(let path, isGone: false):
      path + bytes(": changed by another program; 'diff disk' shows how, 'merge disk' joins both")
    case .savedMeanwhile(let path, let run, let id):
      path
        + bytes(
          ": changed by run \(run) (group \(id)); 'diff \(id)' shows how, 'merge \(id)' joins it")
    case .changedMeanwhile(let path, isGone: true):
      path + bytes(": removed by another program; 'w' makes it again")
    case .overwriting(let path, .changedOutside):
      path + bytes(": changed by another program; overwritten")
    case .overwriting(let path, .neverRead), .overwriting(let path, .readInPart):
      path + bytes(": could not be read; overwritten")
    case .notOverwritten(let path, let danger):
      path + bytes(": \(notOverwritten(danger)); 'w NAME' writes another file")
    case .leftByHangUp(let path):
      path + bytes(": the unsaved text of a session that lost its terminal; 'r ")
        + path + bytes("' reads it")
    case .readOnly(let path): path + bytes(": read-only; 'w NAME' writes another file")
    case .othersTextNotKept(let error):
      error.path
        + bytes(": the overwritten text is not in the history: \(systemText(error.code))")
    case .savedInPart(let path, let oldText):
      path + bytes(": an earlier save was interrupted; the previous text is in ") + oldText
    case .lostEscape(let letter): bytes(lostEscape(letter, "is"))
    case .textDropped(let ends):
      bytes("what follows, up to the line '") + Array(ends.joined(separator: bytes("' and then '")))
        + bytes("', is taken for text and not run")
    case .indentedOtherwise(fileUsesTabs: true):
      bytes("NEW is indented with blanks, and the file with tabs")
    case .indentedOtherwise(fileUsesTabs: false):
      bytes("NEW is indented with tabs, and the file with blanks")
    case .replacedBySame: bytes("OLD and NEW are the same; nothing was changed")
    case .nothingToUndo(let run, let reason, let isInGivenFiles):
      bytes("run '\(run)' \(text(reason, isInGivenFiles)); nothing to undo")
    }
  }

  private static func text(_ reason: NothingToUndo, _ isInGivenFiles: Bool) -> String {
    switch reason {
    case .isUndone:
      "is already undone or overwritten" + (isInGivenFiles ? " in these files" : "")
    case .changedNothing:
      "made no changes of its own" + (isInGivenFiles ? " in these files" : "")
    }
  }

  private static func mended(_ mending: TransactionMender.Mending) -> [UInt8] {
    switch mending {
    case .nothing, .completed: bytes("finished a run that was interrupted")
    case .undone(let paths): bytes("undid a run that was interrupted: \(list(paths))")
    case .leftAside(let paths):
      bytes("a run was interrupted, and its files have changed since; their previous texts: ")
        + bytes(list(paths))
    }
  }

  static func list(_ paths: [[UInt8]]) -> String {
    paths.map { GroupNames.readable($0) }.joined(separator: ", ")
  }

  static func text(_ move: Move) -> [UInt8] {
    switch move {
    case .undone(let names, _): bytes("undid: \(names.joined(separator: "; "))")
    case .redone(let names, _): bytes("redid: \(names.joined(separator: "; "))")
    case .jumped(let id, let name): bytes("now at \(id): \(name)")
    case .merged(let name, let conflicts, _): text(merged: name, conflicts.count)
    case .picked(let name, _): bytes("picked: \(name)")
    case .reverted(let name, _): bytes("reverted: \(name)")
    case .toggled(let isRedo): bytes("\(isRedo ? "redid" : "undid") the last command")
    }
  }

  /// The prefix of an error that ends a script.
  static func scriptLine(_ number: Int) -> [UInt8] { bytes("script, line \(number): ") }

  static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}

// MARK: - Runs

/// Messages about runs, and about the histories of many files.
extension Messages {
  static let noMemoryToStart = bytes(
    "ued: not enough memory to start; nothing was read or written\n")

  static func text(_ group: FoundGroup) -> [UInt8] {
    let time = SystemClock.text(group.time, "%Y-%m-%d %H:%M:%S")
    let run = group.run?.name.map { " (run \($0))" } ?? ""
    return inOneLine(group.file) + bytes(":\(group.id): \(time) \(group.title)\(run)")
  }

  /// A file name with newlines escaped; all other bytes stay, for other programs.
  static func inOneLine(_ name: [UInt8]) -> [UInt8] {
    name.flatMap { $0 == .newline ? bytes("\\n") : [$0] }
  }
}

// MARK: - Sentences

/// Histories and differences in sentences, for screen readers: no columns, no marks, no drawings.
extension Messages {
  /// A sentence for each revision, in display order; times of other days than `now` have a date.
  static func sentences(_ rows: [HistoryRow], now: Double) -> [String] {
    let today = HistoryTable.day(now)
    return rows.map { row in
      if row.isOpen { return "current: \(row.title)" }
      var facts = ["revision \(row.id)", time(row.time, today: today)]
      if let parent = row.parent, parent != row.id - 1 { facts.append("made from \(parent)") }
      for (count, verb) in [(row.lineCounts.added, "added"), (row.lineCounts.removed, "removed")]
      where count > 0 { facts.append("\(GroupNames.count(count)) \(verb)") }
      if row.isCurrent { facts.append("current") }
      if row.isNext { facts.append("'redo' leads there") }
      if row.isSaved { facts.append("saved") } else if row.wasSaved { facts.append("saved before") }
      return "\(facts.joined(separator: ", ")): \(row.title)"
    }
  }

  /// A time, with its date unless it is today's.
  private static func time(_ time: Double, today: String) -> String {
    HistoryTable.text(time, withDate: HistoryTable.day(time) != today)
  }

  static func difference(_ hunks: [LineHunk], of name: [UInt8]) -> String {
    let removed = hunks.reduce(0) { $0 + $1.old.count }
    let added = hunks.reduce(0) { $0 + $1.new.count }
    let place = name.isEmpty ? "buffer" : GroupNames.readable(name)
    return "\(place): \(GroupNames.count(removed)) removed, \(GroupNames.count(added)) added"
  }

  /// The prefix of an added or removed line; a removed one has its number in the old text.
  static func lineChanged(
    _ number: LineNumber, isAdded: Bool, isUnterminated: Bool
  ) -> [UInt8] {
    let end = isUnterminated ? ", without a newline" : ""
    return bytes("line \(number.value) \(isAdded ? "added" : "removed")\(end): ")
  }
}

/// The group that touched a line last, in words between the number of the line and its text.
extension Messages {
  static func origin(_ id: Int, _ time: String, run: String) -> String {
    let name = run.isEmpty ? "" : ", run \(run)"
    return id == 0 ? ", as first opened: " : ", revision \(id), \(time)\(name): "
  }

  static let originInOpenGroup = ", open group: "
}

// MARK: - History on disk

/// Messages about the history on disk.
extension Messages {
  static func notice(_ notice: HistoryNotice) -> [UInt8] {
    switch notice {
    case .trouble(.setAside(let place)):
      bytes("the history was damaged; a new one begins, the old one is now ") + place
    case .notKept(.device): bytes("no history is kept: not a regular file")
    case .notKept(.temporary):
      bytes("no history is kept of files in temporary folders; 'ued --history' keeps one")
    case .notKept(.secret):
      bytes("no history is kept of files that may hold secrets; 'ued --history' keeps one")
    case .trouble(let trouble): bytes("history is not kept: \(reason(trouble))")
    case .unsaved(let groups, let cutOff, let origin):
      bytes(
        GroupNames.groups(groups) + " \(origin.rawValue)"
          + (groups == 1 ? " was" : " were") + " not saved"
          + (cutOff.map { (groups == 1 ? ": " : ", the last one: ") + "'\($0)', cut off" } ?? "")
          + "; 'redo\(groups == 1 ? "" : " \(groups)")' brings "
          + "\(groups == 1 ? "it" : "them") back")
    case .unsavedElsewhere(let id):
      bytes("a previous session ended without saving; 'jump \(id)' brings its text back")
    case .changedOutside(let id, nil):
      bytes("the file was changed outside ued; 'diff \(id)' shows how")
    case .changedOutside(let id, let unsaved?):
      bytes(
        "the file was changed outside ued; 'diff \(id)' shows how, "
          + "'jump \(unsaved)' goes to the unsaved changes from before")
    case .goneOutside(let id):
      bytes("the file is gone, but its history is not; 'jump \(id)' brings its text back")
    case .renamed(let path):
      bytes("this file was renamed; its history goes on, from \(GroupNames.readable(path))")
    case .overwrote(let id):
      bytes("overwrote a change by another program; it is revision \(id)")
    case .isShared(let time):
      bytes(
        "another session edits this file since \(SystemClock.text(time, "%H:%M")); "
          + "'history all' shows its changes")
    case .staysUnnamed:
      bytes(
        "this file already has the history of another text; the history of this one is kept until you quit"
      )
    case .keptAgain: bytes("history is kept again")
    case .renumbered(let old, let new):
      bytes("the history on disk has other groups: revision \(old) is now \(new)")
    case .forgotten:
      bytes("deleted the history on disk; none is kept until the file is opened again")
    }
  }

  /// The number of groups that a list leaves out, and the command that shows all.
  static func beyond(_ listing: HistoryListing) -> [UInt8] {
    let (newer, older) = (listing.newerCount, listing.olderCount)
    let parts = [newer > 0 ? "\(newer) newer" : nil, older > 0 ? "\(older) older" : nil]
    let all = listing.rows.count + newer + older
    let lines = listing.lines
    let address = lines.count > 0 ? "\(lines.first.value),\(lines.last.value)" : ""
    let noun = newer + older == 1 ? "group" : "groups"
    return bytes(
      "\(parts.compactMap { $0 }.joined(separator: " and ")) \(noun); "
        + "'\(address)history \(all)' shows all")
  }

  static func otherBranches(_ count: Int) -> [UInt8] {
    bytes(
      "\(count) other \(count == 1 ? "branch" : "branches"); 'history all' shows "
        + (count == 1 ? "it" : "them"))
  }

  /// The message of `history /RE/` without a match.
  static func noGroupMatches(_ pattern: [UInt8]) -> [UInt8] {
    bytes("no group matches \(GroupNames.shown(pattern))")
  }

  /// The message of `history` for lines that no group has touched.
  static let noGroupTouched = bytes("no group in the history touched these lines")

  static func reason(_ trouble: StorageError) -> String {
    switch trouble {
    case .inUse: "another ued is editing this file"
    case .noLocks: "the file system that it is on has no locks"
    case .showsReturns:
      "the lines end with CR LF, and a plain script sees the CR; '-e' or '-i' keeps one"
    case .changedMeanwhile: "another ued has changed it"
    case .damaged: "wrong checksum"
    case .setAside, .damagedInPlace: "it is damaged, and can't be moved away"
    case .newer: "it was written by a newer version of ued"
    case .folder(let path, let code): "\(GroupNames.readable(path)): \(systemText(code))"
    case .foreign(let path): "\(GroupNames.readable(path)) is not yours alone, or is a link"
    case .noFolder: "neither XDG_STATE_HOME nor HOME is set to a path"
    case .groupTooLarge: "the last change is too large; those before it are kept"
    case .sqlite(7, _): "there is not enough memory"
    case .sqlite(8, _): "it can't be written"
    case .sqlite(10, _): "the disk has failed to read or write it"
    case .sqlite(13, _): "the disk is full"
    case .sqlite(14, _): "it can't be opened"
    case .sqlite(_, let message): message
    case .full: "it has reached its size limit; 'forget' deletes it"
    case .textTooLarge: "the text is too large"
    case .fileHasHistory: "this file already has the history of another text"
    case .tooManyUnnamed: "too many texts without a name wait in this folder"
    case .textWithoutName: "the previous text has no file name; its history stays in memory"
    }
  }
}

// MARK: - Friendly

/// Messages for people at a terminal.
extension Messages {
  /// The failure of a file or shell command, with its name.
  static func text(_ error: FileError) -> [UInt8] {
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

  /// The message for an error, and whether its command's changes stand.
  static func friendly(_ error: EditorError, _ detail: ErrorDetail) -> [UInt8] {
    let end: [UInt8]
    switch error {
    case .endOfInput: end = bytes("end of input")
    case .interrupted: end = bytes("interrupted")
    case .textHasNoEnd: end = ErrorEntry(error).message
    default: return ErrorEntry(error).message
    }
    switch detail {
    case .kept: return end + bytes("; earlier changes are kept")
    case .cutOff(let lines, let isInGroup):
      return end
        + bytes(
          "; '\(isInGroup ? "u" : "redo")' brings back the "
            + "\(lines == 1 ? "line" : "\(lines) lines") entered")
    case .brief, .explained, .explainedAt: return ErrorEntry(error).message
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
    var message = ErrorEntry(failure.error).strictMessage
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

  /// The shortest message for an interrupt.
  static let interrupted = bytes("interrupted")

  private static func shown(_ name: [UInt8]) -> [UInt8] { bytes(GroupNames.readable(name)) }

  static func newlineAdded(to source: [UInt8]?) -> [UInt8] {
    let source = source.map { " of \(GroupNames.readable($0))" } ?? ""
    return bytes("the last line\(source) had no newline; one was added")
  }
}

// MARK: - Terminal

/// Words that the line editor shows around the typed text.
extension Messages {
  static let endlessMacro = bytes(
    "line dropped: a macro of your settings calls itself without end; see 'bind -s' in editrc(5)")

  /// The prompt of a search in earlier lines. `isShown`: the line of an earlier match is shown.
  /// `isOlder`: the search went to older lines.
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
    case .failed(let error): return String(decoding: ErrorEntry(error).message, as: UTF8.self)
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
