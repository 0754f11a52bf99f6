extension PieceTable {
  /// Replaces the bytes in a range.
  ///
  /// - Parameters:
  ///   - range: The bytes to replace; empty to insert.
  ///   - bytes: The bytes to insert; empty to remove.
  /// - Precondition: The range is in `0...byteCount`.
  /// - Returns: The change, which can be inverted and applied again.
  /// - Complexity: O(log *p* + *m*), for *p* pieces in the text and *m* inserted bytes. A small edit of a
  ///   text that is not shared changes its nodes in place.
  @inlinable @discardableResult
  public mutating func replace(
    _ range: Range<ByteOffset>, with bytes: some Collection<UInt8>
  ) -> Change {
    let change = bytes.withContiguousStorageIfAvailable {
      unsafe replace(range, with: $0.span.bytes)
    }
    if let change { return change }
    return unsafe replace(range, with: Array(bytes).span.bytes)
  }

  /// Replaces the bytes in a range by borrowed ones, which are copied; see `replace(_:with:)`.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  /// - Returns: The change.
  @discardableResult
  public mutating func replace(_ range: Range<ByteOffset>, with bytes: RawSpan) -> Change {
    precondition(contains(range), "range out of the text")
    let inserted = bytes.isEmpty ? Fragment.empty : Fragment(storage.append(bytes, to: &tail))
    return replace(range, with: inserted)
  }

  /// Replaces the bytes in a range by another text, whose bytes are shared.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  /// - Returns: The change.
  /// - Complexity: O(log *p*), for *p* pieces in both.
  @discardableResult
  public mutating func replace(_ range: Range<ByteOffset>, with text: PieceTable) -> Change {
    precondition(contains(range), "range out of the text")
    storage.adopt(text.storage)
    return replace(range, with: Fragment(text.root))
  }

  /// Applies a change that was made at another time or to another copy of this text.
  ///
  /// - Precondition: The range that the change replaces is in the text. That its bytes are the removed
  ///   ones is not checked.
  /// - Complexity: O(log *p*), for *p* pieces in the text and in the change.
  public mutating func apply(_ change: Change) {
    storage.adopt(change.storage)
    restore(change.after, in: change.rangeBefore)
  }

  /// Replaces bytes by others that the storage of this text already holds.
  mutating func restore(_ fragment: borrowing Fragment, in range: Range<ByteOffset>) {
    precondition(contains(range), "change does not fit")
    _ = root.replace(range.lowerBound.value, range.upperBound.value, with: fragment)
  }

  @discardableResult
  private mutating func replace(_ range: Range<ByteOffset>, with inserted: Fragment) -> Change {
    let (lower, upper) = (range.lowerBound.value, range.upperBound.value)
    let removed = root.replace(lower, upper, with: inserted)
    return Change(offset: lower, before: removed, after: inserted, storage: storage)
  }

  /// Inserts bytes at an offset.
  ///
  /// - Precondition: `offset` is in `0...byteCount`.
  /// - Returns: The change.
  @inlinable @discardableResult
  public mutating func insert(_ bytes: some Collection<UInt8>, at offset: ByteOffset) -> Change {
    replace(offset..<offset, with: bytes)
  }

  /// Inserts another text at an offset; its bytes are shared.
  ///
  /// - Precondition: `offset` is in `0...byteCount`.
  /// - Returns: The change.
  @discardableResult
  public mutating func insert(_ text: PieceTable, at offset: ByteOffset) -> Change {
    replace(offset..<offset, with: text)
  }

  /// Removes the bytes in a range.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  /// - Returns: The change.
  @discardableResult
  public mutating func remove(_ range: Range<ByteOffset>) -> Change {
    precondition(contains(range), "range out of the text")
    return replace(range, with: Fragment.empty)
  }
}

extension PieceTable {
  /// Replaces some lines with their newlines.
  ///
  /// - Parameters:
  ///   - lines: The lines to replace; an empty range inserts before its first line.
  ///   - bytes: The bytes to insert, newlines included.
  /// - Precondition: The lines are in `1...lineCount`.
  /// - Returns: The change.
  @inlinable @discardableResult
  public mutating func replaceLines(
    _ lines: LineRange, with bytes: some Collection<UInt8>
  ) -> Change {
    replace(byteRange(of: lines), with: bytes)
  }

  /// Replaces some lines by another text, whose bytes are shared.
  ///
  /// - Precondition: The lines are in `1...lineCount`.
  /// - Returns: The change.
  @discardableResult
  public mutating func replaceLines(_ lines: LineRange, with text: PieceTable) -> Change {
    replace(byteRange(of: lines), with: text)
  }

  /// Inserts bytes below a line, 0 being the gap above the first. No newlines are added, not even where
  /// the last line lacks one.
  ///
  /// - Precondition: `line` is in `0...lineCount`.
  /// - Returns: The change.
  @inlinable @discardableResult
  public mutating func insertLines(
    _ bytes: some Collection<UInt8>, after line: LineNumber
  ) -> Change {
    insert(bytes, at: offset(ofLine: line + 1))
  }

  /// Inserts another text below a line, 0 being the gap above the first; its bytes are shared.
  ///
  /// - Precondition: `line` is in `0...lineCount`.
  /// - Returns: The change.
  @discardableResult
  public mutating func insertLines(_ text: PieceTable, after line: LineNumber) -> Change {
    insert(text, at: offset(ofLine: line + 1))
  }

  /// Removes some lines with their newlines.
  ///
  /// - Precondition: The lines are in `1...lineCount`.
  /// - Returns: The change.
  @discardableResult
  public mutating func removeLines(_ lines: LineRange) -> Change {
    remove(byteRange(of: lines))
  }
}
