import TextBuffer

/// The replacement of one value by another.
public struct Replacement<Value: Equatable & Sendable>: Reversible, Equatable, Sendable {
  /// The value before the step.
  public var before: Value
  /// The value after the step.
  public var after: Value

  /// The step from `before` to `after`.
  public init(before: Value, after: Value) {
    self.before = before
    self.after = after
  }

  /// The step from `after` to `before`.
  public var inverse: Self { Self(before: after, after: before) }

  /// Whether both values are equal.
  public var changesNothing: Bool { before == after }
}

// Recording steps of any value in a history, and moving in it. The history of a document is
// read-only.
extension History {
  /// A history with one revision, number 0, which counts as saved.
  public init(name: String? = nil, time: Double = 0) { self.init(firstName: name, time: time) }

  /// A history restored from a store.
  ///
  /// - Parameters:
  ///   - records: All revisions; a revision's number is its index.
  ///   - steps: The steps that led to each revision, in the same order; none for the first one.
  ///   - current: The present revision, which must be in the tree.
  ///   - saved: The last saved revision; nil if the saved state is not a revision.
  /// - Throws: `RestoringError` if the arguments do not fit each other. Does not check whether the
  ///   steps fit the value.
  public init(
    restoring records: [RevisionRecord], steps: [[Step]], current: Int, saved: Int?
  ) throws(RestoringError) {
    try self.init(
      reading: RevisionSource(records, steps: steps), current: current, saved: saved)
  }

  /// Records one applied step as a new revision.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - name: The name of the revision.
  ///   - time: The time of the revision.
  ///   - isDiscardable: Whether `isModified` ignores the revision, like a moved selection.
  /// - Returns: The new revision, now the present one; nil, with nothing recorded, if the step
  ///   changes nothing.
  @discardableResult
  public mutating func record(
    _ step: Step, name: String? = nil, time: Double = 0, isDiscardable: Bool = false
  ) -> Int? {
    record([step], name: name, time: time, isDiscardable: isDiscardable)
  }

  /// Records applied steps, in order, as one new revision; see ``record(_:name:time:isDiscardable:)``.
  @discardableResult
  public mutating func record(
    _ steps: [Step], name: String? = nil, time: Double = 0, isDiscardable: Bool = false
  ) -> Int? {
    record(applied: steps, name: name, time: time, isDiscardable: isDiscardable)
  }

  /// Adds a revision as a child of any revision, without moving to it. Redo leads to the new
  /// revision only after a move to it.
  ///
  /// - Parameters:
  ///   - steps: The steps from the state of `parent` to the new one, in order.
  ///   - parent: The parent of the new revision.
  ///   - name: The name of the revision.
  ///   - time: The time of the revision.
  /// - Precondition: `canMove(to: parent)`.
  /// - Returns: The new revision; nil, with nothing added, if no step changes anything.
  @discardableResult
  public mutating func addBranch(
    _ steps: [Step], from parent: Int, name: String? = nil, time: Double = 0
  ) -> Int? {
    addBranch(steps, from: parent, name: name, time: time, keepsEmpty: false)
  }

  /// Goes back to the parent of the present revision.
  ///
  /// - Returns: The steps that lead there; nil when there is no parent.
  public mutating func undo() -> [Step]? {
    undoStep()?.steps
  }

  /// Goes on to the preferred child of the present revision.
  ///
  /// - Returns: The steps that lead there; nil when there is no child.
  public mutating func redo() -> [Step]? {
    redoStep()?.steps
  }

  /// Goes to any revision: back to the last common ancestor, then forward. From then on a redo follows the
  /// same path.
  ///
  /// - Precondition: `canMove(to: id)`.
  /// - Returns: The steps that lead there, in order.
  /// - Complexity: O(*m*), for *m* revisions on the path.
  public mutating func move(to id: Int) -> [Step] { moveStep(to: id).steps }

  /// Marks the present revision as saved.
  public mutating func markSaved() { setSaved() }

  /// Records that the saved state is not a revision.
  public mutating func markUnsaved() { setUnsaved() }

  /// Names a revision, or removes its name.
  ///
  /// - Precondition: The revision `id` exists.
  public mutating func setName(_ name: String?, of id: Int) { rename(id, to: name) }

  /// Merges `step` into the step of the present revision, which must be the latest one. Returns
  /// false if both cancel out: then the revision is dropped.
  mutating func join<Value>(_ step: Step, time: Double) -> Bool where Step == Replacement<Value> {
    let (from, name) = (current, self[current].name)
    let both = Replacement(before: steps(of: from).first?.before ?? step.before, after: step.after)
    if both.changesNothing {
      dropCurrent()
      let to = current
      tell(.cancelled, Transition(from: from, to: to, [step]))
      return false
    }
    amendCurrent(.one(both), name: name, time: time)
    tell(.joined, Transition(from: from, to: from, [step]))
    return true
  }
}
