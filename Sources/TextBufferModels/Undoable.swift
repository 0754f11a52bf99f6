import TextBuffer

/// Any value with its history: every change becomes a revision to return to.
///
///     var playlist = Undoable(Playlist())
///     playlist.edit("Rename") { $0.title = "Letters" }
///     playlist.edit("Type", joining: .sameName) { $0.notes += "a" }
///     playlist.undo()
///     menuItem.title = playlist.undoName.map { "Undo \($0)" } ?? "Undo"
///
/// The history keeps the value before and after each revision. Copies of Swift's arrays,
/// dictionaries and strings share their memory, so this costs less than it seems. For a text use a
/// `Document`, which keeps only the changes.
public struct Undoable<Value: Equatable & Sendable>: Sendable {
  /// The value as it is now, with changes in open transactions.
  public private(set) var value: Value
  /// All revisions of the value. Open transactions are not among them.
  public private(set) var history: History<Replacement<Value>>
  /// The value at the start of each open transaction, outermost first.
  private var starts: [Value] = []
  /// The time of the present revision, if a change may still join it.
  private var joinable: Moment?

  private struct Moment: Sendable {
    var time: ContinuousClock.Instant?
  }

  /// The rules by which changes join the present revision: one undo then reverts both.
  public struct Joining: Hashable, Sendable {
    /// The longest time between two changes of a revision; nil for any. Needs changes with times.
    public var longestPause: Duration?

    /// Changes with the non-nil name of the present revision that follow it within `longestPause`.
    public static func sameName(within longestPause: Duration) -> Joining {
      Joining(longestPause: longestPause)
    }

    /// Changes with the name of the present revision, which is not nil.
    public static var sameName: Joining { Joining(longestPause: nil) }
  }

  /// A value whose history has one revision, number 0, which counts as saved.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - name: The name of that revision.
  ///   - date: The time of that revision, in the unit and from the origin that the caller chose.
  public init(_ value: Value, name: String? = nil, date: Double = 0) {
    self.value = value
    history = History(name: name, time: date)
  }

  /// The largest number of revisions that can be undone; nil for all.
  public var levelLimit: Int? {
    get { history.levelLimit }
    set { history.levelLimit = newValue }
  }

  /// Whether the present revision is not the saved one; discardable revisions do not count.
  public var isModified: Bool { history.isModified }

  /// Whether a revision can be undone. While a transaction is open, `undo` is refused.
  public var canUndo: Bool { history.canUndo }

  /// Whether a revision can be redone. While a transaction is open, `redo` is refused.
  public var canRedo: Bool { history.canRedo }

  /// The name of the revision to undo; nil without one, or if it has no name.
  public var undoName: String? { history.undoName }

  /// The name of the revision to redo; nil without one, or if it has no name.
  public var redoName: String? { history.redoName }
}

/// Transactions.
extension Undoable {
  /// Whether a transaction opened by `begin()` is open.
  public var isInTransaction: Bool { !starts.isEmpty }

