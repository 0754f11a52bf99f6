/// A text while a transaction changes it; see `Document.edit(_:time:_:)`.
public struct Draft<Context: Sendable>: Sendable {
  @usableFromInline var core: EditCore

  /// What is restored together with the text; what it is at the end belongs to the revision.
  public var context: Context

  init(_ text: TextBuffer, context: Context) {
    core = EditCore(text)
    self.context = context
  }

  /// The text as it is now.
  public var buffer: TextBuffer { core.present }

  /// The text at the start of the transaction, or of the inner one while `edit(_:)` runs.
  ///
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public var startText: TextBuffer { core.log.start(of: core.text) }

  /// Does a part of the transaction that can fail by itself.
  ///
  /// - Throws: What `body` throws; text and context are then as they were before this call.
  /// - Returns: What `body` returns.
  public mutating func edit<R, E>(_ body: (inout Self) throws(E) -> R) throws(E) -> R {
    let (outerLog, outerContext) = (core.log, context)
    core.log = .nothing
    do {
      let result = try body(&self)
      core.log = outerLog.followed(by: core.log, in: core.text)
      return result
    } catch {
      core.rollBack()
      core.log = outerLog
      context = outerContext
      throw error
    }
  }
}

extension Draft {
  /// Replaces the bytes in a range.
  ///
  /// - Precondition: The range is in `0...byteCount` of the text.
  public mutating func replace(
    _ range: Range<ByteOffset>, with bytes: some Collection<UInt8>
  ) {
    core.note(core.text.replace(range, with: bytes))
  }

  /// Replaces the bytes in a range by bytes that somebody lends.
  ///
  /// - Precondition: The range is in `0...byteCount` of the text.
  public mutating func replace(_ range: Range<ByteOffset>, with bytes: RawSpan) {
    core.note(core.text.replace(range, with: bytes))
  }

  /// Replaces the bytes in a range by another text, whose bytes are shared.
  ///
  /// - Precondition: The range is in `0...byteCount` of the text.
  public mutating func replace(_ range: Range<ByteOffset>, with other: TextBuffer) {
    core.note(core.text.replace(range, with: other))
  }

  /// Does a change that fits the text.
  ///
  /// - Precondition: The bytes that the change replaces are in the text.
  public mutating func apply(_ change: Change) {
    core.text.apply(change)
    core.note(change)
  }

  /// Inserts bytes at an offset.
  ///
  /// - Precondition: `offset` is in `0...byteCount` of the text.
  public mutating func insert(_ bytes: some Collection<UInt8>, at offset: ByteOffset) {
    replace(offset..<offset, with: bytes)
  }

  /// Inserts another text at an offset; its bytes are shared.
  ///
  /// - Precondition: `offset` is in `0...byteCount` of the text.
  public mutating func insert(_ other: TextBuffer, at offset: ByteOffset) {
    replace(offset..<offset, with: other)
  }

  /// Removes the bytes in a range.
  ///
  /// - Precondition: The range is in `0...byteCount` of the text.
  public mutating func remove(_ range: Range<ByteOffset>) {
    core.note(core.text.remove(range))
  }

  /// Replaces some lines with their newlines; an empty range inserts before its first line.
  ///
  /// - Precondition: The lines are in `1...lineCount` of the text.
  public mutating func replaceLines(_ lines: LineRange, with bytes: some Collection<UInt8>) {
    replace(core.text.byteRange(of: lines), with: bytes)
  }

  /// Replaces some lines by another text, whose bytes are shared.
  ///
  /// - Precondition: The lines are in `1...lineCount` of the text.
  public mutating func replaceLines(_ lines: LineRange, with other: TextBuffer) {
    replace(core.text.byteRange(of: lines), with: other)
  }

  /// Inserts bytes below a line, 0 being the gap above the first.
  ///
  /// - Precondition: `line` is in `0...lineCount` of the text.
  public mutating func insertLines(_ bytes: some Collection<UInt8>, after line: LineNumber) {
    insert(bytes, at: core.text.offset(ofLine: line + 1))
  }

  /// Inserts another text below a line, 0 being the gap above the first; its bytes are shared.
  ///
  /// - Precondition: `line` is in `0...lineCount` of the text.
  public mutating func insertLines(_ other: TextBuffer, after line: LineNumber) {
    insert(other, at: core.text.offset(ofLine: line + 1))
  }

  /// Removes some lines with their newlines.
  ///
  /// - Precondition: The lines are in `1...lineCount` of the text.
  public mutating func removeLines(_ lines: LineRange) {
    remove(core.text.byteRange(of: lines))
  }

  /// Puts another text in place of this one: what a `TextBuffer.Builder` made of it, for example.
  ///
  /// - Parameters:
  ///   - newText: The text from now on.
  ///   - changed: The bytes of the present text outside which both texts are the same; nil for all.
  /// - Precondition: `changed` is in `0...byteCount` of the text, and `newText` is long enough to
  ///   hold what is outside it.
  /// - Complexity: O(log *p*), for *p* pieces in both.
  public mutating func setText(_ newText: TextBuffer, changed: Range<ByteOffset>? = nil) {
    let changed = changed ?? ByteOffset(0)..<ByteOffset(core.text.byteCount)
    precondition(core.text.contains(changed), "range out of the text")
    let (lower, upper) = (changed.lowerBound.value, changed.upperBound.value)
    let newUpper = newText.byteCount - (core.text.byteCount - upper)
    precondition(newUpper >= lower, "the new text is too short")
    let change = Change(
      offset: lower, before: Fragment(core.text.root.slice(lower, upper)),
      after: Fragment(newText.root.slice(lower, newUpper)), storage: core.text.storage)
    core.text.storage.adopt(newText.storage)
    core.text.root = newText.root
    core.text.tail = core.text.tail ?? newText.tail
    core.note(change)
  }
}
