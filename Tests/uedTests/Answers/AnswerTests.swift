import Differential
import Glibc
import Testing

@testable import ued

/// The contents of answers; `HeldSessionTests` tests their times.
@Suite struct AnswerTests {
  private let sandbox = Sandbox()

  init() {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    sandbox["g"] = Array("one\n".utf8)
  }

  private func hash(of text: String) -> ParsedJSON {
    let line = sandbox.run("printf '%s' '\(text)' | sha256sum")
    return .string("sha256:" + String(decoding: line.prefix(64), as: UTF8.self))
  }

  @Test func `every code of an error is in the schema and in the manual`() {
    let codes = ErrorCode.allCases.map(\.rawValue)
    #expect(AnswerSchema.shared.codes.sorted() == codes.sorted())
    let manual = String(
      decoding: Disk.read(packageFolder + "/man/ued-json.5") ?? [], as: UTF8.self)
    for code in codes { #expect(manual.contains("\n.It Cm \(code)\n"), "\(code)") }
    #expect(manual.occurrenceCount(of: "\n.It Cm ") == codes.count)
  }

  @Test func `an answer has the command, its output, and the state of the text`() {
    let output = sandbox.edit(["--json", "f"], Array("2s/o/O/p\n/zz/\nQ\n".utf8), status: 1)
    let before = hash(of: "one\ntwo\n").text ?? ""
    #expect(
      String(decoding: output, as: UTF8.self) == """
        {"n":1,"command":"2s/o/O/p","ok":true,"output":["twO"],"hash":"\(before)",\
        "line":2,"lines":2,"revision":1,\
        "modified":true}
        {"n":2,"command":"/zz/","ok":false,"error":"no-match","message":"no match","line":2,\
        "lines":2,"revision":1,"modified":true}
        {"n":3,"command":"Q","ok":true,"output":[],"line":2,"lines":2,"revision":1,"modified":true}
        {"end":true,"status":1,"files":[{"path":"f","before":"\(before)","after":"\(before)",\
        "written":false,"lines_added":0,"lines_removed":0,"revision":1}]}

        """)
  }

