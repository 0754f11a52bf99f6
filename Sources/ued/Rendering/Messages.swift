import Glibc
import TextBuffer

/// The text of all messages. Here errors have ed's wording, which scripts may compare;
/// `Messages+Friendly.swift` has the wording for people at a terminal.
enum Messages {
  /// The explanation of an error that `h` prints.
  static func text(_ error: EditorError) -> [UInt8] {
    switch error {
    case .ambiguousRevision(let name, let ids):
      bytes(
        "'\(GroupNames.shown(name))' matches several revisions: "
          + "\(ids.map(String.init).joined(separator: ", "))")
    case .badArgument(let argument, let word):
      bytes("invalid argument '\(GroupNames.shown(argument))'; see 'help \(word.rawValue)'")
    case .badForm(.expect):
      bytes("expect takes '<<END', 'N /RE/', or 'sha256:' and six hexadecimal digits or more")
    case .badEnsure(.badPattern(let fault)): text(.parse(fault))
    case .badEnsure(let fault): bytes(text(fault))
    case .ensuredLineDiffers(let line, let pattern):
      bytes(
        "the pattern '\(GroupNames.shown(pattern))' has to match the line "
          + "'\(GroupNames.exact(line))', too; otherwise another value would be added beside it")
    case .badEnsuredText(isBlock: true):
      bytes("the text has to begin and end with lines that match the two patterns")
    case .badEnsuredText(isBlock: false):
      bytes("the text has to be one line; 'ensure /RE/,/RE/' takes a block")
    case .markersUnbalanced(let line):
      bytes("the marker in line \(line.value) has no matching one; mend that first")
    case .placeNotFound(let pattern, let isInPart):
      bytes(
        "no line \(isInPart ? "of the section or address " : "")matches "
          + "'\(GroupNames.shown(pattern))', which tells the place")
    case .badForm: bytes("replace takes two words and their lines: 'replace <<OLD <<NEW'")
    case .badReply(let reply):
      bytes(
        "invalid answer '\(GroupNames.shown(reply))': y replaces this match, n skips it, "
          + "a replaces all that follow, q stops")
    case .blockFound, .blockIsEmpty, .blockIsReplaced, .blockIsTooFarLeft, .blockIsVague,
      .blockNotFound,
      .lineDiffers, .lineIsGone, .linesAreThere, .unexpectedHash,
      .noSuchLineOf, .unexpectedLines,
      .unexpectedMatches:
      bytes(lines(error))
    case .fileOfRunIsBack:
      bytes("the run removed this file, and another one is there now; move that away first")
    case .fileOfRunIsGone:
      bytes("does not exist any more; give the other files to have the run taken back there")
    case .historyNotKept(let error):
      bytes("not written, as its history can't be kept: ")
        + bytes(error.map(reason) ?? "there is none of such a file")
    case .historyShared(let runs):
      bytes(
        "not deleted: \(runs.joined(separator: ", ")) \(runs.count == 1 ? "is" : "are") using this history"
      )
    case .historyInUse: bytes("another ued has its history open; try again when that has ended")
    case .ambiguousRun(let name, let identities):
      bytes("'\(GroupNames.shown(name))' could be \(identities.joined(separator: " or "))")
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
    case .historyNotSearched(let file, let error):
      bytes("the history of \(GroupNames.readable(file)) was not searched: \(reason(error))")
    case .indexUnusable(.newer):
      bytes("the index of histories was written by a newer version of ued")
    case .indexUnusable(.inUse):
      bytes("the index of histories can't be used: another process has locked it")
    case .indexUnusable(let error):
      bytes("the index of histories can't be used: \(reason(error))")
    case .noStateFolder: bytes("neither XDG_STATE_HOME nor HOME says where histories are")
    case .scriptUnreadable(let error):
      bytes(
        "can't read the script: "
          + (error.code == ENOEXEC
            ? "not a script: its first line contains NUL" : systemText(error.code)))
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
    case .mistyped(let line, let hint, _): bytes(text(hint, for: line))
    case .nameIsNoWord:
      bytes("the file name has characters special to the shell; write it quoted instead of '%'")
    case .needsTerminal(.tree):
      bytes("'tree' needs a terminal with a full screen; 'history all' lists the same")
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
    case .runNotInFiles(let name):
      bytes(
        "run '\(GroupNames.shown(name))' has changed none of these files; 'ued --log' lists its files"
      )
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
    case .noFileToEdit: bytes("no file to edit")
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
    case .onlyGroupToUndo(let title):
      bytes("the last command has changed nothing; 'undo' would take back: \(title)")
    case .nothingToUndoHere: bytes("nothing to undo in these lines")
    case .linesAreAs(let id): bytes("these lines are as at \(id); there is nothing to revert")
    case .groupsInTheWay(let groups): bytes(text(groups))
    case .weaveDiffers:
      bytes(
        "the lines of the history do not add up to this text (a fault of ued); nothing is changed")
    case .filterNotFound(let command):
      bytes("the shell has no command '\(GroupNames.shown(command))' (status 127); ")
        + bytes("after an address, '!' filters lines; 'v/RE/d' deletes lines that do not match")
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
    case .noMatch, .noMatchBecause: bytes("No match")
    case .noPreviousCommand: bytes("No previous command")
    case .noPreviousPattern: bytes("No previous pattern")
    case .noPreviousSubstitution: bytes("No previous substitution")
    case .nothingToPut: bytes("Nothing to put")
    case .nothingToUndo: bytes("Nothing to undo")
    case .outOfMemory, .match(.outOfMemory): bytes("out of memory; try fewer lines at a time")
    case .outputFailed: bytes("can't write standard output; pending writes were dropped")
    case .parse(let error): bytes(text(error))
    case .patch(let error): bytes(text(error))
    case .hunkIsStale(let rejection, let past):
      bytes("\(text(PatchError.isRejected(rejection))); \(text(past))")
    case .match(.invalidPattern(let message)): message
    case .lostEscape(let letter): bytes(lostEscape(letter, "would be"))
    case .linesNotRead:
      bytes("the command did not read the lines; 'r !COMMAND' inserts its output")
    case .usage(let error): UsageText.reason(error)
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
    case .text(let letter?):
      "'\(GroupNames.shown([letter]))' takes no text; to add text, type 'a' first"
    case .text(nil): "no such command; to add text, type 'a' first"
    case .patch:
      "a patch is no script; 'ued --apply=FILE' takes it, and so does 'apply <<END'"
    case .mapping: "y copies lines; ',!tr abc xyz' maps characters"
    case .quitAfter(let line): "q takes no line; '\(line + 1),$d' deletes all that follow"
    case .separator: "';' ends no command; write the next one on a line of its own"
    case .textInLine(let letter):
      "the text of '\(GroupNames.shown([letter]))' begins on the next line; "
        + "a line of a single dot ends it"
    case .writingFlag:
      "'w' is no flag of s; 'g/RE/.W FILE' appends the lines that match to FILE"
    case .noFlag(let flag):
      "'\(GroupNames.shown([flag]))' is no flag of s; the flags are g, I, F, c, p, l, n and a number"
    }
  }