  /// Makes one transaction, or an inner one while another is open.
  ///
  /// - Parameters:
  ///   - name: The name of the revision.
  ///   - time: The time of the change, for measuring pauses; nil to ignore pauses.
  ///   - date: The time of the revision, in the unit and from the origin that the caller chose.
  ///   - joining: The changes that join the revision before; nil for none. A revision that was
  ///     saved, named, marked, left or moved to is never joined.
  ///   - isDiscardable: Whether `isModified` ignores the change, such as a moved selection.
  ///   - body: Changes the value.
  /// - Throws: The error of `body`; value and history are then as before.
  /// - Returns: The result of `body`.
  @discardableResult
  public mutating func edit<R, E>(
    _ name: String? = nil, time: ContinuousClock.Instant? = nil, date: Double = 0,
    joining: Joining? = nil, isDiscardable: Bool = false, _ body: (inout Value) throws(E) -> R
  ) throws(E) -> R {
    begin()
    do {
      let result = try body(&value)
      commit(name, time: time, date: date, joining: joining, isDiscardable: isDiscardable)
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Opens a transaction until `commit` or `rollBack()`. Transactions nest. While one is open,
  /// undo, redo, moves and saves are refused.
  public mutating func begin() { starts.append(value) }

  /// Ends the last opened transaction. The outermost one is recorded if it has changed the value.
  /// An inner one becomes part of the transaction around it.
  ///
  /// - Parameters:
  ///   - name: The name of the revision.
  ///   - time: The time of the change, for measuring pauses; nil to ignore pauses.
  ///   - date: The time of the revision, in the unit and from the origin that the caller chose.
  ///   - joining: The changes that join the revision before; nil for none.
  ///   - isDiscardable: Whether `isModified` ignores the change, such as a moved selection.
  /// - Precondition: A transaction is open.
  /// - Returns: The transition; nil for an inner transaction, or if the value is the same as
  ///   before.
  @discardableResult
  public mutating func commit(
    _ name: String? = nil, time: ContinuousClock.Instant? = nil, date: Double = 0,
    joining: Joining? = nil, isDiscardable: Bool = false
  ) -> Transition<Replacement<Value>>? {
    guard let start = starts.popLast() else { preconditionFailure("no transaction is open") }
    let step = Replacement(before: start, after: value)
    if isInTransaction || step.changesNothing { return nil }
    let from = history.current
    let isJoined = joins(name, time: time, joining, isDiscardable: isDiscardable)
    joinable = Moment(time: time)
    if isJoined {
      if !history.join(step, time: date) { joinable = nil }
    } else {
      history.record(step, name: name, time: date, isDiscardable: isDiscardable)
    }
    return Transition(from: from, to: history.current, [step])
  }

  /// Whether a change joins the present revision.
  private func joins(
    _ name: String?, time: ContinuousClock.Instant?, _ joining: Joining?, isDiscardable: Bool
  ) -> Bool {
    guard let joining, let joinable, let name, history.canUndo else { return false }
    let present = history[history.current]
    guard present.name == name, present.isDiscardable == isDiscardable else { return false }
    guard let longest = joining.longestPause, let time, let last = joinable.time else {
      return true
    }
    return last.duration(to: time) <= longest
  }

  /// Ends the last opened transaction, and restores the value as at its beginning.
  ///
  /// - Precondition: A transaction is open.
  public mutating func rollBack() {
    guard let start = starts.popLast() else { preconditionFailure("no transaction is open") }
    value = start
    history.tell(.rolledBack, of: history.current)
  }

  /// Lets no change join the present revision.
  public mutating func closeGroup() { joinable = nil }
}

/// Moves from one revision to another.
extension Undoable {
  /// Goes back to the parent of the present revision.
  ///
  /// - Precondition: No transaction is open.
  /// - Returns: The transition; nil if nothing can be undone.
  @discardableResult
  public mutating func undo() -> Transition<Replacement<Value>>? {
    prepareToMove()
    return finish(history.undoStep())
  }

  /// Goes to the preferred child of the present revision.
  ///
  /// - Precondition: No transaction is open.
  /// - Returns: The transition; nil if nothing can be redone.
  @discardableResult
  public mutating func redo() -> Transition<Replacement<Value>>? {
    prepareToMove()
    return finish(history.redoStep())
  }

  /// Goes to any revision, along the path through the tree.
  ///
  /// - Precondition: No transaction is open, and `history.canMove(to: id)`.
  /// - Returns: The transition to that revision.
  /// - Complexity: O(*m*), for *m* revisions on the path.
  @discardableResult
  public mutating func move(to id: Int) -> Transition<Replacement<Value>> {
    prepareToMove()
    let moved = history.moveStep(to: id)
    return finish(moved) ?? moved
  }

  private mutating func prepareToMove() {
    precondition(!isInTransaction, "a transaction is open")
    joinable = nil
  }

  private mutating func finish(
    _ moved: Transition<Replacement<Value>>?
  ) -> Transition<Replacement<Value>>? {
    if let last = moved?.steps.last { value = last.after }
    return moved
  }

  /// The value of a revision, without going there.
  ///
  /// - Precondition: `history.canMove(to: id)`.
  /// - Complexity: O(1). For the first revision, and for the oldest that a level limit keeps,
  ///   O(*m*), for *m* revisions on the path.
  public func value(of id: Int) -> Value {
    if let last = history.steps(of: id).last { return last.after }
    let present = starts.first ?? value
    let (back, forward) = history.path(to: id)
    if let last = forward.last { return history.steps(of: last).last?.after ?? present }
    return back.last.flatMap { history.steps(of: $0).first?.before } ?? present
  }

  /// Marks the present revision as saved.
  ///
  /// - Precondition: No transaction is open.
  public mutating func markSaved() {
    prepareToMove()
    history.markSaved()
  }

  /// Records that the saved value is not a revision.
  ///
  /// - Precondition: No transaction is open.
  public mutating func markUnsaved() {
    prepareToMove()
    history.markUnsaved()
  }

  /// Names a revision, or removes its name.
  ///
  /// - Precondition: The revision `id` exists.
  public mutating func setName(_ name: String?, of id: Int) {
    joinable = nil
    history.setName(name, of: id)
  }
}

extension Undoable: EventSource {
  /// Starts to collect events. `Observed` calls this.
  public mutating func collectEvents() { history.collectEvents() }

  /// The events since `collectEvents()`; collecting ends.
  public mutating func takeEvents() -> [History<Replacement<Value>>.Event] { history.takeEvents() }
}

// MARK: - Storing

private enum UndoableKey: String, CodingKey {
  case revisions, values, current, saved, levelLimit
}

extension Undoable: Encodable where Value: Encodable {
  /// Encodes the value and all revisions, without changes in open transactions.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: UndoableKey.self)
    let ids = history.revisions.indices
    try container.encode(history.revisions.map { RevisionRecord($0) }, forKey: .revisions)
    try container.encode(
      ids.map { history.canMove(to: $0) ? value(of: $0) : nil }, forKey: .values)
    try container.encode(history.current, forKey: .current)
    try container.encodeIfPresent(history.saved, forKey: .saved)
    try container.encodeIfPresent(levelLimit, forKey: .levelLimit)
  }
}

extension Undoable: Decodable where Value: Decodable {
  /// Decodes a value and its revisions.
  ///
  /// - Throws: `DecodingError.dataCorrupted`, with a `RestoringError` inside, if they do not fit each other.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: UndoableKey.self)
    let records = try container.decode([RevisionRecord].self, forKey: .revisions)
    // Nil can itself be a value. Only a dropped revision has none.
    var stored = try container.nestedUnkeyedContainer(forKey: .values)
    let values = try records.map { record -> Value? in
      if record.isDropped, try stored.decodeNil() { return nil }
      return .some(try stored.decode(Value.self))
    }
    let current = try container.decode(Int.self, forKey: .current)
    let saved = try container.decodeIfPresent(Int.self, forKey: .saved)
    do {
      self = try Undoable(restoring: records, values: values, current: current, saved: saved)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "\(error)", underlyingError: error))
    }
    levelLimit = try container.decodeIfPresent(Int.self, forKey: .levelLimit)
  }
}

extension Undoable {
  /// A value with a history restored from a store.
  ///
  /// - Parameters:
  ///   - records: All revisions; the number of each is its index.
  ///   - values: The value of each, in the same order; nil for dropped ones.
  ///   - current: The present revision, which is part of the tree.
  ///   - saved: The last saved revision.
  /// - Throws: `RestoringError` if they do not fit each other.
  public init(
    restoring records: [RevisionRecord], values: [Value?], current: Int, saved: Int?
  ) throws(RestoringError) {
    guard values.count == records.count else { throw .counts }
    var steps: [[Replacement<Value>]] = []
    for (id, record) in records.enumerated() {
      guard record.isDropped || values[id] != nil else { throw .steps(of: id) }
      let before = record.parent.flatMap { values.indices.contains($0) ? values[$0] : nil }
      let step = before.flatMap { before in
        values[id].map { Replacement(before: before, after: $0) }
      }
      steps.append(record.isDropped ? [] : step.map { [$0] } ?? [])
    }
    history = try History(restoring: records, steps: steps, current: current, saved: saved)
    guard let value = values[current] else { throw .steps(of: current) }
    self.value = value
  }
}
