/// A short extent of a block, with its counts of newlines and UTF-16 units.
///
/// A piece stores the address of its bytes. Its size is 12 bytes, so an enum with a piece takes 16.
///
/// SAFETY: a holder of pieces (a node, a fragment) is part of a value that also holds the storage
/// of their blocks. The blocks thus stay alive, and their bytes never change. A piece is therefore
/// safe to read and to send.
@safe struct Piece: @unchecked Sendable {
  /// The maximum length of a piece in a tree, in bytes. Even a text in one block is cut into such
  /// pieces. The summaries of the tree thus serve as an index of lines, and finding a line scans at
  /// most one piece. The value 1008 is a multiple of 16, the number of bytes counted at once, and
  /// fits `PackedCounts`.
  #if DEBUG
    static let maxByteCount = OwnTests.areRunning ? 8 : 1008
  #else
    static let maxByteCount = 1008
  #endif

  private let base: UnsafeRawPointer
  private let counts: PackedCounts

  /// A piece without bytes; no tree contains it.
  static let none = unsafe Piece(
    UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped, PackedCounts(ascii: 0, newlineCount: 0))

  @unsafe private init(_ base: UnsafeRawPointer, _ counts: PackedCounts) {
    unsafe self.base = unsafe base
    self.counts = counts
  }

  /// A piece of the bytes of `extent`, at most `maxByteCount`. Counts newlines and UTF-16 units.
  init(_ extent: Extent) {
    assert(extent.count <= Self.maxByteCount)
    unsafe self.init(extent.base, PackedCounts(extent.base, extent.count))
  }

  /// A piece of the bytes of `extent`, at most `maxByteCount`, with known counts.
  init(_ extent: Extent, _ counts: PackedCounts) {
    assert(extent.count <= Self.maxByteCount && extent.count == counts.byteCount)
    unsafe self.init(extent.base, counts)
  }

  var byteCount: Int { counts.byteCount }
  var newlineCount: Int { counts.newlineCount }
  var utf16Count: Int { counts.utf16Count }
  var summary: Summary { counts.summary }

  /// The bytes without their counts.
  var extent: Extent { unsafe Extent(base, byteCount) }

  /// The bytes from `lower` up to `upper`.
  func extent(_ lower: Int, _ upper: Int) -> Extent {
    assert(0 <= lower && lower <= upper && upper <= byteCount)
    return unsafe Extent(base + lower, upper - lower)
  }

  /// The byte at `index`, counted from 0.
  func byte(at index: Int) -> UInt8 {
    assert(0 <= index && index < byteCount)
    return unsafe base.load(fromByteOffset: index, as: UInt8.self)
  }

  /// The last byte; the piece must not be empty.
  var lastByte: UInt8 {
    assert(!isEmpty)
    return byte(at: byteCount - 1)
  }

  var isEmpty: Bool { byteCount == 0 }

  /// Whether `next` begins in memory where this piece ends.
  func touches(_ next: Piece) -> Bool { unsafe base + byteCount == next.base }

  /// Joins this piece and `next`; nil unless they are adjacent in memory and short enough.
  func merged(with next: Piece) -> Piece? {
    let sum = byteCount + next.byteCount
    guard sum <= Self.maxByteCount, unsafe base + byteCount == next.base else { return nil }
    return unsafe Piece(base, counts + next.counts)
  }

  /// Merges `next` into this piece if they are adjacent in memory and short enough. Returns whether
  /// they were merged; false if either piece is empty.
  mutating func absorb(_ next: Piece) -> Bool {
    guard !isEmpty, !next.isEmpty, let merged = merged(with: next) else { return false }
    self = merged
    return true
  }

  /// The bytes before `lower`, from `lower` up to `upper`, and from `upper` on.
  ///
  /// - Complexity: O(*m*), for *m* bytes in the second part and in the shorter of the other two.
  func split(_ lower: Int, _ upper: Int) -> (Piece, Piece, Piece) {
    let parts = counts(lower, upper)
    return unsafe (
      Piece(base, parts.0), Piece(base + lower, parts.1), Piece(base + upper, parts.2)
    )
  }

  func prefix(_ length: Int) -> Piece { split(length, length).0 }

  /// The bytes from `lower` up to `upper`, as a piece.
  func part(_ lower: Int, _ upper: Int) -> Piece {
    if upper - lower > byteCount / 2 { return split(lower, upper).1 }
    return counts.areOfPlainLine
      ? unsafe Piece(base + lower, PackedCounts(ascii: upper - lower, newlineCount: 0))
      : Piece(extent(lower, upper))
  }

  /// The counts of the three parts that `split` returns.
  private func counts(_ lower: Int, _ upper: Int) -> (PackedCounts, PackedCounts, PackedCounts) {
    assert(0 <= lower && lower <= upper && upper <= byteCount)
    if !counts.areOfASCII { return countWideParts(lower, upper) }
    let newlines = counts.areOfPlainLine ? (0, 0, 0) : countNewlinesOfParts(lower, upper)
    return (
      PackedCounts(ascii: lower, newlineCount: newlines.0),
      PackedCounts(ascii: upper &- lower, newlineCount: newlines.1),
      PackedCounts(ascii: byteCount &- upper, newlineCount: newlines.2)
    )
  }

  /// The newline counts of the three parts. Of the first and the last part only the shorter one is
  /// scanned; the count of the other is the remainder.
  private func countNewlinesOfParts(_ lower: Int, _ upper: Int) -> (Int, Int, Int) {
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

  /// Slow path of `counts(_:_:)`, for bytes that need not be ASCII.
  @inline(never) private func countWideParts(
    _ lower: Int, _ upper: Int
  ) -> (PackedCounts, PackedCounts, PackedCounts) {
    let middle = unsafe PackedCounts(base + lower, upper &- lower)
    if lower <= byteCount &- upper {
      let first = unsafe PackedCounts(base, lower)
      return (first, middle, counts - middle - first)
    }
    let last = unsafe PackedCounts(base + upper, byteCount &- upper)
    return (counts - middle - last, middle, last)
  }

  /// The counts of the first `length` bytes.
  func summary(before length: Int) -> Summary { counts(length, length).0.summary }

  /// The number of bytes up to and including the newline with number `ordinal`, counted from 1.
  ///
  /// - Precondition: `ordinal` is in `1...newlineCount`.
  func offset(afterNewline ordinal: Int) -> Int {
    assert(ordinal >= 1 && ordinal <= newlineCount)
    return unsafe lengthThroughNewline(ordinal, base, byteCount)
  }

  /// The offset of the byte that counts for UTF-16 unit `ordinal`, counted from 0.
  ///
  /// - Precondition: `ordinal` is in `0..<utf16Count`.
  func offset(ofUTF16Unit ordinal: Int) -> Int {
    assert(0 <= ordinal && ordinal < utf16Count)
    return unsafe counts.areOfASCII ? ordinal : length(beforeUTF16Unit: ordinal, base, byteCount)
  }

  /// Whether the counts are right, for `checkInvariants()`.
  var isCountedRight: Bool {
    let right = unsafe PackedCounts(base, byteCount)
    return right.summary == summary && (right.areOfASCII || !counts.areOfASCII)
  }
}

#if DEBUG
  /// Detects the tests of this package, which use tiny nodes and pieces so that short texts make
  /// deep trees.
  enum OwnTests {
    /// Whether this process runs those tests. Debug builds of other programs use the release sizes.
    static let areRunning = CommandLine.arguments.first?.contains("uedPackageTests") ?? false
  }
#endif
