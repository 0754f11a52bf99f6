import Testing
import TextBuffer
import TextLines

/// Merges of two texts from a third.
@Suite struct `A merge by line` {
  private func merge(_ ours: String, _ theirs: String, from base: String) -> LineMerge {
    LineMerge(of: PieceTable(ours), and: PieceTable(theirs), from: PieceTable(base))
  }

  @Test func `has the changes of either text`() {
    let merged = merge("1\nb\nc\n", "a\nb\nc\nd\n", from: "a\nb\nc\n")
    #expect(merged.text == PieceTable("1\nb\nc\nd\n"))
    #expect(merged.regions.map(\.kind) == [.ours, .theirs])
    #expect(merged.conflicts == [])
  }

  @Test func `has an equal change of both texts once`() {
    #expect(merge("1\nb\n2\n", "1\nb\nc\n", from: "a\nb\nc\n").text == PieceTable("1\nb\n2\n"))
  }

  @Test func `has no text when both change the same lines`() {
    let merged = merge("a\n2\nc\n", "a\nII\nc\n", from: "a\nb\nc\n")
    #expect(merged.text == nil)
    #expect(
      merged.conflicts == [
        LineMerge.Region(
          kind: .conflict, base: LineRange(2, 2), ours: LineRange(2, 2), theirs: LineRange(2, 2))
      ])
  }

  @Test func `takes adjacent changes for a conflict`() {
    #expect(merge("1\nb\n", "a\n2\n", from: "a\nb\n").text == nil)
  }

  @Test func `keeps a last newline that is missing`() {
    #expect(merge("1\nb\nc", "a\nb\nc", from: "a\nb\nc").text == PieceTable("1\nb\nc"))
    #expect(merge("1\nb\nc\n", "a\nb\nc", from: "a\nb\nc\n").text == PieceTable("1\nb\nc"))
  }
}
