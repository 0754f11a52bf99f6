extension Node {
  /// Replaces the bytes of a writable leaf from `lower` up to `upper`.
  ///
  ///     pieces    [ . . . . ][ . . . . ][ . . . . ]
  ///     range            |-----------------|
  ///               [ head ]    inserted     [ rest ]
  ///
  /// The range may begin at the end of a piece: that one is then the head as a whole, so that bytes
  /// which follow it in memory can merge with it.
  ///
  /// - Parameters:
  ///   - lower: The first byte to replace.
  ///   - upper: The byte behind the last one.
  ///   - inserted: What to put there, small enough for a leaf.
  ///   - removed: Set to what was there.
  /// - Returns: The right half of a leaf that overflowed.
  func splice(
    _ lower: Int, _ upper: Int, _ inserted: borrowing Fragment, _ removed: inout Fragment
  ) -> Subtree? {
    assert(isLeaf && slotCount == Self.maxPieces)
    var fresh = ShortPieces()
    var first = 0
    var end = 0
    var rest = Piece.none
    if count > 0 {
      var start = 0
      while start + self[piece: first].byteCount < lower {
        start += self[piece: first].byteCount
        first += 1
      }
      let piece = self[piece: first]
      if upper <= start + piece.byteCount {
        end = first + 1
        if lower == start + piece.byteCount {
          fresh.append(piece)
        } else {
          let parts = piece.split(lower - start, upper - start)
          fresh.append(parts.0)
          if parts.1.byteCount > 0 { removed = .piece(parts.1) }
          rest = parts.2
        }
      } else {
        end = first + 1
        var lastStart = start + piece.byteCount
        while lastStart + self[piece: end].byteCount < upper {
          lastStart += self[piece: end].byteCount
          end += 1
        }
        end += 1
        let ends = self[piece: end - 1].split(0, upper - lastStart)
        let cut = piece.split(lower - start, piece.byteCount)
        fresh.append(cut.0)
        removed = taken(cut.1, first + 1, end - 1, ends.1)
        rest = ends.2
      }
    }
    switch inserted {
    case .empty: break
    case .piece(let piece): fresh.append(piece)
    case .tree(let tree):
      for index in 0..<tree.node.count { fresh.append(tree.node[piece: index]) }
    }
    fresh.append(rest)
    if end < count, fresh.merge(self[piece: end]) { end += 1 }
    if count - (end - first) + fresh.count <= Self.maxPieces {
      unsafe fresh.withPieces { unsafe replacePieces(first, end, with: $0) }
      return nil
    }
    return split(first, end, fresh)
  }

  /// The pieces from `lower` up to `upper` between two others, of which the first can be empty.
  private func taken(_ first: Piece, _ lower: Int, _ upper: Int, _ last: Piece) -> Fragment {
    let count = upper - lower + (first.byteCount > 0 ? 2 : 1)
    if count == 1 { return .piece(last) }
    let node = Node.make(height: 0, capacity: count)
    if first.byteCount > 0 { node.append(first) }
    node.appendSlots(of: self, lower, upper)
    node.append(last)
    return .tree(Subtree(node: node, summary: node.total))
  }

  /// Puts `fresh` where the pieces from `lower` up to `upper` are, and half of all in a new leaf.
  private func split(_ lower: Int, _ upper: Int, _ fresh: borrowing ShortPieces) -> Subtree {
    let all = Node.make(height: 0, capacity: count + fresh.count)
    all.appendSlots(of: self, 0, lower)
    for index in 0..<fresh.count { all.append(fresh[index]) }
    all.appendSlots(of: self, upper, count)
    let half = all.count / 2
    truncate(to: 0)
    appendSlots(of: all, 0, half)
    let right = Node.make(height: 0, capacity: Self.maxPieces)
    right.appendSlots(of: all, half, all.count)
    return Subtree(node: right, summary: right.total)
  }
}
