/// A node that is only looked at: it costs no counting of references on the way down.
///
/// A view is valid as long as somebody holds the root of its tree, and whoever has a view does:
/// a `Cursor` keeps the root, all others use their views while they borrow it. Holding the root
/// also makes it shared, so nobody changes the nodes under it meanwhile.
@safe struct NodeView {
  private let node: Unmanaged<Node>

  init(_ node: Node) { unsafe self.node = .passUnretained(node) }

  var count: Int { unsafe node._withUnsafeGuaranteedRef { $0.count } }
  var isLeaf: Bool { unsafe node._withUnsafeGuaranteedRef { $0.isLeaf } }

  /// A piece of a leaf.
  subscript(piece index: Int) -> Piece {
    unsafe node._withUnsafeGuaranteedRef { $0[piece: index] }
  }

  /// A child of an inner node.
  func child(_ index: Int) -> NodeView {
    unsafe node._withUnsafeGuaranteedRef { NodeView($0[child: index].node) }
  }

  /// The first child of an inner node that reaches to `offset`, and where it begins.
  ///
  /// - Precondition: There is one.
  func child(reaching offset: Int) -> (index: Int, start: Int) {
    unsafe node._withUnsafeGuaranteedRef { $0.child(reaching: offset) }
  }

  /// What a child of an inner node adds up to.
  func summary(at index: Int) -> Summary {
    unsafe node._withUnsafeGuaranteedRef { $0.summary(at: index) }
  }
}
