/// A number for each line of a text, such as that of the revision that wrote it.
///
///     var origins = LineOrigins(lineCount: before.lineCount)
///     origins.apply(LineStep(of: changes, from: before, to: after), by: 7)
///     origins[LineNumber(3)]  // 7 if the changes touched line 3
///
/// It is a value, and as cheap to copy and to change as a text.
public struct LineOrigins: Equatable, Sendable {
  /// The numbers: 4 bytes for each line, the lowest first.
  private var records: PieceTable

  private static let size = 4

  /// The same number for each of some lines.
  public init(lineCount: Int, origin: Int = 0) {
    records = PieceTable(Self.records(of: origin, count: lineCount))
  }

  /// The numbers of lines, from the first one on.
  public init(_ origins: some Sequence<Int>) {
    records = PieceTable(origins.flatMap { Self.record(of: $0) })
  }

  /// Lines below each other with the same number.
  public struct Run: Hashable, Sendable {
    /// The number, which is in `0...UInt32.max`.
    public var origin: Int
    /// The number of lines, which is not negative.
    public var count: Int

    /// Some lines with a number.
    public init(origin: Int, count: Int) {
      self.origin = origin
      self.count = count
    }
  }

  /// The numbers of lines as runs, from the first line on: the form in which to store them.
  public init(runs: [Run]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.size * runs.reduce(0) { $0 + $1.count })
    for run in runs {
      let record = Self.record(of: run.origin)
      for _ in 0..<run.count { bytes += record }
    }
    records = PieceTable(bytes)
  }

  /// The numbers of all lines, in the fewest runs.
  ///
  /// - Complexity: O(*n*), for *n* lines.
  public var runs: [Run] {
    let bytes = records.bytes(in: ByteOffset(0)..<ByteOffset(records.byteCount))
    var runs: [Run] = []
    var run = Run(origin: 0, count: 0)
    for start in stride(from: 0, to: bytes.count, by: Self.size) {
      let origin = Self.number(in: bytes, at: start)
      if origin != run.origin {
        if run.count > 0 { runs.append(run) }
        run = Run(origin: origin, count: 0)
      }
      run.count += 1
    }
    if run.count > 0 { runs.append(run) }
    return runs
  }

  /// The number of lines.
  public var lineCount: Int { records.byteCount / Self.size }

  /// The number of a line.
  ///
  /// - Precondition: `line` is in `1...lineCount`.
  /// - Complexity: O(log *p*), for *p* steps so far.
  public subscript(line: LineNumber) -> Int { self[LineRange(line)][0] }

  /// The numbers of some lines.
  ///
  /// - Precondition: The lines are in `1...lineCount`.
  /// - Complexity: O(log *p* + *n*), for *p* steps so far and *n* lines.
  public subscript(lines: LineRange) -> [Int] {
    let bytes = records.bytes(in: Self.range(of: lines))
    return stride(from: 0, to: bytes.count, by: Self.size).map { Self.number(in: bytes, at: $0) }
  }

  /// Follows the lines to the text after a step, and gives those that it touched a number.
  ///
  /// - Parameters:
  ///   - step: What was done to the lines.
  ///   - origin: The number, which is in `0...UInt32.max`.
  /// - Complexity: O(*h* log *p* + *n*), for *h* hunks, *p* steps so far and *n* lines touched.
  public mutating func apply(_ step: LineStep, by origin: Int) {
    switch step {
    case .replaced(let hunks):
      for hunk in hunks.reversed() {
        records.replace(
          Self.range(of: hunk.old), with: Self.records(of: origin, count: hunk.new.count))
      }
    case .moved(let lines, let target):
      let moved = Self.records(of: origin, count: lines.count)
      if target > lines.last {
        records.insert(moved, at: Self.range(of: LineRange(target)).upperBound)
      }
      records.remove(Self.range(of: lines))
      if target < lines.first {
        records.insert(moved, at: ByteOffset(Self.size * target.value))
      }
    }
  }

  private static func range(of lines: LineRange) -> Range<ByteOffset> {
    ByteOffset(size * (lines.first.value - 1))..<ByteOffset(size * lines.last.value)
  }

  private static func records(of origin: Int, count: Int) -> [UInt8] {
    let record = record(of: origin)
    if count == 1 { return record }
    var records: [UInt8] = []
    records.reserveCapacity(size * count)
    for _ in 0..<count { records += record }
    return records
  }

  private static func number(in bytes: [UInt8], at start: Int) -> Int {
    (0..<size).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
  }

  private static func record(of origin: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: origin >> (8 * $0)) }
  }
}
