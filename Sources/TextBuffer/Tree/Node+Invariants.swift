extension Subtree {
  /// Traps unless the invariants of a tree hold:
  ///
  /// - Every summary is the sum of the summaries below.
  /// - All leaves are at the same depth.
  /// - No node uses more slots than allowed. Every node but the root uses at least a quarter of
  ///   them, and at least two. An inner root has at least two children.
  /// - No piece is empty or too long, and its counts of newlines and UTF-16 units are right.
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
