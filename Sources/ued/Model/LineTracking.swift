import TextBuffer
import TextLines

/// Lines across revisions: the weave of the history, and the later edits of open groups.
struct LineTracking: Sendable {
  /// The edits of the open step, as they were made.
  var step: [LineEdit] = []
  /// The edits of the open groups, excluding the open step. Outside of groups, the edits of the
  /// last step.
  private(set) var open: [LineEdit] = []
  /// The edits of the latest group, which the next step may join.
  private var latest: [LineEdit] = []
  /// The revision of the text when the file was opened, at the start or by `e`.
  var opened = 0
  /// The weave, with the groups needed so far; nil until first needed.
  var weave: Weave?
  /// The atoms of the lines of a few revisions, the latest last.
  private var views: [(revision: Int, atoms: [Int])] = []
  private static let viewCount = 4

  init(opening history: History<Change>) { opened = history.current }

  init() {}

  /// Begins a step. An open group keeps its earlier edits.
  mutating func beginStep(isInGroup: Bool) {
    if !isInGroup { open = [] }
    step = []
  }

  /// Notes an edit of the open step. Adjacent lines changed in place share an edit.
  mutating func note(_ edit: LineEdit) {
    if case .replaced(let lines, let count, let kept)? = step.last, lines.count == count,
      case .replaced(let next, let nextCount, let nextKept) = edit, next.count == nextCount,
      next.first == lines.last + 1
    {
      step[step.count - 1] = .replaced(
        LineRange(lines.first, next.last), by: count + nextCount,
        keeping: kept == count && nextKept == nextCount ? count + nextCount : 0)
    } else {
      step.append(edit)
    }
  }

  /// Ends the open step, and returns its edits as they were made.
  mutating func endStep() -> [LineEdit] {
    let joined = Self.joined(step)
    if open.isEmpty { open = joined } else { open += joined }
    defer { step = [] }
    return step
  }

  var openWithStep: [LineEdit] { open + Self.joined(step) }

  /// The edits of a step, merged for line tracking.
  private static func joined(_ edits: [LineEdit]) -> [LineEdit] {
    edits.reduce(into: []) { append($1, to: &$0, isSameStep: true) }
  }

  /// Appends an edit, unless it changes lines in place, which moves no line; of edits that surely
  /// keep several lines, the first is appended. Adjacent insertions become one. In one step, a removal and an insertion at the same line become a replacement, or
  /// cancel out if they have equally many lines.
  private static func append(_ edit: LineEdit, to edits: inout [LineEdit], isSameStep: Bool) {
    if case .replaced(let lines, let count, let kept) = edit, lines.count == count {
      if edits.isEmpty && kept == count && count > 1 { edits.append(edit) }
      return
    }
    guard case .replaced(let lines, let count, 0)? = edits.last,
      case .replaced(let next, let nextCount, 0) = edit, next.count == 0
    else { return edits.append(edit) }
    if lines.count == 0, lines.first <= next.first, next.first <= lines.first + count {
      edits[edits.count - 1] = .replaced(lines, by: count + nextCount)
    } else if isSameStep, count == 0, lines.first == next.first {
      edits.removeLast()
      if lines.count != nextCount { edits.append(.replaced(lines, by: nextCount)) }
    } else {
      edits.append(edit)
    }
  }

  /// Keeps only the first `count` open edits.
  mutating func rollBack(to count: Int) {
    open.removeSubrange(min(count, open.count)...)
  }

  /// Follows `u` in an open group: removes the edits that it undid, and appends the edits that it
  /// redid.
  mutating func undo(_ made: [LineEdit], redoing undone: [LineEdit]) {
    open.removeLast(min(Self.joined(made).count, open.count))
    open += Self.joined(undone)
  }

  /// Assigns the open edits to the latest group; if they joined it, appends them.
  mutating func close(joiningLatest isJoined: Bool) {
    if isJoined {
      for edit in open { Self.append(edit, to: &latest, isSameStep: false) }
    } else {
      latest = open
    }
  }

  /// The lines kept by the latest group, which resulted in `lineCount` lines. Nil if a comparison
  /// has to find them, since it only replaced lines by as many others. Nil, too, if its only edit
  /// moved lines or `isPlain`: an insertion or removal, which shows them.
  func kept(lineCount: Int, isPlain: Bool) -> [Weave.KeptLines]? {
    guard let first = latest.first else { return nil }
    if latest.count == 1 {
      if isPlain && first.growth != 0 { return nil }
      if case .moved = first { return nil }
    }
    return LineMap(lineCount: lineCount - latest.reduce(0) { $0 + $1.growth }, latest).keptLines
  }

  /// Discards the cached state of a changed revision.
  mutating func forget(_ id: Int) {
    guard let known = weave, known.contains(id) else { return }
    views.removeAll { $0.revision == id }
    if known.isLast(id) { weave?.removeLast(id) } else { weave = nil }
  }

  /// The atoms of the lines of a revision that the weave knows.
  mutating func atoms(of id: Int) -> [Int] {
    if let view = views.first(where: { $0.revision == id }) { return view.atoms }
    let atoms = weave?.atoms(of: id) ?? []
    if views.count == Self.viewCount { views.removeFirst() }
    views.append((id, atoms))
    return atoms
  }
}

/// The reason why a line of another revision is not in the text.
enum LineLoss: Equatable, Sendable {
  /// A group removed it.
  case removed(by: NamedGroup)
  case removedInOpenGroup
  /// The group that added it has been undone, or is on another branch.
  case undone(addedBy: NamedGroup)

  /// The group, if it has a number.
  var group: NamedGroup? {
    switch self {
    case .removed(let group), .undone(let group): group
    case .removedInOpenGroup: nil
    }
  }
}

/// A group that must be undone, or picked, before another one can be.
struct BlockingGroup: Equatable, Sendable {
  var group: NamedGroup
  /// The lines of the text that the group changed; an empty range is a gap. None if the group was
  /// made when the file had other line ends.
  var lines: [LineRange]
  /// Whether the group led to the present revision.
  var isHere: Bool
}

extension LineEdit {
  /// Whether in ed the edit makes a line a new one, even if ued changed it in place.
  func replaces(_ line: LineNumber) -> Bool {
    switch self {
    case .replaced(let lines, _, _): lines.contains(line)
    case .split(let splits): splits.contains { $0.line == line }
    case .moved, .gathered, .removed: false
    }
  }

  fileprivate var growth: Int {
    switch self {
    case .replaced(let lines, let count, _): count - lines.count
    case .moved, .gathered: 0
    case .removed(let lines): -lines.count
    case .split(let splits): splits.reduce(0) { $0 + $1.count - 1 }
    }
  }
}
