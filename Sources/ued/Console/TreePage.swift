import TextBuffer

/// A page of the view of `tree`, as values; a `Rendering` makes its lines.
struct TreePage: Sendable {
  struct Row: Sendable {
    var row: HistoryRow
    /// Its row of the drawing of branches; empty where not all revisions are shown.
    var drawing = ""
    /// The number of lines that its group added and removed; nil if they have not been counted.
    var lineCounts: (added: Int, removed: Int)?
  }

  /// A line that was removed or added.
  struct Line: Equatable, Sendable {
    /// Its number in the text that has it, if that is known.
    var number: LineNumber?
    var isAdded: Bool
    /// Its first bytes, without its newline.
    var text: [UInt8]

    /// The maximum number of its bytes that are shown.
    static let longest = 4096
  }

  /// The content of the pane next to the list.
  enum Panel: Sendable {
    /// The first lines that the selected revision changed, or in which it differs from the present
    /// text, and the number of further ones.
    case lines([Line], moreCount: Int, fromPresent: Bool)
    case conflict(TreeConflict)
    case keys
    /// The lines could not be read.
    case nothing
  }

  /// The question in the last line.
  enum Question: Equatable, Sendable {
    case filter
    case name(of: Int)
  }

  /// The effect of the last key.
  enum Note: Equatable, Sendable {
    case done(Move, line: LineNumber, lineCount: Int)
    case named(Int, String)
    case failed(EditorError)
    case found(Int, pattern: String)
    case noneFound(pattern: String)
    case onlySaved, noneSaved
    /// The arrow key found no branch on its side.
    case noBranchBeside
    case noSuchKey(Character)
  }

  var split: ScreenSplit
  var rows: [Row]
  var selected: Int
  var panel: Panel
  /// The question, and the answer typed so far.
  var question: (asked: Question, answer: String)?
  var note: Note?
  /// Whether an action is in progress.
  var isWorking = false
  /// The present time, in seconds since 1970-01-01 UTC.
  var now: Double
}

/// Groups that kept another one from being picked or reverted.
struct TreeConflict: Equatable, Sendable {
  var id: Int
  var isPick: Bool
  var groups: [BlockingGroup]

  /// The groups that have a key, from `1` on.
  var reachable: ArraySlice<BlockingGroup> { groups.prefix(9) }
}
