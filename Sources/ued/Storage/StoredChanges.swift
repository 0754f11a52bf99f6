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
  init(_ changes: [Change], in before: () -> TextBuffer) {
    var text: TextBuffer?
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
  init(from old: TextBuffer, to new: TextBuffer) { append(from: old, to: new) }

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

  /// Appends what differs, and of lines that were changed only the part that was.
  private mutating func append(from old: TextBuffer, to new: TextBuffer) {
    let effort = LineDifference.Effort(stepCount: 1 << 24)
    for hunk in LineDifference(from: old, to: new, effort: effort).hunks {
      if hunk.old.count == hunk.new.count {
        for index in 0..<hunk.old.count {
          let line = LineRange(hunk.old.first + index)
          appendTrimmed(
            old, old.byteRange(of: line), new,
            new.byteRange(of: LineRange(hunk.new.first + index)))
        }
      } else {
        appendTrimmed(old, old.byteRange(of: hunk.old), new, new.byteRange(of: hunk.new))
      }
    }
  }

  private mutating func appendTrimmed(
    _ old: TextBuffer, _ oldRange: Range<ByteOffset>, _ new: TextBuffer,
    _ newRange: Range<ByteOffset>
  ) {
    append(newRange.lowerBound.value, removed: old.slice(oldRange), new.slice(newRange))
  }

  /// Appends what is left of a splice without the bytes at its ends that it leaves as they are.
  private mutating func append(
    _ offset: Int, removed: TextBuffer, _ inserted: TextBuffer
  ) {
    let (head, tail) = removed.commonEnds(with: inserted)
    let removedRange = head..<removed.byteCount - tail
    let insertedRange = head..<inserted.byteCount - tail
    if removedRange.isEmpty && insertedRange.isEmpty { return }
    bytes.append(varint: offset + head)
    bytes.append(varint: removedRange.count)
    bytes.append(varint: insertedRange.count)
    append(removed, removedRange)
    append(inserted, insertedRange)
  }

  private mutating func append(_ text: TextBuffer, _ range: Range<Int>) {
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
