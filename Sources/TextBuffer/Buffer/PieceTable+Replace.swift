extension PieceTable: EditableText {
  /// Replaces the bytes in a range by borrowed ones, which are copied.
  @discardableResult
  public mutating func replace(_ range: Range<ByteOffset>, with bytes: RawSpan) -> Change {
    precondition(contains(range), "range out of the text")
    let inserted =
      bytes.isEmpty ? Fragment.empty : Fragment(Storage.append(bytes, to: &tail, in: &storage))
    return replace(range, with: inserted)
  }

  /// Replaces the bytes in a range by another text, whose bytes are shared.
  @discardableResult
  public mutating func replace(_ range: Range<ByteOffset>, with text: PieceTable) -> Change {
    precondition(contains(range), "range out of the text")
    storage = storage.joined(with: text.storage)
    return replace(range, with: Fragment(text.root))
  }

  private mutating func replace(_ range: Range<ByteOffset>, with inserted: Fragment) -> Change {
    let (lower, upper) = (range.lowerBound.value, range.upperBound.value)
    let removed = root.replace(lower, upper, with: inserted)
    return Change(offset: lower, before: removed, after: inserted, storage: storage)
  }

  /// Applies a change that was made at another time or to another copy of this text.
  ///
  /// - Precondition: The range that the change replaces is in the text. Its bytes are not compared
  ///   with the removed ones.
  /// - Complexity: O(log *p*), for *p* pieces in the text and in the change.
  public mutating func apply(_ change: Change) {
    storage = storage.joined(with: change.storage)
    restore(change.after, in: change.rangeBefore)
  }

  /// Replaces bytes by others that the storage of this text already holds.
  mutating func restore(_ fragment: borrowing Fragment, in range: Range<ByteOffset>) {
    precondition(contains(range), "change does not fit")
    _ = root.replace(range.lowerBound.value, range.upperBound.value, with: fragment)
  }
}
