extension PieceTable {
  /// The length in bytes of the common prefix of this text and another, and of the common suffix
  /// after that prefix.
  ///
  /// - Complexity: O(*n*) for *n* common bytes; bytes that both texts share in memory are not
  ///   compared.
  package func commonEnds(with other: PieceTable) -> (prefix: Int, suffix: Int) {
    let prefix = commonPrefixCount(0..<byteCount, with: other, 0..<other.byteCount)
    let suffix = commonSuffixCount(prefix..<byteCount, with: other, prefix..<other.byteCount)
    return (prefix, suffix)
  }

  /// The length in bytes of the common prefix of a range of this text and a range of another.
  package func commonPrefixCount(
    _ mine: Range<Int>, with other: PieceTable, _ theirs: Range<Int>
  ) -> Int {
    CommonEnds.prefixCount(root, mine, other.root, theirs)
  }

  /// The length in bytes of the common suffix of a range of this text and a range of another.
  package func commonSuffixCount(
    _ mine: Range<Int>, with other: PieceTable, _ theirs: Range<Int>
  ) -> Int {
    CommonEnds.suffixCount(root, mine, other.root, theirs)
  }

  /// The byte range from the first to the last line of this text that differs from another text.
  ///
  /// - Complexity: O(*n*) for *n* common bytes; bytes that both texts share in memory are not
  ///   compared.
  func differentLines(from other: PieceTable) -> Range<ByteOffset> {
    let (mine, theirs) = (byteCount, other.byteCount)
    let prefix = commonPrefixCount(0..<mine, with: other, 0..<theirs)
    let lower = offset(ofLine: lineNumber(at: ByteOffset(prefix)))
    let start = lower.value
    let suffix = commonSuffixCount(start..<mine, with: other, start..<theirs)
    var upper = ByteOffset(mine - suffix)
    if !isLineStart(upper) || !other.isLineStart(ByteOffset(theirs - suffix)) {
      let end = contentRange(ofCaretLine: lineNumber(at: upper)).upperBound
      upper = min(end + 1, ByteOffset(mine))
    }
    return lower..<upper
  }

  private func isLineStart(_ offset: ByteOffset) -> Bool {
    self.offset(ofLine: lineNumber(at: offset)) == offset
  }
}

extension Cursor {
  /// A cursor in a text, at an offset.
  package init(_ text: PieceTable, at offset: Int) { self.init(text.root, at: offset) }
}
