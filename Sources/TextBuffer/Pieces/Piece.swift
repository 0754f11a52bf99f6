/// A short run of bytes of a block, and how many newlines are among them.
///
/// It refers to its bytes by address, and takes 12 bytes, so that an enum with a piece takes 16.
///
/// SAFETY: whatever holds pieces (a node, a fragment) belongs to a value that also holds the storage that
/// keeps their blocks alive, and the bytes never change. So a piece is safe to use and to send.
@safe struct Piece: @unchecked Sendable {
  /// The length of the longest piece in a tree. A text in one block is cut into such pieces: the summaries
  /// of the tree are its index of lines, and finding a line scans one piece at most.
  #if DEBUG
    static let maxByteCount = OwnTests.areRunning ? 8 : 4096
  #else
    static let maxByteCount = 4096
  #endif

  private let base: UnsafeRawPointer
  private let length: UInt16
  private let newlines: UInt16

  /// A piece without bytes; no tree contains it.
  static let none = unsafe Piece(
    base: UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped, length: 0, newlines: 0)

  private init(base: UnsafeRawPointer, length: Int, newlines: Int) {
    unsafe self.base = unsafe base
    self.length = UInt16(truncatingIfNeeded: length)
    self.newlines = UInt16(truncatingIfNeeded: newlines)
  }

  /// The bytes of `run`, whose newlines are counted.
  ///
  /// - Precondition: `run` has at most `maxByteCount` bytes.
  init(_ run: Run) {
    assert(run.count <= Self.maxByteCount)
    unsafe self.init(
      base: run.base, length: run.count, newlines: countNewlines(run.base, run.count))
  }

  /// The bytes of `run`, which has `newlineCount` newlines.
  init(_ run: Run, newlineCount: Int) {
    assert(run.count <= Self.maxByteCount)
    unsafe self.init(base: run.base, length: run.count, newlines: newlineCount)
  }

  var byteCount: Int { Int(length) }
  var newlineCount: Int { Int(newlines) }
  var summary: Summary { Summary(byteCount: byteCount, newlineCount: newlineCount) }

  /// The bytes without their count of newlines.
  var run: Run { unsafe Run(base, byteCount) }

  /// The bytes from `lower` up to `upper`.
  func run(_ lower: Int, _ upper: Int) -> Run {
    assert(0 <= lower && lower <= upper && upper <= byteCount)
    return unsafe Run(base + lower, upper - lower)
  }

  /// The last byte; the piece must have one.
  var lastByte: UInt8 {
    assert(length > 0)
    return unsafe base.load(fromByteOffset: byteCount - 1, as: UInt8.self)
  }

  /// Whether there are no bytes.
  var isEmpty: Bool { length == 0 }

  /// Whether `next` begins in memory where this piece ends.
  func touches(_ next: Piece) -> Bool { unsafe base + byteCount == next.base }

  /// Both pieces as one, when they lie side by side in memory and are short enough.
  func merged(with next: Piece) -> Piece? {
    let sum = byteCount + next.byteCount
    guard sum <= Self.maxByteCount, unsafe base + byteCount == next.base else { return nil }
    return unsafe Piece(base: base, length: sum, newlines: newlineCount + next.newlineCount)
  }

  /// Extends the piece by the next one, when both lie side by side in memory and are short enough.
  ///
  /// - Returns: Whether it did; an empty piece neither extends nor is extended.
  mutating func absorb(_ next: Piece) -> Bool {
    guard !isEmpty, !next.isEmpty, let merged = merged(with: next) else { return false }
    self = merged
    return true
  }

  /// The bytes before `lower`, from `lower` up to `upper`, and from `upper` on.
  ///
  /// - Complexity: O(*m*), for *m* bytes in the second part and in the shorter one of the others.
  func split(_ lower: Int, _ upper: Int) -> (Piece, Piece, Piece) {
    let counts = newlineCounts(lower, upper)
    return unsafe (
      Piece(base: base, length: lower, newlines: counts.0),
      Piece(base: base + lower, length: upper &- lower, newlines: counts.1),
      Piece(base: base + upper, length: byteCount &- upper, newlines: counts.2)
    )
  }

  /// The first `length` bytes.
  func prefix(_ length: Int) -> Piece { split(length, length).0 }

  /// The bytes from `lower` up to `upper`, as a piece.
  func part(_ lower: Int, _ upper: Int) -> Piece {
    if upper - lower > byteCount / 2 { return split(lower, upper).1 }
    return newlines == 0
      ? unsafe Piece(base: base + lower, length: upper - lower, newlines: 0)
      : Piece(run(lower, upper))
  }

  /// The newlines of the three parts. The longer one of the first and the last is not counted, but gets
  /// what the others leave.
  private func newlineCounts(_ lower: Int, _ upper: Int) -> (Int, Int, Int) {
    newlines == 0 ? (0, 0, 0) : countParts(lower, upper)
  }

  private func countParts(_ lower: Int, _ upper: Int) -> (Int, Int, Int) {
    assert(0 <= lower && lower <= upper && upper <= byteCount)
    let behind = byteCount &- upper
    let middle =
      unsafe lower == upper ? 0 : countNewlinesOfShort(base + lower, upper &- lower)
    let isFirstShorter = lower <= behind
    let place = isFirstShorter ? 0 : upper
    let length = isFirstShorter ? lower : behind
    let short = unsafe countNewlinesOfShort(base + place, length)
    let long = newlineCount &- middle &- short
    return isFirstShorter ? (short, middle, long) : (long, middle, short)
  }

  /// The number of newlines in the first `length` bytes.
  func newlines(before length: Int) -> Int { newlineCounts(length, length).0 }

  /// The number of bytes up to and including the newline with number `ordinal`, counted from 1.
  ///
  /// - Precondition: `ordinal` is in `1...newlineCount`.
  func offset(afterNewline ordinal: Int) -> Int {
    assert(ordinal >= 1 && ordinal <= newlineCount)
    return unsafe lengthThroughNewline(ordinal, base, byteCount)
  }

  /// Whether `newlineCount` is right, for `checkInvariants()`.
  var isCountedRight: Bool { unsafe countNewlines(base, byteCount) == newlineCount }
}
