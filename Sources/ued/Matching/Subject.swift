/// The subjects of matching: lines in which, in a binary text, newlines replace NULs.
struct Subject: Sendable {
  private let isBinary: Bool
  private var copy: [UInt8] = []

  init(isBinary: Bool) { self.isBinary = isBinary }

  /// Whether `pattern` matches somewhere in `line`.
  mutating func matches(_ pattern: Pattern, _ line: RawSpan) -> Bool {
    if isBinary { pattern.disableAutomata() }
    return withSubject(of: line) { pattern.matches($0) }
  }

  /// Calls `body` with the subject for `line`, which has the same length.
  mutating func withSubject<Result, Failure: Error>(
    of line: RawSpan, _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isBinary else { return try body(line) }
    copy.removeAll(keepingCapacity: true)
    copy.append(line, in: 0..<line.byteCount)
    for index in copy.indices where copy[index] == 0 { copy[index] = .newline }
    return try unsafe body(copy.span.bytes)
  }
}
