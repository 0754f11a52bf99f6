import Testing
import TextBuffer

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The growth of an operation's cost with the text. Each operation is measured on a text and on one
/// of 16 times as many lines. The exponent of the growth must match the documented one.
@Suite struct GrowthTests {
  /// Work on a document of so many lines.
  struct Work: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Done before, and not measured.
    var prepare: @Sendable (inout Document<Void>, Int) -> Void = { _, _ in }
    /// The measured operation.
    var run: @Sendable (inout Document<Void>, Int) -> Void
  }

  @Test(arguments: Self.single) func `one edit or query costs almost the same in any text`(
    work: Work
  ) {
    // The exponent is 0 apart from logarithm and caches; 1 would be proportional.
    expectGrowth(of: work, below: 0.6, lineCount: 1000)
  }

  @Test(arguments: Self.perLine) func `one edit per line costs O(n log n) in total`(
    work: Work
  ) {
    // 2 if the cost of each edit were proportional to the text.
    expectGrowth(of: work, below: 1.45, lineCount: 250)
  }

  static let single: [Work] = [
    Work(testDescription: "replace a line") { document, count in
      document.eachTime(in: count) { document, line in document.replaceLine(line) }
    },
    Work(testDescription: "remove half of the text, undo and redo") { document, count in
      document.eachTime(in: count) { document, line in
        let half = LineRange(LineNumber(line.value / 2 + 1), LineNumber(count / 2))
        document.edit { draft in draft.removeLines(half) }
        document.undo()
        document.redo()
        document.undo()
      }
    },
    Work(testDescription: "put the first half of the text at its end") { document, count in
      var text = document.buffer
      document.eachTime(in: count) { _, line in
        let range = ByteOffset(line.value)..<text.offset(ofLine: LineNumber(count / 2))
        let copy = text
        text.insert(text.slice(range), at: ByteOffset(text.byteCount))
        text = copy
      }
    },
    Work(testDescription: "find lines and offsets") { document, count in
      let text = document.buffer
      document.eachTime(in: count) { _, line in
        #expect(text.lineNumber(at: text.offset(ofLine: line)) == line)
        #expect(text.line(line).count > 5)
      }
    },
    Work(testDescription: "edit a copy") { document, count in
      document.eachTime(in: count) { document, line in
        var copy = document.buffer
        copy.removeLines(LineRange(line))
      }
    },
    Work(testDescription: "undo an edit after many others") { document, count in
      for number in 1...count { document.replaceLine(LineNumber(number)) }
    } run: { document, count in
      document.eachTime(in: count) { document, line in
        document.undo()
        document.replaceLine(line)
        document.move(to: document.history.current - 1)
      }
    },
    Work(testDescription: "jump between two texts that differ in all lines") { document, count in
      var builder = PieceTable.Builder(from: PieceTable())
      for number in 1...count { builder.append("other \(number)\n".utf8) }
      let other = builder.finish()
      document.edit { draft in draft.setText(other) }
    } run: { document, count in
      document.eachTime(in: count) { document, _ in
        document.move(to: 0)
        document.move(to: 1)
      }
    },
    Work(testDescription: "type") { document, count in
      document.coalescing = .typing
      document.eachTime(in: count) { document, line in
        let offset = ByteOffset(line.value * 5)
        for index in 0..<4 { document.replace(offset + index..<offset + index, with: "x".utf8) }
        document.replace(offset + 1..<offset + 3, with: [])
        document.closeGroup()
      }
    },
  ]

  static let perLine: [Work] = [
    Work(testDescription: "replace each line") { document, count in
      for number in 1...count { document.replaceLine(LineNumber(number)) }
    },
    Work(testDescription: "replace each line, and roll back all at once") { document, count in
      document.begin()
      for number in 1...count { document.replaceLine(LineNumber(number)) }
      document.rollBack()
    },
    Work(testDescription: "undo and redo everything, and jump there and back") { document, count in
      for number in 1...count { document.replaceLine(LineNumber(number)) }
    } run: { document, count in
      while document.undo() != nil {}
      while document.redo() != nil {}
      document.move(to: 0)
      document.move(to: count)
    },
    Work(testDescription: "build the text anew from its lines, backwards") { document, count in
      let text = document.buffer
      var builder = PieceTable.Builder(from: text)
      for number in (1...count).reversed() {
        builder.keep(text.byteRange(of: LineRange(LineNumber(number))))
        builder.append("|".utf8)
      }
      #expect(builder.finish().byteCount == text.byteCount + count)
    },
    Work(testDescription: "type in each line") { document, count in
      document.coalescing = .typing
      for number in 1...count {
        let offset = document.buffer.offset(ofLine: LineNumber(number))
        document.replace(offset..<offset, with: "x".utf8)
      }
      document.closeGroup()
    },
  ]

  private func expectGrowth(of work: Work, below limit: Double, lineCount: Int) {
    var (small, large) = (Double.infinity, Double.infinity)
    var exponent = Double.infinity
    // Other work of the machine can only add to a time, so more tries come closer to the cost.
    for _ in 0..<8 where exponent >= limit {
      small = min(small, time(of: work, lineCount))
      large = min(large, time(of: work, lineCount * 16))
      exponent = log(large / small) / log(16)
    }
    #expect(exponent < limit)
  }

  /// The processor time of this thread that some work takes.
  private func time(of work: Work, _ lineCount: Int) -> Double {
    var builder = PieceTable.Builder(from: PieceTable())
    for number in 1...lineCount { builder.append("line \(number)\n".utf8) }
    var document = Document(builder.finish())
    work.prepare(&document, lineCount)
    let start = processorTime()
    work.run(&document, lineCount)
    return processorTime() - start
  }
}

extension Document<Void> {
  /// Does something 50 times, with lines all over a text of `count` lines.
  fileprivate mutating func eachTime(in count: Int, _ body: (inout Document, LineNumber) -> Void) {
    for index in 0..<50 { body(&self, LineNumber(index * 7919 % (count / 2) + 1)) }
  }

  /// Replaces a line as a transaction.
  fileprivate mutating func replaceLine(_ line: LineNumber) {
    edit { draft in draft.replaceLines(LineRange(line), with: "new line\n".utf8) }
  }
}
