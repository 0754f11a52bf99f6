import TextBuffer

/// Where the lines are that `x` puts.
enum Cut: Sendable {
  /// They were copied from the text.
  case copied(PieceTable)
  /// They are what a change took out of it.
  case removed(Change)

  /// The lines.
  var text: PieceTable {
    switch self {
    case .copied(let text): text
    case .removed(let change): change.removed
    }
  }
}
