extension PieceTable {
  /// The number of bytes that this text and another have in common at the beginning, and at the end
  /// without these.
  ///
  /// - Complexity: O(*n*) for *n* common bytes; bytes at the same place in memory are not compared.
  package func commonEnds(with other: PieceTable) -> (prefix: Int, suffix: Int) {
    let (mine, theirs) = (0..<byteCount, 0..<other.byteCount)
    let prefix = CommonEnds.prefixCount(root, mine, other.root, theirs)
    let suffix = CommonEnds.suffixCount(
      root, prefix..<mine.upperBound, other.root, prefix..<theirs.upperBound)
    return (prefix, suffix)
  }

  /// The range of the lines that are different in another text, from the first to the last of them.
  ///
  /// - Complexity: O(*n*) for *n* common bytes; bytes at the same place in memory are not compared.
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
