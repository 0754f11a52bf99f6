/// The open transaction of typed edits. The latest edits are merged into one pending edit, which is
/// not in the tree yet: an edit that touches it changes only the fields here. The pending edit goes
/// into the tree at commit, or when the next edit cannot be merged into it.
@usableFromInline struct TypingRun: Sendable {
  /// Whether a transaction of typed edits is open.
  @usableFromInline private(set) var isOpen = false
  /// The offset of the pending edit.
  @usableFromInline private(set) var start = 0
  /// The number of bytes that the pending edit removes from the tree at `start`.
  @usableFromInline private(set) var removed = 0
  /// The bytes that the pending edit inserts at `start`.
  @usableFromInline var inserted = PendingBytes()
  /// The span of the transaction's edits that are already in the tree; nil without any.
  private(set) var settled: EditSpan?
  /// The end of the latest edit, if edits there can take the fast path; otherwise `nowhere`. The
  /// fast path requires that the pending edit ends there, that the policy lets every kind of typed
  /// edit join and has no boundaries, and that `detours` is empty.
  @usableFromInline private(set) var caret = TypingRun.nowhere
  /// The end of the latest edit, if an insertion there can join by the slow path; otherwise
  /// `nowhere`.
  private var insertionOffset = TypingRun.nowhere
  /// The time of the latest edit that has one.
  @usableFromInline private(set) var time: EditTime?
  /// The date of the latest edit.
  @usableFromInline private(set) var date = 0.0
  /// Whether the transaction has a name. The recorder keeps it: a string here would slow typing.
  var isNamed: Bool { detours.contains(.named) }
  /// The reasons to send every edit through the slow path.
  private var detours: Detours = []
  /// The data that the policy's boundaries need about the latest edit; nil without boundaries.
  private var latestEdge: EditEdge?

  /// An invalid offset, for `caret` and `insertionOffset`.
  private static let nowhere = -1

  private struct Detours: OptionSet {
    let rawValue: UInt8
    /// Observers get an event for each edit.
    static let observers = Self(rawValue: 1)
    /// Each edit goes into the tree at once; see `settlesAtOnce`.
    static let readers = Self(rawValue: 2)
    /// The transaction has a name, so edits without it must not join.
    static let named = Self(rawValue: 4)
    /// The next edit has the name of the transaction.
    static let naming = Self(rawValue: 8)
  }

  init() {}

  /// Whether each edit goes into the tree at once, because the text was read during the previous
  /// transaction of typed edits. Takes effect with the next edit.
  var settlesAtOnce: Bool {
    get { detours.contains(.readers) }
    set { if newValue { detours.insert(.readers) } else { detours.remove(.readers) } }
  }

  /// Starts a new pending edit, and opens the transaction if necessary. `settled` is the span of
  /// the transaction's edits that are already in the tree. `hasInserted` says whether the latest
  /// edit inserted bytes, pending or in the tree.
  ///
  /// - Precondition: `bytes` has at most `PendingBytes.capacity` bytes.
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

  /// Forgets all edits at the end of the transaction.
  mutating func close() {
    isOpen = false
    removed = 0
    inserted.removeAll()
    caret = Self.nowhere
    latestEdge = nil
  }

  /// Lets the next edit join the open transaction by its name, or open one with a name.
  mutating func beginNaming() { detours.formUnion([.named, .naming]) }

  /// Ends such an edit: others do not join its transaction.
  mutating func endNaming() {
    removeName()
    if isOpen {
      detours.insert(.named)
      leaveFastPath()
    }
  }

  mutating func removeName() { detours.subtract([.named, .naming]) }

  /// Records where and when the latest edit ended.
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

  /// Records the time of an empty edit at the end of the latest one, as the fast path does.
  mutating func stay(at offset: Int, _ moment: EditMoment, _ coalescing: Coalescing) {
    if isOpen && offset == insertionOffset && isSoon(moment.time, coalescing) {
      remember(moment.time, moment.date)
    }
  }

  /// Sends all edits through the slow path, which also creates events, or allows the fast path
  /// again.
  mutating func watch(_ isWatched: Bool) {
    if isWatched { detours.insert(.observers) } else { detours.remove(.observers) }
    if isWatched { leaveFastPath() }
  }

  private mutating func leaveFastPath() {
    if caret != Self.nowhere { (insertionOffset, caret) = (caret, Self.nowhere) }
  }

  /// The end of the inserted bytes.
  private var end: Int { start + inserted.count }

  /// Whether no edit is pending.
  @inlinable var isSettled: Bool { removed == 0 && inserted.isEmpty }

  private var pending: EditSpan {
    EditSpan(offset: start, removed: removed, inserted: inserted.count)
  }

  /// The span of all edits of the transaction.
  private var total: EditSpan { settled?.union(pending) ?? pending }

  /// Whether an edit might join the transaction, as a quick test. If false, it can't join.
  func canTouch(_ lower: Int, _ upper: Int) -> Bool {
    isOpen && (lower <= end && upper >= start || settled != nil)
  }

  /// Whether the policy lets an edit join the transaction: as an insertion where the latest edit
  /// ended, or by the rules for the span of all edits.
  func isJoined(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, time: EditTime?,
    _ coalescing: Coalescing
  ) -> Bool {
    if !isSoon(time, coalescing) { return false }
    if detours.isDisjoint(with: .naming) && isNamed { return false }
    if coalescing.hasBoundaries, coalescing.separates(latestEdge, EditEdge(lower, upper, bytes)) {
      return false
    }
    if lower == upper && (lower == insertionOffset || lower == caret) { return true }
    let next = EditSpan(offset: lower, removed: upper - lower, inserted: bytes.byteCount)
    return coalescing.joins(next, to: total)
  }

  /// Records the data that the policy's boundaries need about the latest edit.
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

  /// Inserts bytes at the caret. Returns false and changes nothing if they do not fit.
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

  /// Replaces the bytes from `lower` up to the caret. Returns false and changes nothing if the new
  /// bytes do not fit, or if the transaction has settled edits, which require a check of the rules.
  @usableFromInline mutating func replaceBackwards(
    from lower: Int, with bytes: RawSpan
  ) -> Bool {
    guard settled == nil, inserted.hasRoom(for: bytes.byteCount) else { return false }
    removeBackwards(from: lower)
    return type(bytes)
  }

  /// Removes the `removedCount` bytes after the caret.
  @inlinable mutating func removeForwards(_ removedCount: Int) {
    removed += removedCount
  }

  /// Merges an edit into the pending one. Returns false and changes nothing if the edits do not
  /// touch or the bytes do not fit.
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

  /// Adds the pending edit, now in the tree, to `settled`, and starts an empty one.
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

/// A time for measuring pauses, used instead of `ContinuousClock.Instant`. The layout of that type
/// is known only at run time, and so would be the layout of every type that contains it: typing
/// would take twice as long.
@usableFromInline struct EditTime: Sendable {
  /// The nanoseconds since `start`, the first use of this type.
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
