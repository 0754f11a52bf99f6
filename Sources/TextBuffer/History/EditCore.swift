/// A text, what the transaction or group at work has done to it, and what of that is pending.
@usableFromInline struct EditCore: Sendable {
  /// The text without what is pending.
  var text: TextBuffer
  /// What the transaction or the open group has done, without what is pending.
  var log = EditLog.nothing
  /// What each of the transactions around the one at work had done when the next one began.
  private var outerLogs: [EditLog] = []
  var group = OpenGroup()
  var coalescing = Coalescing.none

  init(_ text: TextBuffer) { self.text = text }

  /// The number of newlines, with those that are pending.
  @usableFromInline var newlineCount: Int {
    group.isSettled ? text.newlineCount : present.newlineCount
  }

  /// The number of bytes, with what is pending.
  @usableFromInline var byteCount: Int { text.byteCount - group.removed + group.inserted.count }

  /// Makes an edit a part of what is pending, if it can be done by counting.
  ///
  /// - Returns: Whether it was; if not, nothing is changed.
  @usableFromInline mutating func extend(
    _ lower: Int, _ upper: Int, by bytes: RawSpan, time: Double
  ) -> Bool {
    guard group.isOpen, !group.isSettled, time - group.time <= coalescing.longestPause,
      isKnownUniquelyReferenced(&text.tail)
    else { return false }
    let rules = coalescing.rules
    if lower == upper {
      guard lower == group.end,
        rules.contains(group.inserted.isEmpty ? .replacements : .insertions),
        group.inserted.append(bytes)
      else { return false }
    } else if !bytes.isEmpty {
      return false
    } else if upper == group.end, lower >= group.start {
      guard rules.contains(.corrections) else { return false }
      group.inserted.removeLast(upper - lower)
    } else {
      // What the group did before may lie there: removing that is a correction.
      if case .nothing = log {} else if !rules.contains(.corrections) { return false }
      guard rules.contains(.deletions), widen(lower, upper) else { return false }
    }
    group.time = time
    return true
  }

  /// Removes bytes that reach to the pending edit from either side.
  private mutating func widen(_ lower: Int, _ upper: Int) -> Bool {
    if upper == group.end, lower >= 0 {
      // They begin before it, so all that it put there goes too.
      group.inserted.removeLast(group.inserted.count)
      group.removed += group.start - lower
      group.start = lower
      return true
    }
    guard lower == group.end, upper <= byteCount else { return false }
    group.removed += upper - lower
    return true
  }

  /// Whether an edit belongs to the open group.
  private func joins(_ lower: Int, _ upper: Int, count: Int, time: Double) -> Bool {
    guard group.isOpen else { return false }
    var span = log.span
    if !group.isSettled { span = span?.union(group.span) ?? group.span }
    guard let span else { return false }
    let next = EditSpan(offset: lower, removed: upper - lower, inserted: count)
    return coalescing.joins(next, to: span, pause: time - group.time)
  }

  /// Makes an edit the pending one; what was pending has been settled.
  ///
  /// - Precondition: The range is in the text.
  private mutating func begin(_ lower: Int, _ upper: Int, _ bytes: RawSpan, time: Double) {
    precondition(0 <= lower && upper <= text.byteCount, "range out of the text")
    group = OpenGroup(isOpen: true, start: lower, time: time)
    if bytes.byteCount > Piece.maxByteCount {
      note(text.replace(ByteOffset(lower)..<ByteOffset(upper), with: bytes))
      group.start += bytes.byteCount
      return
    }
    let tail = text.storage.tail(for: bytes.byteCount, after: &text.tail)
    group.inserted = PendingBytes(behind: tail)
    group.removed = upper - lower
    let hasRoom = group.inserted.append(bytes)
    assert(hasRoom)
  }

  /// Brings the tree up to date; the group stays open.
  mutating func settle() {
    guard let change = settledChange() else { return }
    note(change)
  }

