import Glibc
import TextBuffer

/// Replays of recorded typing: a document that records groups, compared with an array without undo.
enum Typing {
  static func run(_ folder: String) {
    let traces = [("automerge-paper", 0.023), ("rustcode", 0.15), ("sveltecomponent", 0.60)]
    for (name, atMost) in traces {
      let path = "\(folder)/\(name).trace"
      guard access(path, R_OK) == 0 else { continue }
      replay(Trace(path: path), name, atMost: atMost)
    }
  }

  /// Replays a trace, and prints whether the document took at most `atMost` times as long as the array.
  static func replay(_ trace: Trace, _ name: String, atMost: Double) {
    var document = Document(PieceTable())
    var array: [UInt8] = []
    var (ours, naive): ([Double], [Double]) = ([], [])
    // In turns, so that both run under the same conditions; short traces more often.
    for _ in 0..<max(30, 2_000_000 / trace.edits.count) {
      // Freeing the results of the run before is not measured.
      document = Document(PieceTable())
      array = []
      naive.append(nanoseconds { array = typeIntoArray(trace) })
      ours.append(nanoseconds { document = type(trace) })
      precondition(array == trace.final && document.byteCount == array.count)
    }
    precondition(document.buffer.bytes == trace.final)
    report("\(name), array without undo", naive, per: trace.edits.count, unit: "edit")
    report("\(name), document", ours, per: trace.edits.count, unit: "edit")
    let ratio = (ours.min() ?? 0) / (naive.min() ?? 1)
    let verdict = ratio > atMost ? " MISSED" : ""
    print(
      "  ratio \(column(ratio, width: 0, places: 4)), at most \(column(atMost, width: 0, places: 3))"
        + verdict)
    let groups = document.history.revisions.count - 1
    let share = Double(groups) / Double(trace.edits.count) * 100
    print("  \(groups) groups, \(column(share, width: 0)) % of the edits")
    let undone = nanoseconds { while document.undo() != nil {} }
    precondition(document.buffer.isEmpty)
    report("\(name), undo all", [undone], per: groups, unit: "group")
    let redone = nanoseconds { while document.redo() != nil {} }
    precondition(document.buffer.bytes == trace.final)
    report("\(name), redo all", [redone], per: groups, unit: "group")
  }

  static func type(_ trace: Trace) -> Document<Void> {
    var document = Document(PieceTable(), coalescing: .typing)
    let bytes = trace.bytes.span.bytes
    for edit in trace.edits {
      document.replace(
        ByteOffset(edit.range.lowerBound)..<ByteOffset(edit.range.upperBound),
        with: bytes.extracting(edit.inserted))
    }
    document.closeGroup()
    return document
  }

  static func typeIntoArray(_ trace: Trace) -> [UInt8] {
    var array: [UInt8] = []
    for edit in trace.edits {
      array.replaceSubrange(edit.range, with: trace.bytes[edit.inserted])
    }
    return array
  }

  /// The memory of 100,000 groups besides their text.
  static func groups() {
    let count = 100_000
    var document = Document(PieceTable("some text"), coalescing: .typing)
    let line = Array("0123456789\n".utf8)
    let before = residentBytes()
    measure("groups recorded", runs: 1, per: count, "group") {
      for index in 0..<count {
        // In the middle of the latest insertion, and far from it: neither joins it.
        let offset = ByteOffset(index % 2 == 0 ? 5 : document.byteCount / 2)
        document.replace(offset..<offset, with: line)
      }
      document.closeGroup()
    }
    precondition(document.history.revisions.count == count + 1)
    let used = residentBytes() - before - count * line.count
    print("memory of a group besides its text: \(used / count) bytes")
  }
}
