import Glibc

/// The kind of an error, for programs: the word in the field `error` of an answer. The list is
/// closed; the manual and `share/ued/answer.schema.json` have the same list.
enum ErrorCode: String, CaseIterable {
  case alreadyApplied = "already-applied"
  case ambiguousRevision = "ambiguous-revision"
  case blockCount = "block-count"
  case blockNotFound = "block-not-found"
  case conflict
  case fileChanged = "file-changed"
  case fileExists = "file-exists"
  case fileLocked = "file-locked"
  case fileNotFound = "file-not-found"
  case fileNotReadable = "file-not-readable"
  case fileNotRegular = "file-not-regular"
  case fileNotWritable = "file-not-writable"
  case groupAborted = "group-aborted"
  case groupOpen = "group-open"
  case historyChanged = "history-changed"
  case historyDamaged = "history-damaged"
  case historyNotDeleted = "history-not-deleted"
  case hunkRejected = "hunk-rejected"
  case infiniteSubstitution = "infinite-substitution"
  case interrupted
  case invalidAddress = "invalid-address"
  case invalidArgument = "invalid-argument"
  case invalidCommand = "invalid-command"
  case invalidDestination = "invalid-destination"
  case invalidFileName = "invalid-file-name"
  case invalidMark = "invalid-mark"
  case invalidPatch = "invalid-patch"
  case invalidPattern = "invalid-pattern"
  case invalidSuffix = "invalid-suffix"
  case lineDiffers = "line-differs"
  case lineIsGone = "line-is-gone"
  case markNotSet = "mark-not-set"
  case missingArgument = "missing-argument"
  case needsConfirmation = "needs-confirmation"
  case needsTerminal = "needs-terminal"
  case noFileName = "no-file-name"
  case noGroup = "no-group"
  case noHelp = "no-help"
  case noHistory = "no-history"
  case noMatch = "no-match"
  case noPrevious = "no-previous"
  case noSuchLine = "no-such-line"
  case noSuchRevision = "no-such-revision"
  case noSuchRun = "no-such-run"
  case notInList = "not-in-list"
  case notRestored = "not-restored"
  case nothingToDo = "nothing-to-do"
  case otherBranch = "other-branch"
  case outOfMemory = "out-of-memory"
  case outputFailed = "output-failed"
  case rejected
  case restricted
  case shellFailed = "shell-failed"
  case unbalancedMarkers = "unbalanced-markers"
  case unexpectedContent = "unexpected-content"
  case unexpectedCount = "unexpected-count"
  case unexpectedEnd = "unexpected-end"
  case unexpectedLines = "unexpected-lines"
  case unsavedChanges = "unsaved-changes"
  case usage
}

// MARK: - Codes of errors

