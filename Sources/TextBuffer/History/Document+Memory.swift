extension Document {
  /// The size in bytes of all memory blocks that the text and its revisions keep.
  ///
  /// - Complexity: O(*b*), for *b* blocks of memory.
  public var heldByteCount: Int { core.text.heldByteCount }

  /// Frees the memory blocks that neither the text nor any revision uses, and closes the open
  /// group. With a `levelLimit`, a document also frees memory by itself now and then.
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
