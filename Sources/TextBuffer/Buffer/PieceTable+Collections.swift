extension PieceTable {
  /// The bytes of a text, or of a part of it, as a collection.
  ///
  /// Indices are offsets in the text. A subscript costs O(log *p*), for *p* pieces in the text; a
  /// step of an iteration costs O(1), amortized.
  public struct UTF8View: RandomAccessCollection, Sendable {
    let text: PieceTable
    private let bounds: Range<ByteOffset>

    init(_ text: PieceTable, _ bounds: Range<ByteOffset>) {
      self.text = text
      self.bounds = bounds
    }

    /// The offset of the first byte.
    public var startIndex: ByteOffset { bounds.lowerBound }

    /// The offset after the last byte.
    public var endIndex: ByteOffset { bounds.upperBound }

    /// The byte at an offset.
    public subscript(offset: ByteOffset) -> UInt8 {
      precondition(bounds.contains(offset), "offset out of range")
      return text.root.byte(at: offset.value)
    }

    /// The bytes in a range.
    public subscript(range: Range<ByteOffset>) -> UTF8View {
      precondition(
        range.lowerBound >= startIndex && range.upperBound <= endIndex, "range out of the text")
      return UTF8View(text, range)
    }

    /// The bytes in order.
    public func makeIterator() -> Iterator { Iterator(text, bounds) }

    /// Visits bytes in order, piece by piece.
    public struct Iterator: IteratorProtocol {
      private let text: PieceTable
      private var cursor: Cursor
      private let end: Int
      private var extent: Extent?
      private var index = 0

      init(_ text: PieceTable, _ range: Range<ByteOffset>) {
        self.text = text
        cursor = Cursor(text.root, at: range.lowerBound.value)
        end = range.upperBound.value
        extent = cursor.nextExtent(upTo: end)
      }

      /// The next byte; nil at the end.
      public mutating func next() -> UInt8? {
        guard let extent else { return nil }
        let byte = extent[index]
        index += 1
        if index == extent.count {
          self.extent = cursor.nextExtent(upTo: end)
          index = 0
        }
        return byte
      }
    }
  }

  /// The bytes, as a collection whose indices are offsets.
  public var utf8: UTF8View { UTF8View(self, ByteOffset(0)..<ByteOffset(byteCount)) }
}

extension PieceTable {
  /// The lines of a text as a collection of slices without newlines.
  ///
  /// Indices are line numbers, counted from 1. A subscript costs O(log *p*), for *p* pieces in the
  /// text, and copies no bytes. To read many lines,
  /// ``PieceTable/forEachLine(in:_:)`` is faster.
  public struct Lines: RandomAccessCollection, Sendable {
    private let text: PieceTable
    /// The number after the last line.
    public let endIndex: LineNumber

    init(_ text: PieceTable, count: Int) {
      self.text = text
      endIndex = LineNumber(count + 1)
    }

    /// The number of the first line, always 1.
    public var startIndex: LineNumber { LineNumber(1) }

    /// A line without its newline.
    public subscript(line: LineNumber) -> PieceTable {
      precondition(line >= startIndex && line < endIndex, "line out of range")
      return text.slice(text.contentRange(ofCaretLine: line))
    }
  }

  /// The lines as grep and ed count them, including a last line without newline.
  ///
  ///     PieceTable("one\ntwo\n").lines.map(String.init)  // ["one", "two"]
  public var lines: Lines { Lines(self, count: lineCount) }

  /// The lines as editors show them: an empty line follows a final newline.
  ///
  ///     PieceTable("one\ntwo\n").caretLines.map(String.init)  // ["one", "two", ""]
  package var caretLines: Lines { Lines(self, count: caretLineCount) }
}
