/// The latest typed edits, as one edit outside of the tree. A next edit that touches it changes
/// only the numbers and bytes here. The tree is changed once, when the transaction is committed, or
/// an edit elsewhere joins it.
@usableFromInline struct TypingRun: Sendable {
  /// Whether a transaction of typed edits is open.
  @usableFromInline private(set) var isOpen = false
  /// The beginning of the pending edit.
  @usableFromInline private(set) var start = 0
  /// The number of bytes of the tree that it removes there.
  @usableFromInline private(set) var removed = 0
  /// The bytes that it inserts there.
  @usableFromInline var inserted = PendingBytes()
  /// The span of earlier edits of the transaction, all of them in the tree.
  private(set) var settled: EditSpan?
  /// The end of the latest edit, if it is the end of the pending edit and the policy lets all kinds
  /// of edits join there; otherwise `nowhere`. The fast path is for edits here.
  @usableFromInline private(set) var caret = TypingRun.nowhere
  /// The end of the latest edit, if it is not `caret` and the policy lets an insertion join there;
  /// otherwise `nowhere`.
  private var insertionOffset = TypingRun.nowhere
  /// The time of the latest edit that has one.
  @usableFromInline private(set) var time: EditTime?
  /// The date of the latest edit.
  @usableFromInline private(set) var date = 0.0
  /// The reasons why every edit takes the slow path; empty if the fast one is open.
  private var detours: Detours = []
  /// The facts about the latest edit that boundaries need; nil without boundaries.
  private var latestEdge: EditEdge?

  /// An offset that no edit has.
  private static let nowhere = -1

  private struct Detours: OptionSet {
    let rawValue: UInt8
    /// Observers get an event for each edit.
    static let observers = Self(rawValue: 1)
    /// Each edit is made in the tree at once.
    static let readers = Self(rawValue: 2)
  }

  init() {}

  /// Whether each edit is made in the tree at once, because the text was read during the previous
  /// run. Takes effect with the next edit.
  var settlesAtOnce: Bool {
    get { detours.contains(.readers) }
    set { if newValue { detours.insert(.readers) } else { detours.remove(.readers) } }
  }

  /// Makes an edit the pending one: removes bytes at `start`, and inserts no more there than can be
  /// pending. `settled` is the span of earlier edits of the transaction. `hasInserted` tells
  /// whether the edit has inserted bytes, pending or not.
  mutating func begin(
    at start: Int, removing removed: Int, inserting bytes: RawSpan, settled: EditSpan?,
    hasInserted: Bool, _ moment: EditMoment, _ coalescing: Coalescing
  ) {
    if !isOpen { time = nil }
    isOpen = true
    self.start = start
    self.removed = removed
    inserted.removeAll()
    let hasRoom = inserted.append(bytes)
    assert(hasRoom)
    self.settled = settled
    finishEdit(at: end, hasInserted: hasInserted, moment, coalescing)
  }

  /// Forgets all edits, when their transaction ends.
  mutating func close() {
    isOpen = false
    removed = 0
    inserted.removeAll()
    caret = Self.nowhere
    latestEdge = nil
  }

  /// Records the place and the moment of the end of the latest edit.
  private mutating func finishEdit(
    at offset: Int, hasInserted: Bool, _ moment: EditMoment, _ coalescing: Coalescing
  ) {
    remember(moment.time, moment.date)
    let isFast =
      coalescing.rules.isSuperset(of: .typing) && !coalescing.hasBoundaries && offset == end
      && detours.isEmpty
    let isAllowed = coalescing.rules.contains(hasInserted ? .insertions : .replacements)
    caret = isFast ? offset : Self.nowhere
    insertionOffset = !isFast && isAllowed ? offset : Self.nowhere
  }

  /// Records an edit that does nothing, if it is at the end of the latest one; the fast path does
  /// the same.
  mutating func stay(at offset: Int, _ moment: EditMoment, _ coalescing: Coalescing) {
    if isOpen && offset == insertionOffset && isSoon(moment.time, coalescing) {
      remember(moment.time, moment.date)
    }
  }

  /// Makes all edits take the slow path, which also creates events; or opens the fast path again.
  mutating func watch(_ isWatched: Bool) {
    if isWatched { detours.insert(.observers) } else { detours.remove(.observers) }
    if isWatched && caret != Self.nowhere { (insertionOffset, caret) = (caret, Self.nowhere) }
  }

  /// The end of the inserted bytes.
  private var end: Int { start + inserted.count }

  /// Whether nothing is pending.
  @inlinable var isSettled: Bool { removed == 0 && inserted.isEmpty }

  private var pending: EditSpan {
    EditSpan(offset: start, removed: removed, inserted: inserted.count)
  }

  /// The span of all edits of the transaction.
  private var total: EditSpan { settled?.union(pending) ?? pending }

  /// A quick test: an edit that fails it can't join the transaction.
  func canTouch(_ lower: Int, _ upper: Int) -> Bool {
    isOpen && (lower <= end && upper >= start || settled != nil)
  }

