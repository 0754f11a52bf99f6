/// A text while a transaction changes it; see `Document.edit(_:time:_:)`.
public struct Draft<Context: Sendable>: Sendable {
  var text: TextBuffer
  var log = EditLog.nothing

  /// What is restored together with the text; what it is at the end belongs to the revision.
  public var context: Context

  init(_ text: TextBuffer, context: Context) {
    self.text = text
    self.context = context
  }

  /// The text as it is now.
  public var buffer: TextBuffer { text.withoutTail }

  /// The text at the start of the transaction, or of the inner one while `edit(_:)` runs.
  ///
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public var startText: TextBuffer { log.start(of: text) }

  /// Does a part of the transaction that can fail by itself.
  ///
  /// - Throws: What `body` throws; text and context are then as they were before this call.
  /// - Returns: What `body` returns.
  public mutating func edit<R, E>(_ body: (inout Self) throws(E) -> R) throws(E) -> R {
    let (outerLog, outerContext) = (log, context)
    log = .nothing
    do {
      let result = try body(&self)
      log = outerLog.followed(by: log, in: text)
      return result
    } catch {
      rollBack()
      log = outerLog
      context = outerContext
      throw error
    }
  }

  /// Takes back everything in the log.
  mutating func rollBack() {
    switch log {
    case .nothing: break
    case .one(let change): text.apply(change.inverse)
    case .many(let start, _): text.root = start.root
    }
    log = .nothing
  }

  private mutating func note(_ change: Change) {
    if case .nothing = log {
      log = .one(change)
    } else {
      log = log.followed(by: .one(change), in: text)
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
    note(text.replace(range, with: bytes))
  }

  /// Replaces the bytes in a range by bytes that somebody lends.
  ///
  /// - Precondition: The range is in `0...byteCount` of the text.
  public mutating func replace(_ range: Range<ByteOffset>, with bytes: RawSpan) {
    note(text.replace(range, with: bytes))
  }

  /// Replaces the bytes in a range by another text, whose bytes are shared.
  ///
  /// - Precondition: The range is in `0...byteCount` of the text.
  public mutating func replace(_ range: Range<ByteOffset>, with other: TextBuffer) {
    note(text.replace(range, with: other))
  }

  /// Does a change that fits the text.
  ///
  /// - Precondition: The bytes that the change replaces are in the text.
  public mutating func apply(_ change: Change) {
    text.apply(change)
    note(change)
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
    note(text.remove(range))
  }

  /// Replaces some lines with their newlines; an empty range inserts before its first line.
  ///
  /// - Precondition: The lines are in `1...lineCount` of the text.
  public mutating func replaceLines(_ lines: LineRange, with bytes: some Collection<UInt8>) {
    replace(text.byteRange(of: lines), with: bytes)
  }

  /// Replaces some lines by another text, whose bytes are shared.
  ///
  /// - Precondition: The lines are in `1...lineCount` of the text.
  public mutating func replaceLines(_ lines: LineRange, with other: TextBuffer) {
    replace(text.byteRange(of: lines), with: other)
  }

  /// Inserts bytes below a line, 0 being the gap above the first.
  ///
  /// - Precondition: `line` is in `0...lineCount` of the text.
  public mutating func insertLines(_ bytes: some Collection<UInt8>, after line: LineNumber) {
    insert(bytes, at: text.offset(ofLine: line + 1))
  }

  /// Inserts another text below a line, 0 being the gap above the first; its bytes are shared.
  ///
  /// - Precondition: `line` is in `0...lineCount` of the text.
  public mutating func insertLines(_ other: TextBuffer, after line: LineNumber) {
    insert(other, at: text.offset(ofLine: line + 1))
  }

  /// Removes some lines with their newlines.
  ///
  /// - Precondition: The lines are in `1...lineCount` of the text.
  public mutating func removeLines(_ lines: LineRange) {
    remove(text.byteRange(of: lines))
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
    let changed = changed ?? ByteOffset(0)..<ByteOffset(text.byteCount)
    precondition(text.contains(changed), "range out of the text")
    let (lower, upper) = (changed.lowerBound.value, changed.upperBound.value)
    let newUpper = newText.byteCount - (text.byteCount - upper)
    precondition(newUpper >= lower, "the new text is too short")
    let change = Change(
      offset: lower, before: Fragment(text.root.slice(lower, upper)),
      after: Fragment(newText.root.slice(lower, newUpper)), storage: text.storage)
    text.storage.adopt(newText.storage)
    text.root = newText.root
    text.tail = text.tail ?? newText.tail
    note(change)
  }
}
