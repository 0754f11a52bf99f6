import TextBuffer

/// The cut buffer: the lines that `x` inserts.
enum Cut: Sendable {
  /// Lines copied from the text.
  case copied(PieceTable)
  /// Lines that a change removed. Extracting them is left to the first use.
  case removed(Change)

  /// The lines.
  var text: PieceTable {
    switch self {
    case .copied(let text): text
    case .removed(let change): change.removed
    }
  }
}
