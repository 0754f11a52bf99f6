/// A position in command text.
///
/// The text is one line, or the lines of a command list, and always ends with a newline, which is not
/// stored. Reading past that gives NUL, which no command accepts.
struct ByteScanner: Sendable {
  /// The text without its last newline.
  private let bytes: [UInt8]
  /// The index of the next byte to be read.
  var position = 0

  /// A scanner at the start of `bytes`, behind which the last newline is imagined.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next byte, or NUL at the end.
  var next: UInt8 { byte(at: position) }

  /// The byte `distance` after the next one, or NUL past the end.
  func peek(_ distance: Int) -> UInt8 { byte(at: position + distance) }

  private func byte(at index: Int) -> UInt8 {
    index < bytes.count ? bytes[index] : index == bytes.count ? .newline : 0
  }

  /// The bytes from `start` up to the next byte to be read.
  ///
  /// - Precondition: None of them is the last newline.
  func taken(since start: Int) -> ArraySlice<UInt8> { bytes[start..<position] }

  /// Whether only the last newline is left, or nothing.
  var isAtLastNewline: Bool { position >= bytes.count }

  /// Whether the text is used up. A NUL where a command could start ends a list too.
  var isAtEnd: Bool { next == 0 }

  /// Reads one byte.
  mutating func take() -> UInt8 {
    let byte = next
    position += 1
    return byte
  }

  /// Reads the next byte if it is `byte`, and says whether it was.
  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// Passes over white space, newlines not included.
  mutating func skipBlanks() {
    while next.isSpace && next != .newline { position += 1 }
  }

  /// Passes over newlines.
  mutating func skipNewlines() {
    while next == .newline { position += 1 }
  }

  /// Reads the bytes before the next newline; the newline stays.
  mutating func takeRestOfLine() -> [UInt8] {
    let start = position
    while position < bytes.count && bytes[position] != .newline { position += 1 }
    return Array(bytes[start..<position])
  }

  /// Reads a run of decimal digits.
  ///
  /// - Returns: The number, or nil when it does not fit 32 bits as in ed.
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
  /// Whether the bytes end with an odd number of backslashes, so that a newline after them is
  /// escaped.
  var endsWithEscape: Bool {
    var count = 0
    while count < self.count && self[self.count - 1 - count] == .backslash { count += 1 }
    return count % 2 == 1
  }
}
