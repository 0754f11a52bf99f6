import Glibc
import TextBuffer

/// A row of the table of errors.
struct ErrorEntry {
  let code: ErrorCode
  /// The message: what is wrong, then what to do.
  let message: [UInt8]
  /// The message for plain scripts, which may compare ed's words.
  let edMessage: [UInt8]
  /// The message for strict runs.
  let strictMessage: [UInt8]
  let hint: ErrorHint?

  /// A row in which `ed` and `strict` replace the message where they are given.
  fileprivate init(
    _ code: ErrorCode, _ message: String, ed: String? = nil, strict: String? = nil,
    hint: ErrorHint? = nil
  ) {
    self.code = code
    self.message = Messages.bytes(message)
    edMessage = Messages.bytes(ed ?? message)
    strictMessage = Messages.bytes(strict ?? message)
    self.hint = hint
  }

  /// A row whose message may not be in UTF-8.
  fileprivate init(_ code: ErrorCode, bytes message: [UInt8], ed: [UInt8]? = nil) {
    self.code = code
    self.message = message
    edMessage = ed ?? message
    strictMessage = message
    hint = nil
  }

  /// The row of an error, with the name of its file before the messages.
  private init(_ error: EditorError, of file: [UInt8]) {
    let (entry, name) = (ErrorEntry(error), Messages.bytes(GroupNames.readable(file) + ": "))
    code = entry.code
    message = name + entry.message
    edMessage = name + entry.edMessage
    strictMessage = name + entry.strictMessage
    hint = entry.hint
  }

  fileprivate static let interrupted = ErrorEntry(
    .interrupted, "interrupted; nothing was changed", ed: "Interrupt",
    strict: "interrupted; pending writes were dropped")
}

/// Facts that may help a program after an error.
struct ErrorHint: Equatable, Sendable {
  /// The lines of the text that the error is about: the wanted lines, or the most similar ones.
  var lines: [LineNumber] = []
  /// The first difference between the text and the wanted lines.
  var difference: LineMismatch?
  /// The revisions that the error is about.
  var revisions: [Int] = []
}

extension ErrorHint {
  fileprivate init(_ lines: LineRange, difference: LineMismatch? = nil) {
    self.init(lines: lines.numbers, difference: difference)
  }

  fileprivate init(_ mismatch: LineMismatch, _ advice: BlockAdvice?) {
    switch advice {
    case .standsAt(let lines)?: self.init(lines, difference: mismatch)
    case .stoodThere(let past)?: self.init(past, difference: mismatch)
    default: self.init(difference: mismatch)
    }
  }

  /// A hint with the lines that replaced a block, the last revision that has it, and the group that
  /// changed it.
  fileprivate init(_ past: PastPlace, difference: LineMismatch? = nil) {
    self.init(
      lines: (0..<min(past.now.count, 8)).map { past.now.first + $0 }, difference: difference,
      revisions: [past.revision, past.group.id])
  }
}

// MARK: - The table

