import Differential

/// The source of a script.
enum ScriptSource: CaseIterable, Sendable {
  /// An `-e` for each line, one `-e` for all lines, `-f`, an `-e` and `-f`, `-f -`.
  case expressions, oneExpression, scriptFile, expressionAndFile, dash
  /// Standard input as in ed: a pipe, a file, a terminal with `-G`.
  case pipe, file, terminal
  /// A terminal with all that a person gets.
  case person

  var isStrict: Bool { ![.pipe, .file, .terminal, .person].contains(self) }
  var isTerminal: Bool { self == .terminal || self == .person }

  private func text(_ lines: some Sequence<String>) -> String {
    lines.map { $0 + "\n" }.joined()
  }

  /// The arguments that give the lines of a script.
  func arguments(_ lines: [String]) -> [String] {
    switch self {
    // Without lines there would be no script at all.
    case .expressions: lines.isEmpty ? ["-e", ""] : lines.flatMap { ["-e", $0] }
    case .oneExpression: ["-e", lines.joined(separator: "\n")]
    case .scriptFile: ["-f", "script"]
    case .expressionAndFile: ["-e", lines.first ?? "", "-f", "script"]
    case .dash: ["-f", "-"]
    case .terminal: ["-G"]
    case .pipe, .file, .person: []
    }
  }

  /// Whether there is a file `script` for `-f`.
  var hasScriptFile: Bool { self == .scriptFile || self == .expressionAndFile }

  /// Writes the file `script` if there is one.
  func prepare(_ lines: [String], in sandbox: Sandbox) {
    if hasScriptFile {
      sandbox["script"] = Array(text(lines.dropFirst(self == .scriptFile ? 0 : 1)).utf8)
    }
  }

  /// Runs the program under test in a folder, without a terminal.
  func launch(_ arguments: [String], _ lines: [String], in sandbox: Sandbox) -> (
    output: [UInt8], errors: [UInt8], ending: Ending
  ) {
    let input = [.pipe, .file, .dash].contains(self) ? Array(text(lines).utf8) : []
    if self != .file { return sandbox.launch(Program.underTest.path, arguments, input) }
    let outside = TemporaryFolder()
    outside["input"] = input
    return sandbox.launch(Program.underTest.path, arguments, .file(outside.path + "/input"))
  }

  /// The place that an error gives for a line of the script, counted from 1.
  func place(ofLine number: Int) -> String {
    switch self {
    case .expressions: "-e \(number):1"
    case .oneExpression: "-e 1:\(number)"
    case .scriptFile: "script:\(number)"
    case .expressionAndFile: number == 1 ? "-e 1:1" : "script:\(number - 1)"
    default: "stdin:\(number)"
    }
  }
}
