import Differential
import Testing

/// Every option of strict runs with every other, with `--json` and without.
@Suite struct AnswerTableTests {
  private static let options = [
    "--atomic", "--diff", "--check", "--create", "--retry=1", "--validate=test -f %",
    "--validate=test -d %", "--history=on", "--history=off", "-i", "-i.bak", "--run=r", "-E", "-r",
    "-s", "-l", "-v",
  ]

  /// Scripts with a save, an error, a group, no write, and a quit without a save.
  private static let scripts = [
    ["1s/a/X/", "w"], ["1s/a/X/", "w", "9p", "1d", "w"], ["begin", "1d", "end", "undo", "$d", "w"],
    ["1p"], ["1d", "Q"],
  ]

  private func run(_ options: [String], _ script: [String]) -> (
    ending: Ending, files: [[UInt8]?], output: [UInt8]
  ) {
    let sandbox = Sandbox()
    for name in ["f", "g"] { sandbox[name] = Array("abc\ntwo\nthree\n".utf8) }
    let names = options.contains("--create") ? ["f", "g", "h"] : ["f", "g"]
    let commands = script.flatMap { ["-e", $0] }
    let result = sandbox.launch(Program.underTest.path, options + commands + names, [])
    return (result.ending, ["f", "g", "h", "f.bak", "g.bak"].map { sandbox[$0] }, result.output)
  }

  @Test(arguments: options)
  func `answers change neither the files nor the status`(_ option: String) {
    for other in Self.options where other > option {
      // Each pair has three of the scripts.
      let first = (option + other).utf8.reduce(0) { $0 + Int($1) }
      for index in first..<first + 3 {
        let script = Self.scripts[index % Self.scripts.count]
        let name: Comment = "\(option) \(other) \(script)"
        let plain = run([option, other], script)
        let told = run([option, other, "--json"], script)
        #expect(told.ending == plain.ending, name)
        #expect(told.files == plain.files, name)
        guard case .exited(let status) = plain.ending else { continue }
        let isAnswered = Answers(told.output).end["status"] == .number(Int(status))
        guard isAnswered else { return #expect(isAnswered, name) }
      }
    }
  }
}
