extension Subtree {
  /// Replaces the text from `lower` up to `upper`; this subtree is the root.
  ///
  /// A small edit inside one leaf is made in place; one that crosses from one leaf to the next is two
  /// of them. Any other one cuts the tree and joins the parts:
  ///
  ///      |--- left ---|--- removed ---|--- right ---|      two slices
  ///      |--- left ---|-- inserted --|--- right ---|       two joins
  ///
  /// - Returns: What was removed.
  /// - Complexity: O(log *p*), for *p* pieces.
  @inline(__always) mutating func replace(
    _ lower: Int, _ upper: Int, with inserted: borrowing Fragment
  ) -> Fragment {
    assert(0 <= lower && lower <= upper && upper <= summary.byteCount)
    var removed = Fragment.empty
    if let piece = inserted.onePiece, splicePiece(lower, upper, piece, &removed) { return removed }
    return replaceAnywhere(lower, upper, inserted)
  }

  /// The same for what is not the simplest case.
  private mutating func replaceAnywhere(
    _ lower: Int, _ upper: Int, _ inserted: borrowing Fragment
  ) -> Fragment {
    var removed = Fragment.empty
    if inserted.isSmall {
      if splice(lower, upper, inserted, &removed) { return removed }
      var rest = Fragment.empty
      if let border = border(before: upper), lower < border,
        replaceInLeaf(border, upper, .empty, &rest)
      {
        if !replaceInLeaf(lower, border, inserted, &removed) {
          removed = cut(lower, border, inserted)
        }
        return removed.joined(with: rest)
      }
    }
    return cut(lower, upper, inserted)
  }

  /// Replaces text as slices of the tree; returns what was removed.
  private mutating func cut(
    _ lower: Int, _ upper: Int, _ inserted: borrowing Fragment
  ) -> Fragment {
    let removed = slice(lower, upper)
    let (left, right) = (slice(0, lower), slice(upper, summary.byteCount))
    self = .joined(.joined(left, inserted.subtree), right)
    return Fragment(removed)
  }

  /// Where the leaf begins that has the byte before `offset`.
  private func border(before offset: Int) -> Int? {
    if offset == 0 { return nil }
    var (view, border) = (NodeView(node), 0)
    while !view.isLeaf {
      let (index, start) = view.child(reaching: offset - border)
      border += start
      view = view.child(index)
    }
    return border
  }

  /// Replaces text inside one leaf, and sets `removed` to what was there.
  ///
  /// - Returns: Whether the range is inside one leaf; if not, no text is changed.
  private mutating func replaceInLeaf(
    _ lower: Int, _ upper: Int, _ inserted: borrowing Fragment, _ removed: inout Fragment
  ) -> Bool {
    if let piece = inserted.onePiece, splicePiece(lower, upper, piece, &removed) { return true }
    return inserted.isSmall && splice(lower, upper, inserted, &removed)
  }

  /// The slots of a tree on the way from the root to a leaf: what was changed below is added to their
  /// sums on the way back.
  ///
  /// SAFETY: a slot stays where it is while nodes below it change, and only those do before it is used
  /// for the last time.
  @unsafe private struct Way {
    /// The slots of the inner nodes, from the root on.
    let slots: UnsafeMutableBufferPointer<UnsafeMutablePointer<Subtree>>
    var depth = 0
    /// The slot of the leaf.
    var leaf: UnsafeMutablePointer<Subtree>
    /// Where the leaf begins.
    var start = 0

    /// More levels than any tree has: every inner node but the root has two children at least.
    static let maxHeight = 64

