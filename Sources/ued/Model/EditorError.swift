import Glibc
import TextBuffer

/// The reason why a command failed.
enum EditorError: Error, Equatable, Sendable {
  case ambiguousRevision([UInt8], [Int])
  /// The word begins the identities of several runs.
  case ambiguousRun([UInt8], [String])
  case badArgument([UInt8], of: Word)
  case badForm(Word)
  case badEnsure(EnsureFault)
  /// The text of `ensure` is not a single line, or not a block between its markers.
  case badEnsuredText(isBlock: Bool)
  /// A line of the block of `ensure`, neither the first nor the last, that matches a pattern.
  case ensuredMarkerInside(LineNumber, [UInt8])
  case badReply([UInt8])
  /// A block occurs `count` times, not `expected`; the lines are the first. `exactly` is the
  /// only exact match of a loose search.
  case blockFound(
    [LineNumber], count: Int, expected: Int, exactly: LineNumber? = nil,
    by: BlockReplacement.Matching = .lines, overlap: Bool = false)
  /// The lines around the block are already the new ones, so the command has probably run before.
  case blockIsReplaced(LineRange, by: BlockReplacement.Matching)
  /// The new lines already stand around the lines addressed by a hash.
  case linesAreThere(LineRange)
  case blockIsEmpty
  /// The new text has a line equal to the word that ended the old one.
  case blockHasEnd([UInt8])
  case blockNotFound(NearestLines?, BlockAdvice? = nil)
  /// A block without letters and digits can't be found by ignoring blanks.
  case blockIsVague
  /// A new line would begin left of the margin.
  case blockIsTooFarLeft
  /// The backup that -i would make of a file is another file of the run.
  case backupIsFile([UInt8])
  /// A script would write to the backup that -i makes of one of its files.
  case backupIsWritten([UInt8])
  case bufferModified
  case endOfInput
  /// The line of `ensure` does not match its pattern.
  case ensuredLineDiffers([UInt8], [UInt8])
  case file(FileError)
  case fileIsLocked(by: LockHolder?)
  case fileNameTooLong
  case fileNotRead
  case fileUnseen(KnownFile.Danger)
  /// A person's session would end although files of the command line have not been opened.
  case filesLeft([[UInt8]])
  case fileOfRunIsBack
  case fileOfRunIsGone
  /// The shell can't find the command to filter lines.
  case filterNotFound([UInt8])
  case folderRestricted
  /// Groups that changed the same lines prevent undoing or picking another group.
  case groupsInTheWay([BlockingGroup])
  case forgetsHistory(groups: Int)
  case groupIsOpen
  case groupWasAborted
  case historyChanged
  case historyDamaged
  case historyInUse
  /// Running processes still use the history to delete.
  case historyShared([String])
  /// The history of the text to be written or recorded can't be kept, but is required.
  case historyNotKept(StorageError?, isRecording: Bool = false)
  case historyNotDeleted(Int32)
  case historyNotSearched([UInt8], StorageError)
  case indexUnusable(StorageError)
  case interrupted
  case invalidDestination
  case invalidMark
  case invalidRedirection
  case lineCantBeEdited(LineNumber)
  case lineIsGone(LineNumber, of: Int, LineLoss)
  case linesAreAs(Int)
  case linesNotRead
  /// The replacement of `s` has an escape of sed, such as `\n`.
  case lostEscape(UInt8)
  case markNotSet(UInt8)
  /// A marker of a block at this line lacks its counterpart.
  case markersUnbalanced(LineNumber)
  case match(MatchError)
  case mergeConflicts([MergeConflict], with: [UInt8])
  case missingArgument(Word)
  /// The line has a syntax error, and probably means something else.
  case mistyped([UInt8], CommandHint?, ParseError = .unknownCommand)
  case nameNeedsQuotes
  case needsTerminal(Word)
  case noCurrentFileName
  case noFileToEdit
  case noFileToMerge
  case noHelp([UInt8])
  case noHistoryOnDisk
  /// The history with a run to undo was damaged, and has been set aside.
  case historyOfRunIsDamaged
  /// The old lines of a hunk were in the text earlier.
  case hunkIsStale(HunkRejection, PastPlace)
  /// A line is missing, or its hash differs from the address. `others` are the first lines with the
  /// expected hash; `PastPlace` is the line's old place.
  case lineDiffers(LineNumber, hash: Int, found: [UInt8]?, others: [LineNumber], PastPlace? = nil)
  case noMatch
  /// No line matches, for a likely reason.
  case noMatchBecause(MismatchReason)
  case noMoveYet
  case noNextFile
  case noOpenGroup
  case noPreviousCommand
  case noPreviousPattern
  case noPreviousSubstitution
  case noSuchLine(LineNumber, last: LineNumber)
  case noSuchLineOf(Int, LineNumber, last: LineNumber)
  case noSuchRevision([UInt8])
  /// The environment names no folder for histories.
  case noStateFolder
  case noSuchRun([UInt8])
  /// The name is not a run's, but begins the identities of some; it has too few digits for one.
  case runIdentityTooShort([UInt8])
  case noEarlierRun
  case notInText(Int)
  case runNotInText(String)
  /// The run began at this revision, which is not in the text. It has made groups, or none.
  case runMoved(from: Int, hasGroups: Bool)
  /// A run has changed none of the files of the command line.
  case runNotInFiles([UInt8])
  case notRegularFile
  case notUndone([[UInt8]], FileError, isStuck: Bool)
  case nothingToPick(Int)
  case nothingToPut
  /// No group can be redone. `wayBack` is the revision that the last move left; nil if `undo` or
  /// `redo` leads back there.
  case nothingToRedo(wayBack: Int?)
  case nothingToRevert(Int)
  case nothingToUndo
  /// `u` has nothing to undo, but `undo` could undo the group with this title.
  case onlyGroupToUndo(String)
  case nothingToUndoHere
  /// A command failed because of a file other than the edited one.
  indirect case onFile([UInt8], EditorError)
  case outOfMemory
  case outputFailed
  case parse(ParseError)
  case patch(PatchError)
  /// The pattern for `ensure`'s place has no match.
  case placeNotFound([UInt8], isInPart: Bool)
  case rangeIsBackwards(LineRange)
  case rejected
  case scriptUnreadable(FileError)
  case shellCannotWait
  case shellFailed(Int32)
  case shellRestricted
  case shellUnavailable
  case undoCrossesSession
  case stagedFileAltered
  case textHasNoEnd([UInt8])
  case tooFewGroups(Int)
  /// The lines have this hash; `PastPlace` tells when they had the expected one.
  case unexpectedHash(SHA256Hash, expected: HashPrefix, PastPlace?)
  case unexpectedContent(SHA256Hash?)
  case unexpectedLines(LineMismatch, BlockAdvice? = nil)
  case unexpectedMatches(Int, expected: Int)
  case usage(UsageError)
  /// The weave does not yield the text: a bug in ued.
  case weaveDiffers
  case wordInGlobal(Word)
  /// A person's write would destroy something. Repeating it as the very next command writes anyway.
  case writeRefused(RefusedWrite)
}

