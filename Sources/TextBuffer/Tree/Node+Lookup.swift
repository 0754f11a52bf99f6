/// The location of a piece in a tree.
struct Location {
  var leaf: NodeView
  /// The number of bytes before the leaf.
  var leafStart: Int
  /// The index of the piece in the leaf.
  var index: Int
  /// The counts before the piece.
  var before: Summary
}

extension Subtree {
  /// The piece that holds the byte at `offset`; at the end of the text, the last piece.
  ///
  /// - Precondition: The tree has a piece, and `offset` is in `0...byteCount`.
  func location(of offset: Int) -> Location {
    var node = NodeView(node)
    var before = Summary()
    while !node.isLeaf {
      let last = node.count - 1
      var index = 0
      var sum = node.summary(at: 0)
      while index < last, before.byteCount + sum.byteCount <= offset {
        before += sum
        index += 1
        sum = node.summary(at: index)
      }
      node = node.child(index)
    }
    let leafStart = before.byteCount
    let last = node.count - 1
    var index = 0
    while index < last, before.byteCount + node[piece: index].byteCount <= offset {
      before += node[piece: index].summary
      index += 1
    }
    return Location(leaf: node, leafStart: leafStart, index: index, before: before)
  }

  /// The piece that holds newline number `ordinal`, counted from 1.
  ///
  /// - Precondition: `ordinal` is in `1...newlineCount`.
  func location(ofNewline ordinal: Int) -> Location {
    assert(ordinal >= 1 && ordinal <= summary.newlineCount)
    var node = NodeView(node)
    var before = Summary()
    while !node.isLeaf {
      var index = 0
      var sum = node.summary(at: 0)
      while before.newlineCount + sum.newlineCount < ordinal {
        before += sum
        index += 1
        sum = node.summary(at: index)
      }
      node = node.child(index)
    }
    let leafStart = before.byteCount
    var index = 0
    while before.newlineCount + node[piece: index].newlineCount < ordinal {
      before += node[piece: index].summary
      index += 1
    }
    return Location(leaf: node, leafStart: leafStart, index: index, before: before)
  }

  /// The offset directly after newline number `ordinal`, counted from 1; 0 if `ordinal` is 0.
  func offset(afterNewline ordinal: Int) -> Int {
    if ordinal == 0 { return 0 }
    let place = location(ofNewline: ordinal)
    let missing = ordinal - place.before.newlineCount
    return place.before.byteCount
      + place.leaf[piece: place.index].offset(afterNewline: missing)
  }

  func summary(before offset: Int) -> Summary {
    if offset == 0 { return Summary() }
    if offset == summary.byteCount { return summary }
    let place = location(of: offset)
    return place.before
      + place.leaf[piece: place.index].summary(before: offset - place.before.byteCount)
  }

  func newlines(before offset: Int) -> Int { summary(before: offset).newlineCount }

  /// The byte range of line number `line`, counted from 1, with its newline, which must exist.
  func range(ofLine line: Int) -> (lower: Int, upper: Int) {
    let place = location(ofNewline: line)
    let piece = place.leaf[piece: place.index]
    let ordinal = line - place.before.newlineCount
    let start = place.before.byteCount
    // Fast path: one search is enough if the line begins inside this piece or at its start.
    if ordinal == 1 {
      let isStart = place.index > 0 && place.leaf[piece: place.index - 1].lastByte == newline
      let lower = isStart ? start : offset(afterNewline: line - 1)
      return (lower, start + piece.offset(afterNewline: 1))
    }
    let lower = piece.offset(afterNewline: ordinal - 1)
    let length = piece.extent(lower, piece.byteCount).firstNewline ?? 0
    return (start + lower, start + lower + length + 1)
  }

  /// The last byte of the text; nil for an empty text.
  var lastByte: UInt8? {
    var node = NodeView(node)
    while !node.isLeaf { node = node.child(node.count - 1) }
    return node.count == 0 ? nil : node[piece: node.count - 1].lastByte
  }

  /// The contiguous memory around `offset`, within one leaf, and the offset where it begins.
  ///
  /// - Precondition: `offset` is in `0..<byteCount`.
  func chunk(at offset: Int) -> (Extent, start: Int) {
    let place = location(of: offset)
    let leaf = place.leaf
    var (extent, start) = (leaf[piece: place.index].extent, place.before.byteCount)
    var index = place.index
    while index > 0, let longer = leaf[piece: index - 1].extent.joined(extent) {
      index -= 1
      start -= longer.count - extent.count
      extent = longer
    }
    index = place.index + 1
    while index < leaf.count, let longer = extent.joined(leaf[piece: index].extent) {
      index += 1
      extent = longer
    }
    return (extent, start)
  }
}

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
