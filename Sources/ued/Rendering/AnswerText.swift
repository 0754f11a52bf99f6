import TextBuffer

/// Answers to commands that are not written yet, and the beginning of the next one.
///
/// They are one value because each access to a property of a class is checked, which costs as much as writing
/// some twenty bytes.
struct AnswerText {
  private(set) var json = JSONText()
  /// How many bytes of `json` are whole answers.
  private(set) var finishedCount = 0
  /// The number of the last command.
  private(set) var number = 0
  /// What was said beside the output of the command.
  var notices: [[UInt8]] = []
  /// The state in the last answer, and the end of that answer: most commands change no more than the line.
  private var lastState: TextState?
  private var lastEnd = JSONText()

  /// Begins the answer to a command.
  ///
  /// - Parameters:
  ///   - command: The line of the command.
  ///   - file: The name of the file; nil in answers that name none.
  mutating func begin(_ command: [UInt8], file: [UInt8]?) {
    number += 1
    json.append(number, file: file, command: command)
  }

  /// Ends the answer to a command that has succeeded.
  ///
  /// - Parameters:
  ///   - output: What it has printed.
  ///   - state: Where the text is.
  mutating func end(_ output: RawSpan, _ state: TextState) {
    keepEnd(of: state)
    json.append(output: output, notices, state.line, end: lastEnd)
    finish()
  }

  /// Ends the answer to a command that has failed.
  ///
  /// - Parameters:
  ///   - output: What it has printed.
  ///   - error: Why it failed.
  ///   - message: The explanation of the error.
  ///   - place: Where in the script, as `SCRIPT:LINE`; empty for a command that was sent by itself.
  ///   - text: The text after it.
  ///   - state: Where the text is.
  mutating func end(
    _ output: RawSpan, _ error: EditorError, _ message: [UInt8], at place: [UInt8],
    in text: PieceTable, _ state: TextState
  ) {
    json.append(#","ok":false"#)
    if output.byteCount > 0 {
      json.append(#","output":"#)
      json.append(linesOf: output)
    }
    json.append(error, message, in: text)
    if !place.isEmpty {
      json.append(#","script":"#)
      json.append(string: place)
    }
    keepEnd(of: state)
    json.append(notices, state.line, end: lastEnd)
    finish()
  }

  /// Adds the last answer.
  ///
  /// - Parameters:
  ///   - status: The exit status.
  ///   - failure: Why the run failed.
  ///   - files: The objects of its files.
  mutating func end(status: Int32, _ failure: RunFailure?, _ files: [JSONText]) {
    json.append(#"{"end":true,"status":"#)
    json.append(Int(status))
    if let failure { json.append(failure) }
    json.append(notices: notices)
    json.append(#","files":["#)
    for (index, file) in files.enumerated() {
      if index > 0 { json.append(",") }
      json.append(file)
    }
    json.append("]}")
    json.endLine()
    finish()
  }

  /// Makes `lastEnd` that of a state.
  private mutating func keepEnd(of state: TextState) {
    if let lastState, lastState.isSame(as: state) { return }
    lastState = state
    lastEnd.truncate(to: 0)
    lastEnd.append(endOf: state)
  }

  private mutating func finish() {
    if !notices.isEmpty { notices = [] }
    finishedCount = json.bytes.count
  }

  /// Drops the whole answers, which have been written.
  mutating func dropFinished() {
    json.dropFirst(finishedCount)
    finishedCount = 0
  }

  /// Drops all answers, and goes back to the number of an earlier command.
  mutating func startOver(after number: Int) {
    self = AnswerText()
    self.number = number
  }
}

extension TextState {
  /// Whether another state is the same but for the current line.
  fileprivate func isSame(as other: TextState) -> Bool {
    revision == other.revision && lastLine == other.lastLine && isModified == other.isModified
  }
}
