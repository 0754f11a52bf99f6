/// Visits the bytes of a tree in order, piece by piece. A cursor remembers its leaf, so the next
/// piece of the leaf is one step away; the next leaf takes a descent from the root. Visiting a
/// piece costs O(1), amortized.
package struct Cursor {
  private let root: Subtree
  private var place: Location
  package private(set) var offset: Int

  /// A cursor at `offset`.
  init(_ root: Subtree, at offset: Int = 0) {
    self.root = root
    self.offset = offset
    place = root.summary.byteCount == 0 ? Self.nowhere(root) : root.location(of: offset)
  }

  private static func nowhere(_ root: Subtree) -> Location {
    Location(leaf: NodeView(root.node), leafStart: 0, index: 0, before: Summary())
  }

  /// Moves to `offset`; cheap in the current piece, and ahead in the same leaf.
  mutating func seek(_ offset: Int) {
    if offset != self.offset, offset < place.before.byteCount {
      place = root.location(of: offset)
    }
    self.offset = offset
  }

  /// Returns the next piece, cut to `offset..<end`, and moves past it; nil at `end`.
  mutating func nextPiece(upTo end: Int) -> Piece? {
    if offset >= end { return nil }
    let piece = currentPiece()
    let start = place.before.byteCount
    let lower = offset - start
    let upper = min(piece.byteCount, end - start)
    offset = start + upper
    return upper - lower == piece.byteCount ? piece : piece.part(lower, upper)
  }

  /// Like `nextPiece(upTo:)`, but does not count newlines.
  mutating func nextExtent(upTo end: Int) -> Extent? {
    if offset >= end { return nil }
    let piece = currentPiece()
    let start = place.before.byteCount
    let lower = offset - start
    let upper = min(piece.byteCount, end - start)
    offset = start + upper
    return piece.extent(lower, upper)
  }

  /// Returns the longest extent of contiguous memory from `offset` up to `end`, and moves past it;
  /// nil at `end`.
  package mutating func nextMaximalExtent(upTo end: Int) -> Extent? {
    guard var extent = nextExtent(upTo: end) else { return nil }
    while offset < end {
      let here = offset
      guard let next = nextExtent(upTo: end), let joined = extent.joined(next) else {
        seek(here)
        break
      }
      extent = joined
    }
    return extent
  }

  /// Returns the piece that holds the byte at `offset`, which must be before the end of the text.
  private mutating func currentPiece() -> Piece {
    while place.index < place.leaf.count {
      let piece = place.leaf[piece: place.index]
      if offset < place.before.byteCount + piece.byteCount { return piece }
      place.before += piece.summary
      place.index += 1
    }
    place = root.location(of: offset)
    return place.leaf[piece: place.index]
  }
}