  /// Whether the policy lets an edit join the latest one or the whole transaction.
  func isJoined(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, time: EditTime?,
    _ coalescing: Coalescing
  ) -> Bool {
    if !isSoon(time, coalescing) { return false }
    if coalescing.hasBoundaries, coalescing.separates(latestEdge, EditEdge(lower, upper, bytes)) {
      return false
    }
    if lower == upper && (lower == insertionOffset || lower == caret) { return true }
    let next = EditSpan(offset: lower, removed: upper - lower, inserted: bytes.byteCount)
    return coalescing.joins(next, to: total)
  }

  /// Records the facts about the latest edit that boundaries need.
  mutating func keepEdge(_ lower: Int, _ upper: Int, _ bytes: RawSpan, _ coalescing: Coalescing) {
    if coalescing.hasBoundaries { latestEdge = EditEdge(lower, upper, bytes) }
  }

  /// Whether an edit comes soon enough after the latest one.
  @inlinable func isSoon(_ time: EditTime?, _ coalescing: Coalescing) -> Bool {
    // Callers without a clock need no arithmetic.
    guard let time else { return true }
    return isSoon(at: time, coalescing)
  }

  @usableFromInline func isSoon(at time: EditTime, _ coalescing: Coalescing) -> Bool {
    coalescing.isSoon(self.time?.duration(to: time))
  }

  @inlinable @inline(__always)
  mutating func remember(_ time: EditTime?, _ date: Double) {
    if let time { self.time = time }
    self.date = date
  }

  /// Inserts bytes at the caret; false, and nothing changed, without room.
  @inlinable mutating func type(_ bytes: RawSpan) -> Bool {
    guard inserted.append(bytes) else { return false }
    caret += bytes.byteCount
    return true
  }

  /// Removes the bytes from `lower` up to the caret.
  @inlinable mutating func removeBackwards(from lower: Int) {
    if lower >= start {
      inserted.removeLast(caret - lower)
    } else {
      inserted.removeAll()
      removed += start - lower
      start = lower
    }
    caret = lower
  }

  /// Replaces the bytes from `lower` up to the caret; false, and nothing changed, without room or
  /// if the rules need to be checked.
  @usableFromInline mutating func replaceBackwards(
    from lower: Int, with bytes: RawSpan
  ) -> Bool {
    guard settled == nil, inserted.hasRoom(for: bytes.byteCount) else { return false }
    removeBackwards(from: lower)
    return type(bytes)
  }

  /// Removes the `removedCount` bytes behind the caret.
  @inlinable mutating func removeForwards(_ removedCount: Int) {
    removed += removedCount
  }

  /// Makes one edit of the pending edit and a next one that touches it; false, and nothing changed,
  /// unless they touch and there is room.
  ///
  ///     pending       [ . . . . . . . . ]              [ . . . . . . ]
  ///     next                [ . . . ]          [ . . . . . ]
  ///     together      [ . .  bytes  . . ]      [    bytes    . . . . ]
  ///
  /// - Precondition: The range is in the text.
  mutating func absorb(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, _ moment: EditMoment, _ coalescing: Coalescing
  ) -> Bool {
    let end = self.end
    guard lower <= end, upper >= start,
      inserted.replace(max(lower, start) - start, min(upper, end) - start, with: bytes)
    else { return false }
    removed += max(start - lower, 0) + max(upper - end, 0)
    start = min(start, lower)
    finishEdit(
      at: lower + bytes.byteCount, hasInserted: !bytes.isEmpty, moment, coalescing)
    return true
  }

  /// Empties the pending edit, which has been made in the tree.
  mutating func settle() {
    settled = total
    start = end
    removed = 0
    inserted.removeAll()
  }
}

@usableFromInline struct EditMoment: Sendable {
  /// The time, for measuring pauses; nil to ignore pauses.
  @usableFromInline var time: EditTime?
  /// The time of the revision, for people and stores.
  @usableFromInline var date: Double

  @inlinable init(_ time: EditTime?, _ date: Double) {
    (self.time, self.date) = (time, date)
  }

  @usableFromInline init(at time: ContinuousClock.Instant?, _ date: Double) {
    self.init(time.map { EditTime($0) }, date)
  }
}

/// A time for pauses. The layout of an instant is known only at run time. Every type that contains
/// one would share that problem, and typing would take twice as long.
@usableFromInline struct EditTime: Sendable {
  /// The nanoseconds since the first use of a time.
  private let nanoseconds: Int64

  private static let start = ContinuousClock.now

  @usableFromInline static var now: EditTime { EditTime(.now) }

  init(_ instant: ContinuousClock.Instant) {
    let (seconds, attoseconds) = Self.start.duration(to: instant).components
    let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    nanoseconds = isTooLong ? (seconds < 0 ? .min : .max) : product &+ attoseconds / 1_000_000_000
  }

  func duration(to other: EditTime) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }
}
