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
}