  /// The way to write the escape of a replacement.
  private static func lostEscape(_ letter: UInt8, _ verb: String) -> String {
    let name = GroupNames.shown([letter])
    let advice =
      switch letter {
      case UInt8(ascii: "n"): "end the line with a backslash to split a line"
      case UInt8(ascii: "t"): "type the tab itself"
      case UInt8(ascii: "r"): "type the carriage return itself"
      default: "s has no case conversion"
      }
    return "'\\\(name)' in the replacement \(verb) the letter '\(name)'; \(advice)"
  }

  static func notOverwritten(_ danger: KnownFile.Danger) -> String {
    switch danger {
    case .changedOutside: "changed by another program since it was read; not overwritten"
    case .neverRead: "not readable, so not overwritten"
    case .readInPart: "only read in part, so not overwritten"
    }
  }

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
    case .badHash, .unknownCommand: "Unknown command"
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
    case .notAtStart(let address, let error): bytes("+") + address + bytes(": ") + text(error)
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

  private static func list(_ paths: [[UInt8]]) -> String {
    paths.map { GroupNames.readable($0) }.joined(separator: ", ")
  }

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

// MARK: - Lines

extension Messages {
  /// What is wrong with the operands of `ensure`, and the right form.
  private static func text(_ fault: EnsureFault) -> String {
    let form = "'ensure /RE/ LINE'"
    switch fault {
    case .badPattern, .noPattern:
      return "ensure takes a pattern and a line: \(form); see 'help ensure'"
    case .noBlank(let pattern):
      return "a blank and the line have to follow '\(GroupNames.shown(pattern))': \(form)"
    case .noLine(isBlock: false):
      return "the line is missing: \(form), or '<<END' and the line below"
    case .noLine(isBlock: true): return "the block is missing: 'ensure /RE/,/RE/ <<END'"
    case .noSecondPattern:
      return "a pattern for the last line has to follow the comma: 'ensure /RE/,/RE/ <<END'"
    case .noSection:
      return "'in' takes two patterns: 'in /RE/,/RE/', or 'in ,/RE/' from the first line"
    case .openPattern(let pattern, let delimiter):
      let delimiter = GroupNames.shown([delimiter])
      return "'\(GroupNames.shown(pattern))' has no second '\(delimiter)': \(form)"
    case .otherDelimiter(let word, let delimiter):
      return
        "'\(word)' takes a pattern between '\(GroupNames.shown([delimiter]))', as the first one; "
        + "'<<END' takes a line that begins so"
    case .surplusClause(let word):
      return "'\(word)' is one clause too many: 'after' or 'before' once, and 'in' once; "
        + "'<<END' takes a line that begins so"
    }
  }
}

/// Errors of commands that expect certain lines.
extension Messages {
  /// The message for an error of `replace`, `expect`, or an address like `12@7`.
  static func lines(_ error: EditorError) -> String {
    switch error {
    case .blockFound(let lines, let count, 1, let exactly, let matching):
      "found \(count) times (\(list(lines, of: count))); "
        + (exactly.map { "'replace' would match line \($0.value) only; " } ?? "")
        + (Set(lines).count > 1 ? "add lines to OLD, address one place, " : "add text to OLD, ")
        + "or change all of them by '\(name(of: matching)) \(count)'"
    case .blockFound(let lines, let count, let expected, _, _):
      "found \(times(count)) (\(list(lines, of: count))), not \(times(expected))"
    case .blockIsEmpty: "OLD is empty, which is everywhere; 'a' and 'i' insert lines"
    case .blockIsReplaced(let lines, let matching):
      "already so: \(GroupNames.text(lines)); '\(name(of: matching)) 1' does it again"
    case .linesAreThere(let lines):
      "already so: \(GroupNames.text(lines)); without the hash in its address, the command does it again"
    case .blockIsVague:
      "OLD has no letter or digit, by which it could be told apart; 'replace' takes it exactly"
    case .blockIsTooFarLeft:
      "a line of NEW would begin left of the margin; indent OLD and NEW as the file is"
    case .blockNotFound(_, .alreadySo(let lines)?):
      "not found; already so: \(GroupNames.text(lines))"
    case .blockNotFound(_, .copiedNumbers?):
      "not found; OLD begins with line numbers, which are not in the file: leave them out"
    case .blockNotFound(_, .stoodThere(let past)?): "not found; \(text(past))"
    case .blockNotFound(_, .standsAt(let lines)?):
      "not in these lines; found at \(GroupNames.text(lines))"
    case .blockNotFound(let nearest, let advice):
      "not found\(nearest.map(text) ?? (advice == nil ? ", nor lines like these" : ""))"
        + (advice.map(text) ?? "")
    case .lineDiffers(let line, let hash, nil, let others, let past):
      "no line \(line.value); \(place(of: hash, others, past))"
    case .lineDiffers(let line, let hash, let found?, let others, let past):
      "line \(line.value) is '\(GroupNames.exact(found))' (\(LineHash.text(LineHash.of(found)))); "
        + place(of: hash, others, past)
    case .unexpectedHash(let found, let expected, let past):
      "the lines have \(found.description), not sha256:\(expected.digits)"
        + (past.map { "; \(text($0))" } ?? "")
    case .lineIsGone(let line, let revision, let loss):
      "line \(line.value) of revision \(revision) is gone: \(text(loss))"
    case .noSuchLineOf(let revision, let line, let last):
      "no line \(line.value): the last line of revision \(revision) is \(last.value)"
    case .unexpectedLines(let mismatch, let advice):
      "not as expected: \(text(mismatch))\(advice.map(text) ?? "")"
    case .unexpectedMatches(let count, let expected):
      "\(count) \(count == 1 ? "line matches" : "lines match"), not \(expected)"
    default: ""
    }
  }

