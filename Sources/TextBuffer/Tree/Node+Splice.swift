extension Node {
  /// Puts one piece in the place of bytes of a writable leaf, where that leaves neither too many pieces
  /// nor too few: most edits are like that. Pieces that touch are merged.
  ///
  /// - Parameters:
  ///   - lower: The first byte to replace.
  ///   - upper: The byte behind the last one.
  ///   - inserted: What to put there; can be empty.
  ///   - least: How many pieces the leaf must have then.
  ///   - removed: Set to what was there.
  /// - Returns: Whether it was like that; if not, nothing is changed.
  @inline(__always) func splicePiece(
    _ lower: Int, _ upper: Int, _ inserted: Piece, least: Int, _ removed: inout Fragment
  ) -> Bool {
    if count == 0 { return false }
    let (first, start) = piece(reaching: lower)
    let piece = self[piece: first]
    let cut = lower &- start
    var end = first &+ 1
    var (head, middle, rest) = (piece, Piece.none, Piece.none)
    var (last, lastStart) = (first, start)
    if upper <= start &+ piece.byteCount {
      if lower == upper && inserted.isEmpty { return false }
      if cut < piece.byteCount { (head, middle, rest) = piece.split(cut, upper &- start) }
    } else {
      (last, lastStart) = self.piece(reaching: upper, from: first, at: start)
      end = last &+ 1
      rest = self[piece: last].dropping(upper &- lastStart)
      if cut < piece.byteCount { head = piece.prefix(cut) }
    }
    var inserted = inserted
    let lastFresh = !rest.isEmpty ? rest : !inserted.isEmpty ? inserted : head
    if head.touches(inserted) || inserted.touches(rest)
      || end < count && lastFresh.touches(self[piece: end])
    {
      if head.absorb(inserted) { inserted = .none }
      if inserted.isEmpty ? head.absorb(rest) : inserted.absorb(rest) { rest = .none }
      if end < count {
        let next = self[piece: end]
        let isMerged =
          !rest.isEmpty
          ? rest.absorb(next) : !inserted.isEmpty ? inserted.absorb(next) : head.absorb(next)
        if isMerged { end &+= 1 }
      }
    }
    let newCount =
      count &- (end &- first) &+ (head.isEmpty ? 0 : 1) &+ (inserted.isEmpty ? 0 : 1)
      &+ (rest.isEmpty ? 0 : 1)
    if newCount > Self.maxPieces || newCount < least { return false }
    if last == first {
      if !middle.isEmpty { removed = .piece(middle) }
    } else {
      removed = taken(
        piece.dropping(cut), first &+ 1, last, self[piece: last].prefix(upper &- lastStart))
    }
    replacePieces(first, end, with: head, inserted, rest, newCount)
    return true
  }

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
    var (head, rest) = (Piece.none, Piece.none)
    var first = 0
    var end = 0
    if count > 0 {
      let (index, start) = piece(reaching: lower)
      let piece = self[piece: index]
      first = index
      end = index + 1
      let cut = lower - start
      if upper <= start + piece.byteCount {
        if cut == piece.byteCount {
          head = piece
        } else {
          let parts = piece.split(cut, upper - start)
          (head, rest) = (parts.0, parts.2)
          if parts.1.byteCount > 0 { removed = .piece(parts.1) }
        }
      } else {
        let (last, lastStart) = self.piece(reaching: upper, from: first, at: start)
        end = last + 1
        let parts = self[piece: last].split(0, upper - lastStart)
        let cuts = piece.split(cut, piece.byteCount)
        (head, rest) = (cuts.0, parts.2)
        removed = taken(cuts.1, first + 1, last, parts.1)
      }
    }
    switch inserted {
    case .empty: return replace(first, end, head, .none, rest)
    case .piece(let piece): return replace(first, end, head, piece, rest)
    case .tree(let leaf): return rebuild(first, end, head, leaf, rest)
    }
  }

  /// Puts three pieces, any of which can be empty, where the pieces from `lower` up to `upper` are.
  ///
  /// - Returns: The right half of a leaf that overflowed.
  @inline(__always) private func replace(
    _ lower: Int, _ upper: Int, _ head: Piece, _ inserted: Piece, _ rest: Piece
  ) -> Subtree? {
    var fresh = ShortPieces()
    fresh.append(head)
    fresh.append(inserted)
    fresh.append(rest)
    var end = upper
    if end < count, fresh.merge(self[piece: end]) { end += 1 }
    if count - (end - lower) + fresh.count <= Self.maxPieces {
      replacePieces(lower, end, with: fresh)
      return nil
    }
    // The leaf becomes two. Where the pieces are all on one side, the other one gets just enough.
    let least = Self.maxPieces / 2
    if lower >= least {
      let right = moveSlots(from: least)
      right.replacePieces(lower - least, end - least, with: fresh)
      return Subtree(node: right, summary: right.total)
    }
    if end <= count - least {
      let right = moveSlots(from: count - least)
      replacePieces(lower, end, with: fresh)
      return Subtree(node: right, summary: right.total)
    }
    let middle = Node.make(height: 0, capacity: 1)
    middle.append(inserted)
    return rebuild(lower, upper, head, middle, rest)
  }

  /// Moves the pieces of a leaf from `index` on to another leaf.
  private func moveSlots(from index: Int) -> Node {
    let other = Node.make(height: 0, capacity: Self.maxPieces)
    other.appendSlots(of: self, index, count)
    truncate(to: index)
    return other
  }

  /// Puts the pieces of a leaf between two others, which can be empty, where the pieces from `lower`
  /// up to `upper` are.
  ///
  /// - Returns: The right half of a leaf that overflowed.
  private func rebuild(
    _ lower: Int, _ upper: Int, _ head: Piece, _ inserted: Node, _ rest: Piece
  ) -> Subtree? {
    let all = Node.make(height: 0, capacity: count + inserted.count + 2)
    all.appendSlots(of: self, 0, lower)
    all.appendMerging(head)
    for index in 0..<inserted.count { all.appendMerging(inserted[piece: index]) }
    all.appendMerging(rest)
    for index in upper..<count { all.appendMerging(self[piece: index]) }
    truncate(to: 0)
    if all.count <= Self.maxPieces {
      appendSlots(of: all, 0, all.count)
      return nil
    }
    let half = all.count / 2
    appendSlots(of: all, 0, half)
    let right = Node.make(height: 0, capacity: Self.maxPieces)
    right.appendSlots(of: all, half, all.count)
    return Subtree(node: right, summary: right.total)
  }

  /// The pieces from `lower` up to `upper` between two others, of which the first can be empty.
  private func taken(_ first: Piece, _ lower: Int, _ upper: Int, _ last: Piece) -> Fragment {
    let count = upper - lower + (first.byteCount > 0 ? 2 : 1)
    if count == 1 { return .piece(last) }
    let node = Node.make(height: 0, capacity: count)
    if first.byteCount > 0 { node.append(first) }
    node.appendSlots(of: self, lower, upper)
    node.append(last)
    return .tree(node)
  }
}
