extension Change {
  /// The offset and the lengths without the texts.
  var span: EditSpan {
    EditSpan(
      offset: offset.value, removed: removedByteCount, inserted: insertedByteCount)
  }

  /// Combines this change and `next` into one; nil unless `next` touches the text that this one
  /// inserted.
  ///
  ///     text        . . . . . . . . . . . .
  ///     this one          [ after ]
  ///     next         [ before ]
  ///     together     [   before   ]            what both removed
  ///
  /// - Parameter next: A change of the text after this one.
  /// - Returns: A change of the text before this one.
  /// - Complexity: O(log *p*), for *p* pieces in both.
  package func followed(by next: Change) -> Change? {
    let (span, nextSpan) = (span, next.span)
    guard let (ahead, behind) = span.overhang(of: nextSpan) else { return nil }
    let head = max(0, nextSpan.offset - span.offset)
    let tail = max(0, span.offset + span.inserted - (nextSpan.offset + nextSpan.removed))
    return Change(
      offset: min(offset.value, next.offset.value),
      before: next.before.prefix(ahead) + before + next.before.suffix(behind),
      after: after.prefix(head) + next.after + after.suffix(tail),
      storage: storage.joined(with: next.storage))
  }
}

extension [Change] {
  /// The span of changes made one after the other, at least one.
  var totalSpan: EditSpan {
    dropFirst().reduce(self[0].span) { $0.union($1.span) }
  }

  /// The range that covers these successive changes, in the text after them; nil if there are none.
  package var rangeAfter: Range<ByteOffset>? {
    if isEmpty { return nil }
    let span = totalSpan
    return ByteOffset(span.offset)..<ByteOffset(span.offset + span.inserted)
  }

  /// Whether changes made one after the other cancel out; `text` is the text after them.
  ///
  /// - Complexity: O(log *p*), for *p* pieces, if both texts differ in their counts or near
  ///   their beginning; otherwise O(*n*).
  func cancelOut(in text: Subtree) -> Bool {
    var growth = Summary()
    for change in self { growth += change.after.summary - change.before.summary }
    if growth != Summary() || isPlainMove(in: text) { return false }
    let span = totalSpan
    var before = Mosaic(text)
    for change in reversed() {
      let range = change.rangeAfter
      before.replace(
        range.lowerBound.value, range.upperBound.value, with: change.before.subtree)
    }
    return before.hasSameText(as: text, span.offset, span.offset + span.inserted)
  }
}

extension [Change] {
  /// Whether these changes move text past text with other first bytes. One comparison then proves
  /// that the text has changed.
  ///
  ///     before   . . m o v e d x y z . .       before   . . x y z m o v e d . .
  ///     after    . . x y z m o v e d . .       after    . . m o v e d x y z . .
  private func isPlainMove(in text: Subtree) -> Bool {
    guard count == 2, case .empty = self[0].after, case .empty = self[1].before else {
      return false
    }
    let (source, target) = (self[0].offset.value, self[1].offset.value)
    let place = target < source ? target + self[1].insertedByteCount : source
    var other = Cursor(text, at: place)
    guard let first = self[1].after.firstExtent,
      let second = other.nextExtent(upTo: text.summary.byteCount)
    else { return false }
    // Past the text moved past, `other` reads the moved text itself.
    let length = Swift.min(first.count, second.count, abs(target - source))
    return !first.prefix(length).hasSameBytes(as: second.prefix(length))
  }
}

extension Fragment {
  func prefix(_ length: Int) -> Fragment { slice(0, length) }

  func suffix(_ length: Int) -> Fragment {
    let count = summary.byteCount
    return slice(count - length, count)
  }

  private func slice(_ lower: Int, _ upper: Int) -> Fragment {
    if lower == upper { return .empty }
    switch self {
    case .empty: return .empty
    case .piece(let piece): return .piece(piece.part(lower, upper))
    case .tree: return Fragment(subtree.slice(lower, upper))
    }
  }
}

/// A range of a text that covers all changes of one or more edits.
@usableFromInline struct EditSpan: Equatable, Sendable {
  /// The start of the range, in bytes; the same before and after the edits.
  var offset: Int
  /// The length of the range before the edits, in bytes.
  var removed: Int
  /// The length of the range after the edits, in bytes.
  var inserted: Int

  /// The span of the edits that take these back.
  var inverse: EditSpan { EditSpan(offset: offset, removed: inserted, inserted: removed) }

  /// The numbers of bytes that a later edit removes before and after the bytes inserted by this
  /// edit; nil if the two edits do not touch.
  func overhang(of next: EditSpan) -> (ahead: Int, behind: Int)? {
    let (end, nextEnd) = (offset + inserted, next.offset + next.removed)
    if next.offset > end || nextEnd < offset { return nil }
    return (max(0, offset - next.offset), max(0, nextEnd - end))
  }

  /// The span that covers this edit and a later one.
  func union(_ next: EditSpan) -> EditSpan {
    let lower = min(offset, next.offset)
    let upper = max(offset + inserted, next.offset + next.removed)
    return EditSpan(
      offset: lower, removed: upper - inserted + removed - lower,
      inserted: upper - next.removed + next.inserted - lower)
  }
}
