import Differential
import Testing

@testable import ued

/// The promises of the guide and the manual about their recipes, beyond the sessions that
/// `ConsoleTests` plays.
@Suite struct RecipeTests {
  private let sandbox = Sandbox()

  /// A script of a recipe, a file, and the resulting file.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let old: String
    let new: String
    var testDescription: String { "\(name) on \(old.debugDescription)" }
  }

  private static let block = "# BEGIN hosts\n10.0.0.7 web\n# END hosts\n"

  private static let cases = [
    Case(name: "port", old: "", new: "Port 22\n"),
    Case(name: "port", old: "a\n", new: "a\nPort 22\n"),
    Case(name: "port", old: "Port 22\n", new: "Port 22\n"),
    Case(name: "port", old: "Port 21\na\n", new: "Port 22\na\n"),
    Case(name: "port", old: "a\nPort 1\nb\nPort 22\nc\n", new: "a\nPort 22\nb\nc\n"),
    Case(name: "port", old: "Port 1\nb", new: "Port 22\nb"),
    Case(name: "port", old: "b", new: "b\nPort 22\n"),
    Case(name: "set-block", old: "", new: block),
    Case(name: "set-block", old: "a\n", new: "a\n" + block),
    Case(name: "set-block", old: "a\n\(block)b\n", new: "a\n\(block)b\n"),
    Case(name: "set-block", old: "a\n# BEGIN hosts\n1\n2\n# END hosts\nb\n", new: "a\n\(block)b\n"),
    Case(name: "set-block", old: "\(block)kept\n\(block)", new: "\(block)kept\n"),
    Case(name: "port", old: "Port 1\nPort 2\n", new: "Port 22\n"),
    Case(name: "port", old: "a\r\nPort 1\r\n", new: "a\r\nPort 22\r\n"),
    Case(name: "port", old: "a\r\n", new: "a\r\nPort 22\r\n"),
    Case(
      name: "set-block", old: "a\r\n# BEGIN hosts\r\n1\r\n# END hosts\r\n",
      new: "a\r\n# BEGIN hosts\r\n10.0.0.7 web\r\n# END hosts\r\n"),
  ]

  @Test(arguments: cases)
  func `a script that ensures something does it once, and then does not touch the file`(_ row: Case)
  {
    let scripts = ShownDocument.guide.scripts
    sandbox["script"] = Array((scripts[row.name] ?? "none").utf8)
    sandbox["f"] = Array(row.old.utf8)
    sandbox.run("\"$UED\" -i -f script f")
    #expect(sandbox["f"].map { String(decoding: $0, as: UTF8.self) } == row.new)
    let known = sandbox.run("stat -c '%i %y %z' f")
    sandbox.run("\"$UED\" -i -f script f")
    sandbox.run("\"$UED\" --atomic -i.old -f script f; test ! -e f.old")
    sandbox.run("\"$UED\" --check -f script f")
    #expect(sandbox.run("stat -c '%i %y %z' f") == known)
  }

  @Test(arguments: [
    ("set-block", "a\n# BEGIN hosts\n1\nkept\n"), ("set-block", "a\n# END hosts\nkept\n"),
    ("set-block", "# BEGIN hosts\n1\n\(block)kept\n"), ("set-block", "# END hosts\n" + block),
    ("set-block", block + "kept\n# END hosts\n"), ("set-block", block + "# BEGIN hosts\nkept"),
    ("port", "Port 1\nMatch User a\nPort 2\n"), ("port", "Match User a\nPort 2\n"),
  ])
  func `a script with ensure refuses an ambiguous file`(
    _ name: String, _ old: String
  ) {
    let scripts = ShownDocument.guide.scripts
    sandbox["script"] = Array((scripts[name] ?? "none").utf8)
    sandbox["f"] = Array(old.utf8)
    let ended = sandbox.launch("/bin/sh", ["-c", "\"$UED\" -i -f script f"], [])
    #expect(ended.ending == .exited(1))
    #expect(String(decoding: ended.errors, as: UTF8.self).contains("match"))
    #expect(sandbox["f"] == Array(old.utf8))
  }

  @Test
  func
    `every literal block among the examples of the manual is played, and the guide has the scripts`()
  {
    let document = ShownDocument.manual
    #expect(document.sessions == document.blocks)
    #expect(Set(ShownDocument.guide.scripts.keys) == ["port", "set-block"])
  }

  @Test func `another program's changes during a script are kept with --retry`() {
    sandbox["f"] = Array("1\n2\n".utf8)
    let script = "-e '!test -e done || { touch done; echo 3 >>f; }' -e 1d"
    #expect(
      sandbox.run("\"$UED\" -i \(script) f 2>/dev/null || echo $?; rm done; cat f")
        == Array("3\n1\n2\n3\n".utf8))
    #expect(sandbox.run("\"$UED\" --retry -i \(script) f; cat f") == Array("2\n3\n3\n".utf8))
  }

  @Test func `the first column of the table of mishaps equals the measurement`() {
    let table = sandbox.run("'\(packageFolder)/Benchmarks/safety.sh' \"$UED\" 0 none")
    let rows = cells(String(decoding: table, as: UTF8.self).split(separator: "\n").map(String.init))
    let shown = cells(ShownDocument.lines(of: "docs/benchmarks.md"))
    #expect(rows.count > 10)
    for row in rows { #expect(shown.contains(row), "\(row)") }
  }

  /// The first two cells of each row of the tables in a text.
  private func cells(_ lines: [String]) -> [[String]] {
    lines.filter { $0.hasPrefix("| ") && !$0.contains("---") }.map { line in
      line.split(separator: "|").prefix(2).map { $0.trimming(while: { $0 == " " }) }
    }
  }
}

extension Substring {
  fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> String {
    String(drop(while: isTrimmed).reversed().drop(while: isTrimmed).reversed())
  }
}
