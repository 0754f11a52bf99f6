extension Subtree {
  /// Replaces the text from `lower` up to `upper`; this subtree is the root.
  ///
  /// A small edit inside one leaf splices the leaf in place. If it spans several leaves, the leaves
  /// between the first and the last are removed, then these two are spliced. Any other edit slices
  /// the tree and concatenates the parts:
  ///
  ///      |--- left ---|--- removed ---|--- right ---|      two slices
  ///      |--- left ---|-- inserted --|--- right ---|       two joins
  ///
  /// - Returns: The removed text.
  /// - Complexity: O(log *p*), for *p* pieces.
  @inline(__always)  // saves 1.7 % of typing
  mutating func replace(
    _ lower: Int, _ upper: Int, with inserted: borrowing Fragment
  ) -> Fragment {
    assert(0 <= lower && lower <= upper && upper <= summary.byteCount)
    var removed = Fragment.empty
    return inserted.isSmall && splice(lower, upper, inserted, &removed)
      ? removed : replaceAnywhere(lower, upper, inserted)
  }

  /// Slow path: the range spans several leaves, or the inserted text is not small.
  private mutating func replaceAnywhere(
    _ lower: Int, _ upper: Int, _ inserted: borrowing Fragment
  ) -> Fragment {
    var removed = Fragment.empty
    if inserted.isSmall {
      let first = leafRange(reaching: lower).upperBound
      let last = leafRange(reaching: upper).lowerBound
      if lower < last, let between = takeLeaves(first, last) {
        var rest = Fragment.empty
        let isInLeaf = splice(first, upper - (last - first), .empty, &rest)
        assert(isInLeaf)
        if !splice(lower, first, inserted, &removed) {
          removed = cut(lower, first, inserted)
        }
        return removed + between + rest
      }
    }
    return cut(lower, upper, inserted)
  }

  /// Replaces text by concatenating slices of the tree, and returns the removed text.
  private mutating func cut(
    _ lower: Int, _ upper: Int, _ inserted: borrowing Fragment
  ) -> Fragment {
    let removed = slice(lower, upper)
    let (left, right) = (slice(0, lower), slice(upper, summary.byteCount))
    self = .joined(.joined(left, inserted.subtree), right)
    return Fragment(removed)
  }

  /// The byte range of the first leaf that ends at or after `offset`.
  private func leafRange(reaching offset: Int) -> Range<Int> {
    var (view, leaf) = (NodeView(node), 0..<summary.byteCount)
    while !view.isLeaf {
      let (index, start) = view.child(reaching: offset - leaf.lowerBound)
      let lower = leaf.lowerBound + start
      leaf = lower..<lower + view.summary(at: index).byteCount
      view = view.child(index)
    }
    return leaf
  }

  /// Removes and returns the leaves that hold exactly the bytes from `lower` up to `upper`. Returns
  /// nil and removes nothing unless the leaves share one parent that keeps at least one other leaf.
  private mutating func takeLeaves(_ lower: Int, _ upper: Int) -> Fragment? {
    if lower == upper { return .empty }
    guard let leaves = takeLeavesBelow(lower, upper) else { return nil }
    collapse()
    return Fragment(leaves)
  }

  private mutating func takeLeavesBelow(_ lower: Int, _ upper: Int) -> Subtree? {
    // The child that holds the first byte, and the child that holds the last one.
    let (first, start) = node.child(reaching: lower + 1)
    let (last, _) = node.child(reaching: upper)
    let leaves: Subtree
    if node.height > 1 {
      guard first == last else { return nil }
      Node.makeWritable(&node)
      guard let below = node[child: first].takeLeavesBelow(lower - start, upper - start) else {
        return nil
      }
      leaves = below
      if node[child: first].node.isTooEmpty && node.count > 1 { fillUp(at: first) }
    } else {
      guard last - first + 1 < node.count else { return nil }
      Node.makeWritable(&node)
      leaves = node.take(first, last + 1)
    }
    summary -= leaves.summary
    return leaves
  }

  /// The path from the root to a leaf, as pointers to the slots of the nodes. After an edit of the
  /// leaf, a loop updates the summaries above. A recursive descent makes recording a group 12 %
  /// slower, and redo 6 %.
  ///
  /// SAFETY: a slot does not move while nodes below it change. Until the last use of a slot, only
  /// nodes below it change.
  @unsafe private struct Path {
    let slots: UnsafeMutableBufferPointer<UnsafeMutablePointer<Subtree>>
    var depth = 0
    var leaf: UnsafeMutablePointer<Subtree>
    var start = 0

    /// More levels than any tree has: every inner node but the root has at least two children.
    static let maxHeight = 64

    /// Descends to the leaf that contains the range, and makes all nodes on the path writable; nil
    /// if no single leaf contains it.
    init?(
      _ root: UnsafeMutablePointer<Subtree>, to lower: Int, _ upper: Int,
      _ slots: UnsafeMutableBufferPointer<UnsafeMutablePointer<Subtree>>
    ) {
      unsafe self.slots = unsafe slots
      unsafe leaf = unsafe root
      while unsafe !leaf.pointee.node.isLeaf {
        unsafe Node.makeWritable(&leaf.pointee.node, room: Node.maxChildren)
        unsafe slots[depth] = leaf
        unsafe depth &+= 1
        // The first child that ends at or after `upper`: an insertion between two children goes to
        // the left one, so that text typed at its end can merge.
        let (child, childStart) = unsafe leaf.pointee.node.slot(reaching: upper &- start)
        unsafe start &+= childStart
        if unsafe lower < start { return nil }
        unsafe leaf = unsafe child
      }
      unsafe Node.makeWritable(&leaf.pointee.node, room: Node.maxPieces)
    }

    /// Adds `growth` to the summaries on the path after an edit of the leaf, and balances the nodes
    /// if necessary. `overflow` is the right half of the leaf if it overflowed.
    func grow(by growth: Summary, _ overflow: Subtree?) {
      unsafe leaf.pointee.summary += growth
      for level in unsafe 0..<depth { unsafe slots[level].pointee.summary += growth }
      // After most edits the leaf is neither too full nor too empty.
      if let overflow {
        unsafe balance(overflow)
      } else if unsafe depth > 0 && leaf.pointee.node.isTooEmpty {
        unsafe balance(nil)
      }
    }

    /// Inserts `right`, the right half of an overflowed leaf, next to the leaf, or fills up an
    /// underflowing leaf. Does the same for the nodes above.
    @inline(never) private func balance(_ right: Subtree?) {
      var overflow = right
      var slot = unsafe leaf
      if let right { unsafe slot.pointee.summary -= right.summary }
      for level in unsafe (0..<depth).reversed() {
        let parent = unsafe slots[level]
        if let right = overflow {
          let index = unsafe slot - parent.pointee.node.childBase
          overflow = unsafe parent.pointee.insert(right, at: index + 1)
        } else if unsafe slot.pointee.node.isTooEmpty && parent.pointee.node.count > 1 {
          unsafe parent.pointee.fillUp(at: slot - parent.pointee.node.childBase)
        }
        unsafe slot = unsafe parent
      }
      // The slot belongs to the root now.
      if let right = overflow {
        unsafe slot.pointee = .above(slot.pointee, right)
      } else {
        unsafe slot.pointee.collapse()
      }
    }
  }

  /// Replaces text inside one leaf, and sets `removed` to the old text. Returns false and changes
  /// no text if the range is not inside one leaf.
  private mutating func splice(
    _ lower: Int, _ upper: Int, _ inserted: borrowing Fragment, _ removed: inout Fragment
  ) -> Bool {
    unsafe withUnsafeMutablePointer(to: &self) { root in
      unsafe withUnsafeTemporaryAllocation(
        of: UnsafeMutablePointer<Subtree>.self, capacity: Path.maxHeight
      ) { slots in
        guard let path = unsafe Path(root, to: lower, upper, slots) else { return false }
        let overflow = unsafe path.leaf.pointee.spliceLeaf(
          lower &- path.start, upper &- path.start, inserted, &removed)
        unsafe path.grow(by: inserted.summary - removed.summary, overflow)
        return true
      }
    }
  }

  /// Replaces text in a writable leaf; the caller updates its summary. Returns the right half if
  /// the leaf overflows. Borrowing the node avoids reference counting.
  private mutating func spliceLeaf(
    _ lower: Int, _ upper: Int, _ inserted: borrowing Fragment, _ removed: inout Fragment
  ) -> Subtree? {
    node.splice(lower, upper, inserted, &removed)
  }
}
