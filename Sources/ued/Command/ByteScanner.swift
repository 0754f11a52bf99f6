/// A cursor in the text of commands: one line, or the lines of a command list. The last newline is
/// implied, not stored. Reading past the end returns NUL, which no command accepts.
struct ByteScanner: Sendable {
  /// The text, without its last newline.
  private let bytes: [UInt8]
  /// The index of the next byte.
  var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next byte, or NUL at the end.
  var next: UInt8 { byte(at: position) }

  /// The byte `distance` after the next one, or NUL past the end.
  func peek(_ distance: Int) -> UInt8 { byte(at: position + distance) }

  private func byte(at index: Int) -> UInt8 {
    index < bytes.count ? bytes[index] : index == bytes.count ? .newline : 0
  }

  /// The bytes from `start` up to the next byte.
  ///
  /// - Precondition: The last newline is not among them.
  func taken(since start: Int) -> ArraySlice<UInt8> { bytes[start..<position] }

  /// Whether nothing is left but the last newline.
  var isAtLastNewline: Bool { position >= bytes.count }

  /// Whether nothing is left, not even the last newline.
  var isPastEnd: Bool { position > bytes.count }

  /// Whether the text has ended. A NUL at the start of a command also ends a list.
  var isAtEnd: Bool { next == 0 }

  mutating func take() -> UInt8 {
    let byte = next
    position += 1
    return byte
  }

  /// Reads the next byte if it is `byte`, and returns whether it was.
  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// Skips white space except newlines.
  mutating func skipBlanks() {
    while next.isSpace && next != .newline { position += 1 }
  }

  /// Skips newlines.
  mutating func skipNewlines() {
    while next == .newline { position += 1 }
  }

  /// Reads the bytes up to the next newline, which is not consumed.
  mutating func takeRestOfLine() -> [UInt8] {
    let start = position
    while position < bytes.count && bytes[position] != .newline { position += 1 }
    return Array(bytes[start..<position])
  }

  /// Reads a run of decimal digits; nil if the number does not fit in 32 bits, which is ed's limit.
  mutating func takeNumber() -> Int? {
    var value = 0
    while next.isDigit {
      if value <= Int(Int32.max) { value = value * 10 + Int(next - .zero) }
      position += 1
    }
    return value <= Int(Int32.max) ? value : nil
  }
}

extension [UInt8] {
  /// Whether the bytes end with an odd number of backslashes, which escape a newline after them.
  var endsWithEscape: Bool {
    var count = 0
    while count < self.count && self[self.count - 1 - count] == .backslash { count += 1 }
    return count % 2 == 1
  }
}
