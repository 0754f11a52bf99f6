/// Words that the line editor shows beside what is typed.
extension Messages {
  /// The prompt of a search in earlier lines.
  static func recallSearch(_ text: [UInt8], isFound: Bool) -> [UInt8] {
    let shown = VisibleText.of(text)
    return bytes(isFound ? "search '" : "no line has '") + shown + bytes("': ")
  }
}
