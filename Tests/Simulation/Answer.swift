import Differential

/// The fields of an answer of `ued --json` that the simulation looks at.
struct Answer {
  let line: [UInt8]
  private let value: ParsedJSON

  init(_ line: [UInt8]) {
    self.line = line
    value = (try? ParsedJSON(line)) ?? .null
  }

  var isOK: Bool { value["ok"] == .bool(true) }
  var revision: Int { value["revision"]?.number ?? -1 }
  var lineCount: Int { value["lines"]?.number ?? -1 }
  var error: String? { value["error"]?.text }
  var notices: String {
    (value["notices"]?.elements ?? []).compactMap(\.text).joined(separator: "\n")
  }
  var output: [[UInt8]] { value["output"]?.elements.map(\.bytes) ?? [] }
  /// Of the last answer, the exit status.
  var status: Int? { value["status"]?.number }
}
