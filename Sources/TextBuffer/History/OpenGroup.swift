/// The group that is being typed: one edit that has not reached the tree yet.
///
/// An edit that touches it only changes the numbers and bytes here; the tree is changed once, when
/// the group closes or somebody wants to see the text.
struct OpenGroup: Sendable {
  /// Whether a next edit may belong to it.
  var isOpen = false
  /// Where the pending edit begins.
  private(set) var start = 0
  /// How many bytes of the tree it removes there.
  private(set) var removed = 0
  /// What it puts there.
  private(set) var inserted = PendingBytes()
  /// What the group did before that, which has reached the tree.
  var settled: EditSpan?
  /// Where the latest edit ended.
  private var caret = 0
  /// By which rule an insertion there goes on.
  private var caretRule = Coalescing.Rules.insertions
  /// When the latest edit was made.
  private(set) var time = 0.0

  /// No group.
  init() {}

  /// What a group does at one place, or its next part.
  ///
  /// - Parameters:
  ///   - start: Where it begins.
  ///   - removed: How many bytes it removes there.
  ///   - inserted: What it puts there.
  ///   - settled: What the group did before.
  ///   - time: When it was made.
  init(
    at start: Int, removing removed: Int, inserted: PendingBytes, settled: EditSpan?, time: Double
  ) {
    isOpen = true
    self.start = start
    self.removed = removed
    self.inserted = inserted
    self.settled = settled
    self.time = time
    caret = start &+ inserted.count
    caretRule = inserted.isEmpty ? .replacements : .insertions
  }

  /// Where what it puts there ends.
  var end: Int { start &+ inserted.count }

  /// Whether there is nothing that has not reached the tree.
  var isSettled: Bool { removed == 0 && inserted.isEmpty }

  /// What is pending.
  private var pending: EditSpan {
    EditSpan(offset: start, removed: removed, inserted: inserted.count)
  }

  /// What the group did in all; nil when that is nothing.
  private var total: EditSpan? {
    let total = settled?.union(pending) ?? pending
    return total.removed == 0 && total.inserted == 0 ? nil : total
  }

  /// Whether an edit belongs to the group: it goes on where the latest one ended, or it belongs to
  /// all that the group did.
  func isJoined(by next: EditSpan, time: Double, _ coalescing: Coalescing) -> Bool {
    let pause = time - self.time
    if next.removed == 0 && next.offset == caret && pause <= coalescing.longestPause
      && coalescing.rules.contains(caretRule)
    {
      return true
    }
    guard let total else { return false }
    return coalescing.joins(next, to: total, pause: pause)
  }

  /// Puts bytes where the latest edit ended: most edits do that.
  ///
  /// - Returns: Whether that could be done; if not, nothing is changed.
  @inline(__always) mutating func type(
    _ bytes: RawSpan, at offset: Int, time: Double, _ coalescing: Coalescing
  ) -> Bool {
    guard offset == caret, time - self.time <= coalescing.longestPause,
      coalescing.rules.contains(caretRule), put(bytes, at: offset)
    else { return false }
    caret = offset &+ bytes.byteCount
    caretRule = .insertions
    self.time = time
    return true
  }

  /// Adds bytes to the pending ones, at the end most often.
  @inline(__always) private mutating func put(_ bytes: RawSpan, at offset: Int) -> Bool {
    if offset == end { return inserted.append(bytes) }
    let place = offset &- start
    return place >= 0 && place < inserted.count && inserted.replace(place, place, with: bytes)
  }

  /// Removes bytes up to the end of the pending edit or behind it, in a text of `length` bytes: most
  /// other edits do that. No byte is written.
  ///
  ///     pending               [ . . . . . ]              [ . . . . . ]
  ///     next              [ . . . . . . . ]                    [ . . . . ]
  ///     together          [ ]                            [ . . ]
  ///
  /// - Returns: Whether that could be done; if not, nothing is changed.
  @inline(__always) mutating func erase(
    _ lower: Int, _ upper: Int, time: Double, textLength length: Int, _ coalescing: Coalescing
  ) -> Bool {
    let end = self.end
    guard upper >= end, lower <= end, lower >= 0, upper <= length, !isSettled,
      time - self.time <= coalescing.longestPause,
      coalescing.rules.contains([.corrections, .deletions])
    else { return false }
    inserted.truncate(to: max(lower, start) &- start)
    removed &+= max(start &- lower, 0) &+ (upper &- end)
    start = min(start, lower)
    caret = lower
    caretRule = .replacements
    self.time = time
    return true
  }

  /// Makes an edit that touches the pending one a part of it.
  ///
  ///     pending       [ . . . . . . . . ]              [ . . . . . . ]
  ///     next                [ . . . ]          [ . . . . . ]
  ///     together      [ . .  bytes  . . ]      [    bytes    . . . . ]
  ///
  /// - Precondition: The range is in the text.
  /// - Returns: Whether that could be done; if not, nothing is changed.
  mutating func absorb(_ lower: Int, _ upper: Int, _ bytes: RawSpan, time: Double) -> Bool {
    let end = self.end
    guard lower <= end, upper >= start,
      inserted.replace(max(lower, start) - start, min(upper, end) - start, with: bytes)
    else { return false }
    removed += max(start - lower, 0) + max(upper - end, 0)
    start = min(start, lower)
    caret = lower + bytes.byteCount
    caretRule = bytes.isEmpty ? .replacements : .insertions
    self.time = time
    return true
  }

  /// Notes that what was pending has reached the tree.
  mutating func settle() {
    settled = total
    start = end
    removed = 0
    inserted = PendingBytes()
  }
}
