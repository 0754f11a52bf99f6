import Differential
import TextBuffer
import Testing

@testable import ued

/// The lines of a page of `tree`, at every size.
@Suite struct TreeFrameTests {
  private static let titles = [
    "Delete line 3", "v1 - Append 12 lines after line 100: some words",
    "Substitute /\u{1B}[2J/\u{7}/",
    "日本語のテキストを書く日本語のテキストを書く", "tab\tand e\u{301} and <\u{202E}>",
  ]

  private static func page(
    columns: Int, rows: Int, first: Int = 1234, selected: Int = 1, note: TreePage.Note? = nil,
    panel: TreePage.Panel? = nil, question: (TreePage.Question, String)? = nil
  ) -> TreePage {
    let split = ScreenSplit(TerminalSize(rows: rows, columns: columns), hasNote: note != nil)
    let list = (0..<split.listRows).map { index in
      var row = HistoryRow(
        id: first - index, parent: first - index - 1, name: index == 1 ? "v1" : nil,
        description: "", title: titles[index % titles.count], time: 1e9 - Double(index * 4000),
        isCurrent: index == 2, isSaved: index == 3, wasSaved: index == 4)
      row.runName = index == 5 ? "nightly" : nil
      return TreePage.Row(
        row: row, drawing: index % 2 == 0 ? "o |" : "| o",
        lineCounts: index % 7 == 6 ? nil : (added: index, removed: index / 2))
    }
    let lines = titles.enumerated().map { index, title in
      TreePage.Line(
        number: LineNumber(index + 9), isAdded: index % 2 == 1, text: Array(title.utf8) + [0xFF])
    }
    return TreePage(
      split: split, rows: list, selected: first - min(selected, split.listRows - 1),
      panel: panel ?? .lines(lines, moreCount: 7, fromPresent: false), question: question,
      note: note, now: 1e9)
  }

