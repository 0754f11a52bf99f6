import TextBuffer

extension LineDifference {
  /// What a comparison takes at most for each line of both texts together, and for showing it.
  static let bytesPerLine = 100

  /// Where two texts differ; where memory is too short to compare them, all lines of one in the place of all of the
  /// other.
  static func affordableHunks(from old: PieceTable, to new: PieceTable) -> [LineHunk] {
    let isShort = Memory.isShort(for: (old.lineCount + new.lineCount) * bytesPerLine)
    if !isShort { return LineDifference(from: old, to: new).hunks }
    return [LineHunk(old: LineRange(1, old.lineCount), new: LineRange(1, new.lineCount))]
  }

  /// The difference of two texts, for which nobody waits who wants an end: large ones are compared on a thread that can
  /// be abandoned.
  ///
  /// - Throws: `interrupted`.
  static func interruptible(
    from old: PieceTable, to new: PieceTable
  ) throws(EditorError) -> LineDifference {
    if old.byteCount + new.byteCount < largeText { return LineDifference(from: old, to: new) }
    let place = Place()
    let end = SideThread.run { place.difference = LineDifference(from: old, to: new) }
    if end == .abandoned { throw .interrupted }
    return place.difference ?? LineDifference(from: old, to: new)
  }

  private static let largeText = 1 << 18

  /// Where the other thread leaves the result. Nobody reads it after that was abandoned.
  private final class Place {
    var difference: LineDifference?
  }
}