  private static func place(
    of hash: Int, _ others: [LineNumber], _ past: PastPlace?
  ) -> String {
    let name = LineHash.text(hash)
    if let past { return "\(name) is gone; \(text(past))" }
    if others.isEmpty { return "no line is \(name) now; 'anchors' shows them anew" }
    return "\(name) is \(others.count == 1 ? "line" : "lines") "
      + others.map { String($0.value) }.joined(separator: ", ") + " now"
  }

  /// The lines most similar to a missing block.
  private static func text(_ nearest: NearestLines) -> String {
    "; most like it: \(GroupNames.text(nearest.lines)); \(text(nearest.mismatch))"
  }

  /// The old place of a block, and the present state of its lines.
  private static func text(_ past: PastPlace) -> String {
    let run = past.runName.map { ", run \($0)" } ?? ""
    let now =
      past.now.count == 0
      ? "no line is left of it"
      : past.differing.map {
        "line \($0.value) is now '\(GroupNames.exact(past.text ?? []))'"
      } ?? "some of its lines are gone"
    return "it was \(GroupNames.text(past.lines)) of revision \(past.revision); group "
      + "\(past.group.id) (\(past.group.title)\(run)) changed it; \(now)"
  }

  private static func name(of matching: BlockReplacement.Matching) -> String {
    switch matching {
    case .lines: "replace"
    case .loose: "replace loose"
    case .text: "replace text"
    }
  }

