/// Freeing memory.
extension Recorder {
  /// The bytes inserted since memory was last freed, and the bytes held then.
  struct Growth {
    var insertedByteCount = 0
    var heldByteCount = 0
    /// The bytes added to the storage before the last check for discarded edits.
    var addedByteCount = 0

    /// Whether so many bytes more may be worth a walk over all revisions.
    func isWorthwhile(_ byteCount: Int, atLeast least: Int) -> Bool {
      byteCount > max(least, heldByteCount / 2)
    }
  }

  /// Frees the blocks without bytes of the text or of a revision. No other code may refer to
  /// changes that the recorder has made.
  mutating func compact(_ core: inout EditCore) {
    cancelled = nil
    var live = LiveBlocks(of: core.text.storage)
    live.mark(core.text.root.node)
    let ids = history.oldest..<history.revisions.count
    history.revisions.forEachStep(in: ids) { live.mark($0) }
    let storage = live.storage
    history.revisions.mapSteps(in: ids) { $0.kept(by: storage) }
    (core.text.storage, core.text.tail) = (storage, nil)
    let held = core.text.heldByteCount
    growth = Growth(heldByteCount: held, addedByteCount: core.text.storage.addedByteCount)
  }

  /// Frees the memory of discarded edits, if it may be much.
  @inline(never) mutating func freeDiscarded(_ core: inout EditCore) {
    if core.isInTransaction || unjoined != nil || cancelled != nil { return }
    if growth.isWorthwhile(addedByteCount(core), atLeast: 1 << 20) { compact(&core) }
  }

  /// Frees the memory of forgotten revisions after one has been recorded, if worthwhile.
  @inline(never) mutating func freeForgotten(_ core: inout EditCore) {
    freeForgotten(&core, after: history.revisions[steps: history.current])
  }

  /// Frees the memory of forgotten revisions after `steps` have been recorded.
  mutating func freeForgotten(_ core: inout EditCore, after steps: Steps<Change>) {
    if history.oldest == 0 { return }
    for change in steps.array { growth.insertedByteCount += change.insertedByteCount }
    // Blocks grow by edits inside of a transaction, inserted bytes may be in blocks of other texts.
    // The revisions to walk are few.
    let byteCount = max(growth.insertedByteCount, addedByteCount(core))
    if growth.isWorthwhile(byteCount, atLeast: 1 << 17) { compact(&core) }
  }

  private func addedByteCount(_ core: EditCore) -> Int {
    core.text.storage.addedByteCount - growth.addedByteCount
  }
}
