import Differential
import Testing
import TextBuffer

@testable import ued

/// Commands on a text of five lines, and the names of the groups that they make.
private struct GroupingCase: CustomTestStringConvertible, Sendable {
  var rule: String
  /// Commands; `a`, `i` and `c` have their text and its end behind them.
  var commands: [String]
  var names: [String]

  init(_ rule: String, _ commands: [String], _ names: [String]) {
    (self.rule, self.commands, self.names) = (rule, commands, names)
  }

  var testDescription: String { rule }
  var script: String { commands.map { $0 + "\n" }.joined() }
}

@Suite struct GroupingTests {
  private static let a = "2a\nx\n."
  private static let b = "3a\ny\n."
  private static let both = "Append 2 lines after line 2: x"
  private static let each = ["Append 1 line after line 2: x", "Append 1 line after line 3: y"]

  private static let joining = [
    GroupingCase("a then a at its end", [a, "a\ny\n."], [both]),
    GroupingCase("a then a at its beginning", [a, "2a\ny\n."], ["Append 2 lines after line 2: y"]),
    GroupingCase("a then i at its beginning", [a, "3i\ny\n."], ["Append 2 lines after line 2: y"]),
    GroupingCase("a then i at its end", [a, "4i\ny\n."], [both]),
    GroupingCase("three in a row", [a, b, "4a\nz\nzz\n."], ["Append 4 lines after line 2: x"]),
    GroupingCase(
      "a then a in its middle", ["2a\nx\ny\n.", "3a\nz\n."],
      [both, "Append 1 line after line 3: z"]),
    GroupingCase(
      "a then a elsewhere", [a, "$a\ny\n."], [each[0], "Append 1 line after line 6: y"]),
    GroupingCase("d then i there", ["3d", "i\nx\n."], ["Replace line 3: x"]),
    GroupingCase("d then a there", ["3,4d", "2a\nx\n."], ["Replace lines 3-4: x"]),
    GroupingCase("d at the end then a", ["$d", "a\nx\n."], ["Replace line 5: x"]),
    GroupingCase(
      "d then a elsewhere", ["3d", "a\nx\n."], ["Delete line 3", "Append 1 line after line 3: x"]),
    GroupingCase("d then i then a", ["3d", "i\nx\n.", "a\ny\n."], ["Replace line 3: x"]),
    GroupingCase("c then a", ["2,3c\nx\n.", "a\ny\n."], ["Replace lines 2-3: x"]),
    GroupingCase("d then d", ["3d", "d"], ["Delete line 3", "Delete line 3"]),
    GroupingCase("a then d of it", [a, "3d"], [each[0], "Delete line 3"]),
    GroupingCase("a then c of it", [a, "3c\ny\n."], [each[0], "Replace line 3: y"]),
    GroupingCase("t then a", ["1t2", b], ["Copy line 1 after line 2", each[1]]),
    GroupingCase("a then t", [a, "1t3"], [each[0], "Copy line 1 after line 3"]),
    GroupingCase("a then r", [a, "3r !echo"], [each[0], "Read !echo (1 line)"]),
    GroupingCase("d then x", ["3d", "2x"], ["Delete line 3", "Put 1 line after line 2"]),
    GroupingCase(
      "s then s", ["1s/o/0", "2s/o/0"].map { $0 + "/" },
      ["Substitute /o/0/ on line 1", "Substitute /o/0/ on line 2"]),
    GroupingCase("no text", [a, "3a\n.", b], [both]),
  ]

  private static let closing = [
    GroupingCase(
      "another change", [a, "1d", "2a\ny\n."],
      [each[0], "Delete line 1", "Append 1 line after line 2: y"]),
    GroupingCase("w", [a, "w", b], each), GroupingCase("w of another file", [a, "w g", b], each),
    GroupingCase("undo and redo", [a, "undo", "redo", b], each),
    GroupingCase("u twice", [a, "u", "u", b], each),
    GroupingCase("jump", [a, "jump 0", "jump 1", b], each),
    GroupingCase("name", [a, "name mine", b], ["mine - " + each[0], each[1]]),
    GroupingCase(
      "a second name", [a, "name mine", "name v1", b], ["v1 - " + each[0], each[1]]),
    GroupingCase("begin", [a, "begin", b, "end"], each),
    GroupingCase("a group of nothing", [a, "begin", "end", b], each),
    GroupingCase("a group given up", [a, "begin", "1d", "abort", b], each),
    GroupingCase("end", ["begin mine", a, "end", b], ["mine - " + each[0], each[1]]),
    GroupingCase("printing", [a, "2,3p", "n", "l", "=", "1", "kb", "f", "y", b], [both]),
    GroupingCase("looking at the history", [a, "history", "diff", "help u", b], [both]),
    GroupingCase("what fails", [a, "99d", "foo", "s/zz//", "end", b], [both]),
    GroupingCase("w of a part", [a, "1w g", b], [both]),
  ]

