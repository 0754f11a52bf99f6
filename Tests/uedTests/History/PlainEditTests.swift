import Differential
import Glibc
import Testing

/// Edits as `diff -e` writes them: a script makes many at a time, with the results of single
/// commands.
@Suite struct PlainEditTests {
  /// A random script. With `isSlow`, a blank before each command makes it no plain edit.
  private static func script(_ seed: UInt64, isSlow: Bool) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var (script, lineCount) = ("", 30)
    func command(_ text: String) { script += (isSlow ? " " : "") + text + "\n" }
    for number in 0..<40 {
      let first = 1 + random.below(max(1, lineCount))
      let last = min(lineCount, first + random.below(3))
      let text = (0..<random.below(4)).map { _ in
        random.chance(20) ? "line \(first)\n" : "text \(number)\n"
      }
      let range = first == last && random.chance(70) ? "\(first)" : "\(first),\(last)"
      switch random.below(20) {
      case 0..<5:
        command("\(first - random.below(2))a")
        script += text.joined() + ".\n"
        lineCount += text.count
      case 5..<10:
        command("\(range)c")
        script += text.joined() + ".\n"
        lineCount += text.count - (last - first + 1)
      case 10..<15:
        command("\(range)d")
        lineCount -= last - first + 1
      case 15: command(random.pick(["u", "undo", "redo", "x"]))
      case 16: command("\(first)k\(random.pick(["a", "b"]))")
      case 17: command(random.pick(["w", "n", "$n", "'an", ".=", "history json", ",n"]))
      case 18: command(random.pick(["\(lineCount + 5)d", "0d", "7,5d", "0c", "begin", "end", "H"]))
      default: command(random.pick(["s/e/E/", "\(first)m0", "\(first),$j", "\(first)y", "g/1/d"]))
      }
      lineCount = max(1, lineCount)
    }
    for word in [",n", "u", ",n", "u", "x", "'an", "history json", ".="] { command(word) }
    for line in 1...30 { command("\(line)@\(random.below(3))n") }
    command("blame")
    for _ in 0..<30 {
      command("undo")
      command(",n")
    }
    command("diff 0")
    return Array(script.utf8)
  }

  /// ued's output for a script, without the times, and the file afterwards.
  private static func result(_ script: [UInt8], _ arguments: [String]) -> [[UInt8]] {
    let sandbox = Sandbox()
    sandbox["f"] = (1...30).flatMap { Array("line \($0)\n".utf8) }
    sandbox["script"] = script
    // In a file an error ends a script.
    let isFile = arguments.first == "<"
    let options = (isFile ? arguments.dropFirst() : arguments[...]).joined(separator: " ")
    let run = isFile ? "\"$UED\" -s \(options) f <script" : "cat script | \"$UED\" -s \(options) f"
    let varying = #"s/"time":"[^"]*"//; s/"file":.*//; s/..:..:..//"#
    let said = sandbox.run("\(run) >out 2>errors || echo $?; sed '\(varying)' out")
    return [said, sandbox["errors"] ?? [], sandbox["f"] ?? []]
  }

  @Test(
    arguments: seeds(12),
    [[], ["--history=on"], ["-l"], ["-v"], ["-G"], ["-r"], ["<"], ["-p", "x"]])
  func `a run of plain edits has the result of the same commands`(
    _ seed: UInt64, _ arguments: [String]
  ) {
    let (fast, slow) = (
      Self.result(Self.script(seed, isSlow: false), arguments),
      Self.result(Self.script(seed, isSlow: true), arguments)
    )
    #expect(fast[0].count > 3)
    for (fast, slow) in zip(fast, slow) {
      #expect(String(decoding: fast, as: UTF8.self) == String(decoding: slow, as: UTF8.self))
    }
  }

  @Test func `text with NUL, without an end, or above all lines is read as ever`() {
    for script in [
      "1d\\n1c\\na\\0b\\n.\\nw\\n",
      "1d\\n0a\\nx\\n.\\n2,3c\\ny",
      "3d\\n1d\\n1a\\n.\\n1c\\n..\\n.\\n.\\nw\\n",
      "4000000000000000000000000000d\\n1d\\n1d\\nw\\n",
    ] {
      let sandbox = Sandbox()
      sandbox.run(
        """
        printf 'line 1\\nline 2\\nline 3\\n' >f; cp f g; printf '\(script)' >script
        "$UED" -s f <script >out || echo $? >>out; ed -s g <script >other || echo $? >>other
        """)
      #expect(sandbox["f"] == sandbox["g"], "\(script)")
      #expect(sandbox["out"] == sandbox["other"], "\(script)")
    }
  }

  @Test func `plain edits are stored before ued waits for more`() {
    let sandbox = Sandbox()
    sandbox["f"] = (1...9).flatMap { Array("line \($0)\n".utf8) }
    let session = HeldProgram.session(["f"], in: sandbox, options: ["-s", "--history=on"])
    session.send("1p\n9d\n5d\n3d\n")
    #expect(session.awaitOutput("line 1\n"))
    session.awaitIdle()
    session.signal(SIGKILL)
    _ = session.ending()
    let history = sandbox.run("echo 'history json' | \"$UED\" -s --history=on f 2>errors | wc -l")
    #expect(String(decoding: history, as: UTF8.self) == "4\n")
  }
}
