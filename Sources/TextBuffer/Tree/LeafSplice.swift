/// Where a replacement cuts the pieces of a leaf.
///
///     pieces    [ . . . . ][ . . . . ][ . . . . ]
///     range            |-----------------|
///               [ head ]                 [ rest ]
///
/// The range may begin at the end of a piece: that one is then the head as a whole, so that bytes
/// which follow it in memory can merge with it.
struct LeafSplice {
  /// The first piece that is replaced.
  let start: Int
  /// The piece behind the last one that is replaced.
  var end: Int
  /// What stays of the first piece.
  private(set) var head: Piece?
  /// What stays of the last piece.
  private(set) var rest: Piece?
  private var taken: (first: Piece?, last: Piece?)

  /// The cuts for the bytes of `leaf` from `lower` up to `upper`.
  init(_ leaf: Node, _ lower: Int, _ upper: Int) {
    let count = leaf.count
    if count == 0 {
      (start, end) = (0, 0)
      return
    }
    var index = 0
    var offset = 0
    while index < count - 1, offset + leaf[piece: index].byteCount < lower {
      offset += leaf[piece: index].byteCount
      index += 1
    }
    start = index
    let first = leaf[piece: index]
    let cut = lower - offset
    if upper <= offset + first.byteCount {
      end = index + 1
      if cut == first.byteCount {
        head = first
      } else {
        let parts = first.split(cut, upper - offset)
        (head, taken.first, rest) = (parts.0, parts.1, parts.2)
      }
      return
    }
    let parts = first.split(cut, first.byteCount)
    (head, taken.first) = (parts.0, parts.1)
    repeat {
      offset += leaf[piece: index].byteCount
      index += 1
    } while offset + leaf[piece: index].byteCount < upper
    let ends = leaf[piece: index].split(0, upper - offset)
    (taken.last, rest) = (ends.1, ends.2)
    end = index + 1
  }

  /// What the range cuts out of `leaf`.
  func removed(from leaf: Node) -> Fragment {
    let first = taken.first.flatMap { $0.byteCount > 0 ? $0 : nil }
    guard let last = taken.last else { return first.map(Fragment.piece) ?? .empty }
    let count = end - start - (first == nil ? 1 : 0)
    if count == 1 { return .piece(last) }
    let removed = Node.make(height: 0, capacity: count)
    if let first { removed.append(first) }
    removed.appendSlots(of: leaf, start + 1, end - 1)
    removed.append(last)
    return .tree(Subtree(node: removed, summary: removed.total))
  }
}