  private static let naming = [
    GroupingCase("no lines before", ["0a\nx\n."], ["Append 1 line at the top: x"]),
    GroupingCase("d", ["d"], ["Delete line 5"]),
    GroupingCase("d of many", [",d"], ["Delete lines 1-5"]),
    GroupingCase("c", ["2c\nx\ny\n."], ["Replace line 2: x"]),
    GroupingCase("c without text", ["2,3c\n."], ["Delete lines 2-3"]),
    GroupingCase("s", ["1s/o/0/"], ["Substitute /o/0/ on line 1"]),
    GroupingCase("s of many", [",s/o/0/g"], ["Substitute /o/0/ on 3 lines"]),
    GroupingCase(
      "s again", ["1s/o/0/", "2s"], ["Substitute /o/0/ on line 1", "Substitute /o/0/ on line 2"]),
    GroupingCase("s of one of many", [",s/fi/FI/"], ["Substitute /fi/FI/ on line 5"]),
    GroupingCase("m", ["2m4"], ["Move line 2 after line 4"]),
    GroupingCase("m of many", ["2,3m0"], ["Move lines 2-3 after line 0"]),
    GroupingCase("t", ["2,3t$"], ["Copy lines 2-3 after line 5"]),
    GroupingCase("j", ["4,5j"], ["Join lines 4-5"]),
    GroupingCase("x", ["1,2y", "$x"], ["Put 2 lines after line 5"]),
    GroupingCase("r", ["r !seq 20"], ["Read !seq 20 (20 lines)"]),
    GroupingCase("a filter", ["2,3!sort"], ["Filter lines 2-3 through sort"]),
    GroupingCase("g", ["g/o/d"], ["Global /o/ d (3 lines)"]),
    GroupingCase("g of one", ["g/tw/s/w/W/"], ["Global /tw/ s/w/W/ (1 line)"]),
    GroupingCase(
      "g with a list", ["g/o/s/o/0/\\\ns/$/!/"], ["Global /o/ s/o/0/\\ns/$/!/ (3 lines)"]),
    GroupingCase(
      "a blank first line", ["a\n\n  two words\t\n."], ["Append 2 lines after line 5: two words"]),
    GroupingCase(
      "a long line", ["a\n\(String(repeating: "é", count: 60))\n."],
      ["Append 1 line after line 5: \(String(repeating: "é", count: 40))…"]),
    GroupingCase("v", ["v/o/d"], ["Global not /o/ d (2 lines)"]),
    GroupingCase(
      "revert", ["3d", "1d", "revert 1"],
      ["Delete line 3", "Delete line 1", "Revert \"Delete line 3\""]),
    GroupingCase(
      "pick", ["3d", "undo", "1d", "pick 1"],
      ["Delete line 3", "Delete line 1", "Pick \"Delete line 3\""]),
    GroupingCase(
      "merge", ["4d", "undo", "1d", "merge 1"],
      ["Delete line 4", "Delete line 1", "Merge 1 into 2"]),
    GroupingCase(
      "a group of several", ["begin", "2d", "2s/t/T/", "end"],
      ["2 changes: delete line 2, substitute /t/T/ on line 2"]),
    GroupingCase(
      "a group of many", ["begin"] + Array(repeating: "1t1", count: 10) + ["end"],
      [
        "10 changes: " + Array(repeating: "copy line 1 after line 1, ", count: 8).joined()
          + "… 2 more"
      ]),
    GroupingCase(
      "u in a group", ["begin", "2d", "2s/t/T/", "u", "1d", "u", "u", "end"],
      ["2 changes: delete line 2, delete line 1"]),
    GroupingCase(
      "a group in a group",
      ["begin", "2d", "begin inner", "2d", "end", "begin", "1d", "end", "end"],
      ["3 changes: delete line 2, inner, delete line 1"]
    ),
    GroupingCase("the name of a begin", ["begin outer", "1d", "end"], ["outer - Delete line 1"]),
    GroupingCase(
      "a name for the open group", ["begin", "name outer", "1d", "end"], ["outer - Delete line 1"]),
    GroupingCase("control characters", ["1s/o/\\\n/"], ["Substitute /o/\\\\n/ on line 1"]),
  ]

