import Differential
import Testing

/// Sessions of random commands, killed and opened again.
@Suite struct HistoryRoundTripTests {
  private let workshop = Workshop()

  /// All texts and what is told of all revisions.
  private struct Tree {
    var texts: [[UInt8]] = []
    var rows: [String] = []
  }

  private func tree(_ session: TerminalSession) -> Tree {
    var tree = Tree()
    let shown = session.type("history json")
    for row in shown.split(separator: "\n") where row.hasPrefix("{") {
      // Where the text is and what was saved last may differ.
      tree.rows.append(
        row.split(separator: ",")
          .filter { !$0.hasPrefix("\"current\"") && !$0.hasPrefix("\"saved\"") }
          .joined(separator: ","))
    }
    for row in tree.rows {
      let id = row.dropFirst("{\"id\":".count).prefix { $0 != "," }
      session.type("jump \(id)", "w !cat >text")
      tree.texts.append(workshop["text"] ?? [])
    }
    return tree
  }

  @Test(arguments: seeds(4))
  func `a tree that any commands have made is the same in the next session`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    workshop.run("seq 12 >f")
    var before = Tree()
    for _ in 0..<3 {
      let session = TerminalSession(workshop, ["f"])
      if !before.rows.isEmpty {
        let after = tree(session)
        // A text that was saved inside a group is none of the revisions, so it comes from outside.
        #expect(after.rows.count - before.rows.count <= 1)
        for (index, row) in before.rows.enumerated() where index < after.rows.count {
          #expect(after.rows[index] == row)
          #expect(after.texts[index] == before.texts[index], "\(row)")
        }
        session.type("jump saved")
      }
      var depth = 0
      for _ in 0..<25 {
        let number = Int(random.below(12)) + 1
        switch random.below(20) {
        case 0, 1: session.type("\(number)a", "new \(number)", ".")
        case 2: session.type("$a", "more", ".")
        case 3: session.type("\(number)d")
        case 4: session.type("\(number)c", "other", ".")
        case 5: session.type("\(number)s/$/ \(number)/")
        case 6: session.type(",s/1/one/g")
        case 7: session.type("g/e/m0")
        case 8: session.type("\(number)t0")
        case 9, 10: session.type("u")
        case 11, 12: session.type("undo \(Int(random.below(3)) + 1)")
        case 13: session.type("redo")
        case 14: session.type("jump \(random.below(30))")
        case 15: session.type("w")
        case 16: session.type("\(number)ka")
        case 17: session.type("revert \(random.below(20))")
        case 18: session.type(random.below(2) == 0 ? "name called \(number)" : "checkpoint")
        default:
          if depth > 0 && random.below(2) == 0 {
            session.type(random.below(3) == 0 ? "abort" : "end")
            depth -= 1
          } else {
            session.type("begin some")
            depth += 1
          }
        }
      }
      while depth > 0 {
        session.type("end")
        depth -= 1
      }
      before = tree(session)
      session.kill()
    }
  }
}
