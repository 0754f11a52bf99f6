import Glibc

/// The text of all messages.
///
/// Here errors have ed's wording, which scripts may compare. People at a terminal get that of
/// `Messages+Friendly.swift`.
enum Messages {
  /// The explanation of an error that `h` prints.
  static func text(_ error: EditorError) -> [UInt8] {
    switch error {
    case .ambiguousRevision(let name, let ids):
      bytes(
        "'\(GroupNames.shown(name))' matches several revisions: "
          + "\(ids.map(String.init).joined(separator: ", "))")
    case .badArgument(let argument):
      bytes("invalid argument '\(GroupNames.shown(argument))'; see 'help'")
    case .badReply(let reply):
      bytes(
        "invalid answer '\(GroupNames.shown(reply))': y replaces this match, n skips it, "
          + "a replaces all that follow, q stops")
    case .blockFound, .blockIsEmpty, .blockNotFound, .lineIsGone, .noSuchLineOf, .unexpectedLines,
      .unexpectedMatches:
      bytes(lines(error))
    case .fileOfRunIsGone:
      bytes("does not exist any more; give the other files to have the run taken back there")
    case .historyNotKept(let error):
      bytes("not written, as its history can't be kept: ")
        + bytes(error.map(reason) ?? "there is none of such a file")
    case .historyInUse: bytes("another ued has its history open; try again when that has ended")
    case .fileIsLocked(nil): bytes("locked by another program; try again later")
    case .fileIsLocked(let holder?):
      bytes(
        "locked by '\(GroupNames.shown(holder.command))' (process \(holder.process)); "
          + "try again later")
    case .forgetsHistory(let groups):
      bytes(
        "this deletes the history on disk (\(GroupNames.groups(groups))); "
          + "repeat the command to confirm")
    case .historyChanged:
      bytes("its history has changed since it was read; nothing was written")
    case .historyDamaged: bytes("the history is damaged; the text is as it was")
    case .historyNotDeleted(let code):
      bytes("can't delete the history on disk: \(systemText(code))")
    case .noHistoryOnDisk: bytes("this file has no history on disk")
    case .sessionBegins:
      bytes("earlier changes are from a previous session; repeat the command to undo them too")
    case .groupIsOpen: bytes("a group is open; use 'end' or 'abort' first")
    case .groupWasAborted:
      bytes("the group was aborted; commands up to its 'end' are refused")
    case .lineCantBeEdited(let line):
      bytes("line \(line.value) has bytes that can't be edited here; use 'c' or 's'")
    case .missingArgument(let word):
      bytes("an argument is missing; see 'help \(word.rawValue)'")
    case .mistyped(let line, let hint): bytes(text(hint, for: line))
    case .nameIsNoWord:
      bytes("the file name has characters special to the shell; write it quoted instead of '%'")
    case .needsTerminal(let word):
      bytes("'\(word.rawValue)' needs a terminal with line editing")
    case .noMoveYet: bytes("nowhere to go back to: no command has left a revision yet")
    case .noNextFile: bytes("no more files on the command line; 'e FILE' edits one")
    case .noHelp(let word):
      bytes("no help on '\(GroupNames.shown(word))'; 'help' lists all commands")
    case .noOpenGroup: bytes("no open group; 'begin' opens one")
    case .noSuchRevision(let name):
      bytes("no revision '\(GroupNames.shown(name))'; 'history all' lists them")
    case .noSuchRun(let name):
      bytes("no run '\(GroupNames.shown(name))'; 'ued --log' lists them")
    case .noEarlierRun: bytes("no earlier run has changed this text")
    case .runNotInText(let name):
      bytes("the text has nothing of run '\(GroupNames.shown(Array(name.utf8)))'")
    case .notInText(let id): bytes("revision \(id) is on another branch; 'jump \(id)' goes there")
    case .notRegularFile: bytes("not a regular file")
    case .notUndone(let paths, let error, let isStuck):
      bytes(
        "\(systemText(error.code)); could not restore \(list(paths)); "
          + (isStuck ? "the old text stays there" : "the next run will"))
    case .rejected: bytes("rejected by the --validate command")
    case .stagedFileAltered:
      bytes("the --validate command has changed the staged file; it may only read it")
    case .mergeConflicts(let conflicts, let name): text(conflicts, with: name)
    case .noFileToMerge: bytes("there is no such file; nothing to merge")
    case .nothingToPick(let id): bytes("the text has all that \(id) did; nothing to pick")
    case .nothingToRedo(wayBack: nil): bytes("nothing to redo")
    case .nothingToRedo(wayBack: let id?):
      bytes("nothing to redo here; 'jump \(id)' goes back to where the last move began")
    case .nothingToRevert(let id):
      bytes(
        id == 0
          ? "revision 0 is the text as first opened; there is nothing to revert"
          : "nothing that \(id) did is in the text; there is nothing to revert")
    case .nothingToUndoHere: bytes("nothing to undo in these lines")
    case .linesAreAs(let id): bytes("these lines are as at \(id); there is nothing to revert")
    case .groupsInTheWay(let groups): bytes(text(groups))
    case .weaveDiffers:
      bytes(
        "the lines of the history do not add up to this text (a fault of ued); nothing is changed")
    case .shellFailed(let status):
      bytes("the command failed with status \(status); append '|| true' to ignore that")
    case .unexpectedContent(nil): bytes("does not exist, but --expect gives a hash")
    case .unexpectedContent(let hash?):
      bytes("its hash is \(hash.description), not the one given by --expect")
    case .textHasNoEnd(let word):
      bytes("unterminated text: there is no line '\(GroupNames.shown(word))'")
    case .tooFewGroups(let count):
      bytes("only \(GroupNames.groups(count)) in that direction")
    case .wordInGlobal(let word): bytes("'\(word.rawValue)' can't be used in a command list")
    case .bufferModified: bytes("Warning: buffer modified")
    case .endOfInput: bytes("Unexpected end-of-file")
    case .file(let error): bytes(text(error.attempt))
    case .fileNameTooLong: bytes("Filename too long")
    case .fileNotRead: bytes("exists, but was not read; not overwritten; remove it first")
    case .fileUnseen(let danger):
      bytes("the file was \(notOverwritten(danger)); 'w NAME' writes another file")
    case .filesLeft: bytes("files of the command line have not been opened")
    case .folderRestricted: bytes("Directory access restricted")
    case .match(.infiniteSubstitution): bytes("Infinite substitution loop")
    case .interrupted, .match(.abandoned): bytes("Interrupt")
    case .match(.lineTooLong):
      bytes("line too long for this pattern; the limit is 1 GiB, or 2 GiB if simple")
    case .invalidDestination: bytes("Invalid destination")
    case .markNotSet, .noSuchLine, .rangeIsBackwards: bytes(text(.invalidAddress))
    case .invalidMark: bytes("Invalid mark character")
    case .invalidRedirection: bytes("Invalid redirection")
    case .noCurrentFileName: bytes("No current filename")
    case .noMatch, .noMatchOfReturn: bytes("No match")
    case .noPreviousCommand: bytes("No previous command")
    case .noPreviousPattern: bytes("No previous pattern")
    case .noPreviousSubstitution: bytes("No previous substitution")
    case .nothingToPut: bytes("Nothing to put")
    case .nothingToUndo: bytes("Nothing to undo")
    case .outOfMemory, .match(.outOfMemory): bytes("out of memory; try fewer lines at a time")
    case .outputFailed: bytes("can't write standard output; pending writes were dropped")
    case .parse(let error): bytes(text(error))
    case .patch(let error): bytes(text(error))
    case .match(.invalidPattern(let message)): message
    case .linesNotRead:
      bytes("the command did not read the lines; 'r !COMMAND' inserts its output")
    case .shellCannotWait: bytes("'w !COMMAND' can't be used with --atomic, --check or --diff")
    case .backupIsWritten(let name):
      bytes("'") + name + bytes("' is the backup that -i makes; write to another name")
    case .writeRefused(let write): bytes("\(danger(of: write)); repeat the command to overwrite it")
    case .shellRestricted: bytes("Shell access restricted")
    case .shellUnavailable: bytes("Can't create shell process")
    }
  }

