/// A text removed from a tree, or to be inserted into one. Most fragments are one piece and need no
/// allocation. A history keeps two fragments for every revision, so fragments are small: they do
/// not store the summary of a tree. A fragment is safe to send for the same reason as a subtree.
enum Fragment: @unchecked Sendable {
  case empty
  case piece(Piece)
  /// The root of a tree.
  case tree(Node)

  init(_ subtree: Subtree) {
    if subtree.summary.byteCount == 0 {
      self = .empty
    } else if subtree.node.isLeaf && subtree.node.count == 1 {
      self = .piece(subtree.node[piece: 0])
    } else {
      self = .tree(subtree.node)
    }
  }

  /// An extent of any length, cut into pieces.
  init(_ extent: Extent) {
    if extent.count == 0 {
      self = .empty
    } else if extent.count <= Piece.maxByteCount {
      self = .piece(Piece(extent))
    } else {
      var builder = TreeBuilder()
      builder.append(extent)
      self = .tree(builder.finish().node)
    }
  }

  var summary: Summary {
    switch self {
    case .empty: Summary()
    case .piece(let piece): piece.summary
    case .tree(let root): root.total
    }
  }

  var subtree: Subtree {
    switch self {
    case .empty: .empty
    case .piece(let piece): Subtree(node: .leaf([piece], capacity: 1), summary: piece.summary)
    case .tree(let root): Subtree(node: root, summary: root.total)
    }
  }

  /// The bytes of the first piece; nil for an empty fragment.
  var firstExtent: Extent? {
    switch self {
    case .empty: return nil
    case .piece(let piece): return piece.extent
    case .tree(let root):
      var view = NodeView(root)
      while !view.isLeaf { view = view.child(0) }
      return view[piece: 0].extent
    }
  }

  /// Concatenates two fragments, in O(log *p*) for *p* pieces in both.
  static func + (lhs: Fragment, rhs: Fragment) -> Fragment {
    switch (lhs, rhs) {
    case (.empty, _): return rhs
    case (_, .empty): return lhs
    case (.piece(let first), .piece(let second)):
      if let merged = first.merged(with: second) { return .piece(merged) }
    default: break
    }
    let (left, right) = (lhs.subtree, rhs.subtree)
    let count = left.node.count + right.node.count
    guard left.node.isLeaf, right.node.isLeaf, count <= Node.maxPieces else {
      return Fragment(.joined(left, right))
    }
    // A history may keep this leaf, so it gets no spare room.
    let node = Node.make(height: 0, capacity: count)
    node.appendSlots(of: left.node, 0, left.node.count)
    for index in 0..<right.node.count { node.appendMerging(right.node[piece: index]) }
    return Fragment(Subtree(node: node, summary: left.summary + right.summary))
  }

  /// Whether the pieces are so few that inserting them into a leaf splits the leaf at most once.
  var isSmall: Bool {
    if case .tree(let root) = self { return root.isLeaf && root.count <= Node.maxPieces / 2 }
    return true
  }
}
