/// The lines from `first` to `last`, both included, as in `2,5`.
public struct LineRange: Hashable, Sendable {
  /// The first line of the range.
  public var first: LineNumber
  /// The last line of the range, included.
  public var last: LineNumber

  /// The lines from `first` to `last`, both included; empty when `last` is `first - 1`.
  public init(_ first: LineNumber, _ last: LineNumber) {
    self.first = first
    self.last = last
  }

  /// The lines numbered `first` to `last`, both included.
  public init(_ first: Int, _ last: Int) { self.init(LineNumber(first), LineNumber(last)) }

  /// The range of a single line.
  public init(_ line: LineNumber) { self.init(line, line) }

  /// The lines of a half-open range.
  package init(_ lines: Range<LineNumber>) { self.init(lines.lowerBound, lines.upperBound - 1) }

  /// The number of lines.
  public var count: Int { last.value - first.value + 1 }

  /// The numbers of the lines, ascending.
  package var numbers: [LineNumber] { (0..<count).map { first + $0 } }

  /// Whether `line` is one of the lines.
  package func contains(_ line: LineNumber) -> Bool { first <= line && line <= last }
}
