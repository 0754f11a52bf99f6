import TextBuffer
import TextLines
import Testing

@testable import ued

/// Truncated values of a history's columns: they are rejected, and never read as another value.
@Suite struct SerializedFormTests {
  @Test func `a stored context that is cut off or too long is rejected`() {
    var marks = Marks()
    marks[3] = LineNumber(300)
    let before = EditorContext(line: LineNumber(200), marks: marks)
    var after = before
    after.details = Weave.Details(
      votes: [Weave.Vote(group: 400, effects: 200..<300, isAgainst: true)],
      kept: [Weave.KeptLines(old: 300, new: 200, count: 2)])
    let bytes = Array(StoredContexts.bytes(before: before, after: after))
    let plain = Array(StoredContexts.bytes(before: before, after: before))
    func frame(_ bytes: [UInt8]) -> Document<EditorContext>.Frame? {
      StoredContexts.frame(from: bytes[...], title: [])
    }
    #expect(
      frame(bytes)?.after.details == after.details
        && frame(bytes)?.before.marks[3] == LineNumber(300))
    // Without its last parts, it is a valid group without votes, or without kept lines.
    let withoutKept = bytes.count - 6
    for end in bytes.indices {
      #expect(
        (frame(Array(bytes[..<end])) != nil) == [plain.count, withoutKept].contains(end), "\(end)")
    }
    // A byte too many, no group, and an unknown mark.
    for wrong in [bytes + [0], plain + [0], [1, 1, 1, 127, 1, 1, 0], [1, 1, 127]] {
      #expect(frame(wrong) == nil, "\(wrong)")
    }
  }

  @Test func `a change without effect is not stored, and a percent sign can be escaped`() {
    let text = PieceTable(String(repeating: "line\n", count: 99))
    var new = text
    let first = new.replace(ByteOffset(0)..<ByteOffset(0), with: Array("x\n".utf8))
    let all = ByteOffset(2)..<ByteOffset(new.byteCount)
    let same = new.replace(all, with: new.bytes(in: all))
    #expect(
      StoredChanges([first, same, same]) { text }.bytes == StoredChanges([first]) { text }.bytes)
    let template = ShellTemplate(Array("a \\% \\n % \\".utf8))
    #expect(template.command(for: Array("f".utf8)) == Array("a % \\n f \\".utf8))
  }

  @Test func `stored changes that are cut off, or do not fit the text, are rejected`() {
    let text = PieceTable("one\ntwo\n")
    var new = text
    let changes = [
      new.replace(ByteOffset(0)..<ByteOffset(4), with: Array("1\n".utf8)),
      new.replace(ByteOffset(2)..<ByteOffset(2), with: Array("more\n".utf8)),
    ]
    let bytes = StoredChanges(changes) { text }.bytes
    func read(_ end: Int, _ length: Int = 8) -> Int? {
      var (length, maker) = (length, Change.Maker(for: text))
      return StoredChanges.changes(bytes[..<end], length: &length, by: &maker).map { _ in length }
    }
    #expect(read(bytes.count) == 11 && StoredChanges.growth(bytes[...]) == 3)
    for end in bytes.indices.dropFirst() where end != 9 {
      #expect(read(end) == nil && StoredChanges.growth(bytes[..<end]) == nil, "\(end)")
    }
    #expect(read(bytes.count, 3) == nil)
  }
}
