/// An unowned reference to a node for reading: descending a tree retains and releases nothing.
///
/// SAFETY: a view is valid as long as the root of its tree is held. A `Cursor` holds the root; all others
/// use views only while they borrow it. As the root is then shared, the nodes below it do not change.
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

  /// The first child of an inner node that reaches to `offset`, and where it begins; there must be
  /// one.
  func child(reaching offset: Int) -> (index: Int, start: Int) {
    unsafe node._withUnsafeGuaranteedRef { $0.child(reaching: offset) }
  }

  func summary(at index: Int) -> Summary {
    unsafe node._withUnsafeGuaranteedRef { $0.summary(at: index) }
  }
}