  @Test(arguments: joining + closing + naming)
  private func `commands make groups with these names`(_ test: GroupingCase) {
    let driver = EditorDriver(Fixture.text)
    driver.run("f \(driver.folder)/f\n")
    driver.run(
      test.script.split(separator: "w g", omittingEmptySubsequences: false).joined(
        separator: "w \(driver.folder)/g"))
    let names = driver.names.sorted { $0.key < $1.key }.dropFirst().map(\.value)
    #expect(names == test.names)
    while driver.run("undo\n") == nil {}
    #expect(driver.text == Fixture.text)
  }

  @Test(arguments: [(9.0, 1), (11.0, 2)])
  func `ten idle seconds end a group`(_ pause: Double, _ count: Int) {
    let driver = EditorDriver(Fixture.text)
    driver.run("3d\n")
    driver.editor.text.closeGroup(afterPause: pause)
    driver.run("2a\nx\n.\n")
    #expect(driver.names.count == count + 1)
    driver.run("begin\n")
    driver.editor.text.closeGroup(afterPause: pause)
    driver.run("1d\nend\n")
    #expect(driver.names.count == count + 2)
  }

  @Test func `u undoes only the last command of a group, and toggles`() {
    let driver = EditorDriver(Fixture.text)
    driver.run("\(Self.a)\na\ny\n.\n")
    let (both, first) = ("one\ntwo\nx\ny\nthree\nfour\nfive\n", "one\ntwo\nx\nthree\nfour\nfive\n")
    for _ in 0..<2 {
      driver.run("u\n")
      #expect(driver.text == first && driver.history.current == 1)
      driver.run("u\n")
      #expect(driver.text == both && driver.history.current == 2)
    }
    #expect(Array(driver.names.sorted { $0.key < $1.key }.map(\.value).dropFirst()) == Self.each)
    driver.run("undo\nundo\n")
    #expect(driver.text == Fixture.text)
  }

  @Test func `pick refuses a group that needs one of another branch, and reports that one`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("one\ntwo\nthree\n".utf8)
    let script = "1s/$/!/\n1s/!/?/\nundo 2\n2d\npick 2\nh\nQ\n"
    let output = sandbox.edit(["-s", "--history=on", "f"], Array(script.utf8), status: 1)
    let said = String(decoding: output, as: UTF8.self)
    #expect(said.contains("it was made on 1 (Substitute"), "\(said)")
  }

  @Test(arguments: ["w", "name mine"])
  func `u keeps a saved or named group unchanged`(_ keeping: String) {
    let driver = EditorDriver(Fixture.text)
    driver.run("\(Self.a)\na\ny\n.\n\(keeping)\n")
    let kept = driver.text
    driver.run("u\n")
    #expect(driver.text == "one\ntwo\nx\nthree\nfour\nfive\n" && driver.history.current == 2)
    #expect(driver.editor.text.title(2) == Self.each[0] && driver.history[2].parent == 0)
    driver.run("u\n")
    #expect(driver.text == kept && driver.history.current == 1)
    driver.run("jump 2\njump 1\n")
    #expect(driver.text == kept)
  }

  @Test func `a group that cancels out leaves its number unused`() {
    let driver = EditorDriver(Fixture.text)
    driver.run("3d\ni\nthree\n.\n")
    #expect(driver.names.keys.sorted() == [0] && driver.history.current == 0)
    driver.run("begin\n1d\n0x\nend\n1s/one/one/\n1m1\n")
    #expect(driver.names.keys.sorted() == [0] && driver.text == Fixture.text)
    driver.run("1d\n")
    #expect(driver.names == [0: driver.editor.text.title(0), 2: "Delete line 1"])
    driver.run("undo\nredo\nundo\n2d\n")
    #expect(driver.names.keys.sorted() == [0, 2, 3])
  }
}