extension ErrorEntry {
  /// The row of an error.
  init(_ error: EditorError) {
    func shown(_ bytes: [UInt8]) -> String { GroupNames.shown(bytes) }
    self =
      switch error {
      case .ambiguousRevision(let name, let ids):
        .init(
          .ambiguousRevision,
          "'\(shown(name))' matches several revisions: "
            + ids.map(String.init).joined(separator: ", "),
          hint: ErrorHint(revisions: ids))
      case .ambiguousRun(let name, let identities):
        .init(.invalidArgument, "'\(shown(name))' could be \(identities.joined(separator: " or "))")
      case .badArgument(let argument, let word):
        .init(
          .invalidArgument, "invalid argument '\(shown(argument))'; see 'help \(word.name)'")
      case .badForm("expect"):
        .init(
          .invalidArgument,
          "expect takes '<<END', 'N /RE/', or 'sha256:' and six hexadecimal digits or more")
      case .badForm:
        .init(
          .invalidArgument,
          "replace takes two words and their lines, 'replace <<OLD <<NEW'; "
            + "before them, 'text' or 'loose', and 'all' or a number above 0")
      case .badEnsure(.badPattern(let fault)): fault.entry
      case .badEnsure(let fault): .init(.invalidArgument, Messages.text(fault))
      case .badEnsuredText(isBlock: true):
        .init(
          .invalidArgument, "the text has to begin and end with lines that match the two patterns")
      case .badEnsuredText(isBlock: false):
        .init(.invalidArgument, "the text has to be one line; 'ensure /RE/,/RE/' takes a block")
      case .badReply(let reply):
        .init(
          .invalidArgument,
          "invalid answer '\(shown(reply))': y replaces this match, n skips it, "
            + "a replaces all that follow, q stops")
      case .backupIsFile(let name):
        .init(
          .invalidArgument,
          "the backup '\(GroupNames.readable(name))' is a FILE of this run, too")
      case .backupIsWritten(let name):
        .init(
          .restricted,
          "'\(GroupNames.readable(name))' is the backup that -i makes; write to another name")
      case .blockFound(let lines, let count, 1, let exactly, let matching, let overlap):
        .init(
          .blockCount,
          "\(Messages.found(lines, count)); "
            + (exactly.map { "'replace' would match line \($0.value) only; " } ?? "")
            + (Set(lines).count > 1 ? "add lines to OLD, address one place" : "add text to OLD")
            + (overlap
              ? "; they overlap"
              : ", or change all of them by '\(Messages.name(of: matching)) \(count)'"),
          hint: ErrorHint(lines: lines))
      case .blockFound(let lines, let count, let expected, _, _, _):
        .init(
          .blockCount,
          "\(Messages.found(lines, count)), not \(Messages.times(expected))",
          hint: ErrorHint(lines: lines))
      case .blockHasEnd(let word):
        .init(
          .invalidArgument,
          "the new text has a line '\(shown(word))', which ends the old one; "
            + "choose words that are no lines of the texts")
      case .blockIsEmpty:
        .init(.missingArgument, "OLD is empty, which is everywhere; 'a' and 'i' insert lines")
      case .blockIsReplaced(let lines, let matching):
        .init(
          .blockCount,
          "already so: \(GroupNames.text(lines)); '\(Messages.name(of: matching)) 1' does it again",
          hint: ErrorHint(lines))
      case .blockIsTooFarLeft:
        .init(
          .blockNotFound,
          "a line of NEW would begin left of the margin; indent OLD and NEW as the file is")
      case .blockIsVague:
        .init(
          .missingArgument,
          "OLD has no letter or digit, by which it could be told apart; 'replace' takes it exactly")
      case .blockNotFound(_, .alreadySo(let lines)?):
        .init(
          .blockNotFound, "not found; already so: \(GroupNames.text(lines))", hint: ErrorHint(lines)
        )
      case .blockNotFound(let nearest, .copiedMarks?):
        .init(
          .blockNotFound,
          "not found; OLD begins with the marks of a diff, which are not in the file: leave them out",
          hint: nearest.map { ErrorHint($0.lines, difference: $0.mismatch) })
      case .blockNotFound(let nearest, .copiedNumbers?):
        .init(
          .blockNotFound,
          "not found; OLD begins with line numbers, which are not in the file: leave them out",
          hint: nearest.map { ErrorHint($0.lines, difference: $0.mismatch) })
      case .blockNotFound(_, .standsAt(let lines)?):
        .init(
          .blockNotFound, "not in these lines; found at \(GroupNames.text(lines))",
          hint: ErrorHint(lines))
      case .blockNotFound(_, .stoodThere(let past)?):
        .init(.blockNotFound, "not found; \(Messages.text(past))", hint: ErrorHint(past))
      case .blockNotFound(let nearest, let advice):
        .init(
          .blockNotFound,
          "not found"
            + (nearest.map(Messages.text) ?? (advice == nil ? ", nor lines like these" : ""))
            + (advice.map(Messages.text) ?? ""),
          hint: nearest.map { ErrorHint($0.lines, difference: $0.mismatch) })
      case .bufferModified:
        .init(
          .unsavedChanges, "unsaved changes; 'w' saves them, repeat the command to discard them",
          ed: "Warning: buffer modified",
          strict: "unsaved changes; save them with 'w' or -i, or discard them with 'Q'")
      case .endOfInput:
        .init(
          .unexpectedEnd, "end of input; nothing was changed", ed: "Unexpected end-of-file",
          strict: "the script ends in the middle of this command")
      case .ensuredLineDiffers(let line, let pattern):
        .init(
          .invalidArgument,
          "the pattern '\(shown(pattern))' has to match the line '\(GroupNames.exact(line))', too; "
            + "otherwise another value would be added beside it")
      case .ensuredMarkerInside(let number, let line):
        .init(
          .invalidArgument,
          "line \(number.value) of the text, '\(GroupNames.exact(line))', matches a pattern; "
            + "make them match only the first and the last line")
      case .file(let error): error.entry
      case .fileIsLocked(nil):
        .init(.fileLocked, "locked by another program; try again later")
      case .fileIsLocked(let holder?):
        .init(
          .fileLocked,
          "locked by '\(shown(holder.command))' (process \(holder.process)); try again later")
      case .fileNameTooLong:
        .init(.invalidFileName, "file name too long", ed: "Filename too long")
      case .fileNotRead:
        .init(.fileExists, "exists, but was not read; not overwritten; remove it first")
      case .fileOfRunIsBack:
        .init(
          .conflict, "the run removed this file, and another one is there now; move that away first"
        )
      case .fileOfRunIsGone:
        .init(
          .fileNotFound,
          "does not exist any more; give the other files to have the run taken back there")
      case .historyOfRunIsDamaged:
        .init(
          .noHistory, "the history of the run was damaged; give the other files to undo it there")
      case .fileUnseen(let danger):
        .init(
          danger == .changedOutside ? .fileChanged : .fileNotReadable,
          "the file was \(Messages.notOverwritten(danger)); 'w NAME' writes another file",
          strict: Messages.notOverwritten(danger))
      case .filesLeft(let names):
        .init(
          .needsConfirmation,
          "\(names.count == 1 ? "1 file has" : "\(names.count) files have") not been opened; "
            + "'next' opens \(names.first.map { GroupNames.readable($0) } ?? ""), "
            + "repeat the command to quit",
          ed: "files of the command line have not been opened")
      case .filterNotFound(let command):
        .init(
          .shellFailed,
          "the shell has no command '\(shown(command))' (status 127); "
            + "after an address, '!' filters lines; 'v/RE/d' deletes lines that do not match")
      case .folderRestricted:
        .init(
          .restricted, "restricted: only files in this folder", ed: "Directory access restricted")
      case .forgetsHistory(let groups):
        .init(
          .needsConfirmation,
          "this deletes the history on disk (\(GroupNames.groups(groups))); "
            + "repeat the command to confirm")
      case .groupIsOpen: .init(.groupOpen, "a group is open; use 'end' or 'abort' first")
      case .groupWasAborted:
        .init(.groupAborted, "the group was aborted; commands up to its 'end' are refused")
      case .groupsInTheWay(let groups):
        .init(
          .conflict, Messages.text(groups),
          hint: ErrorHint(
            lines: groups.flatMap { $0.lines.map { max($0.last, LineNumber(1)) } },
            revisions: groups.map(\.group.id)))
      case .historyChanged:
        .init(.historyChanged, "its history has changed since it was read; nothing was written")
      case .historyDamaged:
        .init(.historyDamaged, "the history is damaged; the text is as it was")
      case .historyInUse:
        .init(.fileLocked, "another ued has its history open; try again when that has ended")
      case .historyNotDeleted(let code):
        .init(.historyNotDeleted, "can't delete the history on disk: \(Messages.systemText(code))")
      case .historyNotKept(let error, let isRecording):
        .init(
          error == .inUse ? .fileLocked : .noHistory,
          "not \(isRecording ? "recorded" : "written"), as its history can't be kept: "
            + (error.map(Messages.reason) ?? "there is none of such a file"))
      case .historyNotSearched(let file, let error):
        .init(
          error == .inUse ? .fileLocked : .fileNotReadable,
          "the history of \(GroupNames.readable(file)) was not searched: \(Messages.reason(error))")
      case .historyShared(let runs):
        .init(
          .fileLocked,
          "not deleted: \(runs.joined(separator: ", ")) \(runs.count == 1 ? "is" : "are") "
            + "using this history")
      case .hunkIsStale(let rejection, let past):
        .init(
          .hunkRejected, "\(Messages.name(of: rejection)) does not fit; \(Messages.text(past))",
          hint: ErrorHint(past))
      case .indexUnusable(.newer):
        .init(
          .fileNotReadable, "the index of histories was written by a newer version of ued")
      case .indexUnusable(.inUse):
        .init(
          .fileNotReadable,
          "the index of histories can't be used: another process has locked it")
      case .indexUnusable(let error):
        .init(
          .fileNotReadable, "the index of histories can't be used: \(Messages.reason(error))")
      case .interrupted: .interrupted
      case .invalidDestination:
        .init(.invalidDestination, "can't move lines into themselves", ed: "Invalid destination")
      case .invalidMark:
        .init(.invalidMark, "a mark must be a letter from a to z", ed: "Invalid mark character")
      case .invalidRedirection:
        .init(.invalidFileName, "a file name is expected, not a command", ed: "Invalid redirection")
      case .lineCantBeEdited(let line):
        .init(
          .needsTerminal,
          "line \(line.value) has bytes that can't be edited here; use 'c' or 's'")
      case .lineDiffers(let line, let hash, let found, let others, let past):
        .init(
          .lineDiffers,
          "\(Messages.state(of: line, found)); \(Messages.place(of: hash, others, past))",
          hint: ErrorHint(
            lines: [line] + others, revisions: past.map { [$0.revision, $0.group.id] } ?? []))
      case .lineIsGone(let line, let revision, let loss):
        .init(
          .lineIsGone, "line \(line.value) of revision \(revision) is gone: \(Messages.text(loss))",
          hint: loss.group.map { ErrorHint(revisions: [$0.id]) })
      case .linesAreAs(let id):
        .init(.nothingToDo, "these lines are as at \(id); there is nothing to revert")
      case .linesAreThere(let lines):
        .init(
          .blockCount,
          "already so: \(GroupNames.text(lines)); without the hash in its address, "
            + "the command does it again",
          hint: ErrorHint(lines))
      case .linesNotRead:
        .init(.shellFailed, "the command did not read the lines; 'r !COMMAND' inserts its output")
      case .lostEscape(let letter):
        .init(.invalidPattern, Messages.lostEscape(letter, "would be"))
      case .markNotSet(let letter):
        .init(
          .markNotSet, "mark '\(shown([letter])) is not set; 'k\(shown([letter]))' sets it",
          ed: "Invalid address")
      case .markersUnbalanced(let line):
        .init(
          .unbalancedMarkers,
          "the marker in line \(line.value) has no matching one; mend that first")
      case .match(.abandoned): .interrupted
      case .match(.infiniteSubstitution):
        .init(
          .infiniteSubstitution, "infinite substitution: the pattern matches the empty string",
          ed: "Infinite substitution loop")
      case .match(.invalidPattern(let message)):
        .init(
          .invalidPattern, bytes: Messages.bytes("invalid pattern: ") + message,
          ed: message)
      case .match(.lineTooLong):
        .init(
          .outOfMemory, "line too long for this pattern; the limit is 1 GiB, or 2 GiB if simple")
      case .mergeConflicts(let conflicts, let name):
        .init(
          .conflict, Messages.text(conflicts, with: name),
          hint: ErrorHint(
            lines: conflicts.map(\.lines.first),
            revisions: conflicts.flatMap { [$0.ours?.id, $0.theirs?.id].compactMap { $0 } }))
      case .missingArgument(let word):
        .init(.missingArgument, "an argument is missing; see 'help \(word.name)'")
      case .mistyped(let line, let hint, let fault):
        .init(
          fault.entry.code,
          hint.map { Messages.text($0, for: line) }
            ?? "\(shown(line)): \(String(decoding: fault.entry.message, as: UTF8.self))")
      case .nameNeedsQuotes:
        .init(
          .invalidFileName,
          "the file name has characters special to the shell; write it quoted instead of '%'")
      case .needsTerminal("tree"):
        .init(
          .needsTerminal,
          "'tree' needs a full screen and no UED_PLAIN; 'history all' lists the same")
      case .needsTerminal(let word):
        .init(.needsTerminal, "'\(word.name)' needs a terminal with line editing")
      case .noCurrentFileName:
        .init(.noFileName, "no file name; use 'w NAME' or 'f NAME'", ed: "No current filename")
      case .noEarlierRun: .init(.noSuchRun, "no earlier run has changed this text")
      case .noFileToEdit: .init(.noFileName, "no file to edit")
      case .noFileToMerge: .init(.fileNotFound, "there is no such file; nothing to merge")
      case .noHelp(let word):
        .init(.noHelp, "no help on '\(shown(word))'; 'help' lists all commands")
      case .noHistoryOnDisk: .init(.noHistory, "this file has no history on disk")
      case .noMatch: .init(.noMatch, "no match", ed: "No match")
      case .noMatchBecause(let reason):
        .init(.noMatch, Messages.text(reason), ed: "No match")
      case .noMoveYet:
        .init(.nothingToDo, "nowhere to go back to: no command has left a revision yet")
      case .noNextFile:
        .init(.needsTerminal, "no more files on the command line; 'e FILE' edits one")
      case .noOpenGroup: .init(.noGroup, "no open group; 'begin' opens one")
      case .noPreviousCommand:
        .init(.noPrevious, "no previous command", ed: "No previous command")
      case .noPreviousPattern:
        .init(
          .noPrevious, "no previous pattern; write one between the slashes",
          ed: "No previous pattern")
      case .noPreviousSubstitution:
        .init(.noPrevious, "no previous substitution", ed: "No previous substitution")
      case .noStateFolder:
        .init(.noHistory, "neither XDG_STATE_HOME nor HOME says where histories are")
      case .noSuchLine(let line, let last):
        .init(
          .noSuchLine,
          "no line \(line.value): "
            + (last == .zero
              ? "the text is empty; 'a' adds some"
              : line < LineNumber(1) ? "the first line is 1" : "the last line is \(last.value)"),
          ed: "Invalid address")
      case .noSuchLineOf(let revision, let line, let last):
        .init(
          .noSuchLine,
          "no line \(line.value): the last line of revision \(revision) is \(last.value)"
        )
      case .noSuchRevision(let name):
        .init(.noSuchRevision, "no revision '\(shown(name))'; 'history all' lists them")
      case .noSuchRun(let name):
        .init(.noSuchRun, "no run '\(shown(name))'; 'ued --log' lists them")
      case .notInText(let id):
        .init(
          .otherBranch, "revision \(id) is on another branch; 'jump \(id)' goes there",
          hint: ErrorHint(revisions: [id]))
      case .notRegularFile: .init(.fileNotRegular, "not a regular file")
      case .notUndone(let paths, let error, let isStuck):
        .init(
          .notRestored,
          "\(Messages.systemText(error.code)); could not restore \(Messages.list(paths)); "
            + (isStuck ? "the old text stays there" : "the next run will"))
      case .nothingToPick(let id):
        .init(.nothingToDo, "the text has all that \(id) did; nothing to pick")
      case .nothingToPut:
        .init(
          .nothingToDo, "nothing to put; 'y' and 'd' fill the cut buffer, 'wq' saves and quits",
          ed: "Nothing to put")
      case .nothingToRedo(wayBack: nil): .init(.nothingToDo, "nothing to redo")
      case .nothingToRedo(wayBack: let id?):
        .init(
          .nothingToDo,
          "nothing to redo here; 'jump \(id)' goes back to where the last move began")
      case .nothingToRevert(0):
        .init(.nothingToDo, "revision 0 is the text as first opened; there is nothing to revert")
      case .nothingToRevert(let id):
        .init(.nothingToDo, "nothing that \(id) did is in the text; there is nothing to revert")
      case .nothingToUndo: .init(.nothingToDo, "nothing to undo", ed: "Nothing to undo")
      case .nothingToUndoHere: .init(.nothingToDo, "nothing to undo in these lines")
      case .onFile(let file, let error): .init(error, of: file)
      case .onlyGroupToUndo(let title):
        .init(
          .nothingToDo, "the last command has changed nothing; 'undo' would take back: \(title)")
      case .outOfMemory, .match(.outOfMemory):
        .init(.outOfMemory, "out of memory; try fewer lines at a time")
      case .outputFailed:
        .init(.outputFailed, "can't write standard output; pending writes were dropped")
      case .parse(let error): error.entry
      case .patch(let error): error.entry
      case .placeNotFound(let pattern, let isInPart):
        .init(
          .noMatch,
          "no line \(isInPart ? "of the section or address " : "")matches "
            + "'\(shown(pattern))', which tells the place")
      case .rangeIsBackwards(let lines):
        .init(
          .invalidAddress,
          "the range is backwards: line \(lines.first.value) comes after \(lines.last.value)",
          ed: "Invalid address")
      case .rejected: .init(.rejected, "rejected by the --validate command")
      case .runIdentityTooShort(let name):
        .init(
          .noSuchRun, "no run '\(shown(name))'; of an identity, give four digits or more")
      case .runMoved(let start, let hasGroups):
        .init(
          .otherBranch,
          hasGroups
            ? "the run also moved by undo, redo or jump, which can't be undone here; "
              + "'jump \(start)' gives the text before it"
            : "the run made no changes of its own, but began at revision \(start), which is not in "
              + "the text; 'jump \(start)' goes there",
          hint: ErrorHint(revisions: [start]))
      case .runNotInFiles(let name):
        .init(
          .noSuchRun,
          "run '\(shown(name))' has changed none of these files; 'ued --log' lists its files")
      case .runNotInText(let name):
        .init(.otherBranch, "the text has nothing of run '\(shown(Array(name.utf8)))'")
      case .scriptUnreadable(let error):
        .init(
          error.entry.code,
          "can't read the script: "
            + (error.code == ENOEXEC
              ? "not a script: its first line contains NUL" : Messages.systemText(error.code)))
      case .undoCrossesSession:
        .init(
          .needsConfirmation,
          "earlier changes are from a previous session; repeat the command to undo them too")
      case .shellCannotWait:
        .init(.restricted, "'w !COMMAND' can't be used with --atomic, --check or --diff")
      case .shellFailed(let status):
        .init(
          .shellFailed,
          "the command failed with status \(status); append '|| true' to ignore that")
      case .shellRestricted:
        .init(.restricted, "restricted: no shell commands", ed: "Shell access restricted")
      case .shellUnavailable:
        .init(.shellFailed, "can't start the shell", ed: "Can't create shell process")
      case .stagedFileAltered:
        .init(.rejected, "the --validate command has changed the staged file; it may only read it")
      case .textHasNoEnd(let word):
        .init(.unexpectedEnd, "unterminated text: there is no line '\(shown(word))'")
      case .tooFewGroups(let count):
        .init(.nothingToDo, "only \(GroupNames.groups(count)) in that direction")
      case .unexpectedContent(let hash):
        .init(
          .unexpectedContent,
          hash.map { "its hash is \($0.description), not the one given by --expect" }
            ?? "does not exist, but --expect gives a hash")
      case .unexpectedHash(let found, let expected, let past):
        .init(
          .unexpectedLines,
          "the lines have \(found.description), not sha256:\(expected.digits)"
            + (past.map { "; \(Messages.text($0))" } ?? ""),
          hint: past.map { ErrorHint($0) })
      case .unexpectedLines(let mismatch, let advice):
        .init(
          .unexpectedLines,
          "not as expected: \(Messages.text(mismatch))\(advice.map(Messages.text) ?? "")",
          hint: ErrorHint(mismatch, advice))
      case .unexpectedMatches(let count, let expected):
        .init(
          .unexpectedCount,
          "\(count) \(count == 1 ? "line matches" : "lines match"), not \(expected)")
      case .usage(let error): .init(.usage, bytes: UsageText.reason(error))
      case .weaveDiffers:
        .init(
          .historyDamaged,
          "the lines of the history do not add up to this text (a fault of ued); nothing is changed"
        )
      case .wordInGlobal(let word):
        .init(.notInList, "'\(word.name)' can't be used in a command list")
      case .writeRefused(let write):
        .init(
          .needsConfirmation, "\(Messages.danger(of: write)); repeat the command to overwrite it")
      }
  }
}

