import Differential
import Glibc
import Testing

/// Strict runs side by side: every one's change is in the file and in its history.
@Suite(.serialized) struct ConcurrentRunTests {
  private let sandbox = Sandbox()

  private static var rounds: Int { setting("SEEDS", or: 2) }

  /// Starts 50 runs at once and waits for them; each appends its own line to all files.
  ///
  /// - Returns: Their distinct exit statuses and messages.
  private func append(_ options: String, to files: String) -> String {
    sandbox.shell(
      """
      for i in $(seq 50); do
        ("$UED" \(options) -e '$a' -e "line $i" -e . \(files) && echo 0) &
      done | sort -u
      """)
  }

  /// Counts distinct lines in a file, and groups that append one.
  private func counts(of file: String) -> [Int] {
    let groups = sandbox.edit(["--history", "-e", "history all", file], [])
    let text = String(decoding: groups, as: UTF8.self)
    let lines = Set((sandbox[file] ?? []).split(separator: 10)).count
    return [lines, text.split(separator: "\n").count { $0.contains("Append 1 line") }]
  }

  @Test(arguments: ["-i --atomic --retry --history", "-i --retry --history"])
  func `promise 19: the changes of 50 runs on one file are all there`(_ options: String) {
    for _ in 0..<Self.rounds {
      sandbox.run("rm -rf .local; echo first >f")
      #expect(append(options, to: "f") == "0\n")
      #expect(counts(of: "f") == [51, 50])
    }
  }

  @Test func `promise 19: the changes of 50 runs that create a file are all there`() {
    for _ in 0..<Self.rounds {
      sandbox.run("rm -rf .local f")
      #expect(append("-i --atomic --create --retry --history", to: "f") == "0\n")
      #expect(counts(of: "f") == [50, 50])
    }
  }

  @Test func `promise 19: the changes of 50 runs on several files in any order are all there`() {
    sandbox.run("for f in a b c; do echo first >$f; done")
    #expect(append("-i --atomic --retry --history", to: "$(shuf -e a b c)") == "0\n")
    for file in ["a", "b", "c"] { #expect(counts(of: file) == [51, 50]) }
  }

  @Test func `a lock is given up while a shell command runs`() {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    sandbox.run(
      #""$UED" -i --history -e '1s/o/O/' -e '!"$UED" -i --history -e "2s/t/T/" f' f 2>err"#,
      status: 3)
    #expect(sandbox["f"] == Array("one\nTwo\n".utf8))
  }

  @Test func `a run is repeated when the file was changed meanwhile, and prints once`() {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    let script = "-e '$p' -e '$s/$/!/' -e '!test ! -e g || { rm g; echo three >>f; }' f"
    sandbox.run("touch g; \"$UED\" -i \(script) 2>/dev/null", status: 3)
    #expect(sandbox["f"] == Array("one\ntwo\nthree\n".utf8))
    let output = sandbox.run("touch g; \"$UED\" -i --retry \(script)")
    #expect(output == Array("three\n".utf8))
    #expect(sandbox["f"] == Array("one\ntwo\nthree\nthree!\n".utf8))
  }

  @Test func `a run is repeated as often as requested`() {
    sandbox["f"] = Array("one\n".utf8)
    let said = sandbox.shell(
      "\"$UED\" -i --retry=3 -e 1p -e '1s/$/!/' -e '!echo x >>f; echo x >>tries' f", status: 3)
    #expect(said.contains("ued: f: changed"))
    #expect(sandbox["tries"] == Array("x\nx\nx\nx\n".utf8))
    let end = sandbox.shell("\"$UED\" -i --retry -e 1p -e 1d -e '!rm f' f", status: 2)
    #expect(end == "ued: f: can't read: No such file or directory\n")
  }

  @Test func `a run that is wrapped into a lock of its file goes on`() {
    sandbox["f"] = Array("one\n".utf8)
    sandbox.run("flock f \"$UED\" -i -e '1s/one/two/' f")
    #expect(sandbox["f"] == Array("two\n".utf8))
  }

  @Test func `all appends of strict runs to a log are there, in the same file`() {
    let sandbox = Sandbox()
    sandbox.run(
      """
      printf 'a\\nb\\n' >f; echo start >log; exec 3>>log
      seq 20 | xargs -P 4 -I N "$UED" -s -e 'W log' f; echo end >&3; wc -l <log >count
      """)
    #expect(sandbox["count"] == Array("42\n".utf8))
  }
}
