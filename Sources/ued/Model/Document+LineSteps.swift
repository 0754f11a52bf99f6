import TextBuffer

/// What groups did to lines.
extension Document {
  /// Makes the changes of a group.
  ///
  /// - Parameters:
  ///   - id: The group.
  ///   - text: The text before it, and then after it.
  /// - Returns: What it did.
  func goOn(over id: Int, from text: inout PieceTable) -> LineStep {
    let (changes, before) = (changes(of: id), text)
    for change in changes { text.apply(change) }
    return LineStep(of: changes, from: before, to: text)
  }

  /// Takes back the changes of a group.
  ///
  /// - Parameters:
  ///   - id: The group.
  ///   - text: The text after it, and then before it.
  /// - Returns: What it did.
  func goBack(over id: Int, from text: inout PieceTable) -> LineStep {
    let (changes, after) = (changes(of: id), text)
    for change in changes.inverse { text.apply(change) }
    return LineStep(of: changes, from: text, to: after)
  }
}
