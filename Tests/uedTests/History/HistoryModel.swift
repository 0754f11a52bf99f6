/// A reference model of an editor's history that keeps the full text of every revision.
///
/// A line has an identity that tells it from others of the same text, and a mark is the identity of
/// the line it was set on.
struct HistoryModel {
  struct Line: Hashable {
    var identity: Int
    var text: String
  }

  /// The current line and the marks, which are restored together with a text.
  struct State: Equatable {
    var line: Int
    var marks: [Int?]
  }

  struct Revision {
    var lines: [Line]
    /// The texts between the parent's and its own, if it was made by several edits.
    var steps: [[Line]] = []
    var parent: Int?
    var preferredChild: Int?
    var children: [Int] = []
    /// The name that the user gave it.
    var name: String?
    var before: State
    var after: State
    var isDropped = false
    var wasSaved = false
    /// The lines that it replaced, if a later edit can join it.
    var span: Span?
    /// Where its latest edit ended, if that was not the first one.
    var latestEnd: Int?
  }

  /// Lines put in one place of a text.
  struct Span {
    var start: Int
    var removed: Int
    var inserted: Int
  }

  /// Where `u` goes.
  struct UndoPoint {
    var lines: [Line]
    var line: Int
    var isModified: Bool
    var revision: Int
    var hasChanges = false
  }

  /// The revision that the latest edit joined, as it was before that.
  struct Joined {
    var group: Revision
    var latest: Span
    var after: State
    var isGone = false
    /// Whether it was saved or named since.
    var isKept = false
  }

  struct OpenGroup {
    var lines: [Line]
    var state: State
    var isModified: Bool
    var name: String?
    /// The number of `steps` at its beginning.
    var stepCount: Int
    /// The last text saved during the group; nil without a save.
    var saved: [String]?
    /// `savedInGroup` at its beginning.
    var savedBefore: Bool?
  }

  static let markCount = 3

  var lines: [Line] = []
  var line = 0
  var marks = [Int?](repeating: nil, count: markCount)
  var cut: [String]?
  var isModified = false
  var revisions: [Revision] = []
  var current = 0
  var saved: Int? = 0
  var undoPoint: UndoPoint?
  var joined: Joined?
  /// Whether the next edit may go on with the present revision.
  var canJoin = false
  var groups: [OpenGroup] = []
  /// Whether the text has been saved in the open group, and not changed since.
  var savedInGroup: Bool?
  /// Whether a change restored the old text, so that its lines are the old ones again: the model does
  /// not predict where the marks are then.
  var hasUncertainMarks = false
  /// The texts that the open group, or the command at work, went through.
  private var steps: [[Line]] = []
  private var lastIdentity = 0

  init(_ texts: [String]) {
    lines = fresh(texts)
    line = lines.count
    revisions = [Revision(lines: lines, before: state, after: state)]
  }

  var state: State { State(line: line, marks: marks) }
  var isInGroup: Bool { !groups.isEmpty }

  mutating func fresh(_ texts: [String]) -> [Line] {
    texts.map {
      lastIdentity += 1
      return Line(identity: lastIdentity, text: $0)
    }
  }

  /// The line that a mark stands on.
  func place(of mark: Int?, in lines: [Line]) -> Int? {
    mark.flatMap { mark in lines.firstIndex { $0.identity == mark } }
  }

  // MARK: - Changes

  /// Runs a command that changes the text.
  ///
  /// - Parameters:
  ///   - span: The replaced lines, if the change can join others.
  ///   - body: Changes lines and the current line; returns whether it did anything.
  mutating func change(span: Span? = nil, _ body: (inout HistoryModel) -> Bool) {
    hasUncertainMarks = false
    for index in marks.indices where place(of: marks[index], in: lines) == nil {
      marks[index] = nil
    }
    undoPoint = UndoPoint(lines: lines, line: line, isModified: isModified, revision: current)
    let (linesBefore, before) = (lines, state)
    if !isInGroup { steps = [] }
    if body(&self) {
      undoPoint?.hasChanges = true
      if isInGroup && savedInGroup != nil { savedInGroup = false }
    }
    if isInGroup {
      // Without a change of text, for example if equal lines are swapped, no step ends.
      if lines.map(\.text) != linesBefore.map(\.text) { endStep() }
    } else {
      record(from: linesBefore, before: before, span: span, name: nil)
    }
  }

