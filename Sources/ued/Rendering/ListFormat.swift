import UedLinux

/// The unambiguous output format of `l`: special bytes are escaped, and long lines are folded. As
/// in ed, a line folds before a byte that would start past the last column; an escape counts in
/// full and is never split. For a person, printable characters beyond ASCII are shown, and none
/// extends past the last column.
struct ListFormat: Sendable {
  /// The width at which lines fold.
  var columns = 72
  /// Whether printable characters beyond ASCII are shown unescaped.
  var showsCharacters = false
  /// Whether the `$` at the end of a line is left out.
  var omitsLineEnd = false

  /// The most bytes of a line that are appended at once.
  private static let longestPart = 1 << 13

  /// Appends a line from the offset `start` on in this format, without its newline, or a part of a
  /// long line; `startColumn` columns are in use. Moves both on. Returns whether the line has more.
  func append(
    _ line: RawSpan, from start: inout Int, _ startColumn: inout Int, to output: inout [UInt8]
  ) -> Bool {
    var (offset, column) = (start, startColumn)
    defer { (start, startColumn) = (offset, column) }
    let end = min(line.byteCount, offset + Self.longestPart)
    while offset < end {
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
    if offset < line.byteCount { return true }
    if !omitsLineEnd { output.append(UInt8(ascii: "$")) }
    return false
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

  /// The size and width of the printable UTF-8 character at an offset; nil for other bytes.
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

/// The width of texts on a terminal, in columns.
enum DisplayWidth {
  /// The width of a character; nil for control characters and characters unknown to the locale.
  static func columns(of character: Unicode.Scalar) -> Int? {
    let width = wcwidth(wchar_t(bitPattern: character.value))
    return width < 0 ? nil : Int(width)
  }

  /// The width of a text, with tab stops every eight columns. A character without a width counts 0.
  static func columns(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { columns, scalar in
      columns + (scalar == "\t" ? 8 - columns % 8 : self.columns(of: scalar) ?? 0)
    }
  }

  /// The number of row breaks as a terminal shows output, which may have colour sequences.
  static func rows(of output: [UInt8], columns limit: Int) -> Int {
    var (rows, column, isInSequence) = (0, 0, false)
    for scalar in String(decoding: output, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\u{1B}": isInSequence = true
      case "m" where isInSequence: isInSequence = false
      case "\n": (rows, column) = (rows + 1, 0)
      case "\t": column = min((column / 8 + 1) * 8, limit)
      default:
        let width = isInSequence ? 0 : columns(of: scalar) ?? 0
        column += width
        // A wide character that does not fit goes to the next row whole.
        if column > limit { (rows, column) = (rows + 1, width) }
      }
    }
    return rows
  }

  /// Breaks a line between words into rows of at most `limit` columns, with its indentation. A word
  /// wider than a row begins a row, and the terminal continues it on the next.
  static func wrapped(_ line: String, to limit: Int) -> [String] {
    let indentation = String(line.prefix { $0 == " " }.prefix(limit / 2))
    var rows = [""]
    var width = 0
    var blanks = ""
    for (index, word) in line.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { blanks += " " }
      if word.isEmpty { continue }
      let columns = columns(of: String(word))
      if width > 0 && width + blanks.count + columns > limit {
        rows.append(indentation + word)
        width = indentation.count + columns
      } else {
        rows[rows.count - 1] += blanks + word
        width += blanks.count + columns
      }
      blanks = ""
    }
    return rows
  }

  /// Cuts a text to a number of columns. A text that is too wide ends with `…`.
  static func cut(_ text: String, to limit: Int) -> String {
    var width = 0
    /// The end of the longest text that leaves room for a `…`.
    var end = text.unicodeScalars.startIndex
    for index in text.unicodeScalars.indices {
      width += columns(of: text.unicodeScalars[index]) ?? 1
      if width > limit { return String(text.unicodeScalars[..<end]) + "…" }
      if width < limit { end = text.unicodeScalars.index(after: index) }
    }
    return text
  }
}

/// Quoting of file names in the headers of a diff.
enum FileNameQuoting {
  /// A name as `diff` writes it: as a string literal of C if it contains a blank, a quote, a
  /// backslash, a control character or a byte beyond ASCII; otherwise unchanged.
  static func quoted(_ name: [UInt8]) -> [UInt8] {
    if name.allSatisfy({ $0 > .space && $0 < 0x80 && $0 != quote && $0 != .backslash }) {
      return name
    }
    var quoted = [quote]
    for byte in name {
      switch byte {
      case quote, .backslash: quoted += [.backslash, byte]
      case .space..<0x80: quoted.append(byte)
      default: quoted.appendEscape(of: byte)
      }
    }
    return quoted + [quote]
  }

  private static let quote = UInt8(ascii: "\"")
}

extension [UInt8] {
  /// Appends the escape sequence of C for a byte: a letter, or three octal digits.
  mutating func appendEscape(of byte: UInt8) {
    append(.backslash)
    switch byte {
    case 7...13: append(escapeLetters[Int(byte) - 7])
    default: self += [.zero + (byte >> 6), .zero + (byte >> 3 & 7), .zero + (byte & 7)]
    }
  }
}

/// The letters for BEL, BS, HT, LF, VT, FF and CR.
private let escapeLetters = Array("abtnvfr".utf8)