  /// A line without its colours.
  private static func plain(_ line: String) -> String {
    line.replacing(#/\u{1B}\[[0-9;]*m/#.matchingSemantics(.unicodeScalar), with: "")
  }

  private static let panels: [TreePage.Panel?] = [
    nil, .keys, .nothing, .lines([], moreCount: 0, fromPresent: true),
    .conflict(
      TreeConflict(
        id: 7, isPick: true,
        groups: (1...12).map {
          BlockingGroup(
            group: NamedGroup(id: $0, title: titles[2]), lines: [LineRange(LineNumber($0))],
            isHere: $0 != 3)
        })),
  ]

  @Test(arguments: [1, 2, 20, 40, 80, 99, 100, 200], [1, 2, 3, 5, 6, 7, 8, 12, 24, 60])
  func `a page has as many lines as the terminal, none of them wider`(columns: Int, rows: Int) {
    let questions: [(TreePage.Question, String)?] = [
      nil, (.filter, "ab"), (.name(of: 1234), String(repeating: "日", count: columns)),
    ]
    for panel in Self.panels {
      for note in [nil, TreePage.Note.noSuchKey("\u{1B}"), .failed(.groupIsOpen)] {
        for question in questions {
          let page = Self.page(
            columns: columns, rows: rows, note: note, panel: panel, question: question)
          let frame = TreeFrame.frame(of: page, isColored: false)
          #expect(frame.lines.count == rows)
          for line in frame.lines {
            #expect(DisplayWidth.columns(of: line) <= columns, "\(line)")
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || VisibleText.replaces($0) })
          }
          #expect(
            (0..<rows).contains(frame.cursorRow) && (0..<columns).contains(frame.cursorColumn))
          let colored = TreeFrame.frame(of: page, isColored: true)
          #expect(colored.lines.map(Self.plain) == frame.lines)
          #expect(colored.cursorRow == frame.cursorRow)
          if question == nil { #expect(frame.lines[rows - 1] != "") }
        }
      }
    }
  }

  @Test(arguments: [20, 40, 80, 200], [5, 12, 24, 60])
  func `the selected row and the useful keys are described in words`(columns: Int, rows: Int) {
    for selected in [0, 1, 2] {
      let page = Self.page(columns: columns, rows: rows, selected: selected)
      let frame = TreeFrame.frame(of: page, isColored: false)
      #expect(frame.lines.filter { $0.hasPrefix(">") }.count == 1)
      #expect(frame.lines[frame.cursorRow].contains(String(page.selected)))
      #expect(frame.lines[frame.cursorRow].hasPrefix(">"))
      let keys = frame.lines[rows - 1].split(separator: " ")
      for key in ["Enter", "/", "?", "q"] { #expect(keys.contains(Substring(key))) }
    }
  }

  @Test func `a row has marks, age, lines, branches, run and title`() {
    let lines = TreeFrame.frame(of: Self.page(columns: 200, rows: 24), isColored: false).lines
    let list = lines.map { $0.prefix(110).split(separator: " ").joined(separator: " ") }
    #expect(list[0] == "1234 0 s o | Delete line 3")
    #expect(list[1].hasPrefix("> 1233 1 h +1 | o v1 - Append 12"))
    #expect(list[2].hasPrefix("* 1232 2 h +2-1 o | Substitute /^[[2J/^G/"))
    #expect(list[3].hasPrefix("w1231") && list[4].hasPrefix("s1230"))
    #expect(list[5].contains("Delete line 3 [nightly]"))
    #expect(list[6].contains(" ? "))
    let pane = lines.map { $0.dropFirst(110).drop { $0 != "|" }.dropFirst(2) }
    #expect(pane[0].hasPrefix("1233: v1 - Append 12 lines"))
    #expect(pane[1] == "-9   Delete line 3<ff>")
    #expect(pane[2].hasPrefix("+10  v1 - Append"))
    #expect(pane[6] == "… 7 more")
  }

  @Test func `the pane is below the list on a narrow terminal`() {
    let lines = TreeFrame.frame(of: Self.page(columns: 80, rows: 24), isColored: false).lines
    #expect(lines[13].hasPrefix("-- 1233: v1 - Append 12"))
    #expect(lines[14] == "-9   Delete line 3<ff>")
    let low = TreeFrame.frame(of: Self.page(columns: 80, rows: 6), isColored: false).lines
    #expect(!low.contains { $0.hasPrefix("--") })
  }

  @Test func `the selected row is inverted, and names and marks have the colours of a history`() {
    let lines = TreeFrame.frame(of: Self.page(columns: 80, rows: 24), isColored: true).lines
    #expect(lines[1].hasPrefix("\u{1B}[7m>  1233") && lines[1].hasSuffix("\u{1B}[0m"))
    #expect(lines[2].hasPrefix(" \u{1B}[32m*\u{1B}[0m 1232"))
    let other = TreeFrame.frame(
      of: Self.page(columns: 80, rows: 24, selected: 0), isColored: true
    ).lines
    #expect(other[1].contains("\u{1B}[33mv1\u{1B}[0m - Append"))
    #expect(lines[14].hasPrefix("\u{1B}[31m-9") && lines[15].hasPrefix("\u{1B}[32m+10"))
  }

  @Test func `a question and its answer are in the last line`() {
    let page = Self.page(columns: 40, rows: 12, question: (.name(of: 7), "my name"))
    let frame = TreeFrame.frame(of: page, isColored: true)
    #expect(frame.lines[11] == "name of 7: my name")
    #expect(frame.cursorRow == 11 && frame.cursorColumn == 18)
    let long = Self.page(columns: 20, rows: 5, question: (.filter, "0123456789abcdefghijklmnop"))
    #expect(TreeFrame.frame(of: long, isColored: true).lines[4] == "/89abcdefghijklmnop")
  }

  @Test func `groups in the way are named with their keys`() {
    let page = Self.page(columns: 80, rows: 40, panel: Self.panels[4])
    let lines = TreeFrame.frame(of: page, isColored: false).lines
    #expect(lines.contains("-- in the way of picking 7:"))
    #expect(lines.contains("1  1 (Substitute /^[[2J/^G/) changed line 1"))
    #expect(
      lines.contains { $0.hasPrefix("3  3 (") && $0.hasSuffix(" is not here; it comes first") })
    #expect(lines.contains { $0.hasPrefix("   10 (") })
    #expect(lines[39].hasPrefix("1-9 select"))
  }

  @Test func `the age of a group is a number and a unit, or a day`() {
    let now = 1_700_000_000.0
    for (seconds, text) in [
      (0.0, "0 s"), (-5, "0 s"), (59, "59 s"), (60, "1 min"), (3599, "59 min"), (3600, "1 h"),
      (5 * 3600, "5 h"), (86400, "yesterday"), (3 * 86400, "3 days"), (6.9 * 86400, "6 days"),
    ] {
      #expect(Messages.age(of: now - seconds, now: now) == text)
    }
    #expect(Messages.age(of: now - 8 * 86400, now: now) == HistoryTable.day(now - 8 * 86400))
  }
}
