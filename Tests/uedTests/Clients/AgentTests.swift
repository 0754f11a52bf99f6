import Differential
import Glibc
import Testing

/// The example agent in Python, which makes all its edits in one session of ued.
@Suite struct AgentTests {
  private let sandbox = Sandbox()
  private static let program = "\(packageFolder)/Examples/agent/session.py"

  init() {
    sandbox.run("mkdir bin && ln -s \"$UED\" bin/ued")
    sandbox["job.py"] = Array("def run():\n\treturn 1\n# three\n# four\n".utf8)
  }

  /// Makes edits, and returns the last line of the output.
  private func edit(_ edits: String, status: Int32 = 0) -> ParsedJSON {
    sandbox["edits"] = Array(edits.utf8)
    let said = sandbox.run("/usr/bin/python3 \(Self.program) job.py <edits", status: status)
    return (try? ParsedJSON(Array(said.split(separator: 0x0A).last ?? []))) ?? .null
  }

  /// Runs a program in Python that has a session `s`.
  private func python(_ statements: String) -> String {
    sandbox["test.py"] = Array(
      """
      import sys
      sys.path.insert(0, "\(packageFolder)/Examples/agent")
      sys.dont_write_bytecode = True
      from session import *
      with Session("job.py", run="test") as s:
      \(statements.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))

      """.utf8)
    return sandbox.shell("/usr/bin/python3 test.py")
  }

  private var text: String { String(decoding: sandbox["job.py"] ?? [], as: UTF8.self) }

  @Test func `line numbers in edits are those first printed, whatever earlier edits have changed`()
  {
    let answer = edit(
      """
      {"after": 0, "insert": "#!/usr/bin/python3\\nEND\\n"}
      {"lines": [3, 3], "with": ""}
      {"lines": [4, 4], "expect": "# four\\n"}
      {"lines": [4, 4], "with": "# 4\\n# 5"}
      {"replace": "\\treturn 1\\n", "with": "\\treturn 2\\n", "lines": [1, 2]}

      """)
    #expect(answer == .object(["saved": .bool(true)]))
    #expect(text == "#!/usr/bin/python3\nEND\ndef run():\n\treturn 2\n# 4\n# 5\n")
    sandbox.run("ued --undo-run=agent")
    #expect(text == "def run():\n\treturn 1\n# three\n# four\n")
  }

  @Test(arguments: [
    #"{"replace": "none like it", "with": ""}"#, #"{"lines": [3, 4], "expect": "x"}"#,
    #"{"lines": [9, 9], "with": ""}"#, #"{"lines": [], "with": ""}"#,
    #"{"lines": [0, 1], "with": ""}"#, "nonsense",
  ])
  func `if an edit is refused, nothing is written`(_ wrong: String) {
    let answer = edit(#"{"lines": [1, 1], "with": ""}"# + "\n\(wrong)\n", status: 1)
    #expect(answer == .object(["saved": .bool(false)]))
    #expect(text == "def run():\n\treturn 1\n# three\n# four\n")
  }

  @Test
  func `a block that differs only in blanks is found, and the new block gets the file's blanks`() {
    sandbox["job.py"] = Array("def run():\r\n\treturn 1\r\n".utf8)
    _ = edit(
      #"{"replace": "def run():\n    return 1", "with": "def run():\n    # so\n    return 2"}"#)
    #expect(text == "def run():\r\n\t# so\r\n\treturn 2\r\n")
    _ = edit(#"{"replace": "def go():\n    return 2", "with": ""}"#, status: 1)
    _ = edit(#"{"replace": "    return 2", "with": "        return 3"}"#, status: 1)
    #expect(text == "def run():\r\n\t# so\r\n\treturn 2\r\n")
  }

  @Test func `a file changed meanwhile is read again, and its lines are found at their new places`()
  {
    let said = python(
      """
      s.edit({"lines": [4, 4], "with": "# FOUR"})
      open("job.py", "w").write("# above\\ndef run():\\n\\treturn 1\\n# three\\n# four\\n")
      print(s.save()["lines"], s.close()["status"])
      """)
    #expect(said == "5 3\n")
    #expect(text == "# above\ndef run():\n\treturn 1\n# three\n# FOUR\n")
    sandbox.run("ued --undo-run=test")
    #expect(text == "# above\ndef run():\n\treturn 1\n# three\n# four\n")
  }

  @Test func `an edit that does not fit another program's text is refused`() {
    let said = python(
      """
      s.edit({"lines": [4, 4], "with": "# FOUR"})
      open("job.py", "w").write("def run():\\n")
      try: s.save()
      except Refused as refusal: print(refusal.answer["error"])
      """)
    #expect(said == "line-is-gone\n")
    #expect(text == "def run():\n")
  }

  @Test func `bytes that are not UTF-8 survive`() {
    sandbox["job.py"] = [0xFF, 0x0A, 0x62, 0x0A]
    #expect(
      python(#"s.edit({"replace": text({"base64": "/w=="}), "with": "\udcfe"}); s.save()"#) == "")
    #expect(sandbox["job.py"] == [0xFE, 0x0A, 0x62, 0x0A])
  }

  @Test func `a missing file is an error`() {
    let said = sandbox.shell("/usr/bin/python3 \(Self.program) nix </dev/null", status: 1)
    #expect(said.contains("\"file-not-found\""))
  }
}
