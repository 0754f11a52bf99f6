import TextBuffer

/// A random replacement of a range of bytes, for a text and for the array that models the text.
public struct RandomEdit: Hashable, Sendable {
  /// The alphabet of the inserted text.
  public enum Alphabet: Hashable, Sendable {
    /// Any bytes, and ranges that begin and end anywhere.
    case bytes
    /// Valid UTF-8, and ranges that begin and end between two scalars. A valid text stays valid.
    case unicode
  }

  /// The bytes to be replaced.
  public var range: Range<Int>
  /// The replacement.
  public var bytes: [UInt8]

  /// A random edit of a text.
  ///
  /// - Parameters:
  ///   - text: The text to edit.
  ///   - longest: The maximum number of inserted bytes, or of parts of Unicode text.
  ///   - alphabet: The alphabet of the inserted text.
  ///   - generator: The source of randomness.
  public init(
    of text: [UInt8], inserting longest: Int = 8, _ alphabet: Alphabet = .bytes,
    using generator: inout SeededGenerator
  ) {
    range = generator.range(in: text.count)
    switch alphabet {
    case .bytes: bytes = generator.bytes(upTo: longest)
    case .unicode:
      range = Self.scalars(around: range, in: text)
      bytes = Array(generator.text(upTo: longest).utf8)
    }
  }

  /// Turns the edit into an insertion at an offset of `text`. With the Unicode alphabet, the
  /// insertion moves back to the start of a scalar.
  mutating func move(to offset: Int, in text: [UInt8], _ alphabet: Alphabet) {
    range = offset..<offset
    if alphabet == .unicode { range = Self.scalars(around: range, in: text) }
  }

  /// The range to be replaced, as offsets.
  public var offsets: Range<ByteOffset> {
    ByteOffset(range.lowerBound)..<ByteOffset(range.upperBound)
  }

  /// Applies the edit to an array.
  public func apply(to array: inout [UInt8]) { array.replaceSubrange(range, with: bytes) }

  /// Applies the edit to a text, or to the draft of a transaction.
  @discardableResult
  public func apply(to text: inout some EditableText & ~Copyable) -> Change {
    text.replace(offsets, with: bytes)
  }

  /// The range with both bounds moved back to the start of a scalar.
  private static func scalars(around range: Range<Int>, in text: [UInt8]) -> Range<Int> {
    func boundary(_ offset: Int) -> Int {
      var offset = offset
      while offset > 0 && offset < text.count && text[offset] & 0xC0 == 0x80 { offset -= 1 }
      return offset
    }
    return boundary(range.lowerBound)..<boundary(range.upperBound)
  }
}
