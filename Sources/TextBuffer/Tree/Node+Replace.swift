extension Subtree {
  /// Replaces the text from `lower` up to `upper`; this subtree is the root.
  ///
  /// A small edit inside one leaf is made in place. Any other one cuts the tree and joins the
  /// parts:
  ///
  ///      |--- left ---|--- removed ---|--- right ---|      two slices
  ///      |--- left ---|-- inserted --|--- right ---|       two joins
  ///
  /// - Returns: What was removed.
  /// - Complexity: O(log *p*), for *p* pieces.
  mutating func replace(
    _ lower: Int, _ upper: Int, with inserted: borrowing Fragment
  ) -> Fragment {
    assert(0 <= lower && lower <= upper && upper <= summary.byteCount)
    if inserted.isSmall {
      var outcome = SpliceOutcome()
      switch splice(lower, upper, inserted, &outcome) {
      case .done:
        collapse()
        return outcome.removed
      case .split(let right):
        self = .above(self, right)
        return outcome.removed
      case .crossesLeaves: break
      }
    }
    let removed = slice(lower, upper)
    let (left, right) = (slice(0, lower), slice(upper, summary.byteCount))
    self = .joined(.joined(left, inserted.subtree), right)
    return Fragment(removed)
  }

  /// What an edit in place found and did.
  private struct SpliceOutcome {
    var removed = Fragment.empty
    /// What the edit adds to every sum on the way.
    var growth = Summary()
  }

  /// How an edit in place went.
  private enum SpliceResult {
    /// Nothing was changed: the range is not inside one leaf.
    case crossesLeaves
    case done
    /// The subtree overflowed; this is its right half.
    case split(Subtree)
  }

  /// Replaces text inside one leaf, and keeps the nodes above it in balance.
  private mutating func splice(
    _ lower: Int, _ upper: Int, _ inserted: borrowing Fragment,
    _ outcome: inout SpliceOutcome
  ) -> SpliceResult {
    if node.isLeaf {
      Node.makeWritable(&node)
      let right = node.splice(lower, upper, inserted, &outcome.removed)
      outcome.growth = inserted.summary - outcome.removed.summary
      summary += outcome.growth
      guard let right else { return .done }
      summary = summary - right.summary
      return .split(right)
    }

    // The first child that reaches to `upper`: an insertion between two children belongs to the
    // left one, so that what is typed at its end can merge.
    let (index, start) = node.child(reaching: upper)
    if lower < start { return .crossesLeaves }
    Node.makeWritable(&node)
    switch node[child: index].splice(lower - start, upper - start, inserted, &outcome) {
    case .crossesLeaves: return .crossesLeaves
    case .done:
      summary += outcome.growth
      rebalance(at: index)
      return .done
    case .split(let right):
      summary += outcome.growth
      let (left, rest) = inserting(right, at: index + 1)
      self = left
      guard let rest else { return .done }
      return .split(rest)
    }
  }
}
