import TextBuffer

/// Output as a value; a `Rendering` turns it into bytes.
enum Output {
  /// Lines of the text, in which a person's search has found matches.
  case lines(LineRange, of: PieceTable, as: LineFormat, marking: MatchFinder? = nil)
  /// Some lines of the text, in order.
  case eachLine([LineNumber], of: PieceTable, as: LineFormat)
  /// Parts of the text that are whole lines, in order.
  case parts([Range<ByteOffset>], of: PieceTable)
  /// Numbers on one line, with blanks between them.
  case numbers([Int])
  /// Text has been read: shown as a byte count, or to a person as a sentence.
  case loaded(name: [UInt8], lineCount: Int, byteCount: Int)
  /// Text has been written, or appended.
  case written(
    name: [UInt8], lineCount: Int, byteCount: Int, isAppended: Bool, isMadeAgain: Bool = false)
  case newlineAppended
  case newlineInserted
  case fileName([UInt8])
  /// A shell command as it runs, after `%` and `!` have been replaced.
  case shellCommand([UInt8])
  case shellEnded(status: Int32)
  /// The explanation that `h` prints.
  case explanation(EditorError)
  /// `replace loose` has taken lines for others.
  case overlooked(OverlookedDifferences)
  /// The text is now that of another revision.
  case moved(Move, line: LineNumber, lineCount: Int)
  /// What a command has done to the text.
  case effect(Effect)
  /// The lines in which two texts differ, and the command that shows them all.
  case changedLines([LineHunk], from: PieceTable, to: PieceTable, by: String)
  case group(GroupReport)
  /// The current revision has got a name.
  case named(revision: Int, title: String)
  case history(HistoryListing)
  case blame(BlameListing)
  case exported(HistoryExport)
  /// The unified diff from one text to another, and the name of the file, which may not exist yet, or no more.
  case difference(
    from: PieceTable, to: PieceTable, of: [UInt8], isNew: Bool = false, isRemoved: Bool = false)
  /// The texts that a person has compared are the same.
  case noDifference(Sameness)
  /// A match in the bytes of a line, about which `s` is to ask.
  case match(Range<Int>, of: [UInt8], in: LineNumber)
  /// The files of the command line that `next` will open.
  case laterFiles([[UInt8]])
  case help(HelpSubject)
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
  case brokenSettings(SettingsFault)
  /// What a new user can do first.
  case firstScreen
  /// There are branches, which `tree` shows.
  case treeIsThere
  /// How the text ends that is asked for.
  case endOfText
  /// A line of text was probably meant for a command.
  case textLooksLikeCommand([UInt8])
  /// Pasted lines are not run, since a command before them has failed or ended the session.
  case pasteDropped([[UInt8]])
  /// Ends the line in which an interrupt was typed.
  case interruptEcho
}

/// What a command has done to how many lines.
enum Effect: Equatable, Sendable {
  case added(Int), changed(Int), copied(Int), moved(Int), removed(Int)
  /// A line, by its number and its text.
  case lineRemoved(LineNumber, [UInt8])
  case replaced(Int, by: Int)
  case described(String)

  /// How many lines there are now of those that it is about; nil if that is not told.
  var lineCount: Int? {
    switch self {
    case .added(let count), .changed(let count), .copied(let count), .moved(let count): count
    case .removed, .lineRemoved, .replaced, .described: nil
    }
  }
}

/// What has become of a group made by hand.
enum GroupReport: Equatable, Sendable {
  case begun, innerEnded, unchanged, aborted
  /// The group is a revision with this title.
  case ended(Int, String)
}

/// Which texts are the same.
enum Sameness: Equatable, Sendable {
  /// The text and the one that was saved last.
  case saved
  /// The text and the file on the disk.
  case onDisk
  /// Two revisions.
  case revisions
  /// A group has changed nothing; the present revision, if that is another one.
  case group(Int, present: Int?)
}

/// How much is printed about a failed command.
enum ErrorDetail: Equatable {
  case brief
  case explained
  /// The error ends the script at this line.
  case explainedAt(scriptLine: Int)
  /// The command was ended before it was done, and what it had changed stays.
  case kept
  /// The command was cut off while it read so many lines; they can be brought back.
  case cutOff(lines: Int, isInGroup: Bool)
}

/// A warning that text may be lost, for standard error.
enum Warning: Equatable, Sendable {
  /// A file is overwritten although its content is not what was read.
  case overwriting([UInt8], KnownFile.Danger)
  /// The address on the command line leads nowhere.
  case notAtStart([UInt8], EditorError)
  /// Another program has changed the file of a person's text, or removed it.
  case changedMeanwhile([UInt8], isGone: Bool)
  /// A file is not overwritten, since it could not be read whole.
  case notOverwritten([UInt8], KnownFile.Danger)
  /// The file has the unsaved text of a session whose terminal was lost.
  case leftByHangUp([UInt8])
  /// The text of a file is modified that can't be written.
  case readOnly([UInt8])
  /// What somebody else has written to a file is overwritten, and can't be kept in its history.
  case othersTextNotKept(FileError)
  /// An earlier save of the file was killed; this is where the old text is.
  case savedInPart([UInt8], oldText: [UInt8])
  /// A run over several files had been killed while it renamed them.
  case mended(TransactionMender.Mending)
  /// The lines behind a line that is no command are text, up to an end, and dropped.
  case textDropped(upTo: [[UInt8]])
}

