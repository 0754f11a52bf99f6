/// Documents that are restored from a store.
extension Document {
  /// A document with a history restored from a store.
  ///
  /// - Parameters:
  ///   - buffer: The text of the present revision.
  ///   - records: All revisions; the number of each is its index.
  ///   - changes: The changes that led to each revision, in the same order; none for the first one.
  ///   - contexts: The contexts before and after each revision, in the same order.
  ///   - current: The present revision, which is part of the tree.
  ///   - saved: The last saved revision.
  ///   - coalescing: The rules for grouping edits made by `replace(_:with:name:time:date:)`.
  /// - Throws: `RestoringError` if they do not fit each other or the text. Only the numbers of
  ///   removed bytes are checked, not the bytes.
  public init(
    restoring buffer: PieceTable, _ records: [RevisionRecord], changes: [[Change]],
    contexts: [(before: Context, after: Context)], current: Int, saved: Int?,
    coalescing: Coalescing = .none
  ) throws(RestoringError) {
    if contexts.count != records.count { throw .counts }
    let source = try RevisionSource(records, steps: changes)
    let history = try History(reading: source, current: current, saved: saved)
    try history.checkLengths(buffer.byteCount)
    try self.init(
      restoring: buffer, source,
      contexts: { contexts[$0].map { Frame(before: $0.before, after: $0.after) } },
      current: current, saved: saved, coalescing: coalescing)
  }

  /// A document with a history restored from a store, read on demand. `contexts` reads the contexts of
  /// adjacent revisions; nil if it can't, as a source does. The contexts of `current` must be readable.
  ///
  /// - Throws: `RestoringError` if a revision does not exist, or the contexts of the present one
  ///   can't be read. `History.isDamaged` reports revisions that later can't be read, or do not
  ///   fit.
  package init(
    restoring buffer: PieceTable, _ source: RevisionSource<Change>,
    contexts: @escaping @Sendable (Range<Int>) -> [Frame]?, current: Int, saved: Int?,
    coalescing: Coalescing = .none
  ) throws(RestoringError) {
    let history = try History(reading: source, current: current, saved: saved)
    guard let frame = contexts(current..<current + 1)?.first else {
      throw .contexts(of: current)
    }
    core = EditCore(buffer)
    self.context = frame.after
    core.coalescing = coalescing
    recorder = Recorder(history)
    let revisions = history.revisions
    storedContexts = StoredPrefix(count: source.count) { ids in
      if let frames = contexts(ids), frames.count == ids.count { return frames }
      revisions.fail()
      return Array(repeating: frame, count: ids.count)
    }
    self.contexts = ChunkedArray()
    contextStart = source.count
    typingContext = frame.after
  }

  /// Starts to collect the revisions that `takeChangedRevisions()` returns.
  public mutating func trackChanges() { recorder.history.trackChanges() }

  /// The revisions that are new or have changed since `takeChangedRevisions()`, ascending.
  package var changedRevisions: [Int] {
    var copy = self
    return copy.takeChangedRevisions()
  }

  /// The number of changes to revisions since `takeChangedRevisions()`.
  package var changeCount: Int { recorder.history.changes.count }

  /// Adds a revision to `changedRevisions`, because a store has to write something of its own with
  /// it.
  package mutating func markChanged(_ id: Int) { recorder.history.markChanged(id) }

  /// Takes `markSaved` back: `saved` is the revision saved before, and `wasSaved` tells whether the
  /// present one had been saved.
  package mutating func takeBackSave(to saved: Int?, _ wasSaved: Bool) {
    recorder.history.takeBackSave(to: saved, wasSaved)
  }

  /// Names a revision as another process has done in the store, so it need not be stored.
  package mutating func adoptName(_ name: String, of id: Int) {
    recorder.history.adoptName(name, of: id)
  }

  /// Drops a revision that has no children, and is not the present one.
  package mutating func dropLeaf(_ id: Int) { recorder.history.dropLeaf(id) }

