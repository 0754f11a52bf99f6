extension PieceTable {
  /// The length of the text in UTF-16 units, as `String.utf16` and `NSString` count them.
  ///
  /// Bytes count for themselves: a continuation byte (80 to BF) is no unit, the first byte of a character of
  /// four bytes (F0 to F4) is two, and any other byte is one. In bytes that are not UTF-8 this can differ from
  /// the units of a repaired string; the functions below then still agree with each other.
  ///
  /// - Complexity: O(1).
  public var utf16Count: Int { root.summary.utf16Count }

  /// The number of UTF-16 units before an offset; inside a character, those before the character.
  ///
  ///     PieceTable("aé😀b").utf16Offset(at: ByteOffset(7))  // 4: the smiley is two units
  ///
  /// - Parameter offset: An offset in bytes.
  /// - Returns: A number of units, in `0...utf16Count`.
  /// - Precondition: `offset` is in `0...byteCount`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func utf16Offset(at offset: ByteOffset) -> Int {
    precondition(offset.value >= 0 && offset.value <= byteCount, "offset out of range")
    return root.summary(beforeCharacterAt: offset.value).utf16Count
  }

  /// The offset in bytes of the character that a UTF-16 unit belongs to; between the two units of a
  /// character, that of the character.
  ///
  /// It is the inverse of ``utf16Offset(at:)`` for the boundaries of characters. Stray continuation bytes lie
  /// before it.
  ///
  /// - Parameter utf16: The number of UTF-16 units before the character.
  /// - Returns: An offset in `0...byteCount`.
  /// - Precondition: `utf16` is in `0...utf16Count`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func byteOffset(utf16: Int) -> ByteOffset {
    precondition(utf16 >= 0 && utf16 <= utf16Count, "offset out of range")
    return ByteOffset(root.offset(ofUTF16Unit: utf16))
  }

  /// A range of bytes as a range of UTF-16 units, such as the location and length of an `NSRange`.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func utf16Range(of range: Range<ByteOffset>) -> Range<Int> {
    utf16Offset(at: range.lowerBound)..<utf16Offset(at: range.upperBound)
  }

  /// A range of UTF-16 units as a range of bytes.
  ///
  /// - Precondition: The range is in `0...utf16Count`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func byteRange(utf16 range: Range<Int>) -> Range<ByteOffset> {
    byteOffset(utf16: range.lowerBound)..<byteOffset(utf16: range.upperBound)
  }
}