extension ParseError {
  fileprivate var entry: ErrorEntry {
    switch self {
    case .badHash:
      .init(
        .invalidCommand, "a line's hash has three hexadecimal digits, as in '12:3fa'",
        ed: "Unknown command")
    case .delimiterInPlainText:
      .init(
        .invalidSuffix,
        "with F the text can't have the delimiter in it; take another one, as in 's|OLD|NEW|F'",
        ed: "Invalid command suffix")
    case .destinationExpected:
      .init(
        .invalidDestination, "a destination is missing, as in '2,3m10'",
        ed: "Destination expected")
    case .globalInGlobal:
      .init(.notInList, "g, v, G and V can't be nested", ed: "Cannot nest global commands")
    case .ignoreCaseOnEmptyPattern:
      .init(
        .invalidSuffix, "'I' needs a pattern between the slashes",
        ed: "Suffix 'I' not allowed on empty regexp")
    case .invalidAddress:
      .init(.invalidAddress, "invalid address; see 'help addresses'", ed: "Invalid address")
    case .invalidPatternDelimiter:
      .init(
        .invalidPattern, "a pattern needs delimiters, as in /pattern/",
        ed: "Invalid pattern delimiter")
    case .invalidSuffix:
      .init(
        .invalidSuffix,
        "unexpected text after the command; each command, and each line of text, has a line of "
          + "its own",
        ed: "Invalid command suffix")
    case .lineEndsWithReturn:
      .init(
        .invalidSuffix,
        "the line ends with CR LF; remove the carriage returns of the script, "
          + "as with \"tr -d '\\r'\"",
        ed: "Invalid command suffix")
    case .missingPatternDelimiter:
      .init(.invalidPattern, "the closing delimiter is missing", ed: "Missing pattern delimiter")
    case .numberOutOfRange:
      .init(.invalidAddress, "number too large", ed: "Number out of range")
    case .trailingBackslash:
      .init(
        .invalidPattern, "the pattern ends with a lone backslash", ed: "Trailing backslash (\\)")
    case .unbalancedBrackets:
      .init(.invalidPattern, "unmatched [ in the pattern", ed: "Unbalanced brackets ([])")
    case .unexpectedAddress:
      .init(.invalidAddress, "this command takes no address", ed: "Unexpected address")
    case .unexpectedSuffix:
      .init(
        .invalidCommand, "no such command, or a space is missing before the file name",
        ed: "Unexpected command suffix")
    case .unknownCommand:
      .init(.invalidCommand, "no such command; 'help' lists all", ed: "Unknown command")
    }
  }
}

