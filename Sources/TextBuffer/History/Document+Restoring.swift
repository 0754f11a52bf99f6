/// Documents that are restored from a store.
extension Document {
  /// A document with a history restored from a store.
  ///
  /// - Parameters:
  ///   - buffer: The text of the present revision.
  ///   - records: All revisions; the number of each is its index.
  ///   - changes: The changes that led to each revision, in the same order; none for the first one.
  ///   - contexts: The contexts of each revision, in the same order.
  ///   - current: The present revision, which is part of the tree.
  ///   - saved: The revision that was saved last.
  ///   - coalescing: Which edits made by `replace(_:with:time:)` are one group.
  /// - Precondition: There is one revision at least, each but the first has a parent before it, and
  ///   the changes fit the text.
  public init(
    restoring buffer: PieceTable, _ records: [RevisionRecord], changes: [[Change]],
    contexts: [Frame], current: Int, saved: Int?, coalescing: Coalescing = .none
  ) {
    precondition(contexts.count == records.count, "not as many contexts as revisions")
    self.init(
      restoring: buffer, RevisionSource(records, steps: changes),
      contexts: { Array(contexts[$0]) }, current: current, saved: saved, coalescing: coalescing)
  }

  /// A document with a history restored from a store, of which everything is read when it is wanted.
  ///
  /// - Parameters:
  ///   - buffer: The text of the present revision.
  ///   - source: Reads the revisions, and the changes that led to each.
  ///   - contexts: Reads the contexts of revisions next to each other; nil if it can't, as a source does.
  ///   - current: The present revision, which is part of the tree, and whose contexts can be read.
  ///   - saved: The revision that was saved last.
  ///   - coalescing: Which edits made by `replace(_:with:time:)` are one group.
  /// - Precondition: The changes fit the text.
  public init(
    restoring buffer: PieceTable, _ source: RevisionSource<Change>,
    contexts: @escaping @Sendable (Range<Int>) -> [Frame]?, current: Int, saved: Int?,
    coalescing: Coalescing = .none
  ) {
    guard let frame = contexts(current..<current + 1)?.first else {
      preconditionFailure("no contexts of the present revision")
    }
    draft = Draft(buffer, context: frame.after)
    draft.core.coalescing = coalescing
    let history = History(restoring: source, current: current, saved: saved)
    recorder = Recorder(history)
    let revisions = history.revisions
    storedContexts = StoredPrefix(count: source.count) { ids in
      if let frames = contexts(ids), frames.count == ids.count { return frames }
      revisions.fail()
      return Array(repeating: frame, count: ids.count)
    }
    self.contexts = ChunkedArray()
    typingContext = frame.after
  }

  /// Begins to collect what `takeChangedRevisions()` returns.
  public mutating func trackChanges() { recorder.history.trackChanges() }

  /// The revisions that are new or have changed since the last call.
  ///
  /// - Returns: Their numbers, ascending. Nothing unless `trackChanges` has been called.
  public mutating func takeChangedRevisions() -> [Int] { recorder.history.takeChangedRevisions() }
}

extension Document where Context == Void {
  /// A document with a history restored from a store, and without a context; see
  /// `init(restoring:_:changes:contexts:current:saved:coalescing:)`.
  public init(
    restoring buffer: PieceTable, _ records: [RevisionRecord], changes: [[Change]],
    current: Int, saved: Int?, coalescing: Coalescing = .none
  ) {
    self.init(
      restoring: buffer, records, changes: changes,
      contexts: Array(repeating: Frame(before: (), after: ()), count: records.count),
      current: current, saved: saved, coalescing: coalescing)
  }
}

extension Change {
  /// Makes changes of stored bytes, for one text and its history.
  public struct Maker {
    private var storage: Storage
    private var tail: Tail?

    /// A maker of changes for a text.
    public init(for text: PieceTable) { storage = text.storage }

    /// A change.
    ///
    /// - Parameters:
    ///   - offset: The place of the change.
    ///   - removed: The removed bytes, which are copied.
    ///   - inserted: The inserted bytes, which are copied.
    /// - Returns: The change.
    /// - Complexity: O(*m*), for *m* bytes.
    public mutating func change(
      at offset: ByteOffset, removing removed: RawSpan, inserting inserted: RawSpan
    ) -> Change {
      Change(
        offset: offset.value, before: keep(removed), after: keep(inserted), storage: storage)
    }

    private mutating func keep(_ bytes: RawSpan) -> Fragment {
      bytes.isEmpty ? .empty : Fragment(Storage.append(bytes, to: &tail, in: &storage))
    }
  }
}
