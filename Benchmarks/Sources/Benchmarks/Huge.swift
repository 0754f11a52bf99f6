import Glibc

/// A text that is much larger than the memory limit of ued.
enum Huge {
  private static let (lineCount, editCount, kilobytes) = (20_000_000, 1000, 65_536)

  /// Searches it, edits it at random lines, writes it, undoes that and writes it again.
  static func run() {
    let ued = pathOfUed()
    let inputs = Inputs()
    defer { inputs.remove() }
    chdir(inputs.folder)
    inputs.write("huge", count: lineCount) { number, bytes in
      bytes += "\(number) of the lines of a text that takes a gigabyte".utf8
    }
    var random = SeededGenerator(9)
    let edits = (0..<editCount).map { _ in
      "\(Int.random(in: 1...lineCount, using: &random))s/$/ more/"
    }
    inputs.writeScript(
      "huge.ed",
      ["/^19999999 of/p", "g/ more$/p"] + edits
        + ["g/ more$/p", "w changed", "undo \(editCount)", "w same", "Q"])
    let limited = ["/bin/sh", "-c", "ulimit -d \(kilobytes); exec \(ued) -s huge"]
    let run = Run(arguments: limited, input: inputs.path("huge.ed"), output: inputs.path("said"))
    print(
      "\(lineCount) lines, \(inputs.byteCount("huge") / 1_000_000) MB, in \(kilobytes) KB: ",
      terminator: "")
    switch run.perform(seconds: 600) {
    case .done(let seconds, _):
      let isChanged = inputs.byteCount("changed") == inputs.byteCount("huge") + 5 * editCount
      let isSame = inputs.byteCount("same") > 0 && Files.areEqual("huge", "same")
      print(isChanged && isSame ? "right, in \(Int(seconds.rounded())) s" : "WRONG")
    case .timedOut: print("TOO SLOW")
    case .failed(let status): print("FAILED with \(status)")
    }
  }
}
