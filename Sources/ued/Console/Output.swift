import TextBuffer
import TextLines

/// Output as a value; a `Rendering` turns it into bytes.
enum Output {
  /// Lines of the text; `marking` finds the matches to highlight after a person's search.
  case lines(LineRange, of: PieceTable, as: LineFormat, marking: MatchFinder? = nil)
  /// Some lines of the text, in order.
  case eachLine([LineNumber], of: PieceTable, as: LineFormat)
  /// Parts of the text that are whole lines, in order.
  case parts([Range<ByteOffset>], of: PieceTable)
  /// Numbers on one line, with blanks between them.
  case numbers([Int])
  /// Text has been read: shown as a byte count, or to a person as a sentence.
  case loaded(name: [UInt8], lineCount: Int, byteCount: Int)
  /// Text has been written, or appended. `isMadeAgain` if the file had been removed before.
  case written(
    name: [UInt8], lineCount: Int, byteCount: Int, isAppended: Bool, isMadeAgain: Bool = false)
  /// A newline was added to read text, or before it. `source` is nil for the text's own file.
  case newlineAppended(source: [UInt8]?)
  case newlineInserted
  case fileName([UInt8])
  /// A shell command as it runs, after `%` and `!` have been replaced.
  case shellCommand([UInt8])
  case shellEnded(status: Int32)
  /// The explanation that `h` prints.
  case explanation(EditorError)
  /// `replace loose` has accepted different lines.
  case overlooked(OverlookedDifferences)
  /// The text is now the text of another revision.
  case moved(Move, line: LineNumber, lineCount: Int)
  /// The effect of a command on the text.
  case effect(Effect)
  /// The lines that differ between two texts, and the command that shows them all.
  case changedLines([LineHunk], from: PieceTable, to: PieceTable, by: String)
  case group(GroupReport)
  /// The current revision has a new name.
  case named(revision: Int, title: String)
  case history(HistoryListing)
  case blame(BlameListing)
  case exported(HistoryExport)
  /// The unified diff between two texts of a file, which may be new or removed. `isExecutable` is
  /// nil if the mode stays the same.
  case difference(
    from: PieceTable, to: PieceTable, of: [UInt8], isNew: Bool = false, isRemoved: Bool = false,
    isExecutable: Bool? = nil)
  /// The texts that a person has compared are the same.
  case noDifference(Sameness)
  /// A match in the bytes of a line, for a question by `s`.
  case match(Range<Int>, of: [UInt8], in: LineNumber)
  /// The files of the command line that `next` will open.
  case laterFiles([[UInt8]])
  case help(HelpSubject)
  /// The system's reason why a file can't be used, for standard error.
  case failure(FileError)
  case warning(Warning)
  case notice(HistoryNotice)
  case error(EditorError, ErrorDetail)
  /// A strict run failed on a file.
  case runFailure(RunFailure)
  /// The file on the command line does not exist.
  case newFile([UInt8])
  /// The user's settings for line editing contain an error.
  case brokenSettings(SettingsFault)
  /// The first steps for a new user.
  case firstScreen
  /// There are branches, which `tree` shows.
  case treeIsThere
  /// A hint how to end a typed text.
  case endOfText
  /// A line of text was probably meant for a command.
  case textLooksLikeCommand([UInt8])
  /// Pasted lines are not run, since a command before them has failed or ended the session.
  case pasteDropped([[UInt8]])
  /// Ends the line with a typed interrupt.
  case interruptEcho
}

/// The effect of a command, and the number of its lines.
enum Effect: Equatable, Sendable {
  case added(Int), changed(Int), copied(Int), moved(Int), removed(Int)
  /// A line, by its number and its text.
  case lineRemoved(LineNumber, [UInt8])
  case replaced(Int, by: Int)
  case described(String)
  /// Prompts are no longer shown.
  case promptsHidden

  /// The number of affected lines that the text has now; nil if it is not reported.
  var lineCount: Int? {
    switch self {
    case .added(let count), .changed(let count), .copied(let count), .moved(let count): count
    case .removed, .lineRemoved, .replaced, .described, .promptsHidden: nil
    }
  }
}

