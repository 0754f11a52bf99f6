import TextBuffer

/// The reason why a patch can't be applied.
enum PatchError: Error, Equatable, Sendable {
  /// The patch has no hunk, and does not change files otherwise.
  case hasNoChanges
  /// This line names a file to change, but no hunk follows.
  case hasNoHunk(line: Int)
  /// The patch has no hunk, but this line would begin one without the blanks before it.
  case isIndented(line: Int)
  /// A line outside of all hunks that looks like a line of a hunk.
  case strayLine(Int)
  /// A header at a place where it makes no sense.
  case badHeader(line: Int)
  /// A line like a mark of `<<<<<<< SEARCH` and `>>>>>>> REPLACE`.
  case badMark(line: Int)
  /// A line of a new file without its mark.
  case lacksPlus(line: Int)
  /// `---` and `+++` lines that contradict git's header above them.
  case contradictsHeader(line: Int)
  case isCopy(line: Int)
  /// A symbolic link or a submodule.
  case isLinkOrSubmodule(line: Int)
  /// The patch is cut off within a line, a fence, or the part that begins at this line.
  case isCutOff(line: Int)
  case isCombined(line: Int)
  case isBinary(line: Int)
  /// More hunks than the limit.
  case hasTooManyHunks
  /// The patch is for several files instead of one.
  case hasSeveralFiles(Int)
  /// The patch also renames the file or changes its mode, and here only the text can change.
  case changesMoreThanText
  /// A file of the patch has no name.
  case hasNoName(line: Int)
  case nameIsTooLong(line: Int)
  case nameIsAbsolute
  /// The name of a file outside the folder, or below something other than a folder.
  case nameLeadsOut
  /// The name of a file that git or ued keeps for itself: one in `.git`, or `.ued-…`.
  case nameIsReserved
  /// A signal came while the patch was read.
  case isInterrupted
  case fileExists
  /// A file to delete has text left after its hunks: first this line, with this text.
  case isNotEmpty(LineNumber, [UInt8])
  /// The result of the patch is already there; the lines that it adds are at these places.
  case isAppliedAlready(at: [LineRange] = [])
  /// The patch creates, removes or renames a file that another of its parts also changes.
  case isTangled
  case isRejected(HunkRejection)
}

/// The reason why a hunk does not fit into a text.
struct HunkRejection: Equatable, Sendable {
  enum Reason: Equatable, Sendable {
    /// The text does not have the hunk's lines; `nearest` are the most similar ones.
    case isNowhere(nearest: NearestLines?)
    /// The hunk fits at two lines, but not at the expected one. If `isNumbered`, a correct line
    /// number would decide.
    case isAmbiguous(LineNumber, LineNumber, isNumbered: Bool)
    /// The text lacks an anchor, below which the hunk belongs.
    case hasNoAnchor([UInt8])
    /// The hunk's lines are at this line, but not below its last anchor, or among the lines below
    /// that are indented more.
    case isNotBehindAnchor(LineNumber, [UInt8], isBelow: Bool)
    /// The lines to add are already there.
    case isThere(LineRange)
    /// The hunk only adds lines and has no line number.
    case hasNoPlace
    /// The hunk's lines are above the previous hunk.
    case isOutOfOrder(LineNumber)
    /// The hunk's lines overlap with the previous hunk.
    case overlaps(LineNumber)
    /// The hunk's lines end the text, but the text has the last newline that the patch lacks.
    case endHasNewline
    /// The text has the hunk's lines, but more lines follow where the patch ends the text, by
    /// `*** End of File` if `isMarked`.
    case isNotAtEnd(LineNumber, isMarked: Bool)
    /// The searches for the hunks take too long.
    case takesTooLong
  }

  /// The number of the hunk in its file, counted from 1.
  var hunk: Int
  /// The first line of the hunk in the patch.
  var patchLine: Int
  var reason: Reason
}