  private static func text(_ hint: CommandHint, for line: [UInt8]) -> String {
    switch hint {
    case .command(let command):
      "\(GroupNames.shown(line)): no such command; did you mean '\(command)'?"
    case .forced(let command): "\(GroupNames.shown(line)): no such command; try '\(command)'"
    case .letterDelimiter(let letter):
      "the letter '\(GroupNames.shown([letter]))' would be the delimiter; repeat the command to run it"
    case .noFlag(let flag):
      "'\(GroupNames.shown([flag]))' is no flag of s; the flags are g, I, F, c, p, l, n and a number"
    }
  }

  /// Why a file was not overwritten.
  static func notOverwritten(_ danger: KnownFile.Danger) -> String {
    switch danger {
    case .changedOutside: "changed by another program since it was read; not overwritten"
    case .neverRead: "not readable, so not overwritten"
    case .readInPart: "only read in part, so not overwritten"
    }
  }

  /// What a person's write would destroy.
  private static func danger(of write: RefusedWrite) -> String {
    switch write.reason {
    case .unseen(.changedOutside):
      "the file was changed by another program since it was read; 'diff disk' shows how, "
        + "'merge disk' joins both"
    case .unseen(.neverRead): "the file exists, and was not read"
    case .unseen(.readInPart): "the file was only read in part"
    case .isPart: "the file would have only \(GroupNames.text(write.lines)) of the text"
    case .hasConflicts(let line): "the file would have the conflict that line \(line.value) begins"
    }
  }

