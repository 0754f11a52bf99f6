/// The text of a document inside a transaction; see `Document.edit(_:time:date:coalescing:_:)`.
///
/// Every edit returns its change. A draft can't be copied, so it ends with its transaction; keep
/// its `buffer` instead.
///
/// SAFETY: `place` points to the document's text, which no other code can reach while the draft
/// exists. The document lends the draft to a closure, and then calls `end(at:)`, which traps if the
/// closure has replaced the draft by another. A draft can't be copied or made elsewhere, so none is
/// used after its own closure has returned.
@safe public struct Draft<Context: Sendable>: ~Copyable {
  @usableFromInline let place: UnsafeMutablePointer<EditCore>

  /// The context, restored together with the text. Its last value is stored with the revision.
  public var context: Context

  @inlinable @inline(__always)
  init(_ place: UnsafeMutablePointer<EditCore>, context: Context) {
    unsafe self.place = unsafe place
    self.context = context
  }

  /// Traps if the draft belongs to another document.
  @inlinable @inline(__always)
  func end(at place: UnsafeMutablePointer<EditCore>) {
    unsafe precondition(
      self.place == place, "a draft has been swapped for that of another document")
  }

  @inlinable @inline(__always) var core: EditCore {
    _read { yield unsafe place.pointee }
    nonmutating _modify { yield unsafe &place.pointee }
  }

  /// The text as it is now.
  @inlinable public var buffer: PieceTable { core.present }

  /// The text at the start of the transaction, or of the inner one while `edit(_:)` runs.
  ///
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  @inlinable package var startText: PieceTable { core.startText }

  /// Runs an inner transaction, which can fail on its own.
  ///
  /// - Throws: The error of `body`; text and context are then as before this call.
  /// - Returns: The result of `body`.
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

extension Draft: EditableText {
  /// Replaces the bytes in a range by borrowed ones, which are copied.
  @inlinable @discardableResult
  public mutating func replace(_ range: Range<ByteOffset>, with bytes: RawSpan) -> Change {
    core.replace(range, with: bytes)
  }

  /// Replaces the bytes in a range by another text, whose bytes are shared.
  @inlinable @discardableResult
  public mutating func replace(_ range: Range<ByteOffset>, with text: PieceTable) -> Change {
    core.replace(range, with: text)
  }

  /// The offset at which a line begins; see ``PieceTable/offset(ofLine:)``.
  @inlinable public func offset(ofLine line: LineNumber) -> ByteOffset {
    core.text.offset(ofLine: line)
  }

  /// The range of the bytes of some lines; see ``PieceTable/byteRange(of:)``.
  @inlinable public func byteRange(of lines: LineRange) -> Range<ByteOffset> {
    core.text.byteRange(of: lines)
  }

  /// Applies a change.
  ///
  /// - Precondition: The range that the change replaces is in the text. The bytes there are not
  ///   compared with the change's removed bytes.
  @inlinable
  public mutating func apply(_ change: Change) { core.apply(change) }

  /// Replaces the text by another one, made by a `PieceTable.Builder` for example.
  ///
  /// - Parameters:
  ///   - newText: The new text.
  ///   - changed: The range of the present text outside which both texts are the same; nil to
  ///     compare the texts and use the lines from the first to the last that differ.
  /// - Precondition: `changed` is in `0...byteCount` of the text, and `newText` is long enough for
  ///   the bytes outside it.
  /// - Returns: The change.
  /// - Complexity: O(log *p*), for *p* pieces in both; if `changed` is nil, also O(*n*) for *n*
  ///   equal bytes that they do not share.
  @inlinable @discardableResult
  public mutating func setText(
    _ newText: PieceTable, changed: Range<ByteOffset>? = nil
  ) -> Change {
    core.setText(newText, changed: changed)
  }
}