/// A refused write, and the state of the file when it was refused.
struct RefusedWrite: Equatable, Sendable {
  enum Reason: Equatable, Sendable {
    case unseen(KnownFile.Danger)
    /// Only a part of the text would be left in its own file.
    case isPart
    /// Conflict markers of a merge would be saved, the first of them at this line.
    case hasConflicts(LineNumber)
  }

  var reason: Reason
  var path: [UInt8]
  var lines: LineRange
  var isAppended: Bool
  var file: FileIdentity?
}

extension EditorError {
  /// The failure of a file, or the interrupt that ended a call.
  init(_ failure: FileError) {
    self =
      switch failure.reason {
      case .system: failure.code == EINTR ? .interrupted : .file(failure)
      case .changed(let danger): .fileUnseen(danger)
      case .rejected: .rejected
      case .altered: .stagedFileAltered
      case .notUndone(let paths, let isStuck): .notUndone(paths, failure, isStuck: isStuck)
      }
  }

  /// The error when `Interrupts.isInterrupted`: an interrupt, or a lack of memory.
  static var interruption: EditorError { Interrupts.isRequested ? .interrupted : .outOfMemory }

  var isMissingFile: Bool {
    if case .file(let failure) = self { failure.code == ENOENT } else { false }
  }
}

/// The reason why nothing may have matched a pattern.
enum MismatchReason: Equatable, Sendable {
  /// The first line would match without the byte order mark before it.
  case byteOrderMark
  /// The line would match without its carriage return, which the other lines of the file lack.
  case carriageReturn(LineNumber)
  /// The pattern has a carriage return, but the text hides the carriage returns of its file.
  case returnIsLineEnd
  /// The pattern has a form of another dialect of regular expressions; `here` is ued's form.
  case otherDialect(String, here: String)
  /// Only the current line was searched. This line matches.
  case otherLine(LineNumber)
}

