/// A text, what the transaction or group at work has done to it, and what of that is pending.
@usableFromInline struct EditCore: Sendable {
  /// The text without what is pending.
  @usableFromInline var text: PieceTable
  /// What the transaction or the open group has done, without what is pending.
  var log = EditLog.nothing
  /// What each of the transactions around the one at work had done when the next one began.
  private var outerLogs: [EditLog] = []
  @usableFromInline var group = OpenGroup()
  @usableFromInline var coalescing = Coalescing.none

  init(_ text: PieceTable) { self.text = text }

  /// The number of newlines, with those that are pending.
  @usableFromInline var newlineCount: Int {
    group.isSettled ? text.newlineCount : present.newlineCount
  }

  /// The number of bytes, with what is pending.
  @inlinable var byteCount: Int {
    text.root.summary.byteCount &- group.removed &+ group.inserted.count
  }

  /// Makes an edit a part of what is pending, if it is one of the most frequent ones: keys typed where
  /// the latest edit ended, bytes on either side of that place removed, and those before it replaced.
  ///
  /// - Returns: Whether it was; if not, nothing is changed.
  @inlinable @inline(__always) mutating func type(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, time: Double
  ) -> Bool {
    guard group.isSoon(time, coalescing) else { return false }
    if lower == group.typingOffset {
      if lower == upper { return lower >= 0 && group.type(bytes, time: time) }
      guard bytes.isEmpty, lower >= 0, upper <= byteCount else { return false }
      group.removeForwards(upper &- lower, time: time)
      return true
    }
    guard upper == group.typingOffset, lower >= 0, lower < upper else { return false }
    if bytes.isEmpty {
      group.removeBackwards(from: lower, time: time)
      return true
    }
    return group.replaceBackwards(from: lower, with: bytes, time: time)
  }

  /// Makes an edit a part of the open group, if it belongs there.
  ///
  /// - Returns: Whether it does; if not, nothing is changed.
  @inline(__always) private mutating func join(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, time: Double
  ) -> Bool {
    // Nothing in the place of nothing; one question, since half of all edits answer the first of two.
    if (upper &- lower) | bytes.byteCount == 0 { return true }
    guard group.canTouch(lower, upper) else { return false }
    precondition(0 <= lower && upper <= byteCount, "range out of the text")
    guard group.isJoined(lower, upper, inserting: bytes.byteCount, time: time, coalescing) else {
      return false
    }
    if group.absorb(lower, upper, bytes, time: time, coalescing) { return true }
    settle()
    begin(lower, upper, bytes, settled: group.settled, time: time)
    return true
  }

  /// Makes an edit the pending one; what was pending has been settled, and `settled` is what the
  /// group did before, nil for a new one.
  ///
  /// - Precondition: The range is in the text.
  @inline(__always) private mutating func begin(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, settled: EditSpan?, time: Double
  ) {
    if bytes.byteCount > PendingBytes.capacity {
      return beginWithMany(lower, upper, bytes, settled: settled, time: time)
    }
    group.begin(
      at: lower, removing: upper &- lower, inserting: bytes, settled: settled, time: time,
      coalescing)
  }

  /// The same with more bytes than can be pending.
  private mutating func beginWithMany(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, settled: EditSpan?, time: Double
  ) {
    let change = text.replace(ByteOffset(lower)..<ByteOffset(upper), with: bytes)
    note(change)
    group.begin(
      at: lower + bytes.byteCount, removing: 0, inserting: RawSpan(),
      settled: settled?.union(change.span) ?? change.span, time: time, coalescing)
  }

  /// Brings the tree up to date; the group stays open.
  mutating func settle() {
    if group.isSettled { return }
    note(replacePending())
    group.settle()
  }

  /// Makes the pending edit in the tree.
  ///
  /// - Returns: What was pending, and is to be forgotten by the group.
  @inline(__always) private mutating func replacePending() -> Change {
    let (start, end) = (group.start, group.start + group.removed)
    var inserted = Fragment.empty
    if !group.inserted.isEmpty {
      inserted = .piece(group.inserted.store(in: text.storage, after: &text.tail))
    }
    let removed = text.root.replace(start, end, with: inserted)
    return Change(offset: start, before: removed, after: inserted, storage: text.storage)
  }

  /// Adds a change that has been made to the log.
  mutating func note(_ change: Change) {
    if case .nothing = log {
      log = EditLog(change)
    } else {
      log = log.followed(by: EditLog(change), in: text)
    }
  }