  /// The revisions that are new or have changed since the last call.
  ///
  /// - Returns: Their numbers, ascending; empty unless `trackChanges` has been called.
  public mutating func takeChangedRevisions() -> [Int] {
    // Setting the context has changed the revision, and may do so again after this call.
    if awaitsContext { recorder.history.markChanged(recorder.history.current) }
    return recorder.history.takeChangedRevisions()
  }
}

extension Document where Context == Void {
  /// A document with a history restored from a store, and without a context; see
  /// `init(restoring:_:changes:contexts:current:saved:coalescing:)`.
  public init(
    restoring buffer: PieceTable, _ records: [RevisionRecord], changes: [[Change]],
    current: Int, saved: Int?, coalescing: Coalescing = .none
  ) throws(RestoringError) {
    try self.init(
      restoring: buffer, records, changes: changes,
      contexts: Array(repeating: (before: (), after: ()), count: records.count),
      current: current, saved: saved, coalescing: coalescing)
  }
}

extension History where Step == Change {
  /// Checks that the changes of all revisions are inside of their texts, from the length of the
  /// present one.
  ///
  /// - Throws: `RestoringError.steps(of:)` for the first revision with other changes.
  /// - Complexity: O(*r* + *c*), for *r* revisions and *c* changes.
  func checkLengths(_ byteCount: Int) throws(RestoringError) {
    // Lengths by revision: first back to the oldest one, then forward to all others, after their parents.
    var lengths: [Int: Int] = [current: byteCount]
    var (id, length) = (current, byteCount)
    while let parent = revisions[entry: id].parent.id, canMove(to: parent) {
      guard let before = steps(of: id).reversed().map(\.inverse).fittedLength(length) else {
        throw .steps(of: id)
      }
      (id, length) = (parent, before)
      lengths[id] = length
    }
    for id in revisions.indices where lengths[id] == nil && canMove(to: id) {
      guard let parent = revisions[entry: id].parent.id, let before = lengths[parent],
        let after = steps(of: id).fittedLength(before)
      else { throw .steps(of: id) }
      lengths[id] = after
    }
  }
}

extension [Change] {
  /// The length of a text after these changes; nil if one is not inside of it.
  package func fittedLength(_ length: Int) -> Int? {
    var length = length
    for change in self {
      let (offset, removed) = (change.offset.value, change.removedByteCount)
      if offset < 0 || removed > length || offset > length - removed { return nil }
      length += change.insertedByteCount - removed
    }
    return length
  }
}

extension Change: Codable {
  private enum CodingKeys: String, CodingKey { case offset, removed, inserted }

  /// Encodes the offset, the removed bytes and the inserted bytes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(offset.value, forKey: .offset)
    try container.encode(removed.bytes, forKey: .removed)
    try container.encode(inserted.bytes, forKey: .inserted)
  }

  /// Decodes a change. Many changes of one text are made in less memory by `Change.Maker`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let offset = try container.decode(Int.self, forKey: .offset)
    if offset < 0 {
      throw DecodingError.dataCorruptedError(
        forKey: .offset, in: container, debugDescription: "an offset below 0")
    }
    let removed = try container.decode(ContiguousArray<UInt8>.self, forKey: .removed)
    let inserted = try container.decode(ContiguousArray<UInt8>.self, forKey: .inserted)
    var maker = Change.Maker(for: PieceTable())
    self = unsafe maker.change(
      at: ByteOffset(offset), removing: removed.span.bytes, inserting: inserted.span.bytes)
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

    /// A change, of bytes in any collection; see `change(at:removing:inserting:)`.
    public mutating func change(
      at offset: ByteOffset, removing removed: some Collection<UInt8>,
      inserting inserted: some Collection<UInt8>
    ) -> Change {
      let (removed, inserted) = (ContiguousArray(removed), ContiguousArray(inserted))
      return unsafe change(
        at: offset, removing: removed.span.bytes, inserting: inserted.span.bytes)
    }

    private mutating func keep(_ bytes: RawSpan) -> Fragment {
      bytes.isEmpty ? .empty : Fragment(Storage.append(bytes, to: &tail, in: &storage))
    }
  }
}
