import Glibc
import TextBuffer

/// Answers to a program: a line with a JSON object for each command, and one at the end. The
/// inherited `PlainRendering` holds back a command's output, which becomes the lines in its answer.
final class JSONRendering: StrictRendering {
  private var answers = AnswerText()
  /// The objects of files, for the last answer.
  private var files: [JSONValue] = []
  /// The changes that a dry run shows, by file.
  private var differences: [[UInt8]: [UInt8]] = [:]
  /// The first failure of the run.
  private var firstFailure: RunFailure?
  /// The failures since files were last added.
  private var latestFailures: [RunFailure] = []
  private var capture = OutputCapture()
  private var hasChild = false
  private var isHeld = false
  private var hasFailedToWrite = false
  /// The number of the last answer before `holdOutput`. If the output is discarded, numbering
  /// continues from there.
  private var heldNumber = 0
  /// Whether answers name their file.
  private let namesFiles: Bool

  /// Whether this is a strict run, which writes answers as soon as there are many. A dialogue stores
  /// its groups first.
  private let isStrictRun: Bool

  /// The number of bytes of finished answers that counts as many.
  private static let writtenAt = 1 << 16

  init(options: Options) {
    namesFiles = options.fileNames.count > 1
    isStrictRun = !options.isDialogue
    super.init(descriptor: STDOUT_FILENO, options: options)
    super.holdOutput()
  }

  // MARK: - Commands

  /// Whether enough answers are finished to write them.
  var hasMany: Bool { answers.finishedCount >= Self.writtenAt }

  /// Begins the answer to a command, whose line has been read.
  func begin(_ command: [UInt8]) {
    answers.begin(command, file: namesFiles ? fileName : nil)
  }

  /// Ends the answer to a command that has succeeded, with the hash of a file it read or wrote.
  func end(_ state: TextState, _ hash: SHA256Hash?) {
    childEnds()
    takeHeldOutput { answers.end($0, state, hash) }
    if isStrictRun && hasMany { flush() }
  }

  /// Ends the answer to a command that has failed, with the hash of a file it read or wrote.
  /// `place` is `SCRIPT:LINE`, or empty in a dialogue.
  func end(
    _ error: EditorError, at place: [UInt8] = [], in text: PieceTable, _ state: TextState,
    _ hash: SHA256Hash?
  ) {
    childEnds()
    let message = explanation(of: error)
    takeHeldOutput { answers.end($0, error, message, at: place, in: text, state, hash) }
    if isStrictRun && hasMany { flush() }
  }

  // MARK: - The end

  /// Keeps the printed output as the difference that a dry run shows for a file.
  func keepDifference(of path: [UInt8]) {
    takeHeldOutput {
      if $0.byteCount > 0 { differences[path, default: []].append($0, in: 0..<$0.byteCount) }
    }
  }

  /// Keeps files for the last answer, with the failures since the last call.
  func add(_ touched: [TouchedFile]) {
    var touched = touched
    for failure in latestFailures
    where !failure.file.isEmpty && !touched.contains(where: { $0.path == failure.file }) {
      touched.append(TouchedFile(path: failure.file))
    }
    for file in touched {
      var members = [JSONMember](file)
      members.append(("diff", .present(differences[file.path]) { .lines($0) }))
      if let failure = latestFailures.last(where: { $0.file == file.path }) {
        members += .init(failure)
      }
      files.append(.object(members))
    }
    differences = [:]
    latestFailures = []
  }

  func end(status: Int32) {
    answers.end(status: status, firstFailure, files)
    flush()
  }

  // MARK: - Values

  override func show(_ value: Output) {
    switch value {
    case .newlineAppended(let source): answers.notices.append(Messages.newlineAdded(to: source))
    case .newlineInserted: answers.notices.append(Messages.newlineAdded(to: nil))
    // The program knows its own command.
    case .shellCommand, .shellEnded: break
    case .notice(let notice):
      let file = namesFiles ? fileName + Array(": ".utf8) : []
      let message = file + Messages.notice(notice)
      // Opening the file and the first command may cause the same notice.
      if !answers.notices.contains(message) { answers.notices.append(message) }
    case .warning(let warning): answers.notices.append(Messages.text(warning))
    case .overlooked(let overlooked): answers.overlooked.append(overlooked)
    case .moved(.merged(let name, let conflicts, _), _, _) where !conflicts.isEmpty:
      answers.notices.append(Messages.marked(conflicts, merging: name))
    // The answer to the failed command has the reason.
    case .failure, .error, .interruptEcho: break
    case .runFailure(let failure):
      latestFailures.append(failure)
      firstFailure = firstFailure ?? failure
    default: super.show(value)
    }
  }

