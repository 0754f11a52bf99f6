/// Text that was taken out of a tree or is to be put into one.
///
/// Most edits are of one piece, and that needs no allocation.
enum Fragment: Sendable {
  case empty
  case piece(Piece)
  case tree(Subtree)

  /// All the text of `subtree`.
  init(_ subtree: Subtree) {
    if subtree.summary.byteCount == 0 {
      self = .empty
    } else if subtree.node.isLeaf && subtree.node.count == 1 {
      self = .piece(subtree.node[piece: 0])
    } else {
      self = .tree(subtree)
    }
  }

  /// Bytes of any number, cut into pieces.
  init(_ run: Run) {
    if run.count == 0 {
      self = .empty
    } else if run.count <= Piece.maxByteCount {
      self = .piece(Piece(run))
    } else {
      var builder = TreeBuilder()
      builder.append(run)
      self = .tree(builder.finish())
    }
  }

  var summary: Summary {
    switch self {
    case .empty: Summary()
    case .piece(let piece): piece.summary
    case .tree(let tree): tree.summary
    }
  }

  /// The text as a tree.
  var subtree: Subtree {
    switch self {
    case .empty: .empty
    case .piece(let piece): Subtree(node: .leaf([piece], capacity: 1), summary: piece.summary)
    case .tree(let tree): tree
    }
  }

  /// Whether a leaf can take these pieces and be no more than two leaves then.
  var isSmall: Bool {
    if case .tree(let tree) = self {
      return tree.node.isLeaf && tree.node.count <= Node.maxPieces / 2
    }
    return true
  }
}
