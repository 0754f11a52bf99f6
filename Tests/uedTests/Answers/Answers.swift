import Differential
import Testing

/// The answers of a run, all validated.
struct Answers {
  /// One per command.
  private(set) var commands: [ParsedJSON] = []
  /// The last answer; null without one.
  private(set) var end = ParsedJSON.null

  /// Reads the output of a run; records an issue for each answer that violates the schema.
  init(_ output: [UInt8]) {
    if output.last != UInt8(ascii: "\n") { Issue.record("the last answer is cut off") }
    for line in output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast()
    {
      guard let answer = Self.validated(Array(line)) else { continue }
      if end != .null { Issue.record("an answer after the last one") }
      if answer["end"] == .bool(true) {
        end = answer
      } else {
        commands.append(answer)
        #expect(answer["n"] == .number(commands.count))
      }
    }
  }

  /// A line as an answer; nil, with an issue recorded, if it is not one.
  static func validated(_ line: [UInt8]) -> ParsedJSON? {
    guard let answer = try? ParsedJSON(line) else {
      Issue.record("no JSON: \(Escapes.encode(line))")
      return nil
    }
    if let fault = AnswerSchema.shared.fault(in: answer) {
      Issue.record("\(fault) in \(Escapes.encode(line))")
    }
    return answer
  }

  /// The codes of the errors, "ok" for a command that has succeeded.
  var codes: [String] { commands.map { $0["error"]?.text ?? "ok" } }

  /// The output of each command, as one text.
  var outputs: [String] {
    commands.map { answer in
      (answer["output"]?.elements ?? []).map { String(decoding: $0.bytes, as: UTF8.self) }
        .joined(separator: "|")
    }
  }

  /// The files in `end`.
  var files: [ParsedJSON] { end["files"]?.elements ?? [] }
}

extension Sandbox {
  /// Runs the program under test with `--json`.
  func answers(
    _ arguments: [String], _ script: [UInt8] = [], status: Int32 = 0
  ) -> Answers {
    let answers = Answers(edit(["--json"] + arguments, script, status: status))
    #expect(answers.end["status"] == .number(Int(status)))
    return answers
  }

  /// Runs the program under test with `--json`.
  func answers(_ arguments: [String], _ script: String, status: Int32 = 0) -> Answers {
    answers(arguments, Array(script.utf8), status: status)
  }
}