  /// The text at the start of the transaction at work.
  @usableFromInline var startText: PieceTable { log.start(of: text) }

  /// Ends the group, if there is one, and records it unless it changed nothing.
  ///
  /// - Returns: Whether there is a new revision.
  @usableFromInline @inline(__always)
  mutating func closeGroup(in history: inout History<Change>) -> Bool {
    if !group.isOpen { return false }
    let time = group.time
    if group.settled == nil {
      // Most groups are one edit, and nothing is in the log.
      assert(log.span == nil)
      // What changes the length changes something; only else are the texts compared.
      let isCertain = group.removed != group.inserted.count
      if group.isSettled {
        group.close()
        return false
      }
      let change = replacePending()
      group.close()
      if !isCertain && change.changesNothing { return false }
      history.record(checked: .one(consume change), name: nil, time: time)
      return true
    }
    settle()
    group.close()
    let steps = log.steps(to: text)
    log = .nothing
    if steps.isEmpty { return false }
    history.record(checked: steps, name: nil, time: time)
    return true
  }

  /// What became of an edit.
  @usableFromInline enum Outcome {
    /// It is a part of the open group.
    case joined
    /// It begins a group.
    case started
    /// It begins a group, and the one before it was recorded.
    case recorded
  }

  /// Makes an edit, as a part of the open group or of a new one.
  ///
  /// - Precondition: The range is in the text.
  @usableFromInline mutating func edit(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, time: Double, in history: inout History<Change>
  ) -> Outcome {
    if join(lower, upper, bytes, time: time) { return .joined }
    precondition(0 <= lower && upper <= byteCount, "range out of the text")
    let hasRecorded = closeGroup(in: &history)
    begin(lower, upper, bytes, settled: nil, time: time)
    return hasRecorded ? .recorded : .started
  }

  /// Whether any edits can be one group.
  @usableFromInline var canJoin: Bool { !coalescing.rules.isEmpty }

  /// The text with what is pending, as a value that costs later edits nothing.
  @usableFromInline var present: PieceTable {
    if group.isSettled { return text.withoutTail }
    // What is pending may still be taken back, so this text has a copy of it, in a storage of
    // its own: else every look at the text would make the one of the document grow.
    var copy = PieceTable(storage: text.storage.fork(), root: text.root)
    let range = ByteOffset(group.start)..<ByteOffset(group.start + group.removed)
    group.inserted.withSpan { _ = copy.replace(range, with: $0) }
    return copy.withoutTail
  }

  /// Begins a transaction inside the one at work.
  @usableFromInline mutating func begin() {
    // Nothing is copied that would have to be counted.
    outerLogs.append(.nothing)
    if case .nothing = log { return }
    swap(&log, &outerLogs[outerLogs.count - 1])
  }

  /// Ends a transaction that `begin()` began: what it did belongs to the one around it.
  @usableFromInline mutating func end() {
    guard let outer = outerLogs.popLast() else { preconditionFailure("no transaction is open") }
    if case .nothing = outer { return }
    log = outer.followed(by: log, in: text)
  }

  /// The same, and tells what it did by itself.
  @usableFromInline mutating func endTelling() -> Steps<Change> {
    let steps = log.steps(to: text)
    end()
    return steps
  }

  /// Takes back a transaction that `begin()` began.
  @usableFromInline mutating func abandon() {
    guard let outer = outerLogs.popLast() else { preconditionFailure("no transaction is open") }
    rollBack()
    log = outer
  }

  /// Takes back everything in the log.
  @usableFromInline mutating func rollBack() {
    log.takeBack(&text)
    log = .nothing
  }

  /// Takes back what led to the present revision, and goes to its parent.
  mutating func takeBack(in history: inout History<Change>) {
    let (id, revisions) = (history.current, history.revisions)
    var index = revisions.stepCount(of: id)
    while index > 0 {
      index -= 1
      let (before, range) = revisions.withStep(index, of: id) { ($0.before, $0.rangeAfter) }
      text.restore(before, in: range)
    }
    history.moveToParent()
  }

  /// Does again what leads to a child of the present revision, and goes there.
  mutating func doAgain(_ id: Int, in history: inout History<Change>) {
    let revisions = history.revisions
    for index in 0..<revisions.stepCount(of: id) {
      let (after, range) = revisions.withStep(index, of: id) { ($0.after, $0.rangeBefore) }
      text.restore(after, in: range)
    }
    history.moveToChild(id)
  }
}
