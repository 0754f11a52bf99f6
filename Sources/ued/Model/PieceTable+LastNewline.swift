import TextBuffer

extension PieceTable {
  /// The text with a newline at its end, as every text that is edited has one.
  var withLastNewline: PieceTable {
    if isEmpty || endsWithNewline { return self }
    var text = self
    text.insert([.newline], at: ByteOffset(byteCount))
    return text
  }
}
