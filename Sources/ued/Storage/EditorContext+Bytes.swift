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
    after.takenBack?.append(to: &bytes)
    return bytes[...]
  }

  /// Deserializes contexts, with the description of the group as a label; nil if they are corrupt.
  static func frame(
    from bytes: ArraySlice<UInt8>, title: ArraySlice<UInt8>
  ) -> Document<EditorContext>.Frame? {
    var reader = VarintReader(bytes)
    guard let changedLine = reader.next(), let before = EditorContext(&reader),
      var after = EditorContext(&reader)
    else { return nil }
    if !reader.isAtEnd {
      guard let taken = TakenBack(&reader), reader.isAtEnd else { return nil }
      after.takenBack = taken
    }
    after.changedLine = LineNumber(changedLine)
    if !title.isEmpty { after.label = GroupLabel(.stored(description: title)) }
    return Document.Frame(before: before, after: after)
  }

  private func append(to bytes: inout [UInt8]) {
    bytes.append(varint: max(line.value, 0))
    let all = marks.areUsed ? 0..<Marks.unterminatedLine + 1 : 0..<0
    let set = all.compactMap { mark in marks[mark].map { (mark, $0.value) } }
    bytes.append(varint: set.count)
    for (mark, line) in set {
      bytes.append(varint: mark)
      bytes.append(varint: line)
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

/// What a group took back follows its contexts, if it took back anything: the groups, whether all of them
/// is, and the places.
extension TakenBack {
  fileprivate func append(to bytes: inout [UInt8]) {
    bytes.append(varint: groups.count)
    for group in groups { bytes.append(varint: group) }
    bytes.append(varint: isWhole ? 1 : 0)
    bytes.append(varint: places.count)
    for lines in places.flatMap({ [$0.old, $0.undone, $0.restored] }) {
      bytes.append(varint: lines.first.value)
      bytes.append(varint: lines.count)
    }
  }

  fileprivate convenience init?(_ reader: inout VarintReader) {
    var groups: [Int] = []
    var places: [Place] = []
    guard let count = reader.next(), count > 0 else { return nil }
    while groups.count < count {
      guard let group = reader.next() else { return nil }
      groups.append(group)
    }
    guard let isWhole = reader.next(), let placeCount = reader.next() else { return nil }
    while places.count < placeCount {
      guard let old = reader.nextLines(), let undone = reader.nextLines(),
        let restored = reader.nextLines()
      else { return nil }
      places.append(Place(old: old, undone: undone, restored: restored))
    }
    self.init(groups, places, isWhole: isWhole == 1)
  }
}

extension VarintReader {
  /// Reads the first of some lines, and how many there are.
  fileprivate mutating func nextLines() -> LineRange? {
    let limit = Int(Int32.max)
    guard let first = next(), let count = next(), (1...limit).contains(first), count < limit
    else { return nil }
    return LineRange(first, first + count - 1)
  }
}
