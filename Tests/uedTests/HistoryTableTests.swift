import Testing

@testable import ued

/// The drawing of a tree.
@Suite struct HistoryTableTests {
  /// The drawings of a tree, given the parents of its revisions from the last to number 1.
  private func drawing(_ parents: [Int]) -> [String] {
    let rows = (parents.map { Optional($0) } + [nil]).enumerated().map { index, parent in
      HistoryRow(
        id: parents.count - index, parent: parent, description: "", title: "", time: 0,
        isCurrent: false, isSaved: false, wasSaved: false)
    }
    let lines = Array(HistoryTable(HistoryListing(rows: rows, form: .tree), now: 0)).dropFirst()
    return lines.map { line in String(line.dropFirst("      HH:MM:SS  lines  ".count).dropLast(2)) }
  }

  @Test func `a branch joins its parent's row, past others, too`() {
    #expect(drawing([1, 0]) == ["o", "o", "o"])
    #expect(drawing([1, 2, 1, 0, 0]) == ["o    ", "| o  ", "| | o", "| o |", "o-|-'", "o-'  "])
    #expect(drawing([0, 0, 0]) == ["o    ", "| o  ", "| | o", "o-'-'"])
  }

  @Test func `a narrow terminal shows the action rather than the time`() {
    func rows(_ columns: Int) -> [String] {
      let row = HistoryRow(
        id: 7, parent: nil, description: "", title: "Delete line 1", time: 0, isCurrent: true,
        isSaved: false, wasSaved: false, lineCounts: (0, 1))
      let listing = HistoryListing(rows: [row], form: .table)
      return Array(HistoryTable(listing, now: 9, columns: columns))
    }
    #expect(rows(34) == ["  id  change", "*  7  Delete line 1"])
    #expect(rows(41) == ["  id  lines  change", "*  7     -1  Delete line 1"])
    #expect(rows(50) == ["  id  lines  change", "*  7     -1  Delete line 1"])
    #expect(rows(51)[0] == "  id  when      lines  change")
    #expect(rows(12)[1] == "*  7  Delet…")
  }

  @Test func `the list of very many branches takes little memory for each`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("one\n".utf8)
    /// Lists this many branches of one revision; returns the peak memory in kB.
    func peak(_ count: Int) -> Int {
      let edits = String(repeating: "1s/$/x/\njump 0\n", count: count)
      sandbox["script"] = Array((edits + "history all\n!grep VmHWM /proc/$PPID/status\nQ\n").utf8)
      let lines = sandbox.run("\"$UED\" -s f <script").split(separator: 10)
      #expect(lines.count == count + 3)
      return Int(String(decoding: lines.last ?? [], as: UTF8.self).filter(\.isNumber)) ?? .max
    }
    let (few, many) = (peak(1000), peak(9000))
    #expect(many - few < 16_000, "\(few) kB, then \(many) kB")
  }
}
