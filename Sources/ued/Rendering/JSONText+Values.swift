import TextBuffer

/// Values in answers to programs.
extension JSONText {
  /// Adds an array of strings.
  mutating func append(strings: [[UInt8]]) {
    append("[")
    for (index, string) in strings.enumerated() {
      if index > 0 { append(",") }
      append(string: string)
    }
    append("]")
  }

  /// Adds what is behind the current line at the end of the answer to a command.
  mutating func append(endOf state: TextState) {
    append(#","lines":"#)
    append(state.lastLine.value)
    append(#","revision":"#)
    append(state.revision)
    append(#","modified":"#)
    append(state.isModified)
    append("}")
    endLine()
  }

  /// Adds an error in a text as members of an object.
  mutating func append(_ error: EditorError, _ message: [UInt8], in text: PieceTable) {
    append(#","error":"#)
    append(string: ErrorCode(error).rawValue)
    append(#","message":"#)
    append(string: message)
    if let hint = error.hint {
      append(#","hint":"#)
      append(hint, of: text)
    }
  }

  /// Adds a hint as an object, with those of its lines that the text has.
  mutating func append(_ hint: ErrorHint, of text: PieceTable) {
    append(#"{"lines":["#)
    for (index, line) in hint.lines.filter({ $0.value <= text.newlineCount }).enumerated() {
      if index > 0 { append(",") }
      append(#"{"number":"#)
      append(line.value)
      append(#","text":"#)
      append(string: text.line(line))
      append("}")
    }
    append(#"],"revisions":["#)
    for (index, revision) in hint.revisions.enumerated() {
      if index > 0 { append(",") }
      append(revision)
    }
    append("]")
    if let difference = hint.difference {
      append(#","difference":{"line":"#)
      append(difference.line.value)
      append(#","kind":"#)
      append(string: Self.name(of: difference.kind))
      if let expected = difference.expected {
        append(#","expected":"#)
        append(string: expected)
      }
      if let found = difference.found {
        append(#","found":"#)
        append(string: found)
      }
      append("}")
    }
    append("}")
  }

  private static func name(of kind: LineMismatch.Kind) -> String {
    switch kind {
    case .leadingBlanks: "leading-blanks"
    case .trailingBlanks: "trailing-blanks"
    case .blanks: "blanks"
    case .tabs: "tabs"
    case .carriageReturn: "carriage-return"
    case .quotes: "quotes"
    case .characters: "characters"
    case .word: "word"
    case .text: "text"
    case .missing: "missing"
    case .surplus: "surplus"
    }
  }

  /// Adds a file as the beginning of an object.
  mutating func append(_ file: TouchedFile) {
    let hunks = LineDifference.affordableHunks(
      from: file.before ?? PieceTable(), to: file.after ?? PieceTable())
    append(#"{"path":"#)
    append(string: file.path)
    append(#","before":"#)
    append(hashOf: file.before)
    append(#","after":"#)
    append(hashOf: file.after)
    append(#","written":"#)
    append(file.isWritten)
    append(#","lines_added":"#)
    append(hunks.reduce(0) { $0 + $1.new.count })
    append(#","lines_removed":"#)
    append(hunks.reduce(0) { $0 + $1.old.count })
    append(#","revision":"#)
    append(file.revision)
  }

  /// Adds the hash of a text, or null if there is none.
  private mutating func append(hashOf text: PieceTable?) {
    guard let text else { return append("null") }
    append(string: SHA256Hash(of: text).description)
  }

  /// Adds why a run failed on a file.
  mutating func append(_ failure: RunFailure) {
    append(#","error":"#)
    append(string: ErrorCode(failure.error).rawValue)
    append(#","message":"#)
    append(string: Messages.reason(failure))
    if !failure.place.isEmpty {
      append(#","script":"#)
      append(string: failure.place)
    }
  }

  /// A run over histories, without its newline.
  static func line(_ run: IndexedRun) -> [UInt8] {
    var json = JSONText()
    json.append(#"{"run":"#)
    json.append(string: run.tag.identity)
    json.append(#","name":"#)
    json.append(string: run.tag.name)
    json.append(#","time":"#)
    json.append(time: run.tag.time)
    json.append(#","files":"#)
    json.append(strings: run.places.map(\.file))
    json.append(#","taken_back_by":"#)
    json.append(strings: run.undoers.map { Array($0.identity.utf8) })
    json.append("}")
    return json.bytes
  }

  /// A group that a search has found, without its newline.
  static func line(_ group: FoundGroup) -> [UInt8] {
    var json = JSONText()
    json.append(#"{"file":"#)
    json.append(string: group.file)
    json.append(#","revision":"#)
    json.append(group.id)
    json.append(#","time":"#)
    json.append(time: group.time)
    json.append(#","description":"#)
    json.append(string: group.title)
    json.append("}")
    return json.bytes
  }

  /// A line of the text, by its index in a listing, with the group that it has last appeared by; without its newline.
  static func line(_ index: Int, of listing: BlameListing) -> [UInt8] {
    let id = listing.groups[index]
    let origin = listing.origins[id]
    var json = JSONText()
    json.append(#"{"line":"#)
    json.append(listing.lines.first.value + index)
    json.append(#","id":"#)
    json.append(origin == nil ? nil : id)
    json.append(#","time":"#)
    if let origin { json.append(time: origin.time) } else { json.append("null") }
    json.append(#","run":"#)
    json.append(origin?.run)
    json.append(#","run_name":"#)
    json.append(string: origin?.runName)
    json.append("}")
    return json.bytes
  }

  /// A revision in a history, without its newline.
  static func line(_ row: HistoryRow, _ fileName: [UInt8]) -> [UInt8] {
    let file = fileName.isEmpty ? nil : String(decoding: fileName, as: UTF8.self)
    var json = JSONText()
    json.append(#"{"id":"#)
    json.append(row.id)
    json.append(#","parent":"#)
    json.append(row.parent)
    json.append(#","name":"#)
    json.append(string: row.name)
    json.append(#","description":"#)
    json.append(string: row.description)
    json.append(#","time":"#)
    json.append(time: row.time)
    json.append(#","current":"#)
    json.append(row.isCurrent)
    json.append(#","saved":"#)
    json.append(row.isSaved)
    json.append(#","lines_added":"#)
    json.append(row.lineCounts?.added ?? 0)
    json.append(#","lines_removed":"#)
    json.append(row.lineCounts?.removed ?? 0)
    json.append(#","run":"#)
    json.append(row.run)
    json.append(#","run_name":"#)
    json.append(string: row.runName)
    json.append(#","file":"#)
    json.append(string: file)
    json.append("}")
    return json.bytes
  }

  /// Adds a number, or null.
  private mutating func append(_ number: Int?) {
    if let number { append(number) } else { append("null") }
  }

  /// Adds a string, or null.
  private mutating func append(string text: String?) {
    if let text { append(string: text) } else { append("null") }
  }

  /// Adds a time as RFC 3339 has it.
  private mutating func append(time: Double) {
    append(string: SystemClock.standardText(time))
  }

  /// The last answer of what was done with histories, without its newline: with the first failure, and the
  /// others as notices.
  static func end(status: Int32, _ failures: [HistoryTaskFailure]) -> [UInt8] {
    var json = JSONText()
    json.append(#"{"end":true,"status":"#)
    json.append(Int(status))
    if let first = failures.first {
      json.append(#","error":"#)
      json.append(string: first.code.rawValue)
      json.append(#","message":"#)
      json.append(string: first.message)
    }
    if failures.count > 1 {
      json.append(#","notices":"#)
      json.append(strings: failures.dropFirst().map(\.message))
    }
    json.append(#","files":[]}"#)
    return json.bytes
  }

  /// The last answer of a run that could not begin.
  static func end(status: Int, code: ErrorCode, message: [UInt8]) -> [UInt8] {
    var json = JSONText()
    json.append(#"{"end":true,"status":"#)
    json.append(status)
    json.append(#","error":"#)
    json.append(string: code.rawValue)
    json.append(#","message":"#)
    json.append(string: message)
    json.append(#","files":[]}"#)
    json.endLine()
    return json.bytes
  }
}
