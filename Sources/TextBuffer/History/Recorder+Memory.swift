/// Giving memory back.
extension Recorder {
  /// How much has been inserted since memory was given back, and how much was held then.
  struct Growth {
    var insertedByteCount = 0
    var heldByteCount = 0
    /// How much the storage had added when what was discarded was looked at last.
    var addedByteCount = 0

    /// Whether so much may be free that it is worth a walk over all revisions.
    var isLarge: Bool { insertedByteCount > max(1 << 20, heldByteCount / 2) }
  }

  /// Gives back the blocks that neither the text nor a revision refers to. Nothing else may refer to changes that
  /// the recorder has made.
  mutating func compact(_ core: inout EditCore) {
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

  /// Gives back what edits have left that were taken back, if that may be much.
  @inline(never) mutating func freeDiscarded(_ core: inout EditCore) {
    if core.isInTransaction || unjoined != nil { return }
    let added = core.text.storage.addedByteCount - growth.addedByteCount
    if added > max(1 << 20, growth.heldByteCount / 2) { compact(&core) }
  }

  /// Gives back what forgotten revisions held, after one has been recorded and if that is worth it.
  @inline(never) mutating func freeForgotten(_ core: inout EditCore) {
    freeForgotten(&core, after: history.revisions[steps: history.current])
  }

  /// Gives back what forgotten revisions held, after `steps` have been recorded.
  mutating func freeForgotten(_ core: inout EditCore, after steps: Steps<Change>) {
    if history.oldest == 0 { return }
    for change in steps.array { growth.insertedByteCount += change.insertedByteCount }
    if growth.isLarge { compact(&core) }
  }
}