  /// Deletes lines into the cut buffer.
  mutating func remove(_ lines: ClosedRange<Int>) {
    cut = self.lines[lines.lowerBound - 1..<lines.upperBound].map(\.text)
    self.lines.removeSubrange(lines.lowerBound - 1..<lines.upperBound)
    isModified = true
  }

  /// Adds a `+` to lines; they become new lines.
  mutating func append(to found: [Int]) -> Bool {
    for number in found {
      cut = [lines[number - 1].text]
      lines[number - 1] = fresh([lines[number - 1].text + "+"])[0]
      line = number
      isModified = true
    }
    return !found.isEmpty
  }

  /// Records the present text as a step of the open group, or of a command of several edits.
  mutating func endStep() { steps.append(lines) }

  /// Restores the old lines if the text is as before; returns whether it is.
  private mutating func comesToNothing(from old: [Line]) -> Bool {
    guard lines.map(\.text) == old.map(\.text) else { return false }
    if lines != old { hasUncertainMarks = true }
    lines = old
    return true
  }

  /// Records the change from `old` to the present text.
  private mutating func record(from old: [Line], before: State, span: Span?, name: String?) {
    joined = nil
    if comesToNothing(from: old) { return }
    if canJoin, let span, let group = revisions[current].span,
      let both = Self.joined(group, span, at: revisions[current].latestEnd)
    {
      joined = Joined(group: revisions[current], latest: span, after: state)
      revisions[current].span = both
      revisions[current].latestEnd = span.start + span.inserted
      revisions[current].lines = lines
      revisions[current].after = state
      if let parent = revisions[current].parent,
        revisions[parent].lines.map(\.text) == lines.map(\.text)
      {
        revisions[current].isDropped = true
        joined?.isGone = true
        revisions[parent].children.removeLast()
        revisions[parent].preferredChild = revisions[parent].children.last
        current = parent
        canJoin = false
        hasUncertainMarks = true
        lines = revisions[parent].lines
      }
      return
    }
    add(
      Revision(
        lines: lines, steps: steps, parent: current, name: name, before: before, after: state,
        span: span))
    canJoin = true
  }

  private mutating func add(_ revision: Revision) {
    let id = revisions.count
    revisions[current].children.append(id)
    revisions[current].preferredChild = id
    var revision = revision
    (revision.parent, revision.preferredChild, revision.children) = (current, nil, [])
    revisions.append(revision)
    current = id
  }

  /// The joined span; nil if none.
  private static func joined(_ group: Span, _ next: Span, at latestEnd: Int?) -> Span? {
    guard next.removed == 0 else { return nil }
    let places = [group.start, group.start + group.inserted, latestEnd]
    if !places.contains(next.start) { return nil }
    return Span(
      start: group.start, removed: group.removed, inserted: group.inserted + next.inserted)
  }

  mutating func undo() {
    guard let point = undoPoint else { return }
    undoPoint = UndoPoint(
      lines: lines, line: line, isModified: isModified, revision: current, hasChanges: true)
    if isInGroup {
      if savedInGroup != nil { savedInGroup = false }
    } else {
      var target = point.revision
      if let joined {
        target = separate(joined)
        undoPoint?.revision = current
      }
      seal()
      follow(to: target)
    }
    lines = point.lines
    line = point.line
    isModified = point.isModified
    if isInGroup { endStep() }
  }

  /// Makes the latest edit a separate revision.
  private mutating func separate(_ joined: Joined) -> Int {
    let group = joined.group
    if joined.isKept && !joined.isGone {
      let here = current
      current = group.parent ?? 0
      add(group)
      defer { follow(to: here) }
      return current
    }
    if joined.isGone { add(group) } else { revisions[current] = group }
    let id = current
    add(Revision(lines: lines, before: group.after, after: joined.after, span: joined.latest))
    return id
  }

