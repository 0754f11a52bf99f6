/// An unowned reference to a node, for reading: descending a tree retains and releases nothing.
///
/// SAFETY: a view is valid while the root of its tree is held. A `Cursor` holds the root; all other
/// code borrows the root while it uses views. No code writes to nodes below a shared or borrowed
/// root.
@safe struct NodeView {
  private let node: Unmanaged<Node>

  init(_ node: Node) { unsafe self.node = .passUnretained(node) }

  var count: Int { unsafe node._withUnsafeGuaranteedRef { $0.count } }
  var isLeaf: Bool { unsafe node._withUnsafeGuaranteedRef { $0.isLeaf } }

  subscript(piece index: Int) -> Piece {
    unsafe node._withUnsafeGuaranteedRef { $0[piece: index] }
  }

  func child(_ index: Int) -> NodeView {
    unsafe node._withUnsafeGuaranteedRef { NodeView($0[child: index].node) }
  }

  /// The first child that ends at or after `offset`, and the offset where it begins. The node must
  /// be an inner node that has such a child.
  func child(reaching offset: Int) -> (index: Int, start: Int) {
    unsafe node._withUnsafeGuaranteedRef { $0.child(reaching: offset) }
  }

  func summary(at index: Int) -> Summary {
    unsafe node._withUnsafeGuaranteedRef { $0.summary(at: index) }
  }
}
