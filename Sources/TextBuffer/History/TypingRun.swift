/// The edits that were typed last, as one edit that is not in the tree yet.
///
/// A next edit that touches it changes only the numbers and bytes here. The tree is changed once, when
/// the transaction is committed or an edit elsewhere goes on with it.
@usableFromInline struct TypingRun: Sendable {
  /// Whether a transaction of typed edits is open.
  @usableFromInline private(set) var isOpen = false
  /// Where the pending edit begins.
  @usableFromInline private(set) var start = 0
  /// How many bytes of the tree it removes there.
  @usableFromInline private(set) var removed = 0
  /// What it inserts there.
  @usableFromInline var inserted = PendingBytes()
  /// What the transaction did before, all of it in the tree.
  private(set) var settled: EditSpan?
  /// Where the latest edit ended, if that is the end of the pending edit and the policy lets all kinds of
  /// edits go on there; else nowhere. The fast path is for edits here.
  @usableFromInline private(set) var caret = TypingRun.nowhere
  /// Where the latest edit ended, if it is not `caret` and the policy lets an insertion go on there; else
  /// nowhere.
  private var insertionOffset = TypingRun.nowhere
  /// When the latest edit was made that has a time.
  @usableFromInline private(set) var time: EditTime?
  /// The date of the latest edit.
  @usableFromInline private(set) var date = 0.0
  /// Why every edit takes the slow path; empty where the fast one is open.
  private var detours: Detours = []
  /// What boundaries have to know of the latest edit; nil where there are none.
  private var latestEdge: EditEdge?

  /// An offset that no edit has.
  private static let nowhere = -1

  private struct Detours: OptionSet {
    let rawValue: UInt8
    /// Each edit is told to observers.
    static let observers = Self(rawValue: 1)
    /// Each edit is made in the tree at once.
    static let readers = Self(rawValue: 2)
  }

  /// No edits.
  init() {}

  /// Whether each edit is made in the tree at once, as the text of the run before was read while it was typed. Takes
  /// effect with the next edit.
  var settlesAtOnce: Bool {
    get { detours.contains(.readers) }
    set { if newValue { detours.insert(.readers) } else { detours.remove(.readers) } }
  }

  /// Makes an edit the pending one.
  ///
  /// - Parameters:
  ///   - start: Where it begins.
  ///   - removed: How many bytes it removes there.
  ///   - bytes: What it inserts there, no more than can be pending.
  ///   - settled: What the transaction did before.
  ///   - moment: When it was made.
  ///   - coalescing: Which edits may go on with it.
  mutating func begin(
    at start: Int, removing removed: Int, inserting bytes: RawSpan, settled: EditSpan?,
    _ moment: EditMoment, _ coalescing: Coalescing
  ) {
    if !isOpen { time = nil }
    isOpen = true
    self.start = start
    self.removed = removed
    inserted.removeAll()
    let hasRoom = inserted.append(bytes)
    assert(hasRoom)
    self.settled = settled
    finishEdit(at: end, hasInserted: !bytes.isEmpty, moment, coalescing)
  }

  /// Forgets all edits, when their transaction ends.
  mutating func close() {
    isOpen = false
    removed = 0
    inserted.removeAll()
    caret = Self.nowhere
    latestEdge = nil
  }

  /// Remembers where and when the latest edit ended.
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

  /// Remembers an edit that does nothing, if it is where the latest one ended; the fast path does so, too.
  mutating func stay(at offset: Int, _ moment: EditMoment, _ coalescing: Coalescing) {
    if isOpen && offset == insertionOffset && isSoon(moment.time, coalescing) {
      remember(moment.time, moment.date)
    }
  }

  /// Lets all edits take the slow path, which does the same and tells them, or no longer so.
  mutating func watch(_ isWatched: Bool) {
    if isWatched { detours.insert(.observers) } else { detours.remove(.observers) }
    if isWatched && caret != Self.nowhere { (insertionOffset, caret) = (caret, Self.nowhere) }
  }

  /// Where the inserted bytes end.
  private var end: Int { start + inserted.count }

  /// Whether nothing is pending.
  @inlinable var isSettled: Bool { removed == 0 && inserted.isEmpty }

  /// The pending edit.
  private var pending: EditSpan {
    EditSpan(offset: start, removed: removed, inserted: inserted.count)
  }

  /// What the transaction did in all; nil when that is nothing.
  private var total: EditSpan? {
    let total = settled?.union(pending) ?? pending
    return total.removed == 0 && total.inserted == 0 ? nil : total
  }

  /// A quick test that no edit can pass which does not go on with the transaction.
  func canTouch(_ lower: Int, _ upper: Int) -> Bool {
    isOpen && (lower <= end && upper >= start || settled != nil)
  }

  /// Whether the policy lets an edit go on with the latest one or with all of the transaction.
  func isJoined(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, time: EditTime?,
    _ coalescing: Coalescing
  ) -> Bool {
    if !isSoon(time, coalescing) { return false }
    if coalescing.hasBoundaries, coalescing.separates(latestEdge, EditEdge(lower, upper, bytes)) {
      return false
    }
    if lower == upper && (lower == insertionOffset || lower == caret) { return true }
    guard let total else { return false }
    let next = EditSpan(offset: lower, removed: upper - lower, inserted: bytes.byteCount)
    return coalescing.joins(next, to: total)
  }

  /// Remembers what boundaries have to know of the latest edit.
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

  /// Remembers when the latest edit was made.
  @inlinable @inline(__always)
  mutating func remember(_ time: EditTime?, _ date: Double) {
    if let time { self.time = time }
    self.date = date
  }

  /// Inserts bytes at the caret.
  ///
  /// - Returns: Whether there was room; if not, nothing is changed.
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

  /// Replaces the bytes from `lower` up to the caret.
  ///
  /// - Returns: Whether there was room, and nothing else that the rules would have to look at; if not, nothing is
  ///   changed.
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

  /// Makes one edit of the pending edit and one that touches it.
  ///
  ///     pending       [ . . . . . . . . ]              [ . . . . . . ]
  ///     next                [ . . . ]          [ . . . . . ]
  ///     together      [ . .  bytes  . . ]      [    bytes    . . . . ]
  ///
  /// - Precondition: The range is in the text.
  /// - Returns: Whether they touch and there was room; if not, nothing is changed.
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

/// When an edit was made.
@usableFromInline struct EditMoment: Sendable {
  /// The time, for pauses; nil where none is to matter.
  @usableFromInline var time: EditTime?
  /// The time of the revision, for people and stores.
  @usableFromInline var date: Double

  @inlinable init(_ time: EditTime?, _ date: Double) {
    (self.time, self.date) = (time, date)
  }

  /// The moment at an instant.
  @usableFromInline init(at time: ContinuousClock.Instant?, _ date: Double) {
    self.init(time.map { EditTime($0) }, date)
  }
}

/// A time for pauses.
///
/// The layout of an instant is known only at run time, and so would be that of all that holds one: typing would
/// take twice as long.
@usableFromInline struct EditTime: Sendable {
  /// The nanoseconds since the first use of a time.
  private let nanoseconds: Int64

  private static let start = ContinuousClock.now

  /// The present time.
  @usableFromInline static var now: EditTime { EditTime(.now) }

  init(_ instant: ContinuousClock.Instant) {
    let (seconds, attoseconds) = Self.start.duration(to: instant).components
    let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    nanoseconds = isTooLong ? (seconds < 0 ? .min : .max) : product &+ attoseconds / 1_000_000_000
  }

  /// The time until another one.
  func duration(to other: EditTime) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }
}