  @Test func `bytes that are not UTF-8 are in base64, and all others unchanged`() {
    sandbox["b"] = [
      0, 1, 9, 13, 34, 92, 127, 10, 255, 10, 0xC3, 0xA9, 10, 0xED, 0xA0, 0x80, 10, 10,
    ]
    let answers = sandbox.answers(["b"], ",p\n$p\n1s/\u{7F}/\\\\\u{1}/p\nQ\n")
    let lines = (answers.commands.first?["output"]?.elements ?? [])
    #expect(lines.map(\.bytes).joined(separator: [10]) + [10] == sandbox["b"] ?? [])
    #expect(lines.dropFirst().prefix(2) == [.object(["base64": .string("/w==")]), .string("é")])
    #expect(answers.commands.dropFirst().first?["output"] == .array([.string("")]))
    let hostile = sandbox.answers(["b"], Array("\u{1B}[2J\"\n".utf8) + [0xFF, 0x0A], status: 1)
    #expect(
      hostile.commands.map { $0["command"]?.bytes ?? [] } == [Array("\u{1B}[2J\"".utf8), [255]])
  }

  @Test(arguments: [
    (["-i", "-e", "1d"], 0, "two\n"), (["--atomic", "-e", "1d", "-e", "w"], 0, "two\n"),
    (["--diff", "-e", "1d"], 0, "one\ntwo\n"), (["--check", "-e", "1d"], 4, "one\ntwo\n"),
    (["-i", "-e", "/zz/"], 1, "one\ntwo\n"), (["-i", "-e", ""], 0, "one\ntwo\n"),
  ])
  func `the last answer reports the result for each file`(
    _ arguments: [String], _ status: Int, _ text: String
  ) {
    let answers = sandbox.answers(arguments + ["f"], [], status: Int32(status))
    #expect(sandbox["f"] == Array(text.utf8))
    let file = answers.files.first
    let wouldBe = arguments.contains("1d") ? "two\n" : text
    #expect(file?["before"] == hash(of: "one\ntwo\n"))
    #expect(file?["after"] == hash(of: wouldBe))
    #expect(file?["written"] == .bool(text == "two\n"))
    #expect(file?["lines_removed"] == .number(wouldBe == "two\n" ? 1 : 0))
    let diff =
      arguments.contains("--diff") ? ["--- f", "+++ f", "@@ -1,2 +1 @@", "-one", " two"] : nil
    #expect(file?["diff"] == diff.map { .array($0.map { .string($0) }) })
  }

  @Test(arguments: [
    ("echo three >f", "three\n"), ("rm f", nil), ("rm f; mkdir f", nil), (":", "two\n"),
  ])
  func `a file that another program has changed is reported with its present content`(
    _ command: String, _ text: String?
  ) {
    for option in ["-i", "--check", "--atomic"] {
      sandbox.run("rm -rf f; printf 'one\\ntwo\\n' >f")
      let isChanged = command != ":"
      let answers = sandbox.answers(
        [option, "-e", "1d", "-e", "w", "-e", "!" + command, "f"], [],
        status: isChanged ? 3 : option == "--check" ? 4 : 0)
      let file = answers.files.first
      #expect(file?["error"]?.text == (isChanged ? "file-changed" : nil))
      #expect(file?["before"] == hash(of: "one\ntwo\n"))
      #expect(file?["after"] == text.map { hash(of: $0) } ?? .null, "\(option)")
    }
  }

  @Test func `in a run over several files each answer names its file`() {
    let answers = sandbox.answers(["-i", "-e", "2d", "f", "g"], [], status: 1)
    #expect(answers.commands.map { $0["file"]?.text } == ["f", "g"])
    #expect(answers.codes == ["ok", "no-such-line"])
    #expect(answers.commands.last?["script"]?.text == "-e 1:1")
    #expect(answers.files.map { $0["written"] } == [.bool(true), .bool(false)])
    #expect(answers.files.map { $0["error"]?.text } == [nil, "no-such-line"])
    #expect(answers.end["error"]?.text == "no-such-line")
  }

  @Test func `with --atomic files are reported together`() {
    let none = sandbox.answers(["--atomic", "-i", "-e", "2d", "f", "g"], [], status: 1)
    #expect(none.files.map { $0["written"] } == [.bool(false), .bool(false)])
    let all = sandbox.answers(["--atomic", "-i", "-e", "1d", "f", "g"], [])
    #expect(all.files.map { $0["written"] } == [.bool(true), .bool(true)])
    #expect(all.files.map { $0["revision"] } == [.number(1), .number(1)])
  }

  @Test func `answers of an attempt that is repeated are not printed`() {
    let script = "!test -e done || { touch done; echo three >>f; }\n1d\n"
    sandbox["script"] = Array(script.utf8)
    let answers = sandbox.answers(["-i", "--retry", "-f", "script", "f"], [])
    #expect(answers.codes == ["ok", "ok"])
    #expect(answers.commands.last?["lines"] == .number(2))
    #expect(answers.files.count == 1)
    #expect(sandbox["f"] == Array("two\nthree\n".utf8))
  }

  @Test(arguments: [
    (["nix"], "file-not-found", 2), (["."], "file-not-readable", 2),
    (["--expect=sha256:" + String(repeating: "0", count: 64), "f"], "unexpected-content", 3),
    (["--expect=sha256:" + String(repeating: "0", count: 64), "nix"], "unexpected-content", 3),
    (["--expect=1", "f"], "usage", 1), (["--nonsense"], "usage", 1),
    (["-f", "nix"], "file-not-found", 1),
  ])
  func `a run that can't begin has a last answer`(
    _ arguments: [String], _ code: String, _ status: Int32
  ) {
    let answers = sandbox.answers(arguments, "p\n", status: status)
    #expect(answers.commands.isEmpty)
    #expect(answers.end["error"]?.text == code)
    #expect(answers.end["message"]?.text?.isEmpty == false)
  }

  @Test(arguments: [
    ("append <<E\nx\nE", "append <<E: no such command; did you mean 'a'?"),
    ("insert", "insert: no such command; did you mean 'i'?"),
    ("inser <<E\nx\nE", "inser <<E: no such command; did you mean 'i'?"),
    ("chagne", "chagne: no such command; did you mean 'c'?"),
    ("inxxxx <<E\nx\nE", "no such command; to add text, type 'a' first"),
    ("foo", "no such command, or a space is missing before the file name"),
    ("G/one/\nfoo", "foo: no such command, or a space is missing before the file name"),
    ("G/o/\np\ndd", "dd: no such command; did you mean 'd'?"),
  ])
  func `a command that does not exist is reported as such`(_ script: String, _ message: String) {
    let answers = sandbox.answers(["f"], "\(script)\nQ\n", status: 1)
    #expect(answers.commands.first?["error"]?.text == "invalid-command")
    #expect(answers.commands.first?["message"]?.text == message)
  }

  @Test func `notices are separate from the output`() {
    sandbox["n"] = Array("x".utf8)
    let answers = sandbox.answers(["f"], "r n\np\nQ\n")
    #expect(answers.commands.first?["notices"]?.elements.count == 1)
    #expect(answers.outputs == ["", "x", ""])
    let hint = sandbox.answers(["f"], "1d\n1s/two/2/\nrevert 1\njump x\nQ\n", status: 1)
    #expect(hint.codes == ["ok", "ok", "ok", "no-such-revision", "ok"])
    let conflict = sandbox.answers(["f"], "1s/o/a/\n2d\n1s/a/b/\nrevert 1\nQ\n", status: 1)
    #expect(conflict.commands.dropFirst(3).first?["hint"]?["revisions"] == .array([.number(3)]))
  }

  @Test func `a missing block has the nearest lines and the first difference as a hint`()
    throws
  {
    sandbox["f"] = Array("zero\n  one two\nthree\none\none\n".utf8)
    let script = """
      replace <<A <<B
      one  two
      three
      A
      B
      replace <<A <<B
      one
      A
      B
      expect <<A
      zero
      A
      2@9d
      Q

      """
    let answers = sandbox.answers(["f"], script, status: 1)
    #expect(
      answers.codes == [
        "block-not-found", "block-count", "unexpected-lines", "no-such-revision", "ok",
      ])
    let hints = answers.commands.map { $0["hint"] ?? .null }
    try #require(hints.count == 5)
    #expect(hints[0]["lines"]?.elements.map { $0["number"] } == [.number(2), .number(3)])
    #expect(hints[0]["lines"]?.elements.first?["text"] == .string("  one two"))
    #expect(hints[0]["difference"]?["expected"] == .string("one  two"))
    #expect(hints[1]["lines"]?.elements.map { $0["number"] } == [.number(4), .number(5)])
    #expect(hints[2]["difference"]?["kind"] == .string("surplus"))
    #expect(hints[3] == .null)
  }

  @Test func `files opened and written in between are reported, too`() {
    let answers = sandbox.answers(["f"], "w h\ne g\nd\nw\nr f\nw i\nQ\n")
    #expect(answers.files.map { $0["path"]?.text } == ["f", "h", "g", "i"])
    #expect(answers.files.map { $0["written"] == .bool(true) } == [false, true, true, true])
    #expect(answers.files.map { $0["before"] == .null } == [false, true, false, true])
    #expect(answers.files.last?["after"] == hash(of: "one\ntwo\n"))
  }

  /// The last answer of a run, whatever its status.
  private func lastAnswer(_ arguments: String) -> ParsedJSON? {
    let output = sandbox.transcript("\"$UED\" --json \(arguments)")
    guard let line = output.split(separator: "\n").dropLast().last else { return nil }
    return Answers.validated(Array(line.utf8))
  }

  /// The run, the file of the last object in its last answer, and that file's contents before and
  /// after.
  @Test(arguments: [
    ("-e 'r g' -e 'w g' -e Q f", "g", "one\n", "one\ntwo\none\n"),
    ("-e 'W h' f", "h", nil, "one\ntwo\n"), ("-e 'W g' f", "g", "one\n", "one\none\ntwo\n"),
    ("-i -e '1w h' f f", "h", "one\n", "one\n"), ("-i -e '1w h' f", "h", nil, "one\n"),
    ("-e 'r g' -e '2,$w h' -e '1w h' f", "h", nil, "one\n"),
    ("-e 'w g' f", "g", "one\n", "one\n"), ("--create -e p h", "h", nil, nil),
  ])
  func `an object of a file has its content before the run, and null without a file`(
    _ arguments: String, _ name: String, _ before: String?, _ after: String?
  ) throws {
    let end = lastAnswer(arguments)
    let file = try #require(end?["files"]?.elements.last)
    #expect(file["path"]?.text == name)
    #expect(file["before"] == before.map { hash(of: $0) } ?? .null)
    #expect(file["after"] == after.map { hash(of: $0) } ?? .null)
    #expect(sandbox[name] == after.map { Array($0.utf8) })
  }

  /// The run, and the revisions of its files.
  @Test(arguments: [
    ("--history --atomic -i -e 1s/o/0/ f g none", "0 0 0"),
    ("--atomic -i -e 1s/o/0/ -e 2d f g", "0 0"), ("-i -e 1s/o/0/ -e 2d f g", "2 0"),
    ("-e 1d -e w -e 1s/t/T/ -e 9p f", "1"), ("--history -e 1d -e w -e 1s/t/T/ -e 9p f", "1"),
    ("--history --atomic -e 1d -e w -e 'e g' -e 1s/o/0/ -e 9p f", "0 0"),
    ("--diff -e 1d -e 9p f", "0"), ("--diff -e 1d f", "1"), ("--history -i -e 1s/o/0/ f g", "1 1"),
  ])
  func `a failed run reports the revision that each file has after all`(
    _ arguments: String, _ revisions: String
  ) throws {
    let end = lastAnswer(arguments)
    let files = try #require(end?["files"]?.elements)
    let expected = revisions.split(separator: " ").map { ParsedJSON.number(Int($0) ?? -1) }
    #expect(files.map { $0["revision"] } == expected)
  }

  @Test func `lost output fails the run`() {
    sandbox.run("printf '1d\\nw\\n' | \"$UED\" --json f >/dev/full", status: 1)
    sandbox.run(
      "exits 1 \"$UED\" --json -e 1p f >/dev/full 2>said; grep -q 'output' said")
    #expect(sandbox["f"] == Array("two\n".utf8))
  }
}

extension String {
  /// The number of times that a text occurs.
  fileprivate func occurrenceCount(of part: String) -> Int {
    var (count, rest) = (0, self[...])
    while let found = rest.firstRange(of: part) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}
