import TextBuffer

/// Why a patch can't be applied.
enum PatchError: Error, Equatable, Sendable {
  /// There is no hunk in it, and nothing else that changes a file.
  case hasNoChanges
  /// A line of the patch that belongs to no hunk, though it looks like one that does.
  case strayLine(Int)
  /// A line of the patch with a header that makes no sense where it is.
  case badHeader(line: Int)
  /// `---` and `+++` that say something else of a file than the header of git above them.
  case contradictsHeader(line: Int)
  /// A file that is copied.
  case isCopy(line: Int)
  /// A symbolic link or a submodule.
  case isNoFile(line: Int)
  /// The patch ends before it is complete: within a line, a fence, or what begins at this line.
  case isCutOff(line: Int)
  /// The difference of a merge, with several old texts.
  case isCombined(line: Int)
  /// The difference of a binary file.
  case isBinary(line: Int)
  /// More hunks than are read.
  case hasTooManyHunks
  /// The patch is for so many files, and not for one.
  case hasSeveralFiles(Int)
  /// The patch renames the file or changes its mode, which the text of it can't do.
  case changesMoreThanText
  /// A file of the patch has no name.
  case hasNoName(line: Int)
  /// A name that is longer than the system takes.
  case nameIsTooLong(line: Int)
  /// The name of a file that leads out of the folder, or through something that is no folder.
  case nameLeadsOut
  /// The name of a file that git or ued keeps for itself: one in `.git`, or `.ued-…`.
  case nameIsReserved
  /// A signal came while the patch was read.
  case isInterrupted
  /// A new file exists already.
  case fileExists
  /// A file that is not empty after its hunks should be deleted.
  case isNotEmpty
  /// What the patch would do is done already.
  case isAppliedAlready
  /// A file is made, removed or renamed, and changed by another part of the patch, too.
  case isTangled
  /// A hunk does not fit.
  case isRejected(HunkRejection)
}

/// Why a hunk does not fit into a text.
struct HunkRejection: Equatable, Sendable {
  enum Reason: Equatable, Sendable {
    /// Its lines are nowhere; perhaps some are like them.
    case isNowhere(nearest: NearestLines?)
    /// It fits at two lines, equally near to where it should be.
    case isAmbiguous(LineNumber, LineNumber)
    /// The text lacks the line that it is to be behind.
    case hasNoAnchor([UInt8])
    /// What it adds is there already.
    case isThere(LineRange)
    /// It adds lines and does not say where.
    case hasNoPlace
    /// It is about lines above those of the hunk before it.
    case isOutOfOrder(LineNumber)
    /// It is about lines that the hunk before it is about, too.
    case overlaps(LineNumber)
    /// Its lines are at the end of the text, without a newline by the patch, but that has one.
    case endHasNewline
    /// Its lines are there, but the text goes on behind the one that is the last by the patch.
    case isNotAtEnd(LineNumber)
    /// Looking for it takes too long.
    case isTooFar
  }

  /// The number of the hunk in its file, counted from 1.
  var hunk: Int
  /// The line of the patch where it begins.
  var patchLine: Int
  var reason: Reason
}
