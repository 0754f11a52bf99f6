extension PieceTable {
  /// How much of the beginning and of the end is the same in another text; the two parts do not
  /// overlap in either.
  ///
  /// - Complexity: O(*n*) for *n* bytes that are the same; what is in one place in memory is not
  ///   looked at.
  package func commonEnds(with other: PieceTable) -> (prefix: Int, suffix: Int) {
    let (mine, theirs) = (0..<byteCount, 0..<other.byteCount)
    let prefix = CommonEnds.prefixCount(root, mine, other.root, theirs)
    let suffix = CommonEnds.suffixCount(
      root, prefix..<mine.upperBound, other.root, prefix..<theirs.upperBound)
    return (prefix, suffix)
  }
}
