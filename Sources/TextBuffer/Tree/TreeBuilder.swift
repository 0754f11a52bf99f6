/// Builds a tree from pieces in order. All leaves but the last two are full.
struct TreeBuilder {
  private var leaves: [Subtree] = []
  private var pieces: [Piece] = []
  private var sum = Summary()

  private(set) var total = Summary()

  var pieceCount: Int { leaves.count * Node.maxPieces + pieces.count }

  init() { pieces.reserveCapacity(Node.maxPieces) }

  /// Appends a piece, merged with the last one if possible.
  mutating func append(_ piece: Piece) {
    if piece.byteCount == 0 { return }
    total += piece.summary
    if let last = pieces.last, let merged = last.merged(with: piece) {
      pieces[pieces.count - 1] = merged
    } else {
      if pieces.count == Node.maxPieces { closeLeaf() }
      pieces.append(piece)
    }
    sum += piece.summary
  }

  /// Appends an extent of any length, cut into pieces.
  mutating func append(_ extent: Extent) {
    var rest = extent
    while rest.count > 0 {
      append(Piece(rest.prefix(Piece.maxByteCount)))
      rest = rest.dropping(min(Piece.maxByteCount, rest.count))
    }
  }

  /// The tree of all appended pieces; an empty leaf if nothing was appended.
  mutating func finish() -> Subtree {
    if leaves.isEmpty {
      return Subtree(node: .leaf(pieces[...], capacity: pieces.count), summary: total)
    }
    closeLeaf()
    var level = leaves
    Self.fillUp(&level)
    var height = 1
    while level.count > 1 {
      level = Self.group(level, height: height)
      height += 1
    }
    return level[0]
  }

  private mutating func closeLeaf() {
    leaves.append(Subtree(node: .leaf(pieces[...]), summary: sum))
    pieces.removeAll(keepingCapacity: true)
    sum = Summary()
  }

  /// If the last leaf underflows, moves pieces to it from the leaf before, which is full.
  private static func fillUp(_ leaves: inout [Subtree]) {
    guard leaves.count > 1, let right = leaves.popLast(), let left = leaves.popLast() else {
      return
    }
    let (first, second) = Subtree.balanced(left, right)
    leaves.append(first)
    if let second { leaves.append(second) }
  }

  /// The parents of the nodes of `level`: as few as possible, all about equally full.
  private static func group(_ level: [Subtree], height: Int) -> [Subtree] {
    let nodeCount = (level.count + Node.maxChildren - 1) / Node.maxChildren
    var nodes: [Subtree] = []
    var start = 0
    for index in 0..<nodeCount {
      let end = level.count * (index + 1) / nodeCount
      let node = Node.make(height: height, capacity: Node.maxChildren)
      var summary = Summary()
      for child in level[start..<end] {
        node.append(child)
        summary += child.summary
      }
      nodes.append(Subtree(node: node, summary: summary))
      start = end
    }
    return nodes
  }
}
