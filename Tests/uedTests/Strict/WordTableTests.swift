import Differential
import Synchronization
import Testing

/// The words for histories by every kind of input, with errors, second writers and options.
///
/// With any input, the same commands give the same file, output and status as from a pipe or, in
/// strict runs, from `-e`. A case runs alone with `CASE=NUMBER`.
@Suite struct WordTableTests {
  private static let partCount = 8

  private static let cases = PairwiseTable(
    columns: WordCase.columns, options: 2, count: 110 * max(1, setting("SEEDS", or: 1)), seed: 19,
    where: { WordCase(row: $0).isRow }
  ).rows.map { WordCase(row: $0) }

  /// The files and messages of a run.
  private struct Result: Equatable {
    var status: Int32
    var files: [String]
    var output: String
    var errors: String
  }

  @Test(arguments: 0..<partCount)
  func `a word does the same by every kind of input`(_ part: Int) {
    let only = setting("CASE", or: -1)
    var failureCount = 0
    for (index, test) in Self.cases.enumerated()
    where index % Self.partCount == part && failureCount < 5 {
      if only >= 0 && index != only { continue }
      let (result, expected) = (Self.run(test), Self.reference(of: test))
      for fault in Self.faults(in: result, of: test, expected) {
        failureCount += 1
        Issue.record(
          """
          case \(index): \(fault)
          ued \(test.arguments.joined(separator: " ")), script:
          \(test.script)\(test.source) \(test.mode): \(result)
          expected: \(expected)
          """)
      }
    }
  }

  // MARK: - What must hold

  private static func faults(in result: Result, of test: WordCase, _ expected: Result) -> [String] {
    var faults: [String] = []
    func check(_ what: String, _ isTrue: Bool) {
      if !isTrue { faults.append(what) }
    }
    let start = Self.startText(of: test, isWritten: false)
    let present = Self.startText(of: test, isWritten: true)
    let isDry = test.mode == .diff || test.mode == .check
    check("the status", (0...4).contains(result.status))
    check(
      "a failure without a message",
      result.status == 0 || result.status == 4 || !result.errors.isEmpty
        || result.output.contains("?"))
    for file in result.files {
      check("a torn file", [start, present, expected.files[0]].contains(file))
      let endsEarly = test.source == .file || test.mode == .atomic && test.hasSeveralFiles
      let mayBeOld = isDry || endsEarly && expected.status != 0
      check("the file", file == expected.files[0] || mayBeOld && [start, present].contains(file))
    }
    if test.source == .person { return faults }
    // As in ed, a script in a file ends with its first error.
    if test.source == .file && expected.status != 0 {
      check("the status", result.status == expected.status)
      return faults
    }
    switch test.mode {
    case .check where expected.status == 0:
      check("the status of a check", result.status == (expected.files[0] == present ? 0 : 4))
    case _ where test.source != .terminal: check("the status", result.status == expected.status)
    default: break
    }
    if test.hasSeveralFiles { return faults }
    if test.mode == .diff {
      check("the output", result.output.hasPrefix(expected.output))
    } else if test.mode != .verbose && (test.mode != .json || test.writer == .none) {
      check("the output", result.output == expected.output)
    }
    if test.mode != .json && !test.source.isTerminal {
      check("the errors", result.errors == expected.errors)
    }
    // Without an error nothing depends on how strict a run is.
    if test.source == .pipe && expected.status == 0 && test.writer == .none {
      var strict = test
      strict.source = .expressions
      check("strict runs", reference(of: strict) == expected)
    }
    return faults
  }

  /// The file before the word: with the other program's text, or without.
  private static func startText(of test: WordCase, isWritten: Bool) -> String {
    var text = WordCase.text
    if test.keepsHistory { text = text.replacing("one", with: "one!", maxReplacements: 1) }
    switch test.writer {
    case .appends where isWritten: return text + "other\n"
    case .edits where isWritten: return text.replacing("six", with: "VI")
    default: return text
    }
  }

  // MARK: - Running

  private static let references = Mutex<[String: Result]>([:])

  private static func reference(of test: WordCase) -> Result {
    let reference = test.reference
    let key = "\(reference)"
    if let known = references.withLock({ $0[key] }) { return known }
    let result = run(reference)
    references.withLock { $0[key] = result }
    return result
  }

  private static func run(_ test: WordCase) -> Result {
    let sandbox = Sandbox()
    let names = test.hasSeveralFiles ? ["f", "g"] : ["f"]
    for name in names {
      sandbox[name] = Array(WordCase.text.utf8)
      if !test.keepsHistory { continue }
      sandbox.edit(["--history=on", "-i", "-e", WordCase.earlierScript, name], [])
    }
    test.source.prepare(test.lines, in: sandbox)
    var result = test.source.isTerminal ? type(test, in: sandbox) : launch(test, in: sandbox)
    result.files = names.map { String(decoding: sandbox[$0] ?? [], as: UTF8.self) }
    result.output = timeless(result.output)
    result.errors = result.errors.replacing(#/(-e |script:|stdin:)[0-9:]+: /#, with: "")
    return result
  }

  private static func launch(_ test: WordCase, in sandbox: Sandbox) -> Result {
    let run = test.source.launch(test.arguments, test.lines, in: sandbox)
    guard case .exited(let status) = run.ending else {
      return Result(status: -1, files: [], output: "\(run.ending)", errors: "")
    }
    if test.mode == .json {
      let answers = Answers(run.output)
      let output = answers.commands.flatMap { $0["output"]?.elements ?? [] }
      let messages = (answers.commands + [answers.end]).compactMap { $0["message"]?.text }
      return Result(
        status: status, files: [],
        output: output.map { String(decoding: $0.bytes, as: UTF8.self) + "\n" }.joined(),
        errors: messages.joined())
    }
    return Result(
      status: status, files: [], output: String(decoding: run.output, as: UTF8.self),
      errors: String(decoding: run.errors, as: UTF8.self))
  }

  private static func type(_ test: WordCase, in folder: Sandbox) -> Result {
    if test.source == .person {
      let session = TerminalSession.plain(
        test.arguments, in: folder, history: test.keepsHistory ? "on" : "off")
      for line in test.lines where session.enter(line).contains("repeat the command to\noverwrite")
      {
        session.enter(line)
      }
      session.end("q")
      return Result(status: 0, files: [], output: "", errors: "")
    }
    let session = TerminalSession(test.arguments, environment: ["TERM": "dumb"], in: folder)
    session.stopEcho()
    session.type(test.script + "Q\n")
    let status = session.ending()
    return Result(status: status, files: [], output: session.shown(), errors: "")
  }

  /// The output without its times.
  private static func timeless(_ output: String) -> String {
    output.replacing(#/[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]?/#, with: "").replacing(
      #/[0-9]{2}:[0-9]{2}(:[0-9]{2}Z?)?/#, with: "TIME"
    ).replacing(#/committer .* [0-9]{10} \+0000/#, with: "committer TIME")
  }
}
