import Glibc
import TextBuffer

/// The growth of the time for work on a whole text with the number of its lines.
enum Growth {
  private static let line = Array("a line of about as many bytes as the others have\n".utf8)

  /// Prints, for each kind of work, the nanoseconds a line for texts of several sizes, and the exponent of
  /// the power of *n* that fits the totals best.
  static func run(isQuick: Bool) {
    let sizes = [1000, 10_000, 100_000, 1_000_000] + (isQuick ? [] : [10_000_000])
    let names = [
      "load", "find lines", "visit lines", "build", "random edits", "undo", "redo", "jump",
    ]
    let times = sizes.map { measure(lines: $0) }
    print("ns a line".padded(24) + sizes.map { "\($0)".leftPadded(11) }.joined() + "   exponent")
    for (index, name) in names.enumerated() {
      let totals = times.map { $0[index] }
      let each = zip(totals, sizes).map { column($0 / Double($1), width: 11) }
      print(name.padded(24) + each.joined() + column(exponent(totals, sizes), width: 11))
    }
  }

  /// The nanoseconds of each kind of work on a text of `count` lines.
  private static func measure(lines count: Int) -> [Double] {
    // Small texts are measured more often.
    let rounds = max(1, 100_000 / count)
    var totals = [Double](repeating: 0, count: 8)
    for round in 0..<rounds {
      for (index, time) in once(lines: count, seed: UInt64(round)).enumerated() {
        totals[index] += time / Double(rounds)
      }
    }
    return totals
  }

  private static func once(lines count: Int, seed: UInt64) -> [Double] {
    var text = PieceTable()
    var sum = 0
    let load = nanoseconds { text = PieceTable(repeating: line, count: count) }
    var generator = SeededGenerator(seed)
    let find = nanoseconds {
      for _ in 0..<count { sum &+= text.offset(ofLine: LargeFile.random(&generator, text)).value }
    }
    let visit = nanoseconds {
      text.forEachLine(in: LineRange(1, count)) { _, span in
        sum &+= span.byteCount
        return true
      }
    }
    let build = nanoseconds {
      var builder = PieceTable.Builder(from: text)
      for number in 0..<count {
        let start = ByteOffset(number * line.count)
        builder.keep(start..<start + line.count)
        builder.append("x".utf8)
      }
      sum &+= builder.finish().byteCount
    }
    var document = Document(text)
    let edits = count / 10
    let other = Array("another line of about as many bytes as the others\n".utf8)
    let edit = nanoseconds {
      for _ in 0..<edits {
        let number = LargeFile.random(&generator, text)
        document.edit { draft in draft.replaceLines(LineRange(number), with: other) }
      }
    }
    let undo = nanoseconds { while document.undo() != nil {} }
    let redo = nanoseconds { while document.redo() != nil {} }
    let jump = nanoseconds { document.move(to: 0) }
    blackHole(sum)
    return [load, find, visit, build, edit, undo, redo, jump]
  }

  /// The slope of the line through the logarithms.
  private static func exponent(_ totals: [Double], _ sizes: [Int]) -> Double {
    let xs = sizes.map { log(Double($0)) }
    let ys = totals.map { log($0) }
    let (x, y) = (mean(xs), mean(ys))
    let covariance = zip(xs, ys).map { ($0 - x) * ($1 - y) }.reduce(0, +)
    return covariance / xs.map { ($0 - x) * ($0 - x) }.reduce(0, +)
  }

  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(values.count)
  }
}

extension PieceTable {
  /// A text of equal lines, read as from a file.
  fileprivate init(repeating line: [UInt8], count: Int) {
    var written = 0
    let total = line.count * count
    self.init(sizeHint: total) { memory in
      let part = min(memory.count, total - written)
      for index in 0..<part { memory[index] = line[(written + index) % line.count] }
      written += part
      return part
    }
  }
}