  /// The place of a block now or earlier, or the form of `replace` that would find it.
  private static func text(_ advice: BlockAdvice) -> String {
    switch advice {
    case .looseMatch(let lines): "; 'replace loose' would match \(GroupNames.text(lines))"
    case .textMatch(let line, let text):
      "; 'replace text' would match in line \(line.value): '\(GroupNames.exact(text))'"
    case .escapedNewlines: "; OLD has '\\n' where lines end: write the lines as they are"
    case .standsAt(let lines):
      "; \(lines.count == 1 ? "it is" : "they are") \(GroupNames.text(lines)) now"
    case .stoodThere(let past): "; \(text(past))"
    case .alreadySo, .copiedNumbers: ""
    }
  }

  /// The differences that `replace loose` ignored.
  static func text(_ overlooked: OverlookedDifferences) -> [UInt8] {
    let parts = [
      (overlooked.indentationCount, "indentation differs"),
      (overlooked.trailingCount, "blanks at the end differ"),
      (overlooked.typographicCount, "quotes, dashes or blanks differ"),
    ].filter { $0.0 > 0 }.map { "\($0.1) on \($0.0) \($0.0 == 1 ? "line" : "lines")" }
    return bytes("matched \(GroupNames.text(overlooked.lines)); \(parts.joined(separator: ", "))")
  }

  /// The groups that block reverting or picking another group, and the first step to take.
  static func text(_ blocking: [BlockingGroup]) -> String {
    let groups = blocking.map { blocking in
      let group = "\(blocking.group.id) (\(blocking.group.title))"
      if !blocking.isHere { return "it was made on \(group), which is not here" }
      return "\(group) changed \(blocking.lines.map(place).joined(separator: ", "))"
    }
    let (here, elsewhere) = (blocking.filter(\.isHere), blocking.filter { !$0.isHere })
    let advice =
      elsewhere.isEmpty
      ? "revert \(here.count > 1 ? "them" : "it") first"
      : "try 'pick \(elsewhere.map(\.group.id).min() ?? 0)' first"
    return "\(groups.joined(separator: "; ")); \(advice)"
  }

