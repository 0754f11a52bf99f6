/// Words that the line editor shows beside what is typed.
extension Messages {
  /// The end of a line whose macros call each other.
  static let endlessMacro = bytes(
    "line dropped: a macro of your settings calls itself without end; see 'bind -s' in editrc(5)")

  /// The prompt of a search in earlier lines.
  ///
  /// - Parameters:
  ///   - text: What is searched for.
  ///   - isFound: Whether it was found.
  ///   - isShown: Whether a line is shown in which a part of it, or the search before, was found.
  ///   - isOlder: Whether the search went to older lines.
  /// - Returns: The prompt.
  static func recallSearch(
    _ text: [UInt8], isFound: Bool, isShown: Bool, isOlder: Bool
  ) -> [UInt8] {
    let others = isShown ? isOlder ? "earlier line" : "later line" : "line"
    return bytes(isFound ? "search '" : "no \(others) has '") + VisibleText.of(text) + bytes("': ")
  }
}
