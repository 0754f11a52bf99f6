/// Lines of a text that are followed back to older texts.
///
///     var lines = TrackedLines(LineRange(4, 6))
///     if let touched = lines.goBack(over: step, lineCount: text.lineCount) { … }
public struct TrackedLines: Hashable, Sendable {
  /// The numbers of the lines, in ascending order: ranges with a line between two of them.
  private var ranges: [Range<Int>]

  /// The lines of a range, none if it is empty.
  public init(_ lines: LineRange) {
    ranges = lines.count > 0 ? [lines.first.value..<lines.last.value + 1] : []
  }

  /// Follows more lines of the present text.
  public mutating func insert(_ lines: LineRange) {
    if lines.count < 1 { return }
    let all = ranges + [lines.first.value..<lines.last.value + 1]
    var sorted = Walk([])
    for range in all.sorted(by: { $0.lowerBound < $1.lowerBound }) { sorted.append(range) }
    ranges = sorted.result
  }

  /// Follows some lines of the present text no further.
  public mutating func remove(_ lines: LineRange) {
    let removed = lines.first.value..<max(lines.last.value + 1, lines.first.value)
    ranges = ranges.flatMap { range in
      range.overlaps(removed)
        ? [
          range.clamped(to: .min..<removed.lowerBound),
          range.clamped(to: removed.upperBound..<(.max)),
        ].filter { !$0.isEmpty }
        : [range]
    }
  }

  /// Whether none of the lines was there.
  public var isEmpty: Bool { ranges.isEmpty }

  /// The lines, as ranges in ascending order that do not touch.
  public var lines: [LineRange] { ranges.map { LineRange($0.lowerBound, $0.upperBound - 1) } }

  /// Goes back to the text before a step.
  ///
  /// Lines that the step added are gone then, and lines that it replaced or removed among these are there.
  /// Where it replaced lines by as many, each stands for the one in its place.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - lineCount: The number of lines in the text after it.
  /// - Returns: The part of the step that touched the lines, nil if none did: the whole of a move, or those
  ///   hunks that wrote one of the lines, or removed lines between two of them or, at an end of the text,
  ///   beside one. Of a hunk that replaced lines by as many it is what wrote these lines.
  /// - Complexity: O(*r* + *h*), for *r* ranges and *h* hunks.
  public mutating func goBack(over step: LineStep, lineCount: Int) -> LineStep? {
    switch step {
    case .moved(let lines, let target): goBack(overMoveOf: lines, after: target) ? step : nil
    case .replaced(let hunks): goBack(over: hunks, lineCount)
    }
  }

  private mutating func goBack(over hunks: [LineHunk], _ lineCount: Int) -> LineStep? {
    var touched: [LineHunk] = []
    var walk = Walk(ranges)
    for hunk in hunks {
      walk.keep(upTo: hunk.new.first.value)
      let lines = hunk.new.first.value..<hunk.new.last.value + 1
      let isTouched = lines.isEmpty ? walk.spansGap(lines.lowerBound, lineCount) : walk.meets(lines)
      if hunk.old.count == hunk.new.count {
        if isTouched { touched += walk.parts(of: lines).map { hunk.part($0) } }
        walk.keep(upTo: lines.upperBound)
      } else {
        walk.skip(upTo: lines.upperBound)
        if isTouched {
          touched.append(hunk)
          walk.append(hunk.old.first.value..<hunk.old.last.value + 1)
        }
        walk.shift += hunk.old.count - hunk.new.count
      }
    }
    walk.keep(upTo: .max)
    ranges = walk.result
    return touched.isEmpty ? nil : .replaced(touched)
  }

  /// - Returns: Whether any of the lines was moved.
  private mutating func goBack(overMoveOf lines: LineRange, after target: LineNumber) -> Bool {
    let (first, count) = (lines.first.value, lines.count)
    let isUp = target < lines.first
    let landing = isUp ? target.value + 1 : target.value - count + 1
    // The lines between the two places, in the text after the move.
    let passed = isUp ? landing + count..<first + count : first..<landing
    var walk = Walk(ranges)
    var moved: [Range<Int>] = []
    func keepMoved() {
      moved = ranges.map { $0.clamped(to: landing..<landing + count) }.filter { !$0.isEmpty }
        .map { $0.lowerBound - landing + first..<$0.upperBound - landing + first }
      walk.skip(upTo: landing + count)
    }
    walk.keep(upTo: min(landing, first))
    if isUp { keepMoved() }
    walk.shift = isUp ? -count : count
    walk.keep(upTo: passed.upperBound)
    if !isUp { keepMoved() }
    walk.shift = 0
    walk.keep(upTo: .max)
    var sorted = Walk([])
    for range in (walk.result + moved).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      sorted.append(range)
    }
    ranges = sorted.result
    return !moved.isEmpty
  }
}

extension LineHunk {
  /// The part of a replacement of lines by as many that wrote some of them.
  fileprivate func part(_ lines: Range<Int>) -> LineHunk {
    let shift = old.first.value - new.first.value
    return LineHunk(
      old: LineRange(lines.lowerBound + shift, lines.upperBound - 1 + shift),
      new: LineRange(lines.lowerBound, lines.upperBound - 1))
  }
}

/// A walk down ranges of lines, which makes others of them.
private struct Walk {
  private var rest: ArraySlice<Range<Int>>
  private var line = 0
  /// What is added to the numbers of lines that are kept.
  var shift = 0
  private(set) var result: [Range<Int>] = []

  init(_ ranges: [Range<Int>]) { rest = ranges[...] }

  /// Appends a range behind all others; one that it touches becomes one with it.
  mutating func append(_ range: Range<Int>) {
    if range.isEmpty { return }
    if let last = result.last, last.upperBound >= range.lowerBound {
      result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    } else {
      result.append(range)
    }
  }

  /// Keeps the lines from here to above `end`.
  mutating func keep(upTo end: Int) {
    while let range = rest.first, range.lowerBound < end {
      let kept = range.clamped(to: line..<max(line, end))
      append(kept.lowerBound + shift..<kept.upperBound + shift)
      // One that ends here stands at the gap above this line.
      if range.upperBound >= end { break }
      rest.removeFirst()
    }
    line = max(line, end)
  }

  /// Leaves the lines from here to above `end` out.
  mutating func skip(upTo end: Int) {
    while let range = rest.first, range.upperBound < end { rest.removeFirst() }
    line = max(line, end)
  }

  /// Whether one of the lines is among these, which are not above this place.
  func meets(_ lines: Range<Int>) -> Bool { rest.prefix(2).contains { $0.overlaps(lines) } }

  /// Those of the lines that are among these, which are not above this place.
  func parts(of lines: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    for range in rest {
      if range.lowerBound >= lines.upperBound { break }
      let part = range.clamped(to: lines)
      if !part.isEmpty { parts.append(part) }
    }
    return parts
  }

  /// Whether the lines above and below the gap above `line` are there, or the one that there is at an end of
  /// the text.
  func spansGap(_ line: Int, _ lineCount: Int) -> Bool {
    let above = rest.first?.contains(line - 1) ?? false
    let below = rest.prefix(2).contains { $0.contains(line) }
    return (above || line == 1) && (below || line > lineCount) && (above || below)
  }
}
