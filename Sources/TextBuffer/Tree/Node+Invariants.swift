extension Subtree {
  /// Traps unless the invariants of a tree hold:
  ///
  /// - every summary is the sum of the parts below;
  /// - all leaves are at the same depth;
  /// - no node has more slots than allowed, and none but the root fewer than a quarter of that, or two;
  ///   an inner root has two children at least;
  /// - no piece is empty or too long, and its newlines and UTF-16 units are counted right.
  func checkInvariants(isRoot: Bool = true) {
    precondition(node.count <= node.maxCount && node.count <= node.slotCount, "too full")
    precondition(summary == node.total, "wrong summary")
    if !isRoot {
      precondition(node.count >= node.minCount, "too empty")
    } else if !node.isLeaf {
      precondition(node.count >= 2, "a root with one child")
    }
    for index in 0..<node.count {
      if node.isLeaf {
        let piece = node[piece: index]
        precondition(piece.byteCount > 0, "empty piece")
        precondition(piece.byteCount <= Piece.maxByteCount, "long piece")
        precondition(piece.isCountedRight, "wrong counts")
      } else {
        let child = node[child: index]
        precondition(child.node.height == node.height - 1, "uneven depth")
        child.checkInvariants(isRoot: false)
      }
    }
  }
}
