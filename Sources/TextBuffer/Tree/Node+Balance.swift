extension Subtree {
  /// An empty tree.
  static var empty: Subtree {
    Subtree(node: .make(height: 0, capacity: 0), summary: Summary())
  }

  /// Merges two subtrees of the same height if they fit in one node; otherwise, if one underflows,
  /// moves slots between them.
  static func balanced(
    _ left: consuming Subtree, _ right: consuming Subtree
  ) -> (Subtree, Subtree?) {
    assert(left.node.height == right.node.height)
    var left = left
    var right = right
    let (leftCount, rightCount) = (left.node.count, right.node.count)
    if leftCount + rightCount <= left.node.maxCount {
      Node.makeWritable(&left.node)
      left.node.appendSlots(of: right.node, 0, rightCount)
      left.summary += right.summary
      return (left, nil)
    }
    let minCount = left.node.minCount
    if leftCount >= minCount && rightCount >= minCount { return (left, right) }

    let half = (leftCount + rightCount) / 2
    let total = left.summary + right.summary
    if leftCount < half {
      // The first slots of `right` move to `left`; the others move to a new node.
      Node.makeWritable(&left.node)
      let moved = half - leftCount
      left.node.appendSlots(of: right.node, 0, moved)
      let rest = Node.make(height: right.node.height, capacity: right.node.maxCount)
      rest.appendSlots(of: right.node, moved, rightCount)
      right.node = rest
    } else {
      let rest = Node.make(height: right.node.height, capacity: right.node.maxCount)
      rest.appendSlots(of: left.node, half, leftCount)
      rest.appendSlots(of: right.node, 0, rightCount)
      right.node = rest
      Node.makeWritable(&left.node)
      left.node.truncate(to: half)
    }
    right.summary = right.node.total
    left.summary = total - right.summary
    return (left, right)
  }

  /// Concatenates two trees, in O(log *p*) for *p* pieces in both.
  static func joined(_ left: consuming Subtree, _ right: consuming Subtree) -> Subtree {
    if left.summary.byteCount == 0 { return right }
    if right.summary.byteCount == 0 { return left }
    let (first, second) = joinedLevel(left, right)
    guard let second else { return first }
    return above(first, second)
  }

  /// A root for two subtrees of the same height.
  static func above(_ first: Subtree, _ second: Subtree) -> Subtree {
    let node = Node.make(height: first.node.height + 1, capacity: Node.maxChildren)
    node.append(first)
    node.append(second)
    return Subtree(node: node, summary: first.summary + second.summary)
  }

  /// Concatenates two trees into one or two subtrees as tall as the taller tree.
  ///
  /// The shorter tree is joined with the outermost subtree of the same height:
  ///
  ///         o                         o
  ///       / | \         b           / | \ \
  ///      o  o  a   +   / \    =    o  o  a' b'
  ///
  /// Here a and b are merged if they fit in one node, and balanced if one underflows.
  private static func joinedLevel(
    _ left: consuming Subtree, _ right: consuming Subtree
  ) -> (Subtree, Subtree?) {
    var left = left
    var right = right
    let (leftHeight, rightHeight) = (left.node.height, right.node.height)
    if leftHeight == rightHeight {
      left.mergeSeam(with: &right)
      return balanced(left, right)
    }
    if leftHeight > rightHeight {
      Node.makeWritable(&left.node)
      left.summary += right.summary
      let last = left.node.count - 1
      let (first, second) = joinedLevel(left.node.remove(at: last), right)
      left.node.append(first)
      guard let second else { return (left, nil) }
      let rest = left.insert(second, at: last + 1)
      return (left, rest)
    }
    Node.makeWritable(&right.node)
    right.summary += left.summary
    let (first, second) = joinedLevel(left, right.node.remove(at: 0))
    guard let second else {
      right.node.insert(first, at: 0)
      return (right, nil)
    }
    right.node.insert(second, at: 0)
    let rest = right.insert(first, at: 0)
    return (right, rest)
  }

  /// If both nodes are leaves, merges the last piece of this one with the first piece of `next`,
  /// provided that the pieces are adjacent in memory and `next` keeps a piece.
  private mutating func mergeSeam(with next: inout Subtree) {
    guard node.isLeaf, node.count > 0, next.node.count > 1,
      let merged = node[piece: node.count - 1].merged(with: next.node[piece: 0])
    else { return }
    let moved = next.node[piece: 0].summary
    Node.makeWritable(&node)
    node[piece: node.count - 1] = merged
    summary += moved
    let rest = Node.make(height: 0, capacity: Node.maxPieces)
    rest.appendSlots(of: next.node, 1, next.node.count)
    next.node = rest
    next.summary = next.summary - moved
  }

  /// Inserts a child into this writable inner node. Returns the right half if the node overflows.
  /// The summary must already include the child.
  mutating func insert(_ child: Subtree, at index: Int) -> Subtree? {
    if node.count < node.slotCount {
      node.insert(child, at: index)
      return nil
    }
    let half = (node.count + 1) / 2
    let rest = Node.make(height: node.height, capacity: node.slotCount)
    rest.appendSlots(of: node, half, node.count)
    node.truncate(to: half)
    if index <= half {
      node.insert(child, at: index)
    } else {
      rest.insert(child, at: index - half)
    }
    let right = Subtree(node: rest, summary: rest.total)
    summary -= right.summary
    return right
  }

  /// Balances the underflowing child at `index` of this writable inner node with a neighbor.
  mutating func fillUp(at index: Int) {
    let first = index == 0 ? 0 : index - 1
    let right = node.remove(at: first + 1)
    let left = node.remove(at: first)
    let (one, two) = Self.balanced(left, right)
    if let two { node.insert(two, at: first) }
    node.insert(one, at: first)
  }

  /// Replaces the root with its child while it has only one.
  mutating func collapse() {
    while !node.isLeaf, node.count == 1 { self = node[child: 0] }
  }
}
