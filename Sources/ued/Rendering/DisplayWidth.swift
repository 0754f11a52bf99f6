import CLinux

/// How many columns of a terminal a text takes.
enum DisplayWidth {
  /// The width of a character; 1 if the locale does not know it.
  static func columns(of character: Unicode.Scalar) -> Int {
    let width = wcwidth(wchar_t(character.value))
    return width < 0 ? 1 : Int(width)
  }

  /// A text that fits a number of columns: one that is too wide is cut, and ends with `…`.
  static func cut(_ text: String, to limit: Int) -> String {
    var width = 0
    /// Where the text is cut if it turns out to be too wide.
    var end = text.unicodeScalars.startIndex
    for index in text.unicodeScalars.indices {
      width += columns(of: text.unicodeScalars[index])
      if width > limit { return String(text.unicodeScalars[..<end]) + "…" }
      if width < limit { end = text.unicodeScalars.index(after: index) }
    }
    return text
  }
}
