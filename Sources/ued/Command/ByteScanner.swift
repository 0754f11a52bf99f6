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
  /// - Precondition: The implied last newline has not been read.
  func taken(since start: Int) -> ArraySlice<UInt8> { bytes[start..<position] }

  /// Whether at most the last newline is left.
  var isAtLastNewline: Bool { position >= bytes.count }

  /// Whether nothing is left, not even the last newline.
  var isPastEnd: Bool { position > bytes.count }

  /// Whether the text has ended. A NUL byte at the start of a command also ends a command list.
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

  mutating func skipNewlines() {
    while next == .newline { position += 1 }
  }

  /// Reads the bytes before the next newline, and leaves the newline.
  mutating func takeRestOfLine() -> [UInt8] {
    let start = position
    while position < bytes.count && bytes[position] != .newline { position += 1 }
    return Array(bytes[start..<position])
  }

  /// Reads decimal digits as a number, 0 without digits. Returns nil if the number is above
  /// `Int32.max`, which is ed's limit.
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
