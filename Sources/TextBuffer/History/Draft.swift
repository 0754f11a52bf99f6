/// A text while a transaction edits it; see `Document.edit(_:time:coalescing:_:)`.
///
/// Every edit returns its change.
public struct Draft<Context: Sendable>: Sendable {
  @usableFromInline var core: EditCore

  /// The context, which is restored together with the text; its last value is kept with the revision.
  public var context: Context

  init(_ text: PieceTable, context: Context) {
    core = EditCore(text)
    self.context = context
  }

  /// The text as it is now.
  @inlinable public var buffer: PieceTable { core.present }

  /// The text at the start of the transaction, or of the inner one while `edit(_:)` runs.
  ///
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  @inlinable public var startText: PieceTable { core.startText }

  /// Makes an inner transaction, which can fail by itself.
  ///
  /// - Throws: What `body` throws; text and context are then as they were before this call.
  /// - Returns: What `body` returns.
  @inlinable @discardableResult
  public mutating func edit<R, E>(_ body: (inout Self) throws(E) -> R) throws(E) -> R {
    let before = context
    core.begin()
    do {
      let result = try body(&self)
      core.commit()
      return result
    } catch {
      core.rollBack()
      context = before
      throw error
    }
  }
}

extension Draft {
  /// Replaces the bytes in a range.
  ///
  /// - Precondition: The range is in `0...byteCount` of the text.
  @inlinable @discardableResult
  public mutating func replace(
    _ range: Range<ByteOffset>, with bytes: some Collection<UInt8>
  ) -> Change {
    let change = bytes.withContiguousStorageIfAvailable {
      unsafe core.replace(range, with: $0.span.bytes)
    }
    if let change { return change }
    return unsafe core.replace(range, with: Array(bytes).span.bytes)
  }

  /// Replaces the bytes in a range by borrowed ones, which are copied.
  ///
  /// - Precondition: The range is in `0...byteCount` of the text.
  @inlinable @discardableResult
  public mutating func replace(_ range: Range<ByteOffset>, with bytes: RawSpan) -> Change {
    core.replace(range, with: bytes)
  }

  /// Replaces the bytes in a range by another text, whose bytes are shared.
  ///
  /// - Precondition: The range is in `0...byteCount` of the text.
  @inlinable @discardableResult
  public mutating func replace(_ range: Range<ByteOffset>, with other: PieceTable) -> Change {
    core.replace(range, with: other)
  }

  /// Applies a change.
  ///
  /// - Precondition: The range that the change replaces is in the text. That its bytes are the removed
  ///   ones is not checked.
  @inlinable
  public mutating func apply(_ change: Change) { core.apply(change) }

  /// Inserts bytes at an offset.
  ///
  /// - Precondition: `offset` is in `0...byteCount` of the text.
  @inlinable @discardableResult
  public mutating func insert(_ bytes: some Collection<UInt8>, at offset: ByteOffset) -> Change {
    replace(offset..<offset, with: bytes)
  }

  /// Inserts another text at an offset; its bytes are shared.
  ///
  /// - Precondition: `offset` is in `0...byteCount` of the text.
  @inlinable @discardableResult
  public mutating func insert(_ other: PieceTable, at offset: ByteOffset) -> Change {
    core.replace(offset..<offset, with: other)
  }

  /// Removes the bytes in a range.
  ///
  /// - Precondition: The range is in `0...byteCount` of the text.
  @inlinable @discardableResult
  public mutating func remove(_ range: Range<ByteOffset>) -> Change {
    core.replace(range, with: RawSpan())
  }

  /// Replaces some lines with their newlines; an empty range inserts before its first line.
  ///
  /// - Precondition: The lines are in `1...lineCount` of the text.
  @inlinable @discardableResult
  public mutating func replaceLines(
    _ lines: LineRange, with bytes: some Collection<UInt8>
  ) -> Change {
    let change = bytes.withContiguousStorageIfAvailable {
      unsafe core.replace(lines, with: $0.span.bytes)
    }
    if let change { return change }
    return unsafe core.replace(lines, with: Array(bytes).span.bytes)
  }

  /// Replaces some lines by borrowed bytes, which are copied.
  ///
  /// - Precondition: The lines are in `1...lineCount` of the text.
  @inlinable @discardableResult
  public mutating func replaceLines(_ lines: LineRange, with bytes: RawSpan) -> Change {
    core.replace(lines, with: bytes)
  }

  /// Replaces some lines by another text, whose bytes are shared.
  ///
  /// - Precondition: The lines are in `1...lineCount` of the text.
  @inlinable @discardableResult
  public mutating func replaceLines(_ lines: LineRange, with other: PieceTable) -> Change {
    core.replace(lines, with: other)
  }

  /// Inserts bytes below a line, 0 being the gap above the first.
  ///
  /// - Precondition: `line` is in `0...lineCount` of the text.
  @inlinable @discardableResult
  public mutating func insertLines(
    _ bytes: some Collection<UInt8>, after line: LineNumber
  ) -> Change {
    let change = bytes.withContiguousStorageIfAvailable {
      unsafe core.insert($0.span.bytes, after: line)
    }
    if let change { return change }
    return unsafe core.insert(Array(bytes).span.bytes, after: line)
  }

  /// Inserts another text below a line, 0 being the gap above the first; its bytes are shared.
  ///
  /// - Precondition: `line` is in `0...lineCount` of the text.
  @inlinable @discardableResult
  public mutating func insertLines(_ other: PieceTable, after line: LineNumber) -> Change {
    core.insert(other, after: line)
  }

  /// Removes some lines with their newlines.
  ///
  /// - Precondition: The lines are in `1...lineCount` of the text.
  @inlinable @discardableResult
  public mutating func removeLines(_ lines: LineRange) -> Change {
    core.replace(lines, with: RawSpan())
  }

  /// Replaces the text by another one, made by a `PieceTable.Builder` for example.
  ///
  /// - Parameters:
  ///   - newText: The new text.
  ///   - changed: The range of the present text outside which both texts are the same; nil for all.
  /// - Precondition: `changed` is in `0...byteCount` of the text, and `newText` is long enough for the
  ///   bytes outside it.
  /// - Returns: The change.
  /// - Complexity: O(log *p*), for *p* pieces in both.
  @inlinable @discardableResult
  public mutating func setText(
    _ newText: PieceTable, changed: Range<ByteOffset>? = nil
  ) -> Change {
    core.setText(newText, changed: changed)
  }
}
