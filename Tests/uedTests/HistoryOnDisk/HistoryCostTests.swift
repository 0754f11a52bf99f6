import Differential
import Glibc
import Testing

/// The space that a history on disk takes; `make bench-history` measures the time.
@Suite(.serialized) struct HistoryOnDiskCostTests {
  private let sandbox = Sandbox()

  @Test(arguments: seeds())
  func `a history is little larger than the changes`(_ seed: UInt64) {
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
    sandbox.edit(["--history", "-s", "f"], Array(script.utf8))
    let listed = sandbox.run("cat .local/state/ued/*.history | wc -c")
    let size = Int(String(decoding: listed, as: UTF8.self).filter(\.isNumber)) ?? .max
    print("300 versions: \(size) bytes for \(first) at first and \(changed) changed")
    #expect(size <= first + changed * 5 / 2)
  }
}
