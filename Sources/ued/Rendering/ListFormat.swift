/// The unambiguous output format of `l`: special bytes are escaped, and long lines are folded.
///
/// Like in ed, a line folds before a byte that would start past the last column; an escape counts in
/// full and is never split. For a person, printable characters beyond ASCII are shown unescaped, and a
/// line folds before it gets too wide.
struct ListFormat: Sendable {
  /// The width at which lines fold.
  var columns = 72
  /// Whether printable characters beyond ASCII are shown unescaped.
  var showsCharacters = false
  /// Whether the `$` at the end of a line is left out.
  var omitsLineEnd = false

  /// Appends a line in this format, without its newline.
  ///
  /// - Parameters:
  ///   - line: The line, without its newline.
  ///   - startColumn: How many columns are already in use.
  ///   - output: The bytes to append to.
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

  /// Appends a byte or its escape, and returns its width.
  private func append(_ byte: UInt8, to output: inout [UInt8]) -> Int {
    let start = output.count
    switch byte {
    case UInt8(ascii: "$"), .backslash: output += [.backslash, byte]
    case 32...126: output.append(byte)
    default: output.appendEscape(of: byte)
    }
    return output.count - start
  }

  /// The size and width of the printable UTF-8 character at an offset; nil if there is none.
  private static func character(
    in line: RawSpan, at offset: Int
  ) -> (byteCount: Int, width: Int)? {
    let length = line[offset] >= 0xF0 ? 4 : line[offset] >= 0xE0 ? 3 : 2
    guard offset + length <= line.byteCount else { return nil }
    let bytes = (offset..<offset + length).map { line[$0] }
    guard let text = String(validating: bytes, as: UTF8.self),
      let scalar = text.unicodeScalars.first, !VisibleText.replaces(scalar),
      let width = DisplayWidth.columns(of: scalar)
    else { return nil }
    return (length, width)
  }
}
