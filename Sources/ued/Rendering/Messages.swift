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
        "\(GroupNames.shown(name))? several revisions are called that: "
          + "\(ids.map(String.init).joined(separator: ", "))")
    case .badArgument(let argument): bytes("\(GroupNames.shown(argument))? see 'help'")
    case .fileIsLocked: bytes("another program keeps it locked; try again")
    case .forgetsHistory(let groups):
      bytes(
        "the history on disk (\(GroupNames.groups(groups))) will be deleted; "
          + "repeat the command to do so")
    case .historyChanged:
      bytes("its history was changed since it was read; nothing was written (see --retry)")
    case .historyNotDeleted(let code):
      bytes("the history is still on disk: \(systemText(code))")
    case .noHistoryOnDisk: bytes("no history of this file is kept on disk")
    case .sessionBegins:
      bytes("what came before is of an earlier session; repeat the command to undo that too")
    case .groupIsOpen: bytes("a group is open; 'end' or 'abort' it first")
    case .groupWasAborted:
      bytes("the group was aborted; commands are refused up to its 'end'")
    case .lineCantBeEdited(let line):
      bytes("line \(line.value) has bytes that can't be typed; 'c' and 's' can change it")
    case .missingArgument: bytes("something is missing; see 'help'")
    case .mistyped(let line, let hint): bytes(text(hint, for: line))
    case .nameIsNoWord:
      bytes(
        "the file name has bytes that the shell would not take as they are; write it out quoted")
    case .needsTerminal(let word):
      bytes("'\(word.rawValue)' needs a terminal on which lines can be edited")
    case .noHelp(let word): bytes("\(GroupNames.shown(word))? 'help' lists all commands")
    case .noOpenGroup: bytes("no group is open; 'begin' opens one")
    case .noSuchRevision(let name):
      bytes("\(GroupNames.shown(name))? no such revision; 'history all' lists them")
    case .notInText(let id): bytes("revision \(id) is on another branch; 'jump \(id)' goes there")
    case .notRegularFile: bytes("not a regular file")
    case .notUndone(let paths, let error):
      bytes(
        "\(systemText(error.code)); not all was put back: "
          + "\(list(paths)); the next run mends it")
    case .rejected: bytes("the command of --validate rejects what would be written")
    case .nothingToRedo: bytes("nothing to redo")
    case .nothingToRevert(let id): bytes("revision \(id) is the text as opened; it changed nothing")
    case .revertOverlaps(let id, let later, let name):
      bytes("\(later) (\(name)) changed the same lines after \(id); revert it first")
    case .shellFailed(let status):
      bytes("the command failed with status \(status); write '|| true' after it if it may")
    case .unexpectedContent(nil): bytes("there is no such file, whatever --expect says")
    case .unexpectedContent(let hash?): bytes("is \(hash.description), not what --expect says")
    case .textHasNoEnd(let word):
      bytes("the text has no end: no line is '\(GroupNames.shown(word))'")
    case .tooFewGroups(let count):
      bytes("there \(count == 1 ? "is only 1 group" : "are only \(count) groups") that way")
    case .wordInGlobal(let word): bytes("\(word.rawValue) can't be in a command list")
    case .bufferModified: bytes("Warning: buffer modified")
    case .endOfInput: bytes("Unexpected end-of-file")
    case .file(let error): bytes(text(error.attempt))
    case .fileNameTooLong: bytes("Filename too long")
    case .fileNotRead: bytes("exists, and was not read; 'w NAME' writes over it")
    case .fileUnseen(.changedOutside):
      bytes("the file was changed by somebody else; repeat the command to write over it")
    case .fileUnseen(.readInPart):
      bytes("the file could not be read whole; repeat the command to write over it")
    case .folderRestricted: bytes("Directory access restricted")
    case .match(.infiniteSubstitution): bytes("Infinite substitution loop")
    case .interrupted: bytes("Interrupt")
    case .invalidDestination: bytes("Invalid destination")
    case .markNotSet, .noSuchLine, .rangeIsBackwards: bytes(text(.invalidAddress))
    case .invalidMark: bytes("Invalid mark character")
    case .invalidRedirection: bytes("Invalid redirection")
    case .noCurrentFileName: bytes("No current filename")
    case .noMatch: bytes("No match")
    case .noPreviousCommand: bytes("No previous command")
    case .noPreviousPattern: bytes("No previous pattern")
    case .noPreviousSubstitution: bytes("No previous substitution")
    case .nothingToPut: bytes("Nothing to put")
    case .nothingToUndo: bytes("Nothing to undo")
    case .outOfMemory: bytes("out of memory: too many lines at a time")
    case .outputFailed: bytes("standard output can't be written; nothing that waited is written")
    case .parse(let error): bytes(text(error))
    case .match(.invalidPattern(let message)): message
    case .linesNotRead:
      bytes("the command has not read the lines; 'r !COMMAND' adds what it prints")
    case .shellCannotWait: bytes("a command can't be written to with --atomic, --check or --diff")
    case .shellRestricted: bytes("Shell access restricted")
    case .shellUnavailable: bytes("Can't create shell process")
    }
  }

  private static func text(_ hint: CommandHint, for line: [UInt8]) -> String {
    switch hint {
    case .command(let command):
      "\(GroupNames.shown(line)): no such command; did you mean '\(command)'?"
    case .forced(let command): "\(GroupNames.shown(line)): no such command; try '\(command)'"
    case .noFlag(let flag):
      "'\(GroupNames.shown([flag]))' is no flag of s; the flags are g, I, F, p, l, n and a number"
    }
  }

  private static func text(_ error: ParseError) -> String {
    switch error {
    case .destinationExpected: "Destination expected"
    case .globalInGlobal: "Cannot nest global commands"
    case .ignoreCaseOnEmptyPattern: "Suffix 'I' not allowed on empty regexp"
    case .invalidAddress: "Invalid address"
    case .invalidPatternDelimiter: "Invalid pattern delimiter"
    case .invalidSuffix: "Invalid command suffix"
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
    let reason = systemText(error.code)
    let message = error.path.isEmpty ? bytes(reason) : error.path + bytes(": \(reason)")
    return message + oldTextPlace(error)
  }

  /// The system's text for an `errno`.
  static func systemText(_ code: Int32) -> String {
    // SAFETY: `strerror` returns a NUL-terminated string that is valid until the next call.
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? ""
  }

  /// Where the old text is of a file that could be neither overwritten nor restored.
  static func oldTextPlace(_ error: FileError) -> [UInt8] {
    error.oldText.map { bytes("; the old text is in ") + $0 } ?? []
  }

  /// A warning, for standard error.
  static func text(_ warning: Warning) -> [UInt8] {
    switch warning {
    case .mended(let mending): mended(mending)
    case .overwriting(let path, .changedOutside):
      path + bytes(": changed by somebody else; written over")
    case .overwriting(let path, .readInPart):
      path + bytes(": could not be read whole; written over")
    case .othersTextNotKept(let error):
      error.path
        + bytes(": what somebody else wrote is not in the history: \(systemText(error.code))")
    case .savedInPart(let path, let oldText):
      path + bytes(": a save of it was cut off; the text before that is in ") + oldText
    }
  }

  /// What was done about a run over several files that had been killed.
  private static func mended(_ mending: RunMender.Mending) -> [UInt8] {
    switch mending {
    case .nothing, .completed: bytes("a run that was cut off has been finished")
    case .undone(let paths): bytes("a run that was cut off has been undone: \(list(paths))")
    case .leftAside(let paths):
      bytes("a run was cut off, and its files were changed or moved since; the old texts are ")
        + bytes(list(paths))
    }
  }

  private static func list(_ paths: [[UInt8]]) -> String {
    paths.map { GroupNames.shown($0) }.joined(separator: ", ")
  }

  /// A move from one revision to another.
  static func text(_ move: Move) -> [UInt8] {
    switch move {
    case .undone(let names, _): bytes("undid: \(names.joined(separator: "; "))")
    case .redone(let names, _): bytes("redid: \(names.joined(separator: "; "))")
    case .jumped(let id, let name): bytes("now at \(id): \(name)")
    case .reverted(let name, _): bytes("reverted: \(name)")
    case .toggled(let isRedo): bytes("\(isRedo ? "redid" : "undid") the last command")
    }
  }

  /// The prefix of an error that ends a script.
  static func scriptLine(_ number: Int) -> [UInt8] { bytes("script, line \(number): ") }

  static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
