/// A way through earlier lines that begin with what was typed.
struct RecallWalk: Equatable, Sendable {
  /// The earlier lines, the newest first.
  private let lines: [[UInt8]]
  /// What was typed before the cursor when the walk began, and after it.
  let before: [UInt8]
  let after: [UInt8]
  private let prefix: [UInt8]
  /// The line that is shown; nil for what was typed.
  private(set) var index: Int?

  /// Begins a walk.
  ///
  /// - Parameters:
  ///   - lines: The earlier lines, the newest first.
  ///   - before: What was typed before the cursor.
  ///   - after: What was typed after it.
  ///   - isAny: Whether to go to lines that begin in another way, too.
  ///   - index: The line that is shown already, if one is.
  init(
    lines: [[UInt8]], before: [UInt8], after: [UInt8], isAny: Bool = false, from index: Int? = nil
  ) {
    (self.lines, self.before, self.after) = (lines, before, after)
    prefix = isAny ? [] : before
    self.index = index
  }

  /// The line that is shown; nil for what was typed.
  var line: [UInt8]? { index.map { lines[$0] } }

  /// Goes to the next older line; false if there is none.
  mutating func goBack() -> Bool {
    let next = lines.indices.dropFirst(index.map { $0 + 1 } ?? 0).first { isOther(lines[$0]) }
    if let next { index = next }
    return next != nil
  }

  /// Goes to the next newer line, and at last to what was typed; false if that is shown already.
  mutating func goForward() -> Bool {
    guard let shown = index else { return false }
    index = lines[..<shown].lastIndex { isOther($0) }
    return true
  }

  private func isOther(_ other: [UInt8]) -> Bool {
    other != (line ?? before + after) && other.starts(with: prefix)
  }
}
