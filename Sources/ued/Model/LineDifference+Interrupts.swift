import TextBuffer

extension LineDifference {
  /// The difference of two texts, for which nobody waits who wants an end: large ones are compared on a thread that can
  /// be abandoned.
  ///
  /// - Throws: `interrupted`.
  static func interruptible(
    from old: PieceTable, to new: PieceTable
  ) throws(EditorError) -> LineDifference {
    if old.byteCount + new.byteCount < largeText { return LineDifference(from: old, to: new) }
    let place = Place()
    switch SideThread.run({ place.difference = LineDifference(from: old, to: new) }) {
    case .done: if let difference = place.difference { return difference }
    case .abandoned: throw .interrupted
    case .noThread: break
    }
    return LineDifference(from: old, to: new)
  }

  private static let largeText = 1 << 18

  /// Where the other thread leaves the result. Nobody reads it after that was abandoned.
  private final class Place {
    var difference: LineDifference?
  }
}
