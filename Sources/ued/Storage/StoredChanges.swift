import TextBuffer

/// What a group did, as bytes: one splice after the other, each as offset, number of bytes removed,
/// number of bytes inserted, and these bytes. Every offset is one in the text that the splices before
/// have left.
struct StoredChanges {
  /// The bytes.
  private(set) var bytes: [UInt8] = []

  /// A group of changes, made one after the other.
  ///
  /// - Parameters:
  ///   - changes: What was done.
  ///   - before: Gives the text before, if it is asked for.
  init(_ changes: [Change], in before: () -> PieceTable) {
    var text: PieceTable?
    for (index, change) in changes.enumerated() {
      if Self.isFine(change) {
        append(change)
        text?.apply(change)
      } else {
        var old = text ?? before()
        if text == nil { for earlier in changes[..<index] { old.apply(earlier) } }
        var new = old
        new.apply(change)
        append(from: old, to: new)
        text = new
      }
    }
  }

  /// What makes one text of another.
  init(from old: PieceTable, to new: PieceTable) { append(from: old, to: new) }

  /// Whether nothing was done.
  var isEmpty: Bool { bytes.isEmpty }

  /// Whether there is nothing to be gained by comparing both texts of a change.
  private static func isFine(_ change: Change) -> Bool {
    change.removedByteCount == 0 || change.insertedByteCount == 0
      || change.removedByteCount + change.insertedByteCount <= 128
  }

  private mutating func append(_ change: Change) {
    append(change.offset.value, removed: change.removed, change.inserted)
  }

  /// Appends the lines that differ.
  private mutating func append(from old: PieceTable, to new: PieceTable) {
    let effort = LineDifference.Effort(stepCount: 1 << 24)
    for hunk in LineDifference(from: old, to: new, effort: effort).hunks {
      let range = new.byteRange(of: hunk.new)
      append(
        range.lowerBound.value, removed: old.slice(old.byteRange(of: hunk.old)), new.slice(range))
    }
  }

  /// Texts so long are stored without the bytes at their ends that both have in common. Others are
  /// stored by whole lines, so that lines can be counted and searched for.
  private static let longText = 4096

  private mutating func append(_ offset: Int, removed: PieceTable, _ inserted: PieceTable) {
    let isLong = min(removed.byteCount, inserted.byteCount) > Self.longText
    let (head, tail) = isLong ? removed.commonEnds(with: inserted) : (0, 0)
    let removedRange = head..<removed.byteCount - tail
    let insertedRange = head..<inserted.byteCount - tail
    if removedRange.isEmpty && insertedRange.isEmpty { return }
    bytes.append(varint: offset + head)
    bytes.append(varint: removedRange.count)
    bytes.append(varint: insertedRange.count)
    append(removed, removedRange)
    append(inserted, insertedRange)
  }

  private mutating func append(_ text: PieceTable, _ range: Range<Int>) {
    text.forEachChunk(in: ByteOffset(range.lowerBound)..<ByteOffset(range.upperBound)) { chunk in
      bytes.append(chunk, in: 0..<chunk.byteCount)
      return true
    }
  }

  /// Makes changes of stored bytes.
  ///
  /// - Parameters:
  ///   - bytes: What was stored.
  ///   - length: The number of bytes of the text before; afterwards that of the text after.
  ///   - maker: Makes the changes.
  /// - Returns: The changes; nil when the bytes make no sense for such a text.
  static func changes(
    _ bytes: ArraySlice<UInt8>, length: inout Int, by maker: inout Change.Maker
  ) -> [Change]? {
    var reader = VarintReader(bytes)
    var changes: [Change] = []
    while !reader.isAtEnd {
      guard let offset = reader.next(), let removed = reader.next(), let inserted = reader.next(),
        let before = reader.take(removed), let after = reader.take(inserted),
        offset <= length, removed <= length - offset
      else { return nil }
      length += inserted - removed
      unsafe changes.append(
        maker.change(
          at: ByteOffset(offset), removing: before.span.bytes, inserting: after.span.bytes))
    }
    return changes
  }
}
