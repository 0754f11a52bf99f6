/// A few pieces on the stack: what an edit in place puts into a leaf.
struct ShortPieces: ~Copyable {
  // An inserted piece, and what is left of a piece on either side.
  private var pieces = InlineArray<3, Piece>(repeating: .none)
  private(set) var count = 0

  subscript(index: Int) -> Piece { pieces[index] }

  /// Appends a piece, merged with the last one where that can be; an empty one does nothing.
  mutating func append(_ piece: Piece) {
    if piece.byteCount == 0 || merge(piece) { return }
    pieces[count] = piece
    count += 1
  }

  /// Extends the last piece by `piece` if they lie side by side.
  mutating func merge(_ piece: Piece) -> Bool {
    guard count > 0, let merged = pieces[count - 1].merged(with: piece) else { return false }
    pieces[count - 1] = merged
    return true
  }
}