  /// Lets preferred children lead to a revision, and makes it the present one.
  private mutating func follow(to target: Int) {
    for id in path(to: target).forward {
      if let parent = revisions[id].parent { revisions[parent].preferredChild = id }
    }
    current = target
  }

  /// Ends the group that the next edit might go on with.
  mutating func seal() {
    canJoin = false
    joined = nil
  }

  /// Ends it, but the latest edit can still be undone alone.
  mutating func keepCurrent() {
    canJoin = false
    joined?.isKept = true
  }

  // MARK: - The tree

  func path(to target: Int) -> (back: [Int], forward: [Int]) {
    var (back, forward): ([Int], [Int]) = ([], [])
    var (here, there) = (current, target)
    // A parent is always older than its children.
    while here != there {
      if here > there {
        back.append(here)
        here = revisions[here].parent ?? 0
      } else {
        forward.insert(there, at: 0)
        there = revisions[there].parent ?? 0
      }
    }
    return (back, forward)
  }

  mutating func jump(to target: Int) {
    if target == current { return }
    undoPoint = UndoPoint(
      lines: lines, line: line, isModified: isModified, revision: current, hasChanges: true)
    let (back, forward) = path(to: target)
    for id in back {
      restore(from: revisions[id].after, to: revisions[id].before)
      lines = revisions[revisions[id].parent ?? 0].lines
      line = revisions[id].before.line
    }
    for id in forward {
      restore(from: revisions[id].before, to: revisions[id].after)
      lines = revisions[id].lines
      line = revisions[id].after.line
    }
    follow(to: target)
    isModified = current != saved
    seal()
  }

  /// Sets marks that are unchanged since `here`, or cleared since their lines were lost.
  private mutating func restore(from here: State, to there: State) {
    for mark in marks.indices {
      let known = here.marks[mark]
      if marks[mark] == known || marks[mark] == nil && place(of: known, in: lines) == nil {
        marks[mark] = there.marks[mark]
      }
    }
  }

  // MARK: - Groups made by hand

  mutating func begin(_ name: String?) {
    seal()
    if !isInGroup { steps = [] }
    groups.append(
      OpenGroup(
        lines: lines, state: state, isModified: isModified, name: name, stepCount: steps.count,
        savedBefore: savedInGroup))
    undoPoint = nil
  }

  mutating func end() {
    guard let group = groups.popLast() else { return }
    undoPoint = nil
    if isInGroup {
      if let saved = group.saved { groups[groups.count - 1].saved = saved }
      return
    }
    record(from: group.lines, before: group.state, span: nil, name: group.name)
    seal()
    if let savedInGroup { noteSaved(savedInGroup ? current : nil) }
    savedInGroup = nil
  }

  mutating func abort() {
    guard let group = groups.popLast() else { return }
    (lines, line, marks) = (group.lines, group.state.line, group.state.marks)
    let hasSavedThis = group.saved.map { $0 == lines.map(\.text) }
    isModified = hasSavedThis.map { !$0 } ?? group.isModified
    steps.removeLast(steps.count - group.stepCount)
    undoPoint = nil
    savedInGroup = hasSavedThis ?? group.savedBefore
    if isInGroup {
      if let saved = group.saved { groups[groups.count - 1].saved = saved }
      return
    }
    seal()
    if let savedInGroup { noteSaved(savedInGroup ? current : nil) }
    savedInGroup = nil
  }

  mutating func save() {
    isModified = false
    if isInGroup {
      savedInGroup = true
      groups[groups.count - 1].saved = lines.map(\.text)
    } else {
      noteSaved(current)
    }
  }

  private mutating func noteSaved(_ id: Int?) {
    saved = id
    if let id { revisions[id].wasSaved = true }
    keepCurrent()
  }
}
