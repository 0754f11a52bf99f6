extension History {
  /// A history restored from a store, read on demand. `current` must be in the tree; `saved` is nil if the
  /// saved state is not a revision.
  ///
  /// - Throws: `RestoringError` if `source` is empty, `current` is not in the tree, or `saved` does
  ///   not exist. `isDamaged` reports revisions that later turn out unreadable or wrong.
  package init(
    reading source: RevisionSource<Step>, current: Int, saved: Int?
  ) throws(RestoringError) {
    guard source.count > 0 else { throw .noRevisions }
    if let saved, !(0..<source.count).contains(saved) { throw .saved(saved) }
    guard (0..<source.count).contains(current) else { throw .current(current) }
    self.init(
      Revisions(source), current: current, saved: saved, hasDiscardable: source.hasDiscardable,
      hasOutside: source.hasOutside)
    if !canMove(to: current) { throw .current(current) }
  }
}

/// A fault in the data from which a history is restored.
public enum RestoringError: Error, Equatable, Sendable {
  /// The data has no revisions.
  case noRevisions
  /// The number of steps, contexts or values differs from the number of revisions.
  case counts
  /// The parent of a revision is not an earlier revision in the tree. Only the oldest revision in
  /// the tree may lack one.
  case parent(of: Int)
  /// The preferred child of a revision is not one of its children.
  case preferredChild(of: Int)
  /// The reverted revision is not an earlier one, or is the first one.
  case reverts(of: Int)
  /// The steps that led to a revision do not fit the value, or are missing.
  case steps(of: Int)
  /// The present revision does not exist, or is not part of the tree.
  case current(Int)
  /// The saved revision does not exist.
  case saved(Int)
  /// The contexts of the present revision could not be read.
  case contexts(of: Int)
}