/// Advice when lines are not in their expected place.
enum BlockAdvice: Equatable, Sendable {
  /// The new text is there already.
  case alreadySo(LineRange)
  /// `replace loose` would find the block.
  case looseMatch(LineRange)
  /// `replace text` would find it, within this line, which has this text.
  case textMatch(LineNumber, [UInt8])
  /// The block would be found if each `\n` in it were a newline.
  case escapedNewlines
  /// The lines begin with numbers or anchors, copied along with them.
  case copiedNumbers
  /// The lines begin with the marks of a difference, copied along with them.
  case copiedMarks
  /// The block is at other lines.
  case standsAt(LineRange)
  /// The block was there earlier.
  case stoodThere(PastPlace)
}

/// The reason why a history is not kept, or why a database can't be used.
enum StorageError: Error, Equatable, Sendable {
  /// Another process has locked the database, or has deleted it just now.
  case inUse
  /// The file system of the histories has no locks.
  case noLocks
  /// A plain script sees carriage returns that the texts of a history do not have.
  case showsReturns
  /// Another run changed the history while this run had it closed.
  case changedMeanwhile
  /// Stored data contradict themselves or a checksum.
  case damaged
  /// The history was corrupt and has been set aside under this path; a new one begins.
  case setAside([UInt8])
  /// The history is corrupt and could not be set aside.
  case damagedInPlace
  /// A newer version of ued wrote the database.
  case newer
  /// The folder can't be used; `code` is the system's error.
  case folder([UInt8], code: Int32)
  /// The file or folder at this path belongs to another user, is writable by others, or is a link.
  case foreign([UInt8])
  /// XDG_STATE_HOME and HOME are unset, so histories have no folder.
  case noFolder
  /// A group has more bytes than a history can have.
  case groupTooLarge
  /// The history has reached its size limit.
  case full
  /// The text is too large for its history to be kept.
  case textTooLarge
  /// A text without a name got the name of a file with a history.
  case fileHasHistory
  /// The folder has too many histories of texts without a name.
  case tooManyUnnamed
  /// The text has no name, so its history stays in memory when another file is edited.
  case textWithoutName
  /// Any other error of SQLite: its primary result code, and its message.
  case sqlite(Int32, String)

  /// The error that SQLite's result code and message mean.
  init(code: Int32, message: String) {
    switch code & 0xFF {
    case 5, 6: self = .inUse
    case 18: self = .groupTooLarge
    case let code: self = .sqlite(code, message)
    }
  }

  /// The file does not exist or can't be opened.
  static let cannotOpen = StorageError.sqlite(14, "unable to open database file")
  /// Memory is short.
  static let outOfMemory = StorageError.sqlite(7, "out of memory")
  /// The disk failed to read bytes.
  static let unreadable = StorageError.sqlite(10, "disk I/O error")
  /// A signal interrupted a large write.
  static let interrupted = StorageError.sqlite(9, "interrupted")

  private var code: Int32 { if case .sqlite(let code, _) = self { code } else { 0 } }

  /// Whether the file does not exist or can't be opened.
  var isMissing: Bool { code == 14 }

  /// Whether the database is corrupt, as shown by SQLite, a missing table or column, or a checksum.
  var isDamage: Bool { self == .damaged || [1, 11, 17, 20, 24, 26].contains(code) }

  /// Whether SQLite reports a file that is corrupt or not a database.
  var isFormatError: Bool { code == 11 || code == 26 }

  /// Whether rows violate a constraint, as in an unsynced database after a crash.
  var isContradiction: Bool { code == 19 }

  /// Whether other users may have written, or can write, the database.
  var isForeign: Bool { if case .foreign = self { true } else { false } }

  /// Whether a retry may succeed: after a signal, a full disk, short memory, or an I/O error.
  var isTransient: Bool { [7, 9, 10, 13].contains(code) }

  /// Whether a later attempt may succeed without any action by this process.
  var mayPass: Bool {
    switch self {
    case .inUse, .noLocks, .folder: true
    default: isTransient || [8, 14].contains(code)
    }
  }
}
