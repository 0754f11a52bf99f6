import Glibc

/// Which code an error has. There is no `default`: a new error asks for its code.
extension ErrorCode {
  init(_ error: EditorError) {
    self =
      switch error {
      case .ambiguousRevision: .ambiguousRevision
      case .badArgument, .badReply: .invalidArgument
      case .blockFound: .blockCount
      case .blockIsEmpty: .missingArgument
      case .blockNotFound: .blockNotFound
      case .bufferModified: .unsavedChanges
      case .endOfInput, .textHasNoEnd: .unexpectedEnd
      case .file(let error): Self.code(of: error)
      case .fileIsLocked, .historyInUse, .historyNotKept(.inUse): .fileLocked
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
      case .historyNotDeleted: .historyNotDeleted
      case .interrupted: .interrupted
      case .invalidDestination: .invalidDestination
      case .invalidMark: .invalidMark
      case .lineCantBeEdited, .needsTerminal, .noNextFile: .needsTerminal
      case .lineIsGone: .lineIsGone
      case .linesNotRead, .shellFailed, .shellUnavailable: .shellFailed
      case .markNotSet: .markNotSet
      case .match(.invalidPattern): .invalidPattern
      case .match(.infiniteSubstitution): .infiniteSubstitution
      case .match(.abandoned): .interrupted
      case .match(.lineTooLong), .match(.outOfMemory): .outOfMemory
      case .missingArgument: .missingArgument
      case .mistyped: .invalidCommand
      case .noCurrentFileName: .noFileName
      case .noFileToMerge: .fileNotFound
      case .noHelp: .noHelp
      case .historyNotKept, .noHistoryOnDisk: .noHistory
      case .noMatch, .noMatchOfReturn: .noMatch
      case .noOpenGroup: .noGroup
      case .noPreviousCommand, .noPreviousPattern, .noPreviousSubstitution: .noPrevious
      case .noSuchLine, .noSuchLineOf: .noSuchLine
      case .noSuchRevision: .noSuchRevision
      case .noSuchRun, .noEarlierRun: .noSuchRun
      case .notInText, .runNotInText: .otherBranch
      case .notRegularFile: .fileNotRegular
      case .notUndone: .notRestored
      case .linesAreAs, .noMoveYet, .nothingToPick, .nothingToPut, .nothingToRedo,
        .nothingToRevert, .nothingToUndo, .nothingToUndoHere, .tooFewGroups:
        .nothingToDo
      case .outOfMemory: .outOfMemory
      case .outputFailed: .outputFailed
      case .patch(let error): Self.code(of: error)
      case .parse(let error): Self.code(of: error)
      case .rangeIsBackwards: .invalidAddress
      case .rejected, .stagedFileAltered: .rejected
      case .groupsInTheWay, .mergeConflicts: .conflict
      case .backupIsWritten, .shellCannotWait: .restricted
      case .unexpectedContent: .unexpectedContent
      case .unexpectedLines: .unexpectedLines
      case .unexpectedMatches: .unexpectedCount
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
    case .unknownCommand: .invalidCommand
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

  /// The code of a failed operation on a file, or on a shell command, whose failures have no `errno`.
  static func code(of error: FileError) -> ErrorCode {
    switch (error.attempt, error.code) {
    case (_, 0): .shellFailed
    case (_, ENOENT): .fileNotFound
    case (.openInput, _), (.readInput, _), (.closeInput, _): .fileNotReadable
    case (.openOutput, _), (.writeOutput, _), (.closeOutput, _): .fileNotWritable
    }
  }
}