/// The fate of a manual group.
enum GroupReport: Equatable, Sendable {
  case begun, innerEnded, unchanged, aborted
  /// The group is a revision with this title.
  case ended(Int, String)
}

enum Sameness: Equatable, Sendable {
  /// The text and the last saved one.
  case saved
  /// The text and the file on the disk.
  case onDisk
  /// Two revisions.
  case revisions
  /// A group without changes, and the current revision; nil if that is the group's.
  case group(Int, present: Int?)
}

/// The amount of detail about a failed command.
enum ErrorDetail: Equatable {
  case brief
  case explained
  /// The error ends the script at this line.
  case explainedAt(scriptLine: Int)
  /// The command was ended early, and its changes stay.
  case kept
  /// The command was cut off while it read lines; they can be restored.
  case cutOff(lines: Int, isInGroup: Bool)
}

/// A warning that text may be lost, for standard error.
enum Warning: Equatable, Sendable {
  /// ued overwrites a file whose content differs from the text that was read.
  case overwriting([UInt8], KnownFile.Danger)
  /// The address on the command line does not exist.
  case notAtStart([UInt8], EditorError)
  /// Another program has changed or removed the file that a person edits.
  case changedMeanwhile([UInt8], isGone: Bool)
  /// Another run has saved the file, as this revision.
  case savedMeanwhile([UInt8], run: String, revision: Int)
  /// A file is not overwritten, since it could not be read whole.
  case notOverwritten([UInt8], KnownFile.Danger)
  /// The file has the unsaved text of a session whose terminal was lost.
  case leftByHangUp([UInt8])
  /// A modified text has a file that can't be written.
  case readOnly([UInt8])
  /// ued overwrites text that another program wrote, and can't keep it in the history.
  case othersTextNotKept(FileError)
  /// An earlier save of the file was killed; `oldText` is the path of the old text.
  case savedInPart([UInt8], oldText: [UInt8])
  /// A run over several files had been killed while it renamed them.
  case mended(TransactionMender.Mending)
  /// A person's replacement has a backslash before a letter, which means more in sed.
  case lostEscape(UInt8)
  /// Lines after a failed command are dropped as its text, up to these end lines.
  case textDropped(upTo: [[UInt8]])
  /// `replace` has found its lines, which are the new ones, too.
  case replacedBySame
  /// `replace loose` has inserted lines indented with tabs instead of the file's blanks, or the
  /// reverse.
  case indentedOtherwise(fileUsesTabs: Bool)
  /// The run with this title has nothing to undo in its files, or in the given ones.
  case nothingToUndo(run: String, NothingToUndo, isInGivenFiles: Bool)
}

/// The reason why a run has nothing to undo.
enum NothingToUndo: Equatable, Sendable {
  /// The run or its changes have been undone.
  case isUndone
  /// The run has made no group, no file, and removed none.
  case changedNothing
}

/// A move from one revision to another; titles identify groups.
enum Move: Equatable, Sendable {
  /// The undone groups, newest first, and the resulting revision.
  case undone([String], to: Int)
  /// The redone groups, oldest first, and the resulting revision.
  case redone([String], to: Int)
  case jumped(to: Int, name: String)
  /// The name of the merged revision or file, nil if it had nothing new; the lines of each marked
  /// conflict with its markers, and the new revision.
  case merged(String?, conflicts: [LineRange], to: Int)
  /// A picked group of another branch, and the new revision.
  case picked(String, to: Int)
  /// A reverted group, and the new revision.
  case reverted(String, to: Int)
  /// `u` has undone or redone a command without a revision of its own, as in an open group.
  case toggled(isRedo: Bool)
}

enum HistoryForm: Equatable, Sendable {
  case table, tree, json
}

