import TextBuffer

/// Output as a value; a `Rendering` turns it into bytes.
enum Output {
  /// Lines of the text, in which a person's search has found matches.
  case lines(LineRange, of: PieceTable, as: LineFormat, marking: MatchFinder? = nil)
  /// Numbers on one line, with blanks between them.
  case numbers([Int])
  /// Text has been read: shown as a byte count, or to a person as a sentence if it is the whole text.
  case loaded(name: [UInt8], lineCount: Int, byteCount: Int, isWholeText: Bool)
  case written(byteCount: Int)
  case newlineAppended
  case newlineInserted
  case fileName([UInt8])
  /// A shell command as it runs, after `%` and `!` have been replaced.
  case shellCommand([UInt8])
  case shellEnded
  /// The explanation that `h` prints.
  case explanation(EditorError)
  /// The text is now that of another revision.
  case moved(Move, line: LineNumber, lineCount: Int)
  case history([HistoryRow], HistoryForm)
  /// The unified diff from one text to another, and the name of the file, which may not exist yet.
  case difference(from: PieceTable, to: PieceTable, of: [UInt8], isNew: Bool = false)
  /// A list of all commands, or the details of one.
  case help(CommandRow?)
  /// The system's reason why a file can't be used, for standard error.
  case failure(FileError)
  case warning(Warning)
  case notice(HistoryNotice)
  /// A command failed.
  case error(EditorError, ErrorDetail)
  /// A strict run failed on a file.
  case runFailure(RunFailure)
  /// The file on the command line does not exist.
  case newFile([UInt8])
  /// The user's settings for line editing contain an error.
  case brokenSettings
  /// Ends the line in which an interrupt was typed.
  case interruptEcho
}

/// How much is printed about a failed command.
enum ErrorDetail: Equatable {
  case brief
  case explained
  /// The error ends the script at this line.
  case explainedAt(scriptLine: Int)
  /// The command was interrupted, and what it had done stays.
  case kept
}

/// A warning that text may be lost, for standard error.
enum Warning: Equatable, Sendable {
  /// A file is overwritten although its content is not what was read.
  case overwriting([UInt8], KnownFile.Danger)
  /// What somebody else has written to a file is overwritten, and can't be kept in its history.
  case othersTextNotKept(FileError)
  /// An earlier save of the file was killed; this is where the old text is.
  case savedInPart([UInt8], oldText: [UInt8])
  /// A run over several files had been killed while it renamed them.
  case mended(RunMender.Mending)
}

/// A move from one revision to another.
enum Move: Equatable, Sendable {
  /// The names of the undone groups, newest first, and the resulting revision.
  case undone([String], to: Int)
  /// The names of the redone groups, oldest first, and the resulting revision.
  case redone([String], to: Int)
  case jumped(to: Int, name: String)
}

/// The output formats of `history`.
enum HistoryForm: Equatable, Sendable {
  case table, tree, json
}

/// A revision in the output of `history`.
struct HistoryRow: Sendable {
  var id: Int
  var parent: Int?
  /// The name of its group.
  var name: String
  /// Seconds since 1970-01-01 UTC.
  var time: Double
  var isCurrent: Bool
  var isSaved: Bool
  var isCheckpoint: Bool
  var linesAdded: Int
  var linesRemoved: Int
}
