import TextBuffer
import TextLines

/// The serialized changes of a group: a sequence of splices. Each is stored as its offset in the
/// text that earlier splices made, the counts of removed and inserted bytes, and these bytes.
struct StoredChanges {
  private(set) var bytes: [UInt8] = []
  /// Whether the changes are more than a history can have; `bytes` is empty then.
  private(set) var areTooLarge = false

  /// Serializes the changes of a group, in order. `before` computes the text before the group; it
  /// is called only if a change must be compared.
  init(_ changes: [Change], in before: () -> PieceTable) {
    var text: PieceTable?
    for (index, change) in changes.enumerated() {
      if Self.isMinimal(change) {
        append(change)
        text?.apply(change)
      } else {
        var old = text ?? before()
        if text == nil { for earlier in changes[..<index] { old.apply(earlier) } }
        var new = old
        new.apply(change)
        append(LineDifference(of: change, in: old, effort: Self.effort), from: old, to: new)
        text = new
      }
    }
  }

  init(from old: PieceTable, to new: PieceTable) {
    append(LineDifference(from: old, to: new, effort: Self.effort), from: old, to: new)
  }

  private static let effort = LineDifference.Effort(stepCount: 1 << 24)

  var isEmpty: Bool { bytes.isEmpty }

  /// Whether comparing the removed with the inserted text can't make a change much smaller.
  private static func isMinimal(_ change: Change) -> Bool {
    change.removedByteCount == 0 || change.insertedByteCount == 0
      || change.removedByteCount + change.insertedByteCount <= 128
  }

  private mutating func append(_ change: Change) {
    append(change.offset.value, removed: change.removed, change.inserted)
  }

  private mutating func append(
    _ difference: LineDifference, from old: PieceTable, to new: PieceTable
  ) {
    for hunk in difference.placed(from: old, to: new) {
      let range = new.byteRange(of: hunk.new)
      append(
        range.lowerBound.value, removed: old.slice(old.byteRange(of: hunk.old)), new.slice(range))
    }
  }

  /// The size in bytes above which a splice is stored without common bytes at its ends. Smaller
  /// ones consist of whole lines, so that lines can be counted and searched.
  private static let longText = 4096

  private mutating func append(_ offset: Int, removed: PieceTable, _ inserted: PieceTable) {
    let isLong = min(removed.byteCount, inserted.byteCount) > Self.longText
    let (head, tail) = isLong ? removed.commonEnds(with: inserted) : (0, 0)
    let removedRange = head..<removed.byteCount - tail
    let insertedRange = head..<inserted.byteCount - tail
    if removedRange.isEmpty && insertedRange.isEmpty || areTooLarge { return }
    let room = HistoryPlace.largestGroup - bytes.count
    if removedRange.count > room || insertedRange.count > room - removedRange.count {
      (bytes, areTooLarge) = ([], true)
      return
    }
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

  /// Deserializes changes; nil if the bytes are corrupt or do not fit the text. `length` is the
  /// text's length in bytes, and is updated by the changes.
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

  /// The growth in bytes of a text by serialized changes; nil if they are corrupt.
  static func growth(_ bytes: ArraySlice<UInt8>) -> Int? {
    var reader = VarintReader(bytes)
    var growth = 0
    while !reader.isAtEnd {
      guard reader.next() != nil, let removed = reader.next(), let inserted = reader.next(),
        reader.take(removed) != nil, reader.take(inserted) != nil
      else { return nil }
      growth += inserted - removed
    }
    return growth
  }
}

/// Variable-length numbers: seven bits a byte, least significant first, the high bit set on all but
/// the last.
extension [UInt8] {
  /// Appends a non-negative number.
  mutating func append(varint number: Int) {
    var rest = UInt(number)
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Appends a number as eight bytes, little endian.
  mutating func append(word number: Int) {
    unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
  }
}

/// Reads variable-length numbers, and blocks of bytes.
struct VarintReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var isAtEnd: Bool { position == bytes.endIndex }

  var rest: ArraySlice<UInt8> { bytes[position...] }

  /// The next number; nil if the bytes end or the number is too large.
  mutating func next() -> Int? {
    var number: UInt = 0
    var shift: UInt = 0
    while position < bytes.endIndex, shift < 63 {
      let byte = bytes[position]
      position += 1
      number |= UInt(byte & 0x7F) << shift
      if byte < 0x80 { return Int(number) }
      shift += 7
    }
    return nil
  }

  /// The next `count` bytes; nil if there are fewer.
  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= bytes.endIndex - position else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }
}