  /// The message for an error. In a dialogue, an interrupt has a message of its own, since it drops
  /// no writes.
  override func explanation(of error: EditorError) -> [UInt8] {
    isStrictRun || error != .interrupted ? super.explanation(of: error) : Messages.interrupted
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
    if isHeld || answers.finishedCount == 0 { return }
    do throws(SystemError) {
      let finished = unsafe answers.json.bytes.span.bytes.extracting(
        first: answers.finishedCount)
      if !hasFailedToWrite { try DescriptorWriter.write(finished, to: capture.answers) }
    } catch {
      hasFailedToWrite = true
    }
    answers.dropFinished()
  }

  override func commandEnds(beforeWaiting waits: Bool) { if waits { flush() } }
  override func catchUp() {}

  override func holdOutput() {
    if isHeld { return }
    flush()
    isHeld = true
    heldNumber = answers.number
  }

  override func releaseOutput() {
    isHeld = false
    flush()
  }

  override func discardOutput() {
    super.discardOutput()
    answers.startOver(after: heldNumber)
    differences = [:]
  }
}

/// Answers that are not written yet, and the beginning of the next one. They are one value, because
/// Swift checks each access to a property of a class, and a check takes as long as writing about
/// twenty bytes.
struct AnswerText {
  private(set) var json = JSONText()
  /// The number of bytes of finished answers in `json`.
  private(set) var finishedCount = 0
  /// The number of the last command.
  private(set) var number = 0
  /// Messages about the command, apart from its output.
  var notices: [[UInt8]] = []
  /// The differences that `replace loose` ignored.
  var overlooked: [OverlookedDifferences] = []
  /// The state in the last answer, and the JSON at its end. The next answer can usually reuse this
  /// end, since most commands change only the current line.
  private var lastState: TextState?
  private var lastEnd = JSONText()

  /// Begins the answer to a command; a file that is nil is left out.
  mutating func begin(_ command: [UInt8], file: [UInt8]?) {
    number += 1
    if file == nil && json.append(number, plainCommand: unsafe command.span.bytes) { return }
    json.append("{")
    json.append([
      ("n", .int(number)), ("file", .present(file) { .string($0) }), ("command", .string(command)),
    ])
  }

  /// Ends the answer to a command that has succeeded, with the hash of a file it read or wrote.
  mutating func end(_ output: RawSpan, _ state: TextState, _ hash: SHA256Hash?) {
    keepEnd(of: state)
    let isPlain = notices.isEmpty && overlooked.isEmpty && hash == nil
    if !isPlain || !json.append(plainOutput: output, state.line, end: lastEnd) {
      json.append(#","ok":true,"output":"#)
      json.append(linesOf: output)
      let places = JSONValue.array(overlooked.map { JSONValue($0) })
      appendEnd([("overlooked", overlooked.isEmpty ? .absent : places)], hash, state)
    }
    finish()
  }

  /// Ends the answer to a command that has failed, with the hash of a file it read or wrote.
  /// `place` is `SCRIPT:LINE`, or empty in a dialogue.
  mutating func end(
    _ output: RawSpan, _ error: EditorError, _ message: [UInt8], at place: [UInt8],
    in text: PieceTable, _ state: TextState, _ hash: SHA256Hash?
  ) {
    keepEnd(of: state)
    json.append(#","ok":false"#)
    if output.byteCount > 0 {
      json.append(#","output":"#)
      json.append(linesOf: output)
    }
    let script: JSONMember = ("script", place.isEmpty ? .absent : .string(place))
    appendEnd([JSONMember](error, message, in: text) + [script], hash, state)
    finish()
  }

  /// Adds the last answer; `failure` is nil if the run succeeded.
  mutating func end(status: Int32, _ failure: RunFailure?, _ files: [JSONValue]) {
    var members: [JSONMember] = [("end", .bool(true)), ("status", .int(Int(status)))]
    if let failure { members += .init(failure) }
    members += [("notices", noticesIfAny), ("files", .array(files))]
    json.append(.object(members))
    json.endLine()
    finish()
  }

  private var noticesIfAny: JSONValue { notices.isEmpty ? .absent : .strings(notices) }

  /// Adds `members`, and then the members that end every answer.
  private mutating func appendEnd(
    _ members: [JSONMember], _ hash: SHA256Hash?, _ state: TextState
  ) {
    json.append(members)
    json.append([
      ("hash", .present(hash) { .string($0.description) }), ("notices", noticesIfAny),
      ("line", .int(state.line.value)),
    ])
    json.append(lastEnd)
  }

  /// Sets `lastEnd` to the end of an answer with this state.
  private mutating func keepEnd(of state: TextState) {
    if let lastState, lastState.isSame(as: state) { return }
    lastState = state
    lastEnd.truncate(to: 0)
    lastEnd.append(.init(endOf: state))
    lastEnd.append("}")
    lastEnd.endLine()
  }

  private mutating func finish() {
    if !notices.isEmpty { notices = [] }
    if !overlooked.isEmpty { overlooked = [] }
    finishedCount = json.bytes.count
  }

  /// Drops the finished answers, after writing them.
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
  /// Whether another state differs at most in the current line.
  fileprivate func isSame(as other: TextState) -> Bool {
    revision == other.revision && lastLine == other.lastLine && isModified == other.isModified
  }
}
