import TextBuffer

/// The serialized form of editor contexts.
extension EditorContext {
  /// Serializes the contexts before and after a group.
  ///
  /// Lost marks are not stored: line identities are valid only within a run.
  static func bytes(before: EditorContext, after: EditorContext) -> ArraySlice<UInt8> {
    var bytes: [UInt8] = []
    bytes.append(varint: after.changedLine.value)
    before.append(to: &bytes)
    after.append(to: &bytes)
    return bytes[...]
  }

  /// Deserializes contexts, with the description of the group as a label; nil if they are corrupt.
  static func frame(
    from bytes: ArraySlice<UInt8>, title: ArraySlice<UInt8>
  ) -> Document<EditorContext>.Frame? {
    var reader = VarintReader(bytes)
    guard let changedLine = reader.next(), let before = EditorContext(&reader),
      var after = EditorContext(&reader), reader.isAtEnd
    else { return nil }
    after.changedLine = LineNumber(changedLine)
    if !title.isEmpty { after.label = GroupLabel(.stored(description: title)) }
    return Document.Frame(before: before, after: after)
  }

  private func append(to bytes: inout [UInt8]) {
    bytes.append(varint: max(line.value, 0))
    let set = marks.areUsed ? (0...Marks.unterminatedLine).filter { marks[$0] != nil } : []
    bytes.append(varint: set.count)
    for mark in set {
      bytes.append(varint: mark)
      bytes.append(varint: marks[mark]?.value ?? 0)
    }
  }

  private init?(_ reader: inout VarintReader) {
    guard let line = reader.next(), let count = reader.next(), count <= Marks.unterminatedLine + 1
    else { return nil }
    var marks = Marks()
    for _ in 0..<count {
      guard let mark = reader.next(), mark <= Marks.unterminatedLine, let line = reader.next()
      else { return nil }
      marks[mark] = LineNumber(line)
    }
    self.init(line: LineNumber(line), marks: marks)
  }
}
