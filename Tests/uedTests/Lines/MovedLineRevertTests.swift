import Differential
import Testing

/// `revert` of some lines where lines have been moved.
@Suite struct MovedLineRevertTests {
  private static let words = ["one", "two", "three", "four", "five", "six", "seven"]

  @Test func `no line is lost or doubled by any moves and changes`() {
    var random = SeededGenerator(seed: 7)
    let count = Self.words.count
    var script = ""
    for _ in 0..<200 {
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let first = Int.random(in: 1...count, using: &random)
        let last = Int.random(in: first...count, using: &random)
        if Bool.random(using: &random) {
          script += "\(first),\(last)s/$/!/\n"
        } else {
          let targets = (0...count).filter { $0 < first || $0 >= last }
          script += "\(first),\(last)m\(targets.randomElement(using: &random) ?? 0)\n"
        }
      }
      let first = Int.random(in: 1...count, using: &random)
      script +=
        "\(first),\(Int.random(in: first...count, using: &random))revert 0\n,p\n!echo end\njump 0\n"
    }
    let sandbox = Sandbox()
    sandbox["f"] = Array(Self.words.map { $0 + "\n" }.joined().utf8)
    let output = sandbox.edit(
      ["-s", "--history", "f"], Array((script + "Q\n").utf8), status: 1)
    let texts = String(decoding: output, as: UTF8.self).split(separator: "end\n").map {
      $0.split(separator: "\n").map { $0.filter { $0 != "!" } }.filter { !$0.isEmpty && $0 != "?" }
    }
    #expect(texts.count >= 200)
    for (number, text) in texts.enumerated() where !text.isEmpty {
      #expect(text.sorted() == Self.words.sorted(), "\(number)")
    }
  }
}
