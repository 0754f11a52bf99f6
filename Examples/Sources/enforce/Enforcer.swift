import Foundation

/// One run of ued that makes rules hold in files, in all of them or in none.
struct Enforcer {
  /// What is done with the changes.
  enum Purpose: String {
    case write = "-i"
    case check = "--check"
    case show = "--diff"
  }

  let rules: [Rule]
  let files: [String]
  var run = "enforce"
  var purpose = Purpose.write
  /// The environment of ued, which is looked for in its PATH.
  var environment = ProcessInfo.processInfo.environment

  /// Makes the rules hold.
  ///
  /// - Returns: What has changed, line by line, and the exit status of ued.
  func enforce() throws -> (report: [String], status: Int32) {
    let answers = try answers()
    guard let end = answers.last, let status = end.status else {
      return (["there is no answer from ued"], 1)
    }
    let rules = rulesByFile(answers)
    if let failure = end.message {
      let culprits = (end.files ?? []).filter { $0.message != nil }.map { file in
        let rule = rules.failed[file.path.string].map { $0 + ": " } ?? ""
        return "\(file.path.string): \(rule)\(file.message?.string ?? "")"
      }
      return ((culprits.isEmpty ? [failure.string] : culprits) + ["nothing is written"], status)
    }
    let report = (end.files ?? []).flatMap { file in
      let changes = rules.changed[file.path.string] ?? []
      if file.before == file.after { return ["\(file.path.string): as it should be"] }
      return ["\(file.path.string): \(purpose == .write ? "changed" : "would change")"]
        + changes.map { "  " + $0 } + (file.diff ?? []).map(\.string)
    }
    return (report, status)
  }

  /// The rules that have changed a file, and the one that has failed, by file.
  private func rulesByFile(
    _ answers: [Answer]
  ) -> (changed: [String: [String]], failed: [String: String]) {
    var changed: [String: [String]] = [:]
    var failed: [String: String] = [:]
    var rule = ""
    var revision: Int?
    for answer in answers {
      guard let command = answer.command?.string else { continue }
      // A run over one file does not name it.
      let file = answer.file?.string ?? files[0]
      if command.hasPrefix("begin ") {
        rule = String(command.dropFirst("begin ".count))
        revision = answer.revision
      } else if command == "end" && answer.revision != revision {
        changed[file, default: []].append(rule)
      }
      if answer.message != nil { failed[file] = rule }
    }
    return (changed, failed)
  }

  /// Runs ued, and returns all that it answers.
  private func answers() throws -> [Answer] {
    let ued = Process()
    let (input, output) = (Pipe(), Pipe())
    ued.executableURL = URL(filePath: "/usr/bin/env")
    ued.arguments =
      ["ued", "--json", "--atomic", "--history", "--run=\(run)", purpose.rawValue, "--"] + files
    ued.environment = environment
    ued.standardInput = input
    ued.standardOutput = output
    try ued.run()
    // With these options ued reads the whole script before it answers, so neither waits for the other.
    try? input.fileHandleForWriting.write(contentsOf: Data(rules.map(\.script).joined().utf8))
    try input.fileHandleForWriting.close()
    let answers = try output.fileHandleForReading.readToEnd() ?? Data()
    ued.waitUntilExit()
    let decoder = JSONDecoder()
    return try answers.split(separator: UInt8(ascii: "\n")).map {
      try decoder.decode(Answer.self, from: $0)
    }
  }
}
