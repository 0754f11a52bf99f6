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
  @usableFromInline private(set) var settled: EditSpan?
  /// The end of the latest edit.
  @usableFromInline private(set) var caret = 0
  /// Whether edits at the caret can take the fast path: the pending edit ends there, and the policy
  /// lets every kind of typed edit join and has no boundaries.
  @usableFromInline var isFast = false
  /// Whether the policy lets an insertion at the caret join.
  private var takesInsertions = false
  /// The moment of the latest edit; the time is the latest one that is known.
  @usableFromInline private(set) var moment = EditMoment(nil, 0)
  /// The data that the policy's boundaries need about the latest edit; nil without boundaries.
  private var latestEdge: EditEdge?

  init() {}

  /// Starts an empty pending edit, and opens the transaction if necessary.
  ///
  /// - Precondition: No edit is pending.
  mutating func begin(at offset: Int) {
    isOpen = true
    start = offset
  }

  /// Forgets all edits at the end of the transaction.
  mutating func close() {
    isOpen = false
    removed = 0
    inserted.removeAll()
    settled = nil
    isFast = false
    moment.time = nil
    latestEdge = nil
  }

  /// Records where and when the latest edit ended.
  mutating func finish(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, _ moment: EditMoment, _ coalescing: Coalescing
  ) {
    remember(moment)
    caret = lower + bytes.byteCount
    isFast =
      coalescing.rules.isSuperset(of: .typing) && !coalescing.hasBoundaries && caret == end
    takesInsertions = coalescing.rules.contains(bytes.isEmpty ? .replacements : .insertions)
    if coalescing.hasBoundaries { latestEdge = EditEdge(lower, upper, bytes) }
  }

  /// Records the time of an empty edit at the caret, as the fast path does.
  mutating func stay(at offset: Int, _ moment: EditMoment, _ coalescing: Coalescing) {
    if isOpen && offset == caret && takesInsertions && isSoon(moment.time, coalescing) {
      remember(moment)
    }
  }

  /// The end of the inserted bytes.
  @inlinable var end: Int { start + inserted.count }

  /// Whether no edit is pending.
  @inlinable var isSettled: Bool { removed == 0 && inserted.isEmpty }

  private var pending: EditSpan {
    EditSpan(offset: start, removed: removed, inserted: inserted.count)
  }

  /// Whether an edit might join the transaction, as a quick test. If false, it can't join.
  func canTouch(_ lower: Int, _ upper: Int) -> Bool {
    isOpen && (lower <= end && upper >= start || settled != nil)
  }

  /// Whether the policy lets an edit join the transaction: as an insertion at the caret, or by the
  /// rules for the span of all edits.
  func isJoined(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, time: EditTime?,
    _ coalescing: Coalescing
  ) -> Bool {
    if !isSoon(time, coalescing) { return false }
    if coalescing.hasBoundaries, coalescing.separates(latestEdge, EditEdge(lower, upper, bytes)) {
      return false
    }
    if lower == upper && lower == caret && takesInsertions { return true }
    let next = EditSpan(offset: lower, removed: upper - lower, inserted: bytes.byteCount)
    return coalescing.joins(next, to: settled?.union(pending) ?? pending)
  }

  /// Whether an edit comes soon enough after the latest one.
  @inlinable func isSoon(_ time: EditTime?, _ coalescing: Coalescing) -> Bool {
    // Callers without a clock need no arithmetic.
    guard let time else { return true }
    return isSoon(at: time, coalescing)
  }

  @usableFromInline func isSoon(at time: EditTime, _ coalescing: Coalescing) -> Bool {
    coalescing.isSoon(moment.time?.duration(to: time))
  }

  @inlinable @inline(__always)
  mutating func remember(_ latest: EditMoment) {
    if let time = latest.time { moment.time = time }
    moment.date = latest.date
  }

  /// Merges an edit that begins or ends at the caret into the pending one. Returns false and
  /// changes nothing if the policy may not let it join, or the bytes do not fit. `treeCount` is the
  /// number of bytes in the tree.
  @inlinable @inline(__always)
  mutating func type(_ lower: Int, _ upper: Int, _ bytes: RawSpan, treeCount: Int) -> Bool {
    guard isFast else { return false }
    if lower == upper {
      guard lower == caret, inserted.append(bytes) else { return false }
    } else if upper == caret {
      guard lower >= 0, bytes.isEmpty || settled == nil, merge(lower, upper, bytes)
      else { return false }
    } else {
      guard lower == caret, bytes.isEmpty, upper <= treeCount - removed + inserted.count
      else { return false }
      removed += upper - lower
    }
    caret = lower + bytes.byteCount
    return true
  }

  /// Merges an edit into the pending one. Returns false and changes nothing if the edits do not
  /// touch or the bytes do not fit.
  ///
  ///     pending       [ . . . . . . . . ]              [ . . . . . . ]
  ///     next                [ . . . ]          [ . . . . . ]
  ///     together      [ . .  bytes  . . ]      [    bytes    . . . . ]
  ///
  /// - Precondition: The range is in the text.
  @inlinable @inline(__always)
  mutating func merge(_ lower: Int, _ upper: Int, _ bytes: RawSpan) -> Bool {
    let end = self.end
    guard lower <= end, upper >= start,
      inserted.replace(max(lower, start) - start, min(upper, end) - start, with: bytes)
    else { return false }
    removed += max(start - lower, 0) + max(upper - end, 0)
    start = min(start, lower)
    return true
  }

  /// Adds the pending edit, now in the tree, to `settled`, and starts an empty one behind it.
  mutating func settle() { settle(pending) }

  /// Adds an edit that was made in the tree, and starts an empty one behind it.
  mutating func settle(_ span: EditSpan) {
    settled = settled?.union(span) ?? span
    start = span.offset + span.inserted
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
