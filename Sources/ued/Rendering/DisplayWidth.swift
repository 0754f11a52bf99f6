import UedLinux

/// How many columns of a terminal a text takes.
enum DisplayWidth {
  /// The width of a character; nil if it is a control character, or one that the locale does not know.
  static func columns(of character: Unicode.Scalar) -> Int? {
    let width = wcwidth(wchar_t(bitPattern: character.value))
    return width < 0 ? nil : Int(width)
  }

  /// The width of a text, with tab stops every eight columns; what has no width counts nothing.
  static func columns(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { columns, scalar in
      columns + (scalar == "\t" ? 8 - columns % 8 : self.columns(of: scalar) ?? 0)
    }
  }

  /// How often a terminal of a width begins a new row while it shows output, control sequences among it.
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

  /// A text that fits a number of columns: one that is too wide is cut, and ends with `…`.
  static func cut(_ text: String, to limit: Int) -> String {
    var width = 0
    /// Where the text is cut if it turns out to be too wide.
    var end = text.unicodeScalars.startIndex
    for index in text.unicodeScalars.indices {
      width += columns(of: text.unicodeScalars[index]) ?? 1
      if width > limit { return String(text.unicodeScalars[..<end]) + "…" }
      if width < limit { end = text.unicodeScalars.index(after: index) }
    }
    return text
  }
}
