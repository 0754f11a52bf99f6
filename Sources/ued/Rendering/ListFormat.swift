import CLinux

/// The format of `l`: every byte can be told from what is shown, and long lines are folded.
///
/// As ed has it, a line folds before the byte that would start past the last column, escapes count
/// in full and are never split. For a person, characters of the locale that can be printed are shown
/// as they are, and a line folds before it gets too wide.
struct ListFormat: Sendable {
  /// How many columns a line has.
  var columns = 72
  /// Whether characters beyond ASCII are shown where they can be.
  var showsCharacters = false
  /// Whether the `$` at the end of a line is left out.
  var omitsLineEnd = false

  /// Appends a line in this format, without its newline.
  ///
  /// - Parameters:
  ///   - line: The line, without its newline.
  ///   - startColumn: How many columns are taken already.
  ///   - output: What it is appended to.
  func append(_ line: RawSpan, startColumn: Int, to output: inout [UInt8]) {
    var column = startColumn
    var offset = 0
    while offset < line.byteCount {
      let byte = line[offset]
      if byte >= 0x80, showsCharacters, let character = Self.character(in: line, at: offset) {
        if column + character.width > columns {
          column = 0
          output += [.backslash, .newline]
        }
        column += character.width
        output.append(line, in: offset..<offset + character.byteCount)
        offset += character.byteCount
        continue
      }
      column += 1
      if column > columns {
        column = 1
        output += [.backslash, .newline]
      }
      column += append(byte, to: &output) - 1
      offset += 1
    }
    if !omitsLineEnd { output.append(UInt8(ascii: "$")) }
  }

  /// Appends a byte, or its escape.
  ///
  /// - Returns: How many columns that takes.
  private func append(_ byte: UInt8, to output: inout [UInt8]) -> Int {
    switch byte {
    case UInt8(ascii: "$"), .backslash:
      output += [.backslash, byte]
      return 2
    case 32...126:
      output.append(byte)
      return 1
    case 7...13:
      output += [.backslash, Self.escapeLetters[Int(byte) - 7]]
      return 2
    default:
      output += [.backslash, .zero + (byte >> 6), .zero + (byte >> 3 & 7), .zero + (byte & 7)]
      return 4
    }
  }

  /// The letters of BEL, BS, HT, LF, VT, FF and CR.
  private static let escapeLetters = Array("abtnvfr".utf8)

  /// A character beyond ASCII that can be printed in a UTF-8 locale; nil where there is none.
  private static func character(
    in line: RawSpan, at offset: Int
  ) -> (byteCount: Int, width: Int)? {
    let length = line[offset] >= 0xF0 ? 4 : line[offset] >= 0xE0 ? 3 : 2
    guard offset + length <= line.byteCount else { return nil }
    let bytes = (offset..<offset + length).map { line[$0] }
    guard let text = String(validating: bytes, as: UTF8.self),
      let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1
    else { return nil }
    let width = wcwidth(wchar_t(scalar.value))
    return width < 0 ? nil : (length, Int(width))
  }
}