/// A move from one revision to another; groups are told by their titles.
enum Move: Equatable, Sendable {
  /// The undone groups, newest first, and the resulting revision.
  case undone([String], to: Int)
  /// The redone groups, oldest first, and the resulting revision.
  case redone([String], to: Int)
  case jumped(to: Int, name: String)
  /// A text that was merged, nil if it had nothing new; the number of conflicts that are marked, and the
  /// new revision.
  case merged(String?, conflictCount: Int, to: Int)
  /// A group of another branch that was picked, and the new revision.
  case picked(String, to: Int)
  /// A group that was reverted, and the new revision.
  case reverted(String, to: Int)
  /// `u` has undone or redone a command without a revision of its own, as in an open group.
  case toggled(isRedo: Bool)
}

/// The output formats of `history`.
enum HistoryForm: Equatable, Sendable {
  case table, tree, json
}

/// The output of `history`.
struct HistoryListing: Sendable {
  /// The revisions in display order; in a tree, all of them in descending order.
  var rows: [HistoryRow]
  var form = HistoryForm.table
  /// How many more the list would have above and below.
  var newerCount = 0
  var olderCount = 0
  /// The number of branches beside the listed one, if a person is told.
  var otherBranchCount = 0
  /// The name of the file.
  var fileName: [UInt8] = []
  /// The pattern that the revisions match, if they were searched for.
  var pattern: [UInt8]?
  /// The lines that the groups touched, if it is about some.
  var lines = LineRange(1, 0)
}

/// The output of `blame`.
struct BlameListing: Sendable {
  var lines: LineRange
  var text: PieceTable
  /// The group that each of the lines has last appeared by; of an open one, the number of the next revision.
  var groups: [Int]
  /// What is known of these groups, but of an open one.
  var origins: [Int: Origin]
  var isJSON = false

  struct Origin: Sendable {
    /// Seconds since 1970-01-01 UTC.
    var time: Double
    /// The number of the run in this history.
    var run: Int?
    var runName: String?
  }
}

/// A revision in the output of `history`.
struct HistoryRow: Sendable {
  var id: Int
  var parent: Int?
  /// The name that the user has given its group.
  var name: String?
  /// What its group did.
  var description: String
  /// All names and the description.
  var title: String
  /// Seconds since 1970-01-01 UTC.
  var time: Double
  var isCurrent: Bool
  /// Whether it was saved last.
  var isSaved: Bool
  /// Whether it was saved before the last save.
  var wasSaved: Bool
  /// Whether `redo` leads to it.
  var isNext = false
  /// Whether it is the open group, which has no number yet.
  var isOpen = false
  /// The run that made its group, if the form tells that; nil for changes made outside ued.
  var run: Int?
  var runName: String?
  /// The number of lines that its group added and removed.
  var lineCounts = (added: 0, removed: 0)
}

/// Where the text is after a command, for its answer to a program.
struct TextState {
  var line: LineNumber
  var lastLine: LineNumber
  var revision: Int
  var isModified: Bool
}

/// A history to be written in a format of other programs.
struct HistoryExport: Sendable {
  enum Form: Sendable {
    /// Patches from the first text to the current one.
    case patches
    /// All revisions for `git fast-import`.
    case commits
  }

  let form: Form
  /// The text with its history. What open groups have done is not part of it.
  let text: EditedText
  /// The name of the file; empty when there is none.
  let fileName: [UInt8]
  /// Whether the file may be executed.
  let isExecutable: Bool

  /// The name without its folders.
  var baseName: [UInt8] {
    let name = Array(fileName.drop { $0 == .slash }.split(separator: .slash).last ?? [])
    return Self.isRefused(name) ? Self.nameless : name
  }

  /// The path as a patch can have it, which must not lead out of the present folder: for a path that
  /// does, the name without its folders.
  var relativePath: [UInt8] {
    let parts = fileName.split(separator: .slash).map { Array($0) }.filter { $0 != [.dot] }
    return fileName.first == .slash || parts.isEmpty || parts.contains { Self.isRefused($0) }
      ? baseName : Array(parts.joined(separator: [.slash]))
  }

  /// What a text without a file is called.
  private static let nameless = Array("text".utf8)

  /// Whether git takes a path with this component for one that leads out, or into its own folder.
  private static func isRefused(_ part: [UInt8]) -> Bool {
    let folded = String(decoding: part, as: UTF8.self).lowercased()
    return ["", ".", "..", ".git", "git~1"].contains(folded)
  }
}

/// Why a strict run failed on a file.
struct RunFailure: Error, Equatable {
  /// The file; empty when there is none.
  var file: [UInt8]
  /// Where in the script, as `SCRIPT:LINE`; empty when the error is that of no command.
  var place: [UInt8] = []
  var error: EditorError
  /// The text that the error is about, where no answer to a command has told its hint.
  var text: PieceTable?
  /// Whether the file could not be opened.
  var isOpening = false
  /// Whether running the script again may help, and has not been asked for.
  var suggestsRetry = false

  /// The exit status.
  var status: Int32 {
    switch error {
    case .fileUnseen(.changedOutside), .fileIsLocked, .historyChanged, .historyInUse,
      .historyNotKept, .lineDiffers, .unexpectedContent:
      3
    case .bufferModified where place.isEmpty: 2
    default: isOpening && error != .interrupted ? 2 : 1
    }
  }

  /// Whether the script may succeed when it is run again.
  var isTransient: Bool {
    switch error {
    case .fileUnseen(.changedOutside), .historyChanged: true
    default: false
    }
  }
}