  private static func text(_ error: ParseError) -> String {
    switch error {
    case .destinationExpected: "Destination expected"
    case .globalInGlobal: "Cannot nest global commands"
    case .ignoreCaseOnEmptyPattern: "Suffix 'I' not allowed on empty regexp"
    case .invalidAddress: "Invalid address"
    case .invalidPatternDelimiter: "Invalid pattern delimiter"
    case .delimiterInPlainText, .invalidSuffix, .lineEndsWithReturn: "Invalid command suffix"
    case .missingPatternDelimiter: "Missing pattern delimiter"
    case .numberOutOfRange: "Number out of range"
    case .trailingBackslash: "Trailing backslash (\\)"
    case .unbalancedBrackets: "Unbalanced brackets ([])"
    case .unexpectedAddress: "Unexpected address"
    case .unexpectedSuffix: "Unexpected command suffix"
    case .unknownCommand: "Unknown command"
    }
  }

  private static func text(_ attempt: FileError.Attempt) -> String {
    switch attempt {
    case .openInput: "Cannot open input file"
    case .readInput: "Cannot read input file"
    case .closeInput: "Cannot close input file"
    case .openOutput: "Cannot open output file"
    case .writeOutput: "Cannot write file"
    case .closeOutput: "Cannot close output file"
    }
  }

  /// The system's reason for a failure, after the name of the file.
  static func systemReason(_ error: FileError) -> [UInt8] {
    let name = error.path.isEmpty ? [] : error.path + bytes(": ")
    return name + SystemError(code: error.code).text + oldTextPlace(error)
  }

  /// The system's text for an `errno`.
  static func systemText(_ code: Int32) -> String {
    // Only the standard output of `OutputCapture` fails so.
    if code == ENOTCONN { return "only answers go there; print with 'p'" }
    return String(decoding: SystemError(code: code).text, as: UTF8.self)
  }

  /// Where the old text is of a file that could be neither overwritten nor restored.
  static func oldTextPlace(_ error: FileError) -> [UInt8] {
    error.oldText.map { bytes("; the old text is in ") + $0 } ?? []
  }

  /// A warning, for standard error.
  static func text(_ warning: Warning) -> [UInt8] {
    switch warning {
    case .mended(let mending): mended(mending)
    case .notAtStart(let address, let error): bytes("+") + address + bytes(": ") + text(error)
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
    case .textDropped(let ends):
      bytes("what follows, up to the line '") + Array(ends.joined(separator: bytes("' and then '")))
        + bytes("', is taken for text and not run")
    }
  }

  /// What was done about a run over several files that had been killed.
  private static func mended(_ mending: RunMender.Mending) -> [UInt8] {
    switch mending {
    case .nothing, .completed: bytes("finished a run that was interrupted")
    case .undone(let paths): bytes("undid a run that was interrupted: \(list(paths))")
    case .leftAside(let paths):
      bytes("a run was interrupted, and its files have changed since; their previous texts: ")
        + bytes(list(paths))
    }
  }

  private static func list(_ paths: [[UInt8]]) -> String {
    paths.map { GroupNames.readable($0) }.joined(separator: ", ")
  }

  /// A move from one revision to another.
  static func text(_ move: Move) -> [UInt8] {
    switch move {
    case .undone(let names, _): bytes("undid: \(names.joined(separator: "; "))")
    case .redone(let names, _): bytes("redid: \(names.joined(separator: "; "))")
    case .jumped(let id, let name): bytes("now at \(id): \(name)")
    case .merged(let name, let conflictCount, _): text(merged: name, conflictCount)
    case .picked(let name, _): bytes("picked: \(name)")
    case .reverted(let name, _): bytes("reverted: \(name)")
    case .toggled(let isRedo): bytes("\(isRedo ? "redid" : "undid") the last command")
    }
  }

  /// The prefix of an error that ends a script.
  static func scriptLine(_ number: Int) -> [UInt8] { bytes("script, line \(number): ") }

  static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
