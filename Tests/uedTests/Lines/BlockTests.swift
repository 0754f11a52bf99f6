import Differential
import Testing
import Glibc
import TextBuffer

@testable import ued

/// A block missing from a text, and the reported difference.
private struct MismatchCase: CustomTestStringConvertible, Sendable {
  var text: String
  var block: String
  var line: Int
  var kind: LineMismatch.Kind

  init(_ text: String, _ block: String, _ line: Int, _ kind: LineMismatch.Kind) {
    (self.text, self.block, self.line, self.kind) = (text, block, line, kind)
  }

  var testDescription: String { "\(kind)" }
}

/// `replace` and `expect`.
@Suite struct BlockTests {
  @Test(arguments: seeds(100))
  func `replace agrees with an array of lines`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet = ["a", "b", "", " a", "."].prefix(1 + random.below(5))
    func lines(_ count: Int) -> [String] { (0..<count).map { _ in random.pick(Array(alphabet)) } }
    var model = lines(random.below(30))
    let driver = EditorDriver(text(of: model), kind: .regularFile)
    for _ in 0..<20 {
      let old = lines(1 + random.below(4))
      let new = lines(random.below(5))
      let wanted: Int? = random.pick([1, 1, 2, 3, nil])
      let first = model.isEmpty ? 0 : random.below(model.count)
      let range = model.isEmpty || random.chance(50) ? 0..<model.count : first..<model.count
      let places = range.indices.filter {
        $0 + old.count <= model.count && Array(model[$0..<($0 + old.count)]) == old
      }
      // One place must be the only one; several are counted without overlap.
      var apart: [Int] = []
      for place in places where wanted == 1 || apart.last.map({ $0 + old.count <= place }) ?? true {
        apart.append(place)
      }
      let count = wanted.map { $0 == 1 ? "" : "\($0)" } ?? "all"
      let script = "replace \(count) <<OLD <<'N W'\n\(text(of: old))OLD\n\(text(of: new))N W\n"
      let failure = driver.run(range.count == model.count ? script : "\(first + 1),$" + script)
      let isRight = wanted.map { apart.count == $0 } ?? !apart.isEmpty
      if isRight {
        for place in apart.reversed() {
          model.replaceSubrange(place..<(place + old.count), with: new)
        }
      }
      #expect((failure == nil) == isRight, "\(script): \(String(describing: failure))")
      #expect(driver.text == text(of: model), "\(script)")
    }
  }

  private func text(of lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

  /// An error names the differing code points of lines that look the same, in a short file, too.
  @Test func `indistinguishable characters are named`() {
    let sandbox = Sandbox()
    for (text, old, message) in [
      ("x\ncaf\u{E9}\nb\n", "cafe\u{301}", "line 2 has U+00E9, not U+0065 U+0301: 'caf\u{E9}'"),
      ("\u{FEFF}xy\nb\n", "xy", "line 1 has a surplus U+FEFF"),
      ("xy\nb\n", "x\u{200B}y", "line 1 lacks U+200B: 'xy'"),
      ("b\nsc\u{43E}pe\n", "scope", "line 2 has U+043E, not U+006F"),
      (
        "a \u{201C}q\u{201D}\n", "a \"q\"", "line 1 differs in typographic quotes, dashes or blanks"
      ),
    ] {
      sandbox["f"] = Array(text.utf8)
      sandbox["old"] = Array(old.utf8)
      sandbox.run(
        "\"$UED\" -i -e 'replace <<O <<N' -e \"$(cat old)\" -e O -e z -e N f 2>said", status: 1)
      let said = String(decoding: sandbox["said"] ?? [], as: UTF8.self)
      #expect(said.contains(message), "\(said)")
      sandbox.run("\"$UED\" -s -e '1,$expect <<E' -e \"$(cat old)\" -e E -e Q f 2>said", status: 1)
      #expect(sandbox["f"] == Array(text.utf8))
    }
  }

  @Test func `the number of places that an error offers is the one that replace takes`() {
    let driver = EditorDriver("x\nx\no\nx\nx\n", kind: .regularFile)
    let text = "<<A <<B\nx\nx\nA\ny\nB\n"
    #expect(
      driver.run("replace " + text)
        == .blockFound([LineNumber(1), LineNumber(4)], count: 2, expected: 1))
    #expect(driver.run("replace 2 " + text) == nil)
    #expect(driver.text == "y\no\ny\n")
  }

  @Test(arguments: ["", " text", " loose"])
  func `overlapping places are several`(form: String) {
    let sandbox = Sandbox()
    sandbox["f"] = Array("  a\n  a\n  a\n".utf8)
    let old = form == " loose" ? "a\na" : "  a\n  a"
    sandbox["script"] = Array("replace\(form) <<O <<N\n\(old)\nO\nb\nN\n".utf8)
    let said = sandbox.transcript("\"$UED\" -i f <script")
    #expect(
      said == """
        ued: f: stdin:1: found 2 times (lines 1, 2); add lines to OLD, address one place; they overlap
        1

        """)
    sandbox.run("printf 'aaa\n' >g; printf '%s\n' 'replace text <<O <<N' aa O b N >script")
    #expect(
      sandbox.transcript("\"$UED\" -i g <script").hasPrefix(
        "ued: g: stdin:1: found twice in line 1; add text to OLD; they overlap\n"))
    // The script replaces only lines 1 and 2.
    sandbox["script"] = Array("1,2replace\(form) <<O <<N\n\(old)\nO\nb\nN\n".utf8)
    sandbox.run("\"$UED\" -i f <script")
    #expect(sandbox["f"] == Array((form == " loose" ? "  b\n  a\n" : "b\n  a\n").utf8))
  }

  @Test func `lines that both blocks have keep their marks, and one undo takes all back`() {
    let driver = EditorDriver("one\ntwo\nthree\nfour\n")
    driver.run("1ka\n3kb\nreplace <<A <<B\none\ntwo\nthree\nA\none\n2\n2b\nthree\nB\n")
    #expect(driver.text == "one\n2\n2b\nthree\nfour\n")
    #expect(driver.editor.text.marks[1] == LineNumber(4))
    #expect(driver.names[1] == "Replace lines 1-3: 2")
    driver.run("undo\n")
    #expect(driver.text == "one\ntwo\nthree\nfour\n")
    driver.run("replace all <<A <<B\ntwo\nA\nB\n4@s/f/F/\nreplace <<A <<B\nFour\nA\nB\n")
    #expect(driver.text == "one\nthree\n")
  }

  private static let mismatches = [
    MismatchCase("a {\n\tone();\n}\n", "a {\n    one();\n}\n", 2, .tabs),
    MismatchCase("a {\n  one();\n}\n", "a {\n    one();\n}\n", 2, .leadingBlanks),
    MismatchCase("a {\n  one(); \n}\n", "a {\n  one();\n}\n", 2, .trailingBlanks),
    MismatchCase("a {\n  one( 1);\n}\n", "a {\n  one(  1);\n}\n", 2, .blanks),
    MismatchCase("x\na {\r\n}\r\n", "a {\n}\n", 2, .carriageReturn),
    MismatchCase("say ‘a – “b”\n", "say 'a - \"b\"\n", 1, .quotes),
    MismatchCase(
      "x\nlet first = 1\n", "let last = 1\n", 2,
      .word(found: Array("first".utf8), expected: Array("last".utf8))),
    MismatchCase("x\nabcdefghijk\ny\n", "abcdefghxyk\n", 2, .text),
    MismatchCase("1\n2\n3\n4\n5\n", "2\n4\n5\n", 3, .surplus),
    MismatchCase("1\n2\n4\n5\n", "2\n3\n4\n", 3, .missing),
    MismatchCase("1\n2\n", "2\n3\n", 3, .missing),
  ]

  @Test(arguments: mismatches)
  fileprivate func `the nearest lines are found, with their differences`(_ test: MismatchCase) {
    let driver = EditorDriver(test.text)
    let failure = driver.run("replace <<OLD <<NEW\n\(test.block)OLD\nNEW\n")
    guard case .blockNotFound(let nearest?, _)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(nearest.mismatch.line == LineNumber(test.line))
    #expect(nearest.mismatch.kind == test.kind)
  }

  @Test func `an empty or quite different text has no nearest lines`() {
    for text in ["", "q\nw\n"] {
      #expect(
        EditorDriver(text).run("replace <<OLD <<NEW\nzzzzzz\nOLD\nNEW\n")
          == .blockNotFound(nil, nil))
    }
  }

  @Test func `the nearest of many lines are found in linear time`() {
    func time(_ count: Int) -> Double {
      let lines = (1...count).map { "  value\($0 % 7) = \($0)\n" }
      let driver = EditorDriver(lines.joined())
      let first = count / 4 * 3
      let block = lines[first..<first + 100].joined()
        .replacing("= \(first + 50)", with: "= \(first) 50")
      let start = processorTime()
      let failure = driver.run("replace <<OLD <<NEW\n\(block)OLD\nNEW\n")
      guard case .blockNotFound(let nearest?, _)? = failure else {
        Issue.record("\(String(describing: failure))")
        return 0
      }
      #expect(nearest.lines.first == LineNumber(first + 1))
      #expect(nearest.mismatch.line == LineNumber(first + 50))
      return processorTime() - start
    }
    // Linear time is 8 times as long, quadratic time 64 times.
    #expect(time(16_000) < 24 * time(2000))
  }

  /// The seconds of a processor that this thread has used.
  private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func `texts of a command that failed before it read them are skipped`() {
    let driver = EditorDriver("one\ntwo\n", kind: .regularFile)
    driver.run("9replace <<A <<B\n1d\nA\n1d\nB\n9expect <<A\n1d\nA\n$a\nx\n.\n")
    #expect(driver.text == "one\ntwo\nx\n")
    driver.run("begin\nreplace <<A <<B\nno\nA\nend\nB\nreplace <<A <<B\nx\nA\nend\nB\n1d\nend\n")
    #expect(driver.text == "one\ntwo\nx\n")
  }

  @Test func `a block without an end changes nothing`() {
    let driver = EditorDriver("one\ntwo\n", kind: .regularFile)
    #expect(driver.run("replace <<A <<B\none\nA\n1\n") == .textHasNoEnd(Array("B".utf8)))
    #expect(driver.text == "one\ntwo\n")
  }
}