  /// Brings the tree up to date.
  ///
  /// - Returns: What was pending.
  private mutating func settledChange() -> Change? {
    if group.isSettled { return nil }
    let (start, end) = (group.start, group.start + group.removed)
    var inserted = Fragment.empty
    if !group.inserted.isEmpty {
      if isKnownUniquelyReferenced(&text.tail) {
        text.tail?.takeOver(group.inserted)
        inserted = .piece(group.inserted.piece)
      } else {
        // In a copy of the document the same bytes may be pending, and be taken back once this
        // one has let go of the tail; the tree gets bytes that stay.
        let run = group.inserted.run.withSpan { text.storage.append($0, to: &text.tail) }
        inserted = Fragment(run)
      }
    }
    let removed = text.root.replace(start, end, with: inserted)
    group.start += group.inserted.count
    group.removed = 0
    group.inserted = PendingBytes()
    return Change(offset: start, before: removed, after: inserted, storage: text.storage)
  }

  /// Adds a change that has been made to the log.
  mutating func note(_ change: Change) {
    if case .nothing = log {
      log = .one(change)
    } else {
      log = log.followed(by: .one(change), in: text)
    }
  }

  /// The text at the start of the transaction at work.
  @usableFromInline var startText: TextBuffer { log.start(of: text) }

  /// Ends the group, if there is one, and records it unless it changed nothing.
  ///
  /// - Returns: Whether there is a new revision.
  @usableFromInline mutating func closeGroup(in history: inout History<Change>) -> Bool {
    if !group.isOpen { return false }
    let time = group.time
    // What changes the length changes something; only else are the texts compared.
    let isCertain = group.removed != group.inserted.count
    let last = settledChange()
    group = OpenGroup()
    if case .nothing = log {
      guard let last, isCertain || !last.changesNothing else { return false }
      history.record(checked: .one(last), name: nil, time: time)
      return true
    }
    if let last { note(last) }
    let steps = log.steps(to: text)
    log = .nothing
    if steps.isEmpty { return false }
    history.record(checked: steps, name: nil, time: time)
    return true
  }

  /// What became of an edit that is not simply a part of what is pending.
  @usableFromInline enum Start {
    /// It belongs to the open group.
    case joined
    /// It begins a group.
    case newGroup
    /// It begins a group, and ends one that was recorded.
    case replacedGroup
  }

  /// Makes an edit a part of the open group, or begins one with it.
  ///
  /// - Precondition: The range is in the text.
  @usableFromInline mutating func start(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, time: Double, in history: inout History<Change>
  ) -> Start {
    if lower == upper && bytes.isEmpty { return .joined }
    if joins(lower, upper, count: bytes.byteCount, time: time) {
      settle()
      begin(lower, upper, bytes, time: time)
      return .joined
    }
    let hasRecorded = closeGroup(in: &history)
    begin(lower, upper, bytes, time: time)
    return hasRecorded ? .replacedGroup : .newGroup
  }

  /// Whether any edits can be one group.
  @usableFromInline var canJoin: Bool { !coalescing.rules.isEmpty }

  /// The text with what is pending, as a value that costs later edits nothing.
  @usableFromInline var present: TextBuffer {
    if group.isSettled { return text.withoutTail }
    // What is pending may still be taken back, so this text has a copy of it, in a storage of
    // its own: else every look at the text would make the one of the document grow.
    var copy = TextBuffer(storage: text.storage.fork(), root: text.root)
    let range = ByteOffset(group.start)..<ByteOffset(group.start + group.removed)
    group.inserted.run.withSpan { _ = copy.replace(range, with: $0) }
    return copy.withoutTail
  }

  /// Begins a transaction inside the one at work.
  @usableFromInline mutating func begin() {
    outerLogs.append(log)
    log = .nothing
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
    log.rollBack(&text)
    log = .nothing
  }

  /// Takes back what led to the present revision, and goes to its parent.
  mutating func takeBack(in history: inout History<Change>) {
    history.forEachStep(of: history.current, reversed: true) {
      text.restore($0.before, in: $0.rangeAfter)
    }
    history.moveToParent()
  }

  /// Does again what leads to a child of the present revision, and goes there.
  mutating func doAgain(_ id: Int, in history: inout History<Change>) {
    history.forEachStep(of: id) { text.restore($0.after, in: $0.rangeBefore) }
    history.moveToChild(id)
  }
}
