import Differential
import Glibc
import Testing

/// Time and space that a history on disk takes. The figures are printed; `UED` may name a release
/// build.
@Suite(.serialized) struct HistoryOnDiskCostTests {
  private let sandbox = Sandbox()

  /// The least time of some runs, in milliseconds.
  private func milliseconds(runs: Int, _ arguments: [String], _ script: [UInt8]) -> Double {
    var least = Double.infinity
    sandbox["script"] = script
    let words = arguments.joined(separator: " ")
    for _ in 0..<runs {
      let start = Process.now()
      sandbox.run("cp first f; \"$UED\" \(words) -s f <script >/dev/null")
      least = min(least, (Process.now() - start) * 1000)
    }
    return least
  }

  @Test func `recording a group and opening a file with many are cheap`() {
    let count = setting("HISTORY_GROUPS", or: 300)
    sandbox.run("seq -f 'line %g of some text' \(count) >first")
    var script = ""
    for index in 0..<count { script += "\(index * 7919 % count + 1)s/text/text \(index)/\n" }
    script += "w\n"
    let edit = Array(script.utf8)
    let without = milliseconds(runs: 2, ["--history=off"], edit)
    sandbox.run("rm -rf .local")
    let with = milliseconds(runs: 1, ["--history"], edit)
    let recorded = (with - without) * 1000 / Double(count)
    sandbox.run("cp f first; ls .local/state/ued/*.history")
    let plain = milliseconds(runs: 5, ["--history=off"], Array("q\n".utf8))
    let opened = milliseconds(runs: 5, ["--history"], Array("q\n".utf8)) - plain
    print("recording a group: \(recorded) µs; opening a file with \(count) groups: \(opened) ms")
    // Many times as much as a release needs, since tests run unoptimised, and beside others.
    #expect(recorded < 10_000)
    #expect(opened < 1000)
  }

  @Test(arguments: seeds())
  func `a history takes little more than what has changed`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var lines = (0..<60).map { "    let value\($0) = compute(\($0), with: \(random.next()))" }
    sandbox["f"] = Array((lines.joined(separator: "\n") + "\n").utf8)
    let first = sandbox["f"]?.count ?? 0
    var changed = 0
    var script = ""
    for index in 0..<300 {
      let start = Int(random.below(lines.count - 4))
      let removed = Int(random.below(4))
      let new = (0...Int(random.below(4))).map {
        "    let other\(index) = compute(\($0), with: \(random.next()))"
      }
      script += removed > 0 ? "\(start + 1),\(start + removed)c\n" : "\(start + 1)i\n"
      script += new.joined(separator: "\n") + "\n.\n"
      for line in lines[start..<start + removed] + new { changed += line.utf8.count + 1 }
      lines.replaceSubrange(start..<start + removed, with: new)
    }
    script += "w\n"
    sandbox.edit(["--history", "-s", "f"], Array(script.utf8), seconds: 20)
    let listed = sandbox.run("cat .local/state/ued/*.history | wc -c")
    let size = Int(String(decoding: listed, as: UTF8.self).filter(\.isNumber)) ?? .max
    print("300 versions: \(size) bytes for \(first) at first and \(changed) changed")
    #expect(size <= first + changed * 5 / 2)
  }
}
