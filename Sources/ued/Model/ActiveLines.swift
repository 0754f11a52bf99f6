import TextBuffer

/// The lines that a global command has still to visit, in order; they keep their places while the
/// commands of the list insert and delete lines around them.
///
/// The line numbers stand in chunks. Each chunk has an amount to add to its numbers, kept in a
/// Fenwick tree over the chunks, so that an edit touches one chunk and O(log *n*) sums, wherever it
/// is. Numbers ascend all the time: a line that moves is not visited, so it leaves. Behind the front
/// chunk none is empty.
struct ActiveLines: Sendable {
  private static let chunkSize = 256

  private var chunks: [[LineNumber]]
  /// The first chunk that may hold lines.
  private var front = 0
  /// How many lines of the front chunk have been visited.
  private var visited = 0
  /// A Fenwick tree: the sums of its first *i* elements is the amount of chunk *i*.
  private var amounts: [Int]
  /// Whether any amount is not 0.
  private var hasAmounts = false

  /// The lines `lines`, which ascend.
  init(_ lines: [LineNumber]) {
    chunks = stride(from: 0, to: lines.count, by: Self.chunkSize).map {
      Array(lines[$0..<min($0 + Self.chunkSize, lines.count)])
    }
    amounts = Array(repeating: 0, count: chunks.count + 1)
  }

  /// Takes the next line.
  mutating func next() -> LineNumber? {
    while front < chunks.count {
      if visited < chunks[front].count {
        visited += 1
        return chunks[front][visited - 1] + amount(of: front)
      }
      front += 1
      visited = 0
    }
    return nil
  }

  /// Visits no more lines.
  mutating func removeAll() {
    front = chunks.count
    visited = 0
  }

  /// Follows the replacement of lines by `inserted` others; those are not visited any more.
  mutating func replace(_ lines: LineRange, inserting inserted: Int) {
    guard front < chunks.count else { return }
    // After the removal, the lines behind the replacement begin at its place.
    shift(from: remove(lines), by: inserted - lines.count)
  }

  /// Follows the move of lines to after line `target`, which is none of them; they are not visited any
  /// more.
  mutating func move(_ lines: LineRange, after target: LineNumber) {
    guard front < chunks.count else { return }
    let start = remove(lines)
    let landing = position(of: target + 1)
    if landing == start { return }
    shift(from: start, by: -lines.count)
    shift(from: landing, by: lines.count)
  }

  /// A place among the lines to visit: that many lines into a chunk.
  private struct Position: Equatable {
    var chunk: Int
    var index: Int
  }

  /// The place of the first line to visit that is not above `line`.
  private func position(of line: LineNumber) -> Position {
    if visited < chunks[front].count, last(of: front) >= line {
      return Position(chunk: front, index: index(of: line, in: front, from: visited))
    }
    var low = front + 1
    var high = chunks.count
    while low < high {
      let middle = (low + high) / 2
      if last(of: middle) < line { low = middle + 1 } else { high = middle }
    }
    guard low < chunks.count else { return Position(chunk: low, index: 0) }
    return Position(chunk: low, index: index(of: line, in: low, from: 0))
  }

  /// The last line of a chunk that is not empty.
  private func last(of chunk: Int) -> LineNumber {
    chunks[chunk][chunks[chunk].count - 1] + amount(of: chunk)
  }

  private func index(of line: LineNumber, in chunk: Int, from start: Int) -> Int {
    let target = line - amount(of: chunk)
    var low = start
    var high = chunks[chunk].count
    while low < high {
      let middle = (low + high) / 2
      if chunks[chunk][middle] < target { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Removes lines from those to visit; those behind them keep their numbers.
  ///
  /// - Returns: The place of those behind them.
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

  /// Adds to the numbers from a place on.
  private mutating func shift(from start: Position, by difference: Int) {
    guard difference != 0, start.chunk < chunks.count else { return }
    var numbers = chunks[start.chunk].mutableSpan
    for index in start.index..<max(numbers.count, start.index) {
      numbers[index] = numbers[index] + difference
    }
    add(difference, fromChunk: start.chunk + 1)
  }

  /// Takes empty chunks away: behind the front one there are none.
  ///
  /// - Complexity: O(number of chunks), once for each chunk.
  private mutating func dropEmptyChunks(_ range: Range<Int>) {
    var kept = chunks.indices.filter { !range.contains($0) || !chunks[$0].isEmpty }
    kept.removeSubrange(..<front)
    let sums = kept.map { amount(of: $0) }
    chunks = kept.map { chunks[$0] }
    front = 0
    amounts = Array(repeating: 0, count: chunks.count + 1)
    var before = 0
    for (chunk, sum) in sums.enumerated() {
      if sum != before { add(sum - before, fromChunk: chunk) }
      before = sum
    }
  }

  private mutating func add(_ amount: Int, fromChunk chunk: Int) {
    guard chunk < chunks.count else { return }
    hasAmounts = true
    var index = chunk + 1
    while index < amounts.count {
      amounts[index] += amount
      index += index & -index
    }
  }

  private func amount(of chunk: Int) -> Int {
    guard hasAmounts else { return 0 }
    var sum = 0
    var index = chunk + 1
    while index > 0 {
      sum += amounts[index]
      index -= index & -index
    }
    return sum
  }
}
