extension Document {
  /// The number of bytes of memory that are kept for the bytes of the text and of all its revisions.
  ///
  /// - Complexity: O(*b*), for *b* blocks of memory.
  public var heldByteCount: Int { core.text.heldByteCount }

  /// Gives back the memory of blocks that neither the text nor any revision refers to; closes the open group.
  /// With a `levelLimit` this is done now and then without being asked for.
  ///
  /// - Precondition: No transaction is open.
  /// - Complexity: O(*p* log *b*), for *p* pieces in all revisions and *b* blocks of memory.
  public mutating func compact() {
    requireNoTransaction()
    commitTyping()
    recorder.seal()
    recorder.compact(&core)
  }
}
