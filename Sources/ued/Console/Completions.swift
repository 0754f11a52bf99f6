/// Returns the completions of a command, given its text before the cursor.
typealias Completer = @Sendable ([UInt8]) -> Completions

/// The possible completions of a line.
struct Completions: Equatable, Sendable {
  /// One possible completion.
  struct Candidate: Equatable, Sendable {
    var text: [UInt8]
    /// An explanation for the list of candidates.
    var hint = ""
    /// Inserted after it if it is the only candidate.
    var ending: [UInt8] = []
  }

  /// The number of bytes of each candidate that have been typed.
  var typedCount = 0
  /// The candidates, in display order.
  var candidates: [Candidate] = []

  /// The text to insert at the cursor, which all candidates have in common.
  var insertion: [UInt8] {
    guard let first = candidates.first else { return [] }
    if candidates.count == 1 { return first.text.dropFirst(typedCount) + first.ending }
    var common = first.text[...]
    for candidate in candidates {
      let agreed = zip(common, candidate.text).prefix { $0 == $1 }.count
      common = common.prefix(agreed)
    }
    // Never split a character.
    while let last = common.last, last >= 0x80, String(validating: common, as: UTF8.self) == nil {
      common.removeLast()
    }
    return Array(common.dropFirst(typedCount))
  }

  /// The candidates as lines of at most `columns` characters. A candidate with a hint has its own line.
  func list(columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for candidate in candidates {
      let text = String(decoding: VisibleText.of(candidate.text), as: UTF8.self)
      if !candidate.hint.isEmpty {
        lines.append("\(text)  \(VisibleText.of(candidate.hint))")
      } else if !line.isEmpty && line.count + text.count + 2 > columns {
        lines.append(line)
        line = text
      } else {
        line += line.isEmpty ? text : "  " + text
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
