import TextBuffer
import TextLines

/// The serialized form of editor contexts.
enum StoredContexts {
  /// Serializes the contexts before and after a group. Lost marks are not stored: line identities
  /// are valid only within a run.
  static func bytes(before: EditorContext, after: EditorContext) -> ArraySlice<UInt8> {
    var bytes: [UInt8] = []
    bytes.append(varint: after.changedLine.value)
    before.append(to: &bytes)
    after.append(to: &bytes)
    if after.details != Weave.Details() { after.details.append(to: &bytes) }
    return bytes[...]
  }

  /// Deserializes contexts, with the description of the group as a label; nil if they are corrupt.
  static func frame(
    from bytes: ArraySlice<UInt8>, title: ArraySlice<UInt8>
  ) -> Document<EditorContext>.Frame? {
    var reader = VarintReader(bytes)
    guard let changedLine = reader.nextLine(), let before = EditorContext(&reader),
      var after = EditorContext(&reader)
    else { return nil }
    if !reader.isAtEnd {
      guard let details = Weave.Details(&reader) else { return nil }
      after.details = details
    }
    after.changedLine = changedLine
    if !title.isEmpty { after.label = GroupLabel(.stored(description: title)) }
    return Document.Frame(before: before, after: after)
  }
}

extension VarintReader {
  /// Reads the number of a line; nil at the end, or for a number that no text can have.
  fileprivate mutating func nextLine() -> LineNumber? {
    guard let number = next(), number < 1 << 40 else { return nil }
    return LineNumber(number)
  }
}

extension EditorContext {
  /// The number after the last mark; its presence means that the lines end with CR LF.
  private static let crlf = Marks.unterminatedLine + 1

  fileprivate func append(to bytes: inout [UInt8]) {
    bytes.append(varint: max(line.value, 0))
    let all = marks.areUsed ? 0..<Marks.unterminatedLine + 1 : 0..<0
    let set = all.compactMap { mark in marks[mark].map { (mark, $0.value) } }
    bytes.append(varint: set.count + (usesCRLF ? 1 : 0))
    for (mark, line) in set {
      bytes.append(varint: mark)
      bytes.append(varint: line)
    }
    if usesCRLF {
      bytes.append(varint: Self.crlf)
      bytes.append(varint: 0)
    }
  }

  fileprivate init?(_ reader: inout VarintReader) {
    guard let line = reader.nextLine(), let count = reader.next(), count <= Self.crlf + 1
    else { return nil }
    var marks = Marks()
    var usesCRLF = false
    for _ in 0..<count {
      guard let mark = reader.next(), mark <= Self.crlf, let line = reader.nextLine()
      else { return nil }
      if mark == Self.crlf { usesCRLF = true } else { marks[mark] = line }
    }
    self.init(line: line, marks: marks, usesCRLF: usesCRLF)
  }
}

/// The details of a group for the weave, stored after its contexts: 0, the number of votes, the
/// votes. If known, the number of ranges of kept lines and these ranges follow. Older histories,
/// from before the weave, have a list of undone groups instead. It does not begin with 0, and is
/// ignored.
extension Weave.Details {
  fileprivate func append(to bytes: inout [UInt8]) {
    bytes.append(varint: 0)
    bytes.append(varint: votes.count)
    for vote in votes {
      bytes.append(varint: vote.group << 1 | (vote.isAgainst ? 1 : 0))
      bytes.append(varint: vote.effects.lowerBound)
      bytes.append(varint: vote.effects.count)
    }
    if let kept { bytes.append(varint: kept.count) }
    for lines in kept ?? [] {
      for number in [lines.old, lines.new, lines.count] { bytes.append(varint: number) }
    }
  }

  /// Reads details; nil if the bytes are corrupt.
  fileprivate init?(_ reader: inout VarintReader) {
    self.init()
    guard let kind = reader.next() else { return nil }
    if kind != 0 { return }
    guard let voteCount = reader.next() else { return nil }
    while votes.count < voteCount {
      guard let numbers = Self.numbers(&reader) else { return nil }
      let (group, isAgainst) = (numbers.0 >> 1, numbers.0 & 1 == 1)
      votes.append(
        Weave.Vote(group: group, effects: numbers.1..<numbers.1 + numbers.2, isAgainst: isAgainst))
    }
    if reader.isAtEnd { return }
    guard let keptCount = reader.next() else { return nil }
    var lines: [Weave.KeptLines] = []
    while lines.count < keptCount {
      guard let numbers = Self.numbers(&reader) else { return nil }
      lines.append(Weave.KeptLines(old: numbers.0, new: numbers.1, count: numbers.2))
    }
    if !reader.isAtEnd { return nil }
    kept = lines
  }

  private static func numbers(_ reader: inout VarintReader) -> (Int, Int, Int)? {
    guard let first = reader.next(), let second = reader.next(), let third = reader.next(),
      max(first, second, third) <= Int(UInt32.max)
    else { return nil }
    return (first, second, third)
  }
}
