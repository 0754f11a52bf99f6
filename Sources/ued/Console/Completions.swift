/// Answers how a command can go on, by what of it stands before the cursor.
typealias Completer = @Sendable ([UInt8]) -> Completions

/// How a line that is being typed can go on.
struct Completions: Equatable, Sendable {
  /// One way to go on.
  struct Candidate: Equatable, Sendable {
    var text: [UInt8]
    /// What it means, for the list of candidates.
    var note = ""
    /// What is typed behind it when it is the only one.
    var ending: [UInt8] = []
  }

  /// How many bytes before the cursor every candidate begins with.
  var typedCount = 0
  /// In the order to be shown.
  var candidates: [Candidate] = []

  /// What can be typed for the user: as far as all candidates agree.
  var insertion: [UInt8] {
    guard let first = candidates.first else { return [] }
    if candidates.count == 1 { return first.text.dropFirst(typedCount) + first.ending }
    var common = first.text[...]
    for candidate in candidates {
      let agreed = zip(common, candidate.text).prefix { $0 == $1 }.count
      common = common.prefix(agreed)
    }
    // A character is not split.
    while let last = common.last, last >= 0x80, String(validating: common, as: UTF8.self) == nil {
      common.removeLast()
    }
    return Array(common.dropFirst(typedCount))
  }

  /// The candidates as lines of at most `columns` characters: those with a note have one each.
  func list(columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for candidate in candidates {
      let text = String(decoding: candidate.text, as: UTF8.self)
      if !candidate.note.isEmpty {
        lines.append("\(text)  \(candidate.note)")
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
