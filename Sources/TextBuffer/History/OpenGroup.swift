/// The group that is being typed: one edit that has not reached the tree yet.
///
/// An edit that touches it only changes the numbers and bytes here; the tree is changed once, when
/// the group closes or somebody wants to see the text.
@usableFromInline struct OpenGroup: Sendable {
  /// Whether a next edit may belong to it.
  var isOpen = false
  /// Where the pending edit begins.
  @usableFromInline var start = 0
  /// How many bytes of the tree it removes there.
  @usableFromInline var removed = 0
  /// What it puts there.
  @usableFromInline var inserted = PendingBytes()
  /// What the group did before that, which has reached the tree.
  var settled: EditSpan?
  /// Where the latest edit ended, if that is where the pending edit ends, and everything goes on
  /// with it; else nowhere.
  @usableFromInline var typingOffset = OpenGroup.nowhere
  /// Where the latest edit ended, if that is another place, or an insertion is all that may go on
  /// with it; else nowhere.
  private var caret = OpenGroup.nowhere
  /// When the latest edit was made.
  @usableFromInline var time = 0.0

  /// No edit can be here.
  private static let nowhere = -1

  /// No group.
  init() {}

  /// Begins with what a group does at one place, or its next part.
  ///
  /// - Parameters:
  ///   - start: Where it begins.
  ///   - removed: How many bytes it removes there.
  ///   - bytes: What it puts there, no more than can be pending.
  ///   - settled: What the group did before.
  ///   - time: When it was made.
  ///   - coalescing: What may go on with it.
  @inline(__always) mutating func begin(
    at start: Int, removing removed: Int, inserting bytes: RawSpan, settled: EditSpan?,
    time: Double, _ coalescing: Coalescing
  ) {
    isOpen = true
    self.start = start
    self.removed = removed
    inserted.removeAll()
    let hasRoom = inserted.append(bytes)
    assert(hasRoom)
    self.settled = settled
    self.time = time
    setCaret(end, after: bytes.isEmpty ? .replacements : .insertions, coalescing)
  }

  /// Ends the group: nothing is pending, and no edit goes on with it.
  @inline(__always) mutating func close() {
    isOpen = false
    removed = 0
    inserted.removeAll()
    typingOffset = Self.nowhere
  }

  /// Notes where the latest edit ended, and by which rule an insertion there goes on.
  private mutating func setCaret(
    _ offset: Int, after rule: Coalescing.Rules, _ coalescing: Coalescing
  ) {
    let isTyping = coalescing.rules == .all && coalescing.longestPause >= 0 && offset == end
    typingOffset = isTyping ? offset : Self.nowhere
    caret = !isTyping && coalescing.rules.contains(rule) ? offset : Self.nowhere
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

  /// Whether an edit may belong to the group: if not, it is far away, or there is no group.
  @inline(__always) func canTouch(_ lower: Int, _ upper: Int) -> Bool {
    isOpen && (lower <= end && upper >= start || settled != nil)
  }

  /// Whether an edit belongs to the group: it goes on where the latest one ended, or it belongs to
  /// all that the group did.
  @inline(__always) func isJoined(
    _ lower: Int, _ upper: Int, inserting inserted: Int, time: Double, _ coalescing: Coalescing
  ) -> Bool {
    let pause = time - self.time
    if lower == upper && (lower == caret || lower == typingOffset)
      && pause <= coalescing.longestPause
    {
      return true
    }
    guard let total else { return false }
    let next = EditSpan(offset: lower, removed: upper &- lower, inserted: inserted)
    return coalescing.joins(next, to: total, pause: pause)
  }

  /// Whether a time is not too long after the latest edit for typing to go on.
  @inlinable @inline(__always) func isSoon(_ time: Double, _ coalescing: Coalescing) -> Bool {
    // The same time, as where there are no times, is told without arithmetic.
    time.bitPattern == self.time.bitPattern || time - self.time <= coalescing.longestPause
  }

  /// Types bytes where the latest edit ended.
  ///
  /// - Returns: Whether there was room; if not, nothing is changed.
  @inlinable @inline(__always) mutating func type(_ bytes: RawSpan, time: Double) -> Bool {
    guard inserted.append(bytes) else { return false }
    typingOffset &+= bytes.byteCount
    self.time = time
    return true
  }

  /// Removes what is before the place of typing, from `lower` on.
  @inlinable @inline(__always) mutating func removeBackwards(from lower: Int, time: Double) {
    if lower >= start {
      inserted.removeLast(typingOffset &- lower)
    } else {
      inserted.removeAll()
      removed &+= start &- lower
      start = lower
    }
    typingOffset = lower
    self.time = time
  }

  /// Puts bytes in the place of what is before the place of typing, from `lower` on.
  ///
  /// - Returns: Whether there was room; if not, nothing is changed.
  @usableFromInline mutating func replaceBackwards(
    from lower: Int, with bytes: RawSpan, time: Double
  ) -> Bool {
    guard inserted.hasRoom(for: bytes.byteCount) else { return false }
    removeBackwards(from: lower, time: time)
    return type(bytes, time: time)
  }

  /// Removes so many bytes behind the place of typing.
  @inlinable @inline(__always) mutating func removeForwards(_ removedCount: Int, time: Double) {
    removed &+= removedCount
    self.time = time
  }

  /// Makes an edit that touches the pending one a part of it.
  ///
  ///     pending       [ . . . . . . . . ]              [ . . . . . . ]
  ///     next                [ . . . ]          [ . . . . . ]
  ///     together      [ . .  bytes  . . ]      [    bytes    . . . . ]
  ///
  /// - Precondition: The range is in the text.
  /// - Returns: Whether that could be done; if not, nothing is changed.
  mutating func absorb(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, time: Double, _ coalescing: Coalescing
  ) -> Bool {
    let end = self.end
    guard lower <= end, upper >= start,
      inserted.replace(max(lower, start) - start, min(upper, end) - start, with: bytes)
    else { return false }
    removed += max(start - lower, 0) + max(upper - end, 0)
    start = min(start, lower)
    setCaret(
      lower + bytes.byteCount, after: bytes.isEmpty ? .replacements : .insertions, coalescing)
    self.time = time
    return true
  }

  /// Notes that what was pending has reached the tree.
  mutating func settle() {
    settled = total
    start = end
    removed = 0
    inserted.removeAll()
  }
}
