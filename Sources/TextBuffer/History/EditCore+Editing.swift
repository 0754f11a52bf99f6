// The edits of a draft. They are outside of the generic `Draft`, so that they are compiled once.

extension EditCore {
  @usableFromInline mutating func replace(
    _ range: Range<ByteOffset>, with bytes: RawSpan
  ) -> Change {
    let change = text.replace(range, with: bytes)
    addToLog(change)
    return change
  }

  @usableFromInline mutating func replace(
    _ range: Range<ByteOffset>, with other: PieceTable
  ) -> Change {
    let change = text.replace(range, with: other)
    addToLog(change)
    return change
  }

  @usableFromInline mutating func apply(_ change: Change) {
    text.apply(change)
    addToLog(change)
  }

  @usableFromInline mutating func setText(
    _ newText: PieceTable, changed: Range<ByteOffset>?
  ) -> Change {
    let changed = changed ?? text.differentLines(from: newText)
    precondition(text.contains(changed), "range out of the text")
    let (lower, upper) = (changed.lowerBound.value, changed.upperBound.value)
    let newUpper = newText.byteCount - (text.byteCount - upper)
    precondition(newUpper >= lower, "the new text is too short")
    text.storage = text.storage.joined(with: newText.storage)
    let change = Change(
      offset: lower, before: Fragment(text.root.slice(lower, upper)),
      after: Fragment(newText.root.slice(lower, newUpper)), storage: text.storage)
    text.root = newText.root
    text.tail = text.tail ?? newText.tail
    addToLog(change)
    return change
  }
}
