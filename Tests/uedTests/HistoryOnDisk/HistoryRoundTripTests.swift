import Differential
import Testing

/// Sessions of random commands, killed and opened again.
@Suite struct HistoryRoundTripTests {
  private let sandbox = Sandbox()

  /// The texts and descriptions of all revisions.
  private struct Tree {
    var texts: [[UInt8]] = []
    var rows: [String] = []
  }

  private func tree(_ session: TerminalSession) -> Tree {
    var tree = Tree()
    let shown = session.enter("history json")
    for row in shown.split(separator: "\n") where row.hasPrefix("{") {
      // The present revision and the saved one may differ.
      tree.rows.append(
        row.split(separator: ",").filter {
          !$0.hasPrefix("\"current\"") && !$0.hasPrefix("\"saved\"")
        }.joined(separator: ","))
    }
    for row in tree.rows {
      let id = row.dropFirst("{\"id\":".count).prefix { $0 != "," }
      session.enter("jump \(id)", "w !cat >text")
      tree.texts.append(sandbox["text"] ?? [])
    }
    return tree
  }

  @Test(arguments: seeds(4))
  func `a tree made by any commands is the same in the next session`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    sandbox.run("seq 12 >f")
    var before = Tree()
    for _ in 0..<3 {
      let session = TerminalSession.plain(["f"], in: sandbox)
      if !before.rows.isEmpty {
        let after = tree(session)
        // A text saved inside a group is no revision: the next session may add one.
        #expect(after.rows.count - before.rows.count <= 1)
        for (index, row) in before.rows.enumerated() where index < after.rows.count {
          #expect(after.rows[index] == row)
          #expect(after.texts[index] == before.texts[index], "\(row)")
        }
        session.enter("jump saved")
      }
      var depth = 0
      for _ in 0..<25 {
        let number = Int(random.below(12)) + 1
        switch random.below(20) {
        case 0, 1: session.enter("\(number)a", "new \(number)", ".")
        case 2: session.enter("$a", "more", ".")
        case 3: session.enter("\(number)d")
        case 4: session.enter("\(number)c", "other", ".")
        case 5: session.enter("\(number)s/$/ \(number)/")
        case 6: session.enter(",s/1/one/g")
        case 7: session.enter("g/e/m0")
        case 8: session.enter("\(number)t0")
        case 9, 10: session.enter("u")
        case 11, 12: session.enter("undo \(Int(random.below(3)) + 1)")
        case 13: session.enter("redo")
        case 14: session.enter("jump \(random.below(30))")
        case 15: session.enter("w")
        case 16: session.enter("\(number)ka")
        case 17: session.enter("revert \(random.below(20))")
        case 18: session.enter("name called \(number)")
        default:
          if depth > 0 && random.below(2) == 0 {
            session.enter(random.below(3) == 0 ? "abort" : "end")
            depth -= 1
          } else {
            session.enter("begin some")
            depth += 1
          }
        }
      }
      while depth > 0 {
        session.enter("end")
        depth -= 1
      }
      before = tree(session)
      session.kill()
    }
  }
}
