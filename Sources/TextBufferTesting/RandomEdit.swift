import TextBuffer

/// A replacement of a range of bytes by others, to be made in a text and in an array beside it.
public struct RandomEdit: Hashable, Sendable {
  /// The alphabet of the inserted text.
  public enum Alphabet: Hashable, Sendable {
    /// Any bytes, and ranges that begin and end anywhere.
    case bytes
    /// Valid UTF-8, and ranges that begin and end between two scalars. A text that was valid stays so.
    case unicode
  }

  /// The bytes to be replaced.
  public var range: Range<Int>
  /// What comes in their place.
  public var bytes: [UInt8]

  /// An edit of a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - longest: How many bytes or scalars are inserted at most.
  ///   - alphabet: What they are.
  ///   - generator: Where the numbers come from.
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

  /// Makes an insertion of the edit, at an offset of a text.
  mutating func move(to offset: Int, in text: [UInt8], _ alphabet: Alphabet) {
    range = offset..<offset
    if alphabet == .unicode { range = Self.scalars(around: range, in: text) }
  }

  /// The range in a text.
  public var offsets: Range<ByteOffset> {
    ByteOffset(range.lowerBound)..<ByteOffset(range.upperBound)
  }

  /// Makes the edit in an array.
  public func apply(to array: inout [UInt8]) { array.replaceSubrange(range, with: bytes) }

  /// Makes the edit in a text, or in the draft of a transaction.
  @discardableResult
  public func apply(to text: inout some EditableText & ~Copyable) -> Change {
    text.replace(offsets, with: bytes)
  }

  /// A range that begins and ends where scalars do, at or before the ends of another one.
  private static func scalars(around range: Range<Int>, in text: [UInt8]) -> Range<Int> {
    func boundary(_ offset: Int) -> Int {
      var offset = offset
      while offset > 0 && offset < text.count && text[offset] & 0xC0 == 0x80 { offset -= 1 }
      return offset
    }
    return boundary(range.lowerBound)..<boundary(range.upperBound)
  }
}
