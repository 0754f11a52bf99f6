/// Histories that are restored from a store.
extension History {
  /// A history restored from a store.
  ///
  /// - Parameters:
  ///   - records: All revisions; the number of each is its index.
  ///   - steps: The steps that led to each revision, in the same order; none for the first one.
  ///   - current: The present revision, which is part of the tree.
  ///   - saved: The last saved revision.
  /// - Throws: `RestoringError` if they do not fit each other. Whether the steps fit the value is
  ///   not checked.
  public init(
    restoring records: [RevisionRecord], steps: [[Step]], current: Int, saved: Int?
  ) throws(RestoringError) {
    try self.init(
      restoring: RevisionSource(records, steps: steps), current: current, saved: saved)
  }

  /// A history restored from a store, read on demand.
  ///
  /// - Parameters:
  ///   - source: Reads the revisions.
  ///   - current: The present revision, which is part of the tree.
  ///   - saved: The last saved revision.
  /// - Throws: `RestoringError` if a revision does not exist. `isDamaged` reports revisions that
  ///   later can't be read, or are wrong.
  public init(
    restoring source: RevisionSource<Step>, current: Int, saved: Int?
  ) throws(RestoringError) {
    guard source.count > 0 else { throw .noRevisions }
    if let saved, !(0..<source.count).contains(saved) { throw .saved(saved) }
    guard (0..<source.count).contains(current) else { throw .current(current) }
    self.init(
      Revisions(source), current: current, saved: saved, hasDiscardable: source.hasDiscardable)
    if !canMove(to: current) { throw .current(current) }
  }

  /// Replaces the last step of the present revision, which must be the latest one, by itself and
  /// `step`. Returns false if both cancel out, so that the revision no longer exists.
  mutating func join<Value>(_ step: Step, time: Double) -> Bool where Step == Replacement<Value> {
    let (from, name) = (current, revisions.name(of: current))
    let both = Replacement(
      before: revisions[steps: from].array.first?.before ?? step.before, after: step.after)
    if both.changesNothing {
      dropCurrent()
      let to = current
      tell(.cancelled, Transition(from: from, to: to, .one(step)))
      return false
    }
    amendCurrent(.one(both), name: name, time: time)
    tell(.joined, Transition(from: from, to: from, .one(step)))
    return true
  }
}

/// The fault in the data for restoring a history.
public enum RestoringError: Error, Hashable, Sendable {
  /// The data has no revisions.
  case noRevisions
  /// The numbers of steps, contexts or values differ from the number of revisions.
  case counts
  /// The parent of a revision is not an earlier revision of the tree; only the oldest revision of
  /// the tree has no parent.
  case parent(of: Int)
  /// The preferred child of a revision is not its child.
  case preferredChild(of: Int)
  /// The steps that led to a revision do not fit the value, or are missing.
  case steps(of: Int)
  /// The present revision does not exist, or is not part of the tree.
  case current(Int)
  /// The saved revision does not exist.
  case saved(Int)
  /// The contexts of the present revision could not be read.
  case contexts(of: Int)
}
