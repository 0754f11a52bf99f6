extension PieceTable {
  /// The length of the text in UTF-16 units, as `String.utf16` and `NSString` count them.
  ///
  /// Each byte counts on its own: a continuation byte (80 to BF) as 0 units, the first byte of a
  /// four-byte character (F0 to F4) as 2. Any other byte counts as 1 unit. For invalid UTF-8 the
  /// sum can differ from the length of a repaired string, but the functions below still agree with
  /// each other.
  ///
  /// - Complexity: O(1).
  public var utf16Count: Int { root.summary.utf16Count }

  /// The number of UTF-16 units before an offset. An offset inside a character counts as the start
  /// of that character.
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

  /// The byte offset of the character at an offset in UTF-16 units. An offset between the two units
  /// of a character counts as the start of that character.
  ///
  /// At character boundaries, this is the inverse of ``utf16Offset(at:)``. If stray continuation
  /// bytes precede the character, they lie before the result.
  ///
  /// - Parameter utf16: An offset in UTF-16 units.
  /// - Returns: An offset in `0...byteCount`.
  /// - Precondition: `utf16` is in `0...utf16Count`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func byteOffset(utf16: Int) -> ByteOffset {
    precondition(utf16 >= 0 && utf16 <= utf16Count, "offset out of range")
    return ByteOffset(root.offset(ofUTF16Unit: utf16))
  }

  /// Converts a range of bytes to a range of UTF-16 units, for example for an `NSRange`.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func utf16Range(of range: Range<ByteOffset>) -> Range<Int> {
    utf16Offset(at: range.lowerBound)..<utf16Offset(at: range.upperBound)
  }

  /// Converts a range of UTF-16 units to a range of bytes.
  ///
  /// - Precondition: The range is in `0...utf16Count`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func byteRange(utf16 range: Range<Int>) -> Range<ByteOffset> {
    byteOffset(utf16: range.lowerBound)..<byteOffset(utf16: range.upperBound)
  }
}
