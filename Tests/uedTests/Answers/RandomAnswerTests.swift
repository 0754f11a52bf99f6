import Differential
import Testing

/// Long sessions of random commands with `--json`, compared with plain ones.
@Suite struct RandomAnswerTests {
  private let sandbox = Sandbox()
  private static let text = (1...30).map { "line \($0) one two\n" }.joined()

  @Test(arguments: seeds(2))
  func `every command has one answer, and a plain session says the same`(_ seed: UInt64) {
    var script = AnswerScript(seed: seed)
    script.make(setting("COMMANDS", or: 600))
    sandbox["other"] = Array("one\nother\n".utf8)
    sandbox["f"] = Array(Self.text.utf8)
    let plain = sandbox.launch(Program.underTest.path, ["-s", "f"], script.plain)
    let written = sandbox["f"]
    sandbox["f"] = Array(Self.text.utf8)
    let answers = sandbox.answers(["f"], script.json, status: 1)
    #expect(sandbox["f"] == written)
    var (said, counts) = ([UInt8](), [0])
    /// The command of each line.
    var commands: [String] = []
    for answer in answers.commands {
      if answer["command"]?.text == AnswerScript.mark {
        counts.append(0)
      } else {
        counts[counts.count - 1] += 1
      }
      for line in answer["output"]?.elements ?? [] { said += line.bytes + [0x0A] }
      if answer["ok"] == .bool(false) { said += "?\n".utf8 }
      let count = (answer["output"]?.elements.count ?? 0) + (answer["ok"] == .bool(false) ? 1 : 0)
      commands += Array(repeating: Escapes.encode(answer["command"]?.bytes ?? []), count: count)
    }
    #expect(counts == script.counts + [0])
    let pairs = zip(AnswerScript.lines(said), AnswerScript.lines(plain.output)).enumerated()
    if let (index, pair) = pairs.first(where: { $1.0 != $1.1 }) {
      let last = commands[max(index - 8, 0)...min(index, commands.count - 1)]
      Issue.record("line \(index): \(pair.0), and not \(pair.1), after \(last)")
    }
    #expect(said.count == plain.output.count)
    #expect(answers.files.first?["lines_added"]?.number != 0)
  }

  @Test func `scripts of all kinds have valid answers`() {
    for seed in 1...UInt64(setting("SEEDS", or: 60)) {
      var generator = ScriptGenerator(seed: seed)
      let test = OwnWords.added(to: generator.makeCase().0, seed: seed)
      sandbox["f"] = test.text ?? []
      let result = sandbox.launch(
        Program.underTest.path, ["--json", "f"], test.script)
      let answers = Answers(result.output)
      #expect(answers.end != .null, "seed \(seed)")
      #expect(result.ending == .exited(Int32(answers.end["status"]?.number ?? -1)), "seed \(seed)")
    }
  }
}

/// A random script in two forms. One is for a session that reads the lines of failed text commands.
/// The other leaves them out, for a session that takes them for commands, as ed does.
private struct AnswerScript {
  private(set) var json: [UInt8] = []
  private(set) var plain: [UInt8] = []
  /// The expected numbers of answers between two marks.
  private(set) var counts: [Int] = []
  private var random: SeededGenerator
  private var depth = 0

  /// A comment after each command.
  static let mark = "# mark"

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func make(_ count: Int) {
    // From here on ued's own words are allowed in the plain session, too.
    add("begin\nend", count: 2)
    while counts.count < count { makeCommand() }
    for _ in 0..<depth { add("end") }
    add("w")
    add("9999p")
  }

  private mutating func add(_ command: String, count: Int = 1) { add(Array(command.utf8), count) }

  private mutating func add(_ command: [UInt8], _ count: Int = 1, plain other: [UInt8]? = nil) {
    let mark = Array("\n\(Self.mark)\n".utf8)
    json += command + mark
    plain += (other ?? command) + mark
    counts.append(count)
  }

  private mutating func makeCommand() {
    switch random.below(20) {
    case 0...4: add(random.pick(Self.edits))
    case 5...8: add(random.pick(Self.prints))
    case 9...11: add(random.pick(Self.words))
    case 12...13: add(random.pick(Self.mistakes))
    case 14...15: add(Array(random.pick(["$a\n", "a\n", "0a\n"]).utf8) + lines() + [0x2E])
    case 16:
      let command = random.pick(["2i", "$a", "c", "99999a", "/zz9/c"]) + " <<'E F'\n"
      add(Array(command.utf8) + lines() + Array(".\nE F".utf8))
    case 17:
      let command = Array(random.pick(["99999a", "/zz9/c", "'zc"]).utf8)
      if depth == 0 { add(command + [0x0A] + lines() + [0x2E], plain: command) }
    case 18:
      add([random.pick([0, 1, 0x1B, 0x80, 0xFF, UInt8(ascii: "Y"), UInt8(ascii: "~")])] + bytes())
    default:
      if depth < 2 && random.chance(50) {
        add(random.pick(["begin", "begin N"]))
        depth += 1
      } else if depth > 0 {
        add("end")
        depth -= 1
      }
    }
  }

  /// Lines of text without a period or an end.
  private mutating func lines() -> [UInt8] {
    var all: [UInt8] = []
    for _ in 0..<random.below(4) {
      all += random.chance(30) ? [0x3F] : random.chance(50) ? Array("x one".utf8) : [0x78] + bytes()
      all.append(0x0A)
    }
    return all
  }

  private mutating func bytes() -> [UInt8] {
    (0..<random.below(9)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      .filter { $0 != 0x0A }
  }

  private static let edits = [
    "2s/o/0/", ",s/one/two/g", "$s/x/&&/", "1t.", "2m$", "$-2,$j", "2,3y", "$x", "3d", "s/0/o/gp",
    ".ka", "g/two/s/t/T/", "v/o/t.", ",s/[/]/|/F", "2,4!sort", "r other", "0r !echo in", "1,3d",
    "g/T/m0", "u", "w",
  ]
  private static let prints = [
    "p", "1,5n", "$l", ".=", "=", "1z4", "g/one/p", "/o/", "?two?", "2,$-1p", "'ap", "f", ",l",
    "!echo out; echo more", "1,2w !cat",
  ]
  private static let words = [
    "undo", "redo", "undo 2", "redo 3", "history", "history 3", "history json", "history all",
    "diff", "diff 1", "diff undo", "name A B", "name C", "jump 2", "jump C", "jump -",
    "revert 2", "jump saved", "help s", "1,2history", "undo 99", "merge 1", "pick 1",
  ]
  private static let mistakes = [
    "99999p", "/zz9/", "s/zz9/x/", "s/[/x/", "s/a", "k1", "2,1p", "m", "Y", "undo x",
    "jump nowhere", "abort x", "begin\u{1}", "'zp", "1,2,3q q", "r nix", "w nix/nix", "g/o/g/o/p",
    "help nothing", "revert 99999", "zz", "=x",
  ]

  /// The lines of an output, with all times made the same.
  static func lines(_ output: [UInt8]) -> [String] {
    var bytes = output
    var start = 0
    while start + 8 <= bytes.count {
      let shape = bytes[start..<start + 8].map { 48...57 ~= $0 ? UInt8(ascii: "0") : $0 }
      if shape == Array("00:00:00".utf8) { bytes.replaceSubrange(start..<start + 8, with: shape) }
      start += 1
    }
    return bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { Escapes.encode(Array($0)) }
  }
}