/// The code of each error. There is no `default`, so a new error needs a code.
extension ErrorCode {
  init(_ error: EditorError) {
    self =
      switch error {
      case .ambiguousRevision: .ambiguousRevision
      case .ambiguousRun: .invalidArgument
      case .badEnsure(.badPattern(let fault)): Self.code(of: fault)
      case .badArgument, .badEnsure, .badEnsuredText, .badForm, .badReply, .ensuredLineDiffers:
        .invalidArgument
      case .blockFound, .blockIsReplaced, .linesAreThere: .blockCount
      case .blockIsEmpty, .blockIsVague: .missingArgument
      case .blockIsTooFarLeft: .blockNotFound
      case .blockNotFound: .blockNotFound
      case .bufferModified: .unsavedChanges
      case .endOfInput, .textHasNoEnd: .unexpectedEnd
      case .file(let error): Self.code(of: error)
      case .fileIsLocked, .historyInUse, .historyShared, .historyNotKept(.inUse): .fileLocked
      case .fileOfRunIsBack: .conflict
      case .fileOfRunIsGone: .fileNotFound
      case .fileNameTooLong, .invalidRedirection, .nameIsNoWord: .invalidFileName
      case .fileNotRead: .fileExists
      case .fileUnseen(.changedOutside): .fileChanged
      case .fileUnseen: .fileNotReadable
      case .folderRestricted, .shellRestricted: .restricted
      case .filesLeft, .forgetsHistory, .sessionBegins, .writeRefused: .needsConfirmation
      case .groupIsOpen: .groupOpen
      case .groupWasAborted: .groupAborted
      case .historyChanged: .historyChanged
      case .historyDamaged, .weaveDiffers: .historyDamaged
      case .historyNotSearched(_, .inUse): .fileLocked
      case .historyNotSearched, .indexUnusable: .fileNotReadable
      case .historyNotDeleted: .historyNotDeleted
      case .interrupted: .interrupted
      case .invalidDestination: .invalidDestination
      case .invalidMark: .invalidMark
      case .lineCantBeEdited, .needsTerminal, .noNextFile: .needsTerminal
      case .lineDiffers: .lineDiffers
      case .lineIsGone: .lineIsGone
      case .lostEscape: .invalidPattern
      case .scriptUnreadable(let error): Self.code(of: error)
      case .filterNotFound, .linesNotRead, .shellFailed, .shellUnavailable: .shellFailed
      case .markNotSet: .markNotSet
      case .markersUnbalanced: .unbalancedMarkers
      case .match(.invalidPattern): .invalidPattern
      case .match(.infiniteSubstitution): .infiniteSubstitution
      case .match(.abandoned): .interrupted
      case .match(.lineTooLong), .match(.outOfMemory): .outOfMemory
      case .missingArgument: .missingArgument
      case .mistyped(_, _, let fault): Self.code(of: fault)
      case .noCurrentFileName, .noFileToEdit: .noFileName
      case .noFileToMerge: .fileNotFound
      case .noHelp: .noHelp
      case .historyNotKept, .noHistoryOnDisk, .noStateFolder: .noHistory
      case .noMatch, .noMatchBecause, .placeNotFound: .noMatch
      case .noOpenGroup: .noGroup
      case .noPreviousCommand, .noPreviousPattern, .noPreviousSubstitution: .noPrevious
      case .noSuchLine, .noSuchLineOf: .noSuchLine
      case .noSuchRevision: .noSuchRevision
      case .noSuchRun, .noEarlierRun: .noSuchRun
      case .notInText, .runNotInText: .otherBranch
      case .runNotInFiles: .noSuchRun
      case .notRegularFile: .fileNotRegular
      case .notUndone: .notRestored
      case .linesAreAs, .noMoveYet, .nothingToPick, .nothingToPut, .nothingToRedo,
        .nothingToRevert, .nothingToUndo, .nothingToUndoHere, .onlyGroupToUndo, .tooFewGroups:
        .nothingToDo
      case .outOfMemory: .outOfMemory
      case .outputFailed: .outputFailed
      case .patch(let error): Self.code(of: error)
      case .hunkIsStale: .hunkRejected
      case .parse(let error): Self.code(of: error)
      case .rangeIsBackwards: .invalidAddress
      case .rejected, .stagedFileAltered: .rejected
      case .groupsInTheWay, .mergeConflicts: .conflict
      case .backupIsWritten, .shellCannotWait: .restricted
      case .unexpectedContent: .unexpectedContent
      case .unexpectedHash, .unexpectedLines: .unexpectedLines
      case .unexpectedMatches: .unexpectedCount
      case .usage: .usage
      case .wordInGlobal: .notInList
      }
  }

  private static func code(of error: ParseError) -> ErrorCode {
    switch error {
    case .destinationExpected: .invalidDestination
    case .globalInGlobal: .notInList
    case .delimiterInPlainText, .ignoreCaseOnEmptyPattern, .invalidSuffix, .lineEndsWithReturn,
      .unexpectedSuffix:
      .invalidSuffix
    case .invalidAddress, .numberOutOfRange, .unexpectedAddress: .invalidAddress
    case .invalidPatternDelimiter, .missingPatternDelimiter, .trailingBackslash,
      .unbalancedBrackets:
      .invalidPattern
    case .badHash, .unknownCommand: .invalidCommand
    }
  }

  private static func code(of error: PatchError) -> ErrorCode {
    switch error {
    case .hasNoChanges, .strayLine, .badHeader, .contradictsHeader, .isCopy, .isNoFile, .isCombined,
      .isBinary, .isCutOff, .hasTooManyHunks,
      .hasSeveralFiles, .changesMoreThanText, .hasNoName, .isTangled:
      .invalidPatch
    case .nameIsTooLong, .nameLeadsOut, .nameIsReserved: .invalidFileName
    case .isInterrupted: .interrupted
    case .fileExists: .fileExists
    case .isNotEmpty, .isRejected: .hunkRejected
    case .isAppliedAlready: .alreadyApplied
    }
  }

  /// The code of a failed operation on a file or a shell command. A failed command has no `errno`.
  private static func code(of error: FileError) -> ErrorCode {
    switch (error.attempt, error.code) {
    case (_, 0): .shellFailed
    case (_, ENOENT): .fileNotFound
    case (.openInput, _), (.readInput, _), (.closeInput, _): .fileNotReadable
    case (.openOutput, _), (.writeOutput, _), (.closeOutput, _): .fileNotWritable
    }
  }
}