extension FileError {
  /// A failed shell command has no `errno`.
  fileprivate var entry: ErrorEntry {
    let failedCode: ErrorCode, words: String
    switch attempt {
    case .openInput: (failedCode, words) = (.fileNotReadable, "Cannot open input file")
    case .readInput: (failedCode, words) = (.fileNotReadable, "Cannot read input file")
    case .closeInput: (failedCode, words) = (.fileNotReadable, "Cannot close input file")
    case .openOutput: (failedCode, words) = (.fileNotWritable, "Cannot open output file")
    case .writeOutput: (failedCode, words) = (.fileNotWritable, "Cannot write file")
    case .closeOutput: (failedCode, words) = (.fileNotWritable, "Cannot close output file")
    }
    return ErrorEntry(
      code == 0 ? .shellFailed : code == ENOENT ? .fileNotFound : failedCode,
      bytes: Messages.text(self), ed: Messages.bytes(words))
  }
}

extension PatchError {
  fileprivate var entry: ErrorEntry {
    func entry(_ code: ErrorCode = .invalidPatch, line: Int, _ words: String) -> ErrorEntry {
      .init(code, "line \(line) of the patch\(words)")
    }
    return switch self {
    case .badHeader(let line): entry(line: line, " is not understood")
    case .badMark(let line):
      entry(
        line: line,
        " is not understood; a block has '<<<<<<< SEARCH', '=======' and '>>>>>>> REPLACE', "
          + "each alone on a line")
    case .changesMoreThanText:
      .init(
        .invalidPatch,
        "the patch renames or removes the file, or changes its mode; "
          + "'ued --apply=PATCH' can do that")
    case .contradictsHeader(let line):
      entry(line: line, " contradicts the 'diff --git' above it")
    case .fileExists: .init(.fileExists, "exists already, but the patch creates it")
    case .hasNoChanges:
      .init(
        .invalidPatch,
        "the patch changes nothing: it has no hunk, which would begin with '@@'")
    case .hasNoHunk(let line):
      entry(line: line, " names a file without a hunk, which would begin with '@@'")
    case .hasNoName(let line):
      entry(
        line: line,
        ": it names no file; begin with '--- NAME' and '+++ NAME', or write it above a block")
    case .hasSeveralFiles(let count):
      .init(
        .invalidPatch,
        "the patch is for \(count) files; 'ued --apply=PATCH' applies it to all")
    case .hasTooManyHunks:
      .init(.invalidPatch, "the patch has more than \(PatchParser.hunkLimit) hunks; split it")
    case .isAppliedAlready(let places):
      .init(
        .alreadyApplied,
        "the patch is already applied"
          + (places.isEmpty ? "" : "; already so: \(Messages.text(places))"),
        hint: places.isEmpty ? nil : ErrorHint(lines: places.prefix(8).map(\.first)))
    case .isBinary(let line): entry(line: line, ": only text can be patched, no binary file")
    case .isCombined(let line):
      entry(line: line, " is of a merge; make a difference from one old text")
    case .isCopy(let line):
      entry(line: line, " copies a file; files are changed, made, removed and renamed")
    case .isCutOff(let line):
      entry(line: line, " begins what is not complete: the patch was cut off")
    case .isIndented(let line):
      entry(line: line, " is indented; remove the blanks in front of the patch's lines")
    case .isInterrupted: .interrupted
    case .isLinkOrSubmodule(let line):
      entry(line: line, " is about a symbolic link or a submodule; only files are patched")
    case .isNotEmpty(let line, let text):
      .init(
        .hunkRejected,
        "the patch deletes it, but does not remove line \(line.value): "
          + "'\(GroupNames.exact(text))'")
    case .isRejected(let rejection):
      .init(.hunkRejected, Messages.text(rejection), hint: rejection.hint)
    case .isTangled:
      .init(
        .invalidPatch,
        "made, removed or renamed, and changed elsewhere in the patch, too; split the patch")
    case .lacksPlus(let line):
      entry(
        line: line, " lacks its '+'; each line of a new file begins with one, even an empty line")
    case .nameIsAbsolute:
      .init(.invalidFileName, "an absolute path; a patch names files relative to this folder")
    case .nameIsReserved:
      .init(
        .invalidFileName,
        "no patch changes what is in '.git', or has a name that begins with '.ued-'")
    case .nameIsTooLong(let line):
      entry(.invalidFileName, line: line, ": the name of its file is too long")
    case .nameLeadsOut:
      .init(.invalidFileName, "outside of this folder, or through a symbolic link; not patched")
    case .strayLine(let line):
      entry(line: line, " is in no hunk; a hunk has no lines without ' ', '+' or '-'")
    }
  }
}

extension HunkRejection {
  /// A hint with the lines where the hunk fits or nearly fits.
  fileprivate var hint: ErrorHint? {
    switch reason {
    case .isNowhere(let nearest?):
      ErrorHint(lines: [nearest.lines.first], difference: nearest.mismatch)
    case .isAmbiguous(let first, let second, _): ErrorHint(lines: [first, second])
    case .isThere(let lines): ErrorHint(lines)
    case .isOutOfOrder(let line), .overlaps(let line), .isNotAtEnd(let line, _),
      .isNotBehindAnchor(let line, _, _):
      ErrorHint(lines: [line])
    case .isNowhere(nil), .endHasNewline, .hasNoAnchor, .hasNoPlace, .takesTooLong: nil
    }
  }
}