struct HistoryListing: Sendable {
  /// The revisions in display order; in a tree, all of them in descending order.
  var rows: [HistoryRow]
  var form = HistoryForm.table
  /// How many revisions are omitted above and below.
  var newerCount = 0
  var olderCount = 0
  /// The number of branches beside the listed one; 0 if the output is not for a person.
  var otherBranchCount = 0
  var fileName: [UInt8] = []
  /// The pattern of the search, if any.
  var pattern: [UInt8]?
  /// The lines that the groups touched, if a range was given.
  var lines = LineRange(1, 0)
  /// Whether to say that no group touched the lines. In JSON, the list is empty instead.
  var hasNoGroup: Bool { rows.isEmpty && lines.count > 0 && form != .json }
}

struct BlameListing: Sendable {
  var lines: LineRange
  var text: PieceTable
  /// For each line, the group that wrote or moved it last; an open group has the number of the next
  /// revision.
  var groups: [Int]
  /// The origins of these groups, except for an open one.
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
  /// The user's name for its group.
  var name: String?
  /// The description of its group.
  var description: String
  /// All names and the description.
  var title: String
  /// Seconds since 1970-01-01 UTC.
  var time: Double
  var isCurrent: Bool
  /// Whether it is the last saved one.
  var isSaved: Bool
  /// Whether it was saved before the last save.
  var wasSaved: Bool
  /// Whether `redo` leads to it.
  var isNext = false
  /// Whether it is the open group, which has no number yet.
  var isOpen = false
  /// The run that made its group, if the form shows runs; nil for changes made outside ued.
  var run: Int?
  var runName: String?
  /// The number of lines that its group added and removed.
  var lineCounts = (added: 0, removed: 0)
}

/// The state of the text after a command, for the answer to a program.
struct TextState {
  var line: LineNumber
  var lastLine: LineNumber
  var revision: Int
  var isModified: Bool
}

/// A history to write in the format of another program.
struct HistoryExport: Sendable {
  enum Form: Sendable {
    /// Patches from the first text to the current one.
    case patches
    /// All revisions for `git fast-import`.
    case commits
  }

  let form: Form
  /// The text with its history, without the changes in open groups.
  let text: EditedText
  /// The name of the file; empty without one.
  let fileName: [UInt8]
  let isExecutable: Bool

  /// The name without its folders.
  var baseName: [UInt8] {
    let name = Array(fileName.drop { $0 == .slash }.split(separator: .slash).last ?? [])
    return Self.isRefused(name) ? Self.nameless : name
  }

  /// The path for a patch; only its last component if it leads out of the present folder.
  var relativePath: [UInt8] {
    let parts = fileName.split(separator: .slash).map { Array($0) }.filter { $0 != [.dot] }
    return fileName.first == .slash || parts.isEmpty || parts.contains { Self.isRefused($0) }
      ? baseName : Array(parts.joined(separator: [.slash]))
  }

  /// The name of a text without a file.
  private static let nameless = Array("text".utf8)

  /// Whether git considers a path with this component to lead out of the folder, or into `.git`.
  private static func isRefused(_ part: [UInt8]) -> Bool {
    let folded = String(decoding: part, as: UTF8.self).lowercased()
    return ["", ".", "..", ".git", "git~1"].contains(folded)
  }
}

/// The reason why a strict run failed on a file.
struct RunFailure: Error, Equatable {
  /// The file; empty without one.
  var file: [UInt8]
  /// The place in the script, as `SCRIPT:LINE`; empty if the error belongs to no command.
  var place: [UInt8] = []
  var error: EditorError
  /// The text from which a hint is made; nil if the answer to a command has the hint.
  var text: PieceTable?
  /// Whether the file could not be opened.
  var isOpening = false
  /// Whether to suggest `--retry`: running the script again may help, and was not requested.
  var suggestsRetry = false
}

extension RunFailure {
  init(_ failure: FileError) { self.init(file: failure.path, error: EditorError(failure)) }

  /// The failure of a command. Its file is the edited one, unless the error names another.
  init(_ error: EditorError, editing file: [UInt8], at place: [UInt8]) {
    if case .onFile(let other, let cause) = error {
      self.init(file: other, place: place, error: cause)
    } else {
      self.init(file: file, place: place, error: error)
    }
  }

  var status: Int32 {
    switch error {
    case .fileUnseen(.changedOutside), .fileIsLocked, .historyChanged, .historyInUse,
      .historyShared,
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
