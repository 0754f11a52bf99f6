extension Subtree {
  /// The text from `lower` up to `upper` as a tree of its own, which shares what it can, in O(log
  /// *p*) for *p* pieces.
  func slice(_ lower: Int, _ upper: Int) -> Subtree {
    assert(0 <= lower && lower <= upper && upper <= summary.byteCount)
    if lower == upper { return .empty }
    if lower == 0 && upper == summary.byteCount { return self }
    if node.isLeaf { return leafSlice(lower, upper) }

    // The children from the one with the first byte to the one with the last.
    var start = 0
    var first = 0
    while start + node.summary(at: first).byteCount <= lower {
      start += node.summary(at: first).byteCount
      first += 1
    }
    let firstCount = node.summary(at: first).byteCount
    if upper <= start + firstCount {
      return node[child: first].slice(lower - start, upper - start)
    }
    let head = node[child: first].slice(lower - start, firstCount)
    var last = first + 1
    var middle = Summary()
    start += firstCount
    while start + node.summary(at: last).byteCount < upper {
      middle += node.summary(at: last)
      start += node.summary(at: last).byteCount
      last += 1
    }
    let tail = node[child: last].slice(0, upper - start)
    return .joined(.joined(head, children(first + 1, last, middle)), tail)
  }

  /// Whole children as a tree.
  private func children(_ first: Int, _ last: Int, _ sum: Summary) -> Subtree {
    if first == last { return .empty }
    if first + 1 == last { return node[child: first] }
    let middle = Node.make(height: node.height, capacity: Node.maxChildren)
    middle.appendSlots(of: node, first, last)
    return Subtree(node: middle, summary: sum)
  }

  private func leafSlice(_ lower: Int, _ upper: Int) -> Subtree {
    var start = 0
    var first = 0
    while start + node[piece: first].byteCount <= lower {
      start += node[piece: first].byteCount
      first += 1
    }
    var last = first
    var end = start + node[piece: first].byteCount
    while end < upper {
      last += 1
      end += node[piece: last].byteCount
    }
    let slice = Node.make(height: 0, capacity: last - first + 1)
    slice.appendSlots(of: node, first, last + 1)
    let lastStart = end - node[piece: last].byteCount
    slice[piece: last - first] = node[piece: last].part(0, upper - lastStart)
    let head = slice[piece: 0]
    slice[piece: 0] = head.part(lower - start, head.byteCount)
    return Subtree(node: slice, summary: slice.total)
  }
}