    /// Goes down to the leaf that the range is in, and makes all nodes on the way writable; nil when
    /// it is in none.
    @inline(__always) init?(
      _ root: UnsafeMutablePointer<Subtree>, to lower: Int, _ upper: Int,
      _ slots: UnsafeMutableBufferPointer<UnsafeMutablePointer<Subtree>>
    ) {
      unsafe self.slots = unsafe slots
      unsafe leaf = unsafe root
      while unsafe !leaf.pointee.node.isLeaf {
        unsafe Node.makeWritable(&leaf.pointee.node, room: Node.maxChildren)
        unsafe slots[depth] = leaf
        unsafe depth &+= 1
        // The first child that reaches to `upper`: an insertion between two children belongs to
        // the left one, so that what is typed at its end can merge.
        let (child, childStart) = unsafe leaf.pointee.node.slot(reaching: upper &- start)
        unsafe start &+= childStart
        if unsafe lower < start { return nil }
        unsafe leaf = unsafe child
      }
      unsafe Node.makeWritable(&leaf.pointee.node, room: Node.maxPieces)
    }
  }

  /// Lets `body` work on the leaf that a range is in, with the way to it.
  ///
  /// - Returns: What `body` returns; false when the range is in no leaf, and no text is changed.
  @inline(__always) private mutating func onTheWay(
    to lower: Int, _ upper: Int, _ body: (Way) -> Bool
  ) -> Bool {
    unsafe withUnsafeMutablePointer(to: &self) { root in
      unsafe withUnsafeTemporaryAllocation(
        of: UnsafeMutablePointer<Subtree>.self, capacity: Way.maxHeight
      ) { slots in
        guard let way = unsafe Way(root, to: lower, upper, slots) else { return false }
        return unsafe body(way)
      }
    }
  }

  /// Puts one piece in the place of bytes of one leaf, where nothing but sums changes outside of it,
  /// and sets `removed` to what was there. Most edits are like that.
  ///
  /// - Returns: Whether it was like that; if not, no text is changed.
  private mutating func splicePiece(
    _ lower: Int, _ upper: Int, _ inserted: Piece, _ removed: inout Fragment
  ) -> Bool {
    unsafe onTheWay(to: lower, upper) { way in
      let least = unsafe way.depth == 0 ? 0 : Node.maxPieces / 2
      guard
        unsafe way.leaf.pointee.spliceLeaf(
          lower &- way.start, upper &- way.start, inserted, least: least, &removed)
      else { return false }
      let growth = inserted.summary - removed.summary
      unsafe way.leaf.pointee.summary += growth
      for level in unsafe 0..<way.depth { unsafe way.slots[level].pointee.summary += growth }
      return true
    }
  }

  /// The same in a writable leaf, whose sum is left to the caller.
  @inline(__always) private mutating func spliceLeaf(
    _ lower: Int, _ upper: Int, _ inserted: Piece, least: Int, _ removed: inout Fragment
  ) -> Bool {
    node.splicePiece(lower, upper, inserted, least: least, &removed)
  }

  /// Replaces text inside one leaf, keeps the nodes above it in balance, and sets `removed` to what
  /// was there.
  ///
  /// - Returns: Whether the range is inside one leaf; if not, no text is changed.
  private mutating func splice(
    _ lower: Int, _ upper: Int, _ inserted: borrowing Fragment, _ removed: inout Fragment
  ) -> Bool {
    unsafe onTheWay(to: lower, upper) { way in
      var overflow = unsafe way.leaf.pointee.node.splice(
        lower - way.start, upper - way.start, inserted, &removed)
      let growth = inserted.summary - removed.summary
      var slot = unsafe way.leaf
      unsafe slot.pointee.summary += growth
      if let right = overflow { unsafe slot.pointee.summary -= right.summary }
      for level in unsafe (0..<way.depth).reversed() {
        let parent = unsafe way.slots[level]
        unsafe parent.pointee.summary += growth
        if let right = overflow {
          let index = unsafe slot - parent.pointee.node.childBase
          overflow = unsafe parent.pointee.insert(right, at: index + 1)
        } else if unsafe slot.pointee.node.isTooEmpty && parent.pointee.node.count > 1 {
          unsafe parent.pointee.fillUp(at: slot - parent.pointee.node.childBase)
        }
        unsafe slot = unsafe parent
      }
      // The slot is that of the root now.
      if let right = overflow {
        unsafe slot.pointee = .above(slot.pointee, right)
      } else {
        unsafe slot.pointee.collapse()
      }
      return true
    }
  }
}
