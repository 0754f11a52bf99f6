import Glibc
import TextBuffer

/// Answers to a program: one JSON object a line for every command, and one at the end.
///
/// What a command prints is held back by `PlainRendering`, and becomes the lines in its answer.
final class JSONRendering: StrictRendering {
  /// Answers that are not written yet, and the beginning of the next one.
  private var json = JSONText()
  /// How many bytes of `json` are whole answers.
  private var finishedCount = 0
  /// The number of the last command.
  private var number = 0
  /// What was said beside the output of the command.
  private var notices: [[UInt8]] = []
  /// The objects of files, for the last answer.
  private var files: [JSONText] = []
  /// What a run that writes nothing would change, by file.
  private var differences: [[UInt8]: [UInt8]] = [:]
  /// Why the run failed first, and why on the files that are added next.
  private var firstFailure, latestFailure: RunFailure?
  private var capture = OutputCapture()
  private var hasChild = false
  private var isHeld = false
  private var hasFailedToWrite = false
  /// Where to go back to if the run begins again.
  private var heldNumber = 0
  /// Whether answers name their file.
  private let namesFiles: Bool

  private static let writtenAt = 1 << 16

  init(options: Options) {
    namesFiles = options.fileNames.count > 1
    super.init(descriptor: STDOUT_FILENO, options: options)
    super.holdOutput()
  }

  // MARK: - Commands

  /// Begins the answer to a command, whose line has been read.
  func begin(_ command: [UInt8]) {
    number += 1
    json.append(number, file: namesFiles ? fileName : nil, command: command)
  }

  /// Ends the answer to a command that has succeeded.
  func end(_ state: TextState) {
    childEnds()
    var isEmpty = true
    takeHeldOutput {
      isEmpty = false
      json.append(output: $0)
    }
    if isEmpty { json.append(#","ok":true,"output":[]"#) }
    finish(state)
  }

  /// Ends the answer to a command that has failed.
  ///
  /// - Parameters:
  ///   - error: Why it failed.
  ///   - place: Where in the script, as `SCRIPT:LINE`; empty for a command that was sent by itself.
  ///   - text: The text after it.
  ///   - state: Where the text is.
  func end(
    _ error: EditorError, at place: [UInt8] = [], in text: PieceTable, _ state: TextState
  ) {
    childEnds()
    json.append(#","ok":false"#)
    takeHeldOutput {
      json.append(#","output":"#)
      json.append(linesOf: $0)
    }
    json.append(error, in: text)
    if !place.isEmpty {
      json.append(#","script":"#)
      json.append(string: place)
    }
    finish(state)
  }

  private func addNotices() {
    if notices.isEmpty { return }
    json.append(#","notices":"#)
    json.append(strings: notices)
    notices = []
  }

  private func finish(_ state: TextState) {
    addNotices()
    json.append(state)
    finishedCount = json.bytes.count
    if finishedCount >= Self.writtenAt { flush() }
  }

  // MARK: - The end

  /// Keeps what was printed as the difference that a run would make in a file.
  func keepDifference(of path: [UInt8]) {
    takeHeldOutput { differences[path, default: []].append($0, in: 0..<$0.byteCount) }
  }

  /// Keeps files for the last answer, one of them with the failure that was shown since the last ones.
  func add(_ touched: [TouchedFile]) {
    var touched = touched
    let failed = latestFailure?.file ?? []
    if !failed.isEmpty && !touched.contains(where: { $0.path == failed }) {
      touched.append(TouchedFile(path: failed))
    }
    for file in touched {
      var json = JSONText()
      json.append(file)
      if let difference = differences[file.path] {
        json.append(#","diff":"#)
        json.append(linesOf: unsafe difference.span.bytes)
      }
      if file.path == failed, let latestFailure { json.append(latestFailure) }
      json.append("}")
      files.append(json)
    }
    differences = [:]
    latestFailure = nil
  }

  /// Writes the last answer.
  func end(status: Int32) {
    json.append(#"{"end":true,"status":"#)
    json.append(Int(status))
    if let firstFailure { json.append(firstFailure) }
    addNotices()
    json.append(#","files":["#)
    for (index, file) in files.enumerated() {
      if index > 0 { json.append(",") }
      json.append(file)
    }
    json.append("]}")
    json.endLine()
    finishedCount = json.bytes.count
    flush()
  }

  // MARK: - Values

  override func show(_ value: Output) {
    switch value {
    case .newlineAppended, .newlineInserted: notices.append(Messages.newlineAdded)
    // The program knows what it asked for.
    case .shellCommand, .shellEnded: break
    case .notice(let notice):
      let file = namesFiles ? fileName + Array(": ".utf8) : []
      notices.append(file + Messages.notice(notice))
    case .warning(let warning): notices.append(Messages.text(warning))
    // The answer to the failed command says it.
    case .failure, .error, .interruptEcho: break
    case .runFailure(let failure):
      latestFailure = failure
      firstFailure = firstFailure ?? failure
    default: super.show(value)
    }
  }

  override func prompt(for request: LineRequest) -> [UInt8] { [] }
  override func show(prompt: [UInt8]) {}

  // MARK: - Shell commands

  override var answersPrograms: Bool { true }

  override func childBegins() {
    capture.begin()
    hasChild = true
  }

  override func childEnds() {
    if !hasChild { return }
    hasChild = false
    var printed = capture.end()
    if printed.isEmpty { return }
    if printed.last == .newline { printed.removeLast() }
    printLine(printed)
  }

  // MARK: - Writing

  override var isBroken: Bool { hasFailedToWrite }

  override func flush() {
    if isHeld || finishedCount == 0 { return }
    do throws(SystemError) {
      let finished = unsafe json.bytes.span.bytes.extracting(first: finishedCount)
      if !hasFailedToWrite { try DescriptorWriter.write(finished, to: capture.answers) }
    } catch {
      hasFailedToWrite = true
    }
    json.dropFirst(finishedCount)
    finishedCount = 0
  }

  override func commandEnds(beforeWaiting waits: Bool) { if waits { flush() } }
  override func catchUp() {}

  override func holdOutput() {
    if isHeld { return }
    flush()
    isHeld = true
    heldNumber = number
  }

  override func releaseOutput() {
    isHeld = false
    flush()
  }

  override func discardOutput() {
    super.discardOutput()
    json = JSONText()
    finishedCount = 0
    number = heldNumber
    notices = []
    differences = [:]
  }
}
