import TextBuffer

/// The lines that a global command has yet to visit, in ascending order, renumbered after each edit
/// of its command list.
///
/// Line numbers are stored in chunks. Each chunk has an offset to add to its numbers, kept in a
/// Fenwick tree over the chunks, so an edit anywhere updates one chunk and O(log *n*) sums. A moved
/// line is removed, so the numbers stay sorted. No chunk after the front one is empty.
struct ActiveLines: Sendable {
  private static let chunkSize = 256

  private var chunks: [[LineNumber]]
  /// The first chunk with lines left to visit.
  private var front = 0
  /// The number of lines of the front chunk that have been visited.
  private var visited = 0
  /// A Fenwick tree: the sum of elements 1 to *i* + 1 is the offset of chunk *i*.
  private var offsetTree: [Int]
  /// Whether all further matches are replaced: the answer to `s` with the flag `c` was `a`.
  var acceptsAllMatches = false
  /// Whether any chunk has an offset other than 0.
  private var hasOffsets = false

  init(_ lines: [LineNumber]) {
    chunks = stride(from: 0, to: lines.count, by: Self.chunkSize).map {
      Array(lines[$0..<min($0 + Self.chunkSize, lines.count)])
    }
    offsetTree = Array(repeating: 0, count: chunks.count + 1)
  }

  /// Removes and returns the next line to visit.
  mutating func next() -> LineNumber? {
    while front < chunks.count {
      if visited < chunks[front].count {
        visited += 1
        return chunks[front][visited - 1] + offset(of: front)
      }
      front += 1
      visited = 0
    }
    return nil
  }

  /// Removes all lines, which ends the global command.
  mutating func removeAll() {
    front = chunks.count
    visited = 0
  }

  /// Updates the queue after `inserted` lines replaced `lines`, which leave it.
  mutating func replace(_ lines: LineRange, inserting inserted: Int) {
    guard front < chunks.count else { return }
    shift(from: remove(lines), by: inserted - lines.count)
  }

  /// Updates the queue after a move of lines to below `target`, which is outside of them; moved
  /// lines leave it.
  mutating func move(_ lines: LineRange, after target: LineNumber) {
    guard front < chunks.count else { return }
    let start = remove(lines)
    let landing = position(of: target + 1)
    if landing == start { return }
    shift(from: start, by: -lines.count)
    shift(from: landing, by: lines.count)
  }

  private struct Position: Equatable {
    var chunk: Int
    var index: Int
  }

  /// The position of the first queued line at or below `line`.
  private func position(of line: LineNumber) -> Position {
    var chunk = front
    if visited == chunks[front].count || last(of: front) < line {
      chunk = Self.first(in: front + 1..<chunks.count) { last(of: $0) >= line }
    }
    guard chunk < chunks.count else { return Position(chunk: chunk, index: 0) }
    let target = line - offset(of: chunk)
    let start = chunk == front ? visited : 0
    let index = Self.first(in: start..<chunks[chunk].count) { chunks[chunk][$0] >= target }
    return Position(chunk: chunk, index: index)
  }

  private func last(of chunk: Int) -> LineNumber {
    chunks[chunk][chunks[chunk].count - 1] + offset(of: chunk)
  }

  /// Binary search: the first index from which a condition holds to the end, or the end.
  private static func first(in range: Range<Int>, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Removes lines from the queue, and returns the position after them. Does not renumber later
  /// lines.
  private mutating func remove(_ lines: LineRange) -> Position {
    let start = position(of: lines.first)
    let end = lines.count == 0 ? start : position(of: lines.last + 1)
    if start.chunk == end.chunk {
      guard start.index < end.index else { return start }
      chunks[start.chunk].removeSubrange(start.index..<end.index)
    } else {
      chunks[start.chunk].removeSubrange(start.index...)
      for chunk in (start.chunk + 1)..<end.chunk { chunks[chunk] = [] }
      if end.chunk < chunks.count { chunks[end.chunk].removeSubrange(..<end.index) }
    }
    let touched = max(start.chunk, front + 1)..<min(max(end.chunk, start.chunk) + 1, chunks.count)
    if touched.contains(where: { chunks[$0].isEmpty }) { dropEmptyChunks(touched) }
    return position(of: lines.first)
  }

  /// Adds `difference` to all line numbers from a position on.
  private mutating func shift(from start: Position, by difference: Int) {
    guard difference != 0, start.chunk < chunks.count else { return }
    var numbers = chunks[start.chunk].mutableSpan
    for index in start.index..<max(numbers.count, start.index) {
      numbers[index] = numbers[index] + difference
    }
    add(difference, fromChunk: start.chunk + 1)
  }

  /// Removes the empty chunks in a range, and all chunks before the front one, in O(number of
  /// chunks). Each call removes a chunk.
  private mutating func dropEmptyChunks(_ range: Range<Int>) {
    var kept = chunks.indices.filter { !range.contains($0) || !chunks[$0].isEmpty }
    kept.removeSubrange(..<front)
    let sums = kept.map { offset(of: $0) }
    chunks = kept.map { chunks[$0] }
    front = 0
    offsetTree = Array(repeating: 0, count: chunks.count + 1)
    var before = 0
    for (chunk, sum) in sums.enumerated() {
      if sum != before { add(sum - before, fromChunk: chunk) }
      before = sum
    }
  }

  private mutating func add(_ amount: Int, fromChunk chunk: Int) {
    guard chunk < chunks.count else { return }
    hasOffsets = true
    var index = chunk + 1
    while index < offsetTree.count {
      offsetTree[index] += amount
      index += index & -index
    }
  }

  private func offset(of chunk: Int) -> Int {
    guard hasOffsets else { return 0 }
    var sum = 0
    var index = chunk + 1
    while index > 0 {
      sum += offsetTree[index]
      index -= index & -index
    }
    return sum
  }
}
