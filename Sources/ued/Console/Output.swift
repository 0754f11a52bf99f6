import TextBuffer

/// What a command says to the user, as a value; a `Rendering` makes bytes of it.
enum Output {
  /// Lines of the text.
  case lines(LineRange, of: PieceTable, as: LineFormat)
  case number(Int)
  /// Text has been read; told as a byte count, or to a person as a whole sentence if it is all of
  /// the text.
  case loaded(name: [UInt8], lineCount: Int, byteCount: Int, isWholeText: Bool)
  case written(byteCount: Int)
  case newlineAppended
  case newlineInserted
  case fileName([UInt8])
  /// A shell command as it runs, after `%` and `!` have been replaced.
  case shellCommand([UInt8])
  case shellEnded
  /// What is wrong, in full.
  case explanation(EditorError)
  /// The text is that of another revision now.
  case moved(Move, line: LineNumber, lineCount: Int)
  case history([HistoryRow], HistoryForm)
  /// What makes `new` of `old`, as a unified diff.
  case difference(from: PieceTable, to: PieceTable, of: [UInt8])
  /// All commands, or one of them in full.
  case help(CommandRow?)
  /// The system's reason why a file can't be used; for standard error.
  case failure(FileError)
  case warning(Warning)
  case notice(HistoryNotice)
  /// A command has failed.
  case error(EditorError, ErrorDetail)
  /// The file of the command line is not there.
  case newFile([UInt8])
  /// The user's settings for line editing are not all understood.
  case brokenSettings
  /// An interrupt was typed, behind which a line ends.
  case interruptEcho
}

/// How much is said of a failed command.
enum ErrorDetail: Equatable {
  case brief
  case explained
  /// The script ends at this line.
  case explainedAt(scriptLine: Int)
  /// Of an interrupt: what the command had done stays.
  case kept
}

/// What can be lost by a write; for standard error.
enum Warning: Equatable, Sendable {
  /// The file is about to be written over although it is not what was read.
  case overwriting([UInt8], KnownFile.Danger)
  /// A save of the file was killed; the text before it is in another place.
  case savedInPart([UInt8], oldText: [UInt8])
}

/// A way that was taken through the tree of revisions.
enum Move: Equatable, Sendable {
  /// The names of the groups that were taken back, newest first, and the revision it led to.
  case undone([String], to: Int)
  /// The names of the groups that were done again, oldest first, and the revision it led to.
  case redone([String], to: Int)
  case jumped(to: Int, name: String)
}

/// How `history` shows revisions.
enum HistoryForm: Equatable, Sendable {
  case table, tree, json
}

/// A revision as `history` shows it.
struct HistoryRow: Sendable {
  var id: Int
  var parent: Int?
  /// What the group is called.
  var name: String
  /// Seconds since 1970 began.
  var time: Double
  var isCurrent: Bool
  var isSaved: Bool
  var isCheckpoint: Bool
  var linesAdded: Int
  var linesRemoved: Int
}
