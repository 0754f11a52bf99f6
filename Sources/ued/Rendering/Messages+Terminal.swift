/// Words that the line editor shows beside what is typed.
extension Messages {
  /// The end of a line whose macros call each other.
  static let endlessMacro = bytes(
    "line dropped: a macro of your settings calls itself without end; see 'bind -s' in editrc(5)")

  /// The prompt of a search in earlier lines.
  static func recallSearch(_ text: [UInt8], isFound: Bool) -> [UInt8] {
    let shown = VisibleText.of(text)
    return bytes(isFound ? "search '" : "no line has '") + shown + bytes("': ")
  }
}