  /// Some lines, or the gap below one.
  static func place(_ lines: LineRange) -> String {
    if lines.count > 0 { return GroupNames.text(lines) }
    return lines.last == .zero ? "the top" : "what is below line \(lines.last.value)"
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  private static func list(_ lines: [LineNumber], of count: Int) -> String {
    let numbers = lines.map { String($0.value) }.joined(separator: ", ")
    return "line\(count == 1 ? "" : "s") \(numbers)\(count > lines.count ? ", …" : "")"
  }

  private static func text(_ loss: LineLoss) -> String {
    switch loss {
    case .removed(let group): "\(group.id) (\(group.title)) removed it"
    case .removedInOpenGroup: "the open group removed it"
    case .undone(let group):
      "\(group.id) (\(group.title)), which made it, is not part of this text"
    }
  }

  /// The first difference between lines of the text and the expected lines.
  private static func text(_ mismatch: LineMismatch) -> String {
    let line = "line \(mismatch.line.value)"
    let start = mismatch.excerptStart
    func shown(_ line: [UInt8]?) -> String {
      line.map { "'\(start > 0 ? "…" : "")\(GroupNames.exact(Array($0.dropFirst(start))))'" } ?? ""
    }
    let (found, expected) = (shown(mismatch.found), shown(mismatch.expected))
    func differs(in what: String) -> String {
      "\(line) differs in \(what): \(found), not \(expected)"
    }
    return switch mismatch.kind {
    case .leadingBlanks: differs(in: "leading blanks")
    case .trailingBlanks: differs(in: "trailing blanks")
    case .blanks: differs(in: "blanks")
    case .tabs: differs(in: "tabs")
    case .quotes: differs(in: "typographic quotes, dashes or blanks")
    case .carriageReturn:
      "\(line) \(mismatch.found?.last == .carriageReturn ? "ends" : "does not end") "
        + "with a carriage return"
    case .characters(let surplus, ""): "\(line) has a surplus \(codes(surplus)): \(found)"
    case .characters("", let missing): "\(line) lacks \(codes(missing)): \(found)"
    case .characters(let one, let other):
      "\(line) has \(codes(one)), not \(codes(other)): \(found)"
    case .word(let found, let expected):
      "\(line) has '\(GroupNames.exact(found))', not '\(GroupNames.exact(expected))'"
    case .text: "\(line) is \(found), not \(expected)"
    case .missing: "\(expected) is missing before \(line)"
    case .surplus: "\(line) is surplus: \(found)"
    }
  }

  /// The first code points of a text, such as `U+00E9`.
  private static func codes(_ text: String) -> String {
    let most = 4
    let codes = text.unicodeScalars.prefix(most).map {
      let digits = String($0.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
    return (codes + (text.unicodeScalars.count > most ? ["…"] : [])).joined(separator: " ")
  }
}

// MARK: - Merging

/// Messages about `merge` and `pick`.
extension Messages {
  /// The maximum number of conflicts listed one by one.
  private static let shownConflictCount = 5

  /// The conflicting lines of two texts, and the groups that changed them.
  static func text(_ conflicts: [MergeConflict], with name: [UInt8]) -> [UInt8] {
    let shown = conflicts.prefix(shownConflictCount).map { text($0) }
    let rest = conflicts.count - shown.count
    let count = conflicts.count == 1 ? "1 conflict" : "\(conflicts.count) conflicts"
    let more = rest > 0 ? "; and \(rest) more" : ""
    return bytes(
      "\(count): \(shown.joined(separator: "; "))\(more). "
        + "'merge! \(GroupNames.shown(name))' marks them in the text")
  }

  private static func text(_ conflict: MergeConflict) -> String {
    let place =
      conflict.lines.count == 0
      ? "after line \(conflict.lines.last.value)" : GroupNames.text(conflict.lines)
    let groups = [
      conflict.ours.map { "here \($0.id) (\($0.title))" },
      conflict.theirs.map { "there \($0.id) (\($0.title))" },
    ].compactMap { $0 }
    return groups.isEmpty ? place : "\(place), \(groups.joined(separator: ", "))"
  }

  static func text(merged name: String?, _ conflictCount: Int) -> [UInt8] {
    guard let name else { return bytes("nothing new to merge") }
    switch conflictCount {
    case 0: return bytes("merged: \(name)")
    case 1: return bytes("merged: \(name), with 1 conflict, marked '<<<<<<<' to '>>>>>>>'")
    default:
      return bytes(
        "merged: \(name), with \(conflictCount) conflicts, marked '<<<<<<<' to '>>>>>>>'")
    }
  }
}

// MARK: - Patches

/// Messages about patches.
extension Messages {
  static func text(_ error: PatchError) -> String {
    switch error {
    case .hasNoChanges: "the patch changes nothing: it has no hunk, which would begin with '@@'"
    case .strayLine(let line):
      "line \(line) of the patch is in no hunk; a hunk has no lines without ' ', '+' or '-'"
    case .badHeader(let line): "line \(line) of the patch is not understood"
    case .contradictsHeader(let line):
      "line \(line) of the patch contradicts the 'diff --git' above it"
    case .isCopy(let line):
      "line \(line) of the patch copies a file; files are changed, made, removed and renamed"
    case .isNoFile(let line):
      "line \(line) of the patch is about a symbolic link or a submodule; only files are patched"
    case .isCutOff(let line):
      "line \(line) of the patch begins what is not complete: the patch was cut off"
    case .isCombined(let line):
      "line \(line) of the patch is of a merge; make a difference from one old text"
    case .isBinary(let line): "line \(line) of the patch: only text can be patched, no binary file"
    case .hasTooManyHunks: "the patch has more than \(PatchParser.hunkLimit) hunks; split it"
    case .hasSeveralFiles(let count):
      "the patch is for \(count) files; 'ued --apply=PATCH' applies it to all"
    case .changesMoreThanText:
      "the patch renames or removes the file, or changes its mode; 'ued --apply=PATCH' can do that"
    case .hasNoName(let line):
      "line \(line) of the patch: it names no file; begin with '--- NAME' and '+++ NAME', "
        + "or write it above a block"
    case .nameIsTooLong(let line):
      "line \(line) of the patch: the name of its file is too long"
    case .nameLeadsOut: "outside of this folder, or through a symbolic link; not patched"
    case .nameIsReserved:
      "no patch changes what is in '.git', or has a name that begins with '.ued-'"
    case .isInterrupted: "Interrupt"
    case .fileExists: "exists already, but the patch creates it"
    case .isNotEmpty: "the patch deletes it, but there is more in it than the patch removes"
    case .isAppliedAlready: "the patch is already applied"
    case .isTangled:
      "made, removed or renamed, and changed elsewhere in the patch, too; split the patch"
    case .isRejected(let rejection): text(rejection)
    }
  }

  /// The hunk that does not fit, and the place where it nearly fits.
  private static func text(_ rejection: HunkRejection) -> String {
    let hunk = "hunk \(rejection.hunk) (line \(rejection.patchLine) of the patch)"
    switch rejection.reason {
    case .isNowhere(nil): return "\(hunk) does not fit: none of its lines is there"
    case .isNowhere(let near?):
      return "\(hunk) does not fit; nearest is line \(near.lines.first.value), but "
        + text(near.mismatch)
    case .isAmbiguous(let one, let other, let isNumbered):
      return "\(hunk) fits at line \(one.value) and at line \(other.value); add context lines"
        + (isNumbered ? ", or correct the line in its '@@'" : "")
    case .hasNoAnchor(let line):
      return "\(hunk) is to be behind '\(GroupNames.exact(line))', which is not there"
    case .isThere(let lines):
      return "\(hunk): already so: \(GroupNames.text(lines)); add context lines to do it again"
    case .hasNoPlace: return "\(hunk) adds lines, and does not say where; add context lines"
    case .isOutOfOrder(let line):
      return "\(hunk) fits at line \(line.value), which is not behind the hunk before it; sort them"
    case .overlaps(let line):
      return "\(hunk) fits at line \(line.value), which the hunk before it has, too; join them"
    case .endHasNewline:
      return "\(hunk) does not fit: its lines are there, but the last one has a newline, "
        + "and none in the patch"
    case .isNotAtEnd(let line):
      return "\(hunk) fits at line \(line.value), but the text does not end there, as the '\\' "
        + "in the patch says"
    case .isTooFar: return "\(hunk) is too far from where it says; correct the line in its '@@'"
    }
  }
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

  /// The change of a line, put before the line; a removed line has its number in the old text.
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
    case .unsaved(let groups, let cutOff, let isUnnamed):
      bytes(
        GroupNames.groups(groups)
          + (isUnnamed ? " of a text without a name" : " from a previous session")
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
          + "'history' shows its changes")
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
  static let noGroupTouched = bytes("these lines are as first opened")

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
