extension Node {
  /// The pieces that an edit replaces, from index `first` up to `end`. Their outer parts `head`
  /// and `rest` stay; either can be empty.
  ///
  ///     pieces    [ . . . . ][ . . . . ][ . . . . ]
  ///     range            |-----------------|
  ///               [ head ]                 [ rest ]
  ///
  /// If the range begins at the end of a piece, the whole piece is the head, so that inserted bytes
  /// that follow it in memory can merge with it.
  private struct Gap {
    var first = 0
    var end = 0
    var head = Piece.none
    var rest = Piece.none
  }

  /// The gap for the bytes of a leaf from `lower` up to `upper`; sets `removed` to these bytes.
  @inline(__always)  // saves 3 % of undo
  private func gap(
    _ lower: Int, _ upper: Int, _ removed: inout Fragment
  ) -> Gap {
    if count == 0 { return Gap() }
    let (first, start) = piece(reaching: lower)
    let piece = self[piece: first]
    let cut = lower &- start
    if upper <= start &+ piece.byteCount {
      if cut == piece.byteCount { return Gap(first: first, end: first &+ 1, head: piece) }
      let parts = piece.split(cut, upper &- start)
      if !parts.1.isEmpty { removed = .piece(parts.1) }
      return Gap(first: first, end: first &+ 1, head: parts.0, rest: parts.2)
    }
    return gapOfMany(lower, upper, first, start, &removed)
  }

  /// Slow path: the bytes are in several pieces; piece `first` begins at `start`.
  @inline(never) private func gapOfMany(
    _ lower: Int, _ upper: Int, _ first: Int, _ start: Int, _ removed: inout Fragment
  ) -> Gap {
    let (piece, cut) = (self[piece: first], lower &- start)
    let (last, lastStart) = self.piece(reaching: upper, from: first, at: start)
    let parts = self[piece: last].split(upper &- lastStart, upper &- lastStart)
    let cuts = piece.split(cut, cut)
    removed = taken(cuts.2, first &+ 1, last, parts.0)
    return Gap(first: first, end: last &+ 1, head: cuts.0, rest: parts.2)
  }

  /// Replaces the bytes of a writable leaf from `lower` up to `upper`, and sets `removed` to the
  /// old text. Merges pieces that are adjacent in memory. Returns the right half if the leaf
  /// overflows. The inserted text must be small (`Fragment.isSmall`), so that one split is enough.
  func splice(
    _ lower: Int, _ upper: Int, _ inserted: borrowing Fragment, _ removed: inout Fragment
  ) -> Subtree? {
    assert(isLeaf && slotCount == Self.maxPieces)
    let gap = gap(lower, upper, &removed)
    switch inserted {
    case .empty: return lower == upper ? nil : splice(.none, into: gap)
    case .piece(let piece): return splice(piece, into: gap)
    case .tree(let leaf): return rebuild(gap.first, gap.end, gap.head, leaf, gap.rest)
    }
  }

  /// Fast path: the inserted text is one piece, which can be empty.
  @inline(__always)  // saves 4 % of undo
  private func splice(_ inserted: Piece, into gap: Gap) -> Subtree? {
    var (head, inserted, rest, end) = (gap.head, inserted, gap.rest, gap.end)
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
      count &- (end &- gap.first) &+ (head.isEmpty ? 0 : 1) &+ (inserted.isEmpty ? 0 : 1)
      &+ (rest.isEmpty ? 0 : 1)
    if newCount > Self.maxPieces { return split(gap.first, end, head, inserted, rest, newCount) }
    replacePieces(gap.first, end, with: head, inserted, rest, newCount)
    return nil
  }

  /// Replaces the pieces from `lower` up to `upper` with three others, maybe empty, in a leaf that
  /// overflows. Splits the leaf and returns its right half. If the edit lies in one half, only that
  /// half changes.
  @inline(never) private func split(
    _ lower: Int, _ upper: Int, _ head: Piece, _ inserted: Piece, _ rest: Piece, _ newCount: Int
  ) -> Subtree? {
    let least = Self.maxPieces / 2
    if lower >= least {
      let right = moveSlots(from: least)
      right.replacePieces(
        lower - least, upper - least, with: head, inserted, rest, newCount - least)
      return Subtree(node: right, summary: right.total)
    }
    if upper <= count - least {
      let right = moveSlots(from: count - least)
      replacePieces(lower, upper, with: head, inserted, rest, newCount - least)
      return Subtree(node: right, summary: right.total)
    }
    return rebuild(lower, upper, head, .leaf([inserted], capacity: 1), rest)
  }

  /// Moves the pieces from `index` on to a new leaf.
  private func moveSlots(from index: Int) -> Node {
    let other = Node.make(height: 0, capacity: Self.maxPieces)
    other.appendSlots(of: self, index, count)
    truncate(to: index)
    return other
  }

  /// Slow path: replaces the pieces from `lower` up to `upper` with `head`, all pieces of the leaf
  /// `inserted`, and `rest`. Either of `head` and `rest` can be empty. Returns the right half if
  /// this leaf overflows.
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

  /// The removed text: `first`, unless empty, then the pieces `lower` up to `upper`, then `last`.
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
