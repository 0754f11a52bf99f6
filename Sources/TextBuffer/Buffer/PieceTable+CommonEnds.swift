extension PieceTable {
  /// The length in bytes of the common prefix of this text and another, and of the common suffix
  /// after that prefix.
  ///
  /// - Complexity: O(*n*) for *n* common bytes; bytes that both texts share in memory count without
  ///   a comparison.
  package func commonEnds(with other: PieceTable) -> (prefix: Int, suffix: Int) {
    let (mine, theirs) = (0..<byteCount, 0..<other.byteCount)
    let prefix = CommonEnds.prefixCount(root, mine, other.root, theirs)
    let suffix = CommonEnds.suffixCount(
      root, prefix..<mine.upperBound, other.root, prefix..<theirs.upperBound)
    return (prefix, suffix)
  }

  /// The byte range from the first to the last line of this text that differs from another text.
  ///
  /// - Complexity: O(*n*) for *n* common bytes; bytes that both texts share in memory count without
  ///   a comparison.
  func differentLines(from other: PieceTable) -> Range<ByteOffset> {
    let (mine, theirs) = (byteCount, other.byteCount)
    let prefix = CommonEnds.prefixCount(root, 0..<mine, other.root, 0..<theirs)
    let lower = offset(ofLine: lineNumber(at: ByteOffset(prefix)))
    let start = lower.value
    let suffix = CommonEnds.suffixCount(root, start..<mine, other.root, start..<theirs)
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
