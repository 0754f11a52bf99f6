extension PieceTable: ExpressibleByStringLiteral {
  /// A text of the UTF-8 of a literal.
  public init(stringLiteral text: String) { self.init(text.utf8) }
}

extension String {
  /// The characters of a text. Bytes that are not UTF-8 are repaired: they become U+FFFD.
  ///
  /// - Complexity: O(*n*).
  public init(_ text: PieceTable) {
    self.init(text, in: ByteOffset(0)..<ByteOffset(text.byteCount))
  }

  /// The characters in a range of a text. Bytes that are not UTF-8 are repaired: they become U+FFFD, and so do
  /// the parts of a character that the range cuts.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  /// - Complexity: O(log *p* + *m*), for *p* pieces in the text and *m* bytes.
  public init(_ text: PieceTable, in range: Range<ByteOffset>) {
    var isWhole = false
    var string = ""
    text.forEachChunk(in: range) { bytes in
      isWhole = bytes.byteCount == range.count
      if isWhole {
        string = unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
      }
      return false
    }
    self = isWhole ? string : String(decoding: text.bytes(in: range), as: UTF8.self)
  }
}

extension PieceTable: Hashable {
  /// Adds the bytes: equal texts have equal hashes, whatever their pieces.
  ///
  /// - Complexity: O(*n*).
  public func hash(into hasher: inout Hasher) {
    hasher.combine(byteCount)
    // Parts of fixed length, as a hash can depend on how the bytes are split.
    for start in stride(from: 0, to: byteCount, by: 4096) {
      let part = bytes(in: ByteOffset(start)..<ByteOffset(min(start + 4096, byteCount)))
      unsafe part.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
  }
}

extension PieceTable: CustomStringConvertible {
  /// The beginning of the text, quoted, for messages of tests and debuggers; `String(text)` has all of it.
  public var description: String {
    let limit = 60
    let end = root.characterStart(min(limit, byteCount))
    let start = String(self, in: ByteOffset(0)..<ByteOffset(end)).debugDescription
    return end == byteCount
      ? "PieceTable(\(start))" : "PieceTable(\(start)…, \(byteCount) bytes)"
  }
}
