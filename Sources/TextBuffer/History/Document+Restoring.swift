/// Histories that were kept elsewhere.
extension Document {
  /// A document with a history that was kept elsewhere.
  ///
  /// - Parameters:
  ///   - buffer: The text of the present revision.
  ///   - history: All revisions; the text and the changes have to fit.
  ///   - contexts: What is restored with the text: before and after each revision.
  ///   - coalescing: Which of the edits made by `replace(_:with:time:)` are one group.
  /// - Precondition: There is a pair of contexts for each revision.
  public init(
    restoring buffer: TextBuffer, _ history: History<Change>,
    contexts: [(before: Context, after: Context)], coalescing: Coalescing = .none
  ) {
    precondition(contexts.count == history.revisions.count, "not as many contexts as revisions")
    let context = contexts[history.current].after
    draft = Draft(buffer, context: context)
    draft.core.coalescing = coalescing
    record = Record(history)
    self.contexts = contexts.map { Frame(before: $0.before, after: $0.after) }
    groupContext = context
  }

  /// Begins to keep track of what `takeChangedRevisions` tells.
  public mutating func trackChanges() { record.history.trackChanges() }

  /// The revisions that are new, or are told of differently, since this was asked last.
  ///
  /// - Returns: Their numbers, ascending. Nothing unless `trackChanges` has been called.
  public mutating func takeChangedRevisions() -> [Int] { record.history.takeChangedRevisions() }
}

extension Change {
  /// Makes changes of bytes that come from elsewhere, for one text and its history.
  public struct Maker {
    private let storage: Storage
    private var tail: Tail?

    /// A maker of changes for a text.
    public init(for text: TextBuffer) { storage = text.storage }

    /// A change.
    ///
    /// - Parameters:
    ///   - offset: Where it is.
    ///   - removed: What it takes out, copied.
    ///   - inserted: What it puts there, copied.
    /// - Complexity: O(*m*) for *m* bytes.
    public mutating func change(
      at offset: ByteOffset, removing removed: RawSpan, inserting inserted: RawSpan
    ) -> Change {
      Change(
        offset: offset.value, before: keep(removed), after: keep(inserted), storage: storage)
    }

    private mutating func keep(_ bytes: RawSpan) -> Fragment {
      bytes.isEmpty ? .empty : Fragment(storage.append(bytes, to: &tail))
    }
  }
}
