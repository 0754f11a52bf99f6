import TextBuffer

/// Connects the editor to the user: input lines, rendering, and the settings of `H`, `P` and `z`.
struct Console: ~Copyable {
  private var source: any LineSource & ~Copyable
  let rendering: any Rendering
  /// The last line read, without its newline.
  private(set) var line: [UInt8] = []
  /// Whether the last command has read a further line.
  private(set) var hasReadFurther = false
  /// Whether errors are explained at once, as after `H`.
  var isVerbose = false
  /// Whether prompts are shown.
  var showsPrompt = false
  /// The error that `h` explains.
  var lastError: EditorError?
  /// The number of lines that `z` prints.
  var pageLines = usualPage
  private static let usualPage = 22

  init(lines: consuming any LineSource & ~Copyable, rendering: any Rendering) {
    // Stored, as every command reads them: asking `source` would cost 5 % of a `p`.
    (inputKind, editsLines) = (lines.kind, lines.editsLines)
    sourceShowsPrompt = lines.showsPrompt
    source = lines
    self.rendering = rendering
    answersPrograms = rendering.answersPrograms
  }

  /// Replaces the source of lines by another of its kind, and resets all settings.
  mutating func startOver(lines source: consuming any LineSource & ~Copyable, isVerbose: Bool) {
    self.source = source
    self.isVerbose = isVerbose
    lastError = nil
    pageLines = Self.usualPage
  }

  // MARK: - The source

  let inputKind: InputKind
  let editsLines, sourceShowsPrompt: Bool
  private let answersPrograms: Bool
  var settingsFault: SettingsFault? { mutating get { source.settingsFault } }
  /// The full screen of the terminal; nil if there is none.
  var screen: (any Screen)? { mutating get { source.screen } }
  /// The number of lines read.
  var lineNumber: Int { mutating get { source.lineNumber } }
  /// Whether the last line read is text even if it is a single period.
  var lineIsLiteral: Bool { mutating get { source.lineIsLiteral } }

  /// The direction of the key that left the last line; nil if Enter ended it.
  var lineStep: LineStep? { mutating get { source.lineStep } }

  /// Whether line editing can return every byte of `line`.
  mutating func canEdit(_ line: [UInt8]) -> Bool { source.canEdit(line) }

  /// Whether reading the next line may block.
  var mayWait: Bool { mutating get { inputKind == .terminal || !source.hasLineAhead } }
  /// Whether a script has no further line for now.
  var waitsForScript: Bool {
    mutating get {
      guard inputKind == .other, !source.hasLineAhead else { return false }
      // Bytes of a pipe that were only peeked at are still in it.
      source.surrenderUnread()
      return source.isQuiet
    }
  }

  // MARK: - Output

  func say(_ output: Output) { rendering.show(output) }

  /// Shows the subject of a question; returns the bytes if the source of lines can show them again.
  func ask(about output: Output) -> [UInt8] {
    var question: [UInt8] = []
    if editsLines {
      question = rendering.bytes(of: output)
      rendering.show(prompt: question)
    } else {
      rendering.show(output)
    }
    if rendering.isTerminal { rendering.flush() }
    return question
  }

  /// Flushes output and returns unread input, so that a child process continues where ued stopped.
  /// Inside a command list ed does not flush.
  mutating func yieldToChild(isInList: Bool) {
    // The child may take over the terminal.
    Progress.end()
    source.surrenderUnread()
    if isInList && !rendering.isTerminal { rendering.catchUp() } else { rendering.flush() }
    rendering.childBegins()
  }

  /// Writes the output that ed would have written by now, and returns unread input. Call it before
  /// opening a file that may block, and may be the input itself.
  mutating func yieldToFile() {
    source.surrenderUnread()
    writeWhatIsDue()
  }

  /// Writes output that ed would have written by now. Call before opening a possible
  /// output file.
  func catchUp() { rendering.catchUp() }

  /// Writes the output that ed would have written by now, so that no reader waits for it while ued
  /// waits.
  private func writeWhatIsDue() {
    if answersPrograms { rendering.flush() } else { rendering.catchUp() }
  }

  /// Flushes output and returns unread input at the end of the program.
  mutating func close() {
    rendering.flush()
    source.surrenderUnread()
  }

  // MARK: - Views

  /// Begins a view on the full screen. Messages from now on are shown after the view.
  func begin(on screen: any Screen) {
    Progress.end()
    rendering.flush()
    rendering.holdOutput()
    screen.open()
  }

  func end(on screen: any Screen) {
    screen.close()
    rendering.releaseOutput()
  }

  // MARK: - Input

  /// Reads the next command into ``line``, after its prompt and all due output.
  mutating func readCommand(_ request: consuming LineRequest) -> LineStatus {
    hasReadFurther = false
    addPrompt(to: &request)
    if !sourceShowsPrompt && !request.prompt.isEmpty { rendering.show(prompt: request.prompt) }
    rendering.commandEnds(beforeWaiting: !source.hasLineAhead)
    return source.next(into: &line, for: request)
  }

  /// Reads a further line of a command into ``line``.
  mutating func read(
    _ request: consuming LineRequest, keepingDraftBy write: (([UInt8]) -> Void)? = nil
  ) -> LineStatus {
    source.keepDraft(by: write)
    hasReadFurther = true
    if (answersPrograms || rendering.hasOutputDue) && !source.hasLineAhead { writeWhatIsDue() }
    addPrompt(to: &request)
    return source.next(into: &line, for: request)
  }

  /// Reads a further line of a command into ``line``.
  ///
  /// - Throws: If the input has ended, or an interrupt came first.
  mutating func readReply(_ request: LineRequest) throws(EditorError) {
    switch read(request) {
    case .line: return
    case .end, .failed: throw .endOfInput
    case .interrupted: throw .interrupted
    }
  }

  /// Takes the pasted lines that will be text whatever their content; see `LineSource`.
  mutating func takePastedLines(before end: [UInt8]) -> [[UInt8]] {
    source.takePastedLines(before: end)
  }

  /// Shows pasted lines of text after their prompts.
  func showPasted(_ lines: [[UInt8]], from first: LineNumber) {
    if lines.isEmpty { return }
    var shown: [UInt8] = []
    var request = LineRequest(kind: .text, line: first)
    for line in lines {
      addPrompt(to: &request)
      shown += request.prompt + VisibleText.of(line) + [.newline]
      request.line = request.line + 1
    }
    TerminalOutput.write(shown)
  }

  /// Drops the rest of a paste, and reports it.
  mutating func dropPaste() {
    let dropped = source.dropPaste()
    if !dropped.isEmpty { say(.pasteDropped(dropped)) }
  }

  private func addPrompt(to request: inout LineRequest) {
    if showsPrompt { request.prompt = rendering.prompt(for: request) }
  }
}

/// Turns output values into bytes; everything that ued prints goes through it.
protocol Rendering: AnyObject {
  /// Whether output goes to a terminal.
  var isTerminal: Bool { get }
  /// Whether writing some output has failed.
  var isBroken: Bool { get }
  /// Whether output or a message is lost, so that the run must not end with status 0.
  var hasLostOutput: Bool { get }
  /// Shows a value. On standard error this happens at once, otherwise with the next flush.
  func show(_ output: Output)
  /// The bytes that show a value, which are not shown now. All pending output is written first.
  func bytes(of output: Output) -> [UInt8]
  /// The prompt for a line.
  func prompt(for request: LineRequest) -> [UInt8]
  func show(prompt: [UInt8])
  /// The lines of a page of a view.
  func frame(of page: TreePage) -> ScreenFrame
  func flush()
  /// Holds output back from now on.
  func holdOutput()
  /// Writes the output that was held back, and holds none back from now on.
  func releaseOutput()

  /// At a signal that ends the program, writes as much pending output as fits without waiting.
  func flushAtOnce()
  /// Marks the end of a command, before the line of the next one is read. If `waits`, that may
  /// block, so output must be written first.
  func commandEnds(beforeWaiting waits: Bool)
  /// Whether output is pending that ed would have written before it read the current command.
  var hasOutputDue: Bool { get }
  /// Writes the output that ed would have written by now, without a flush here.
  func catchUp()
  /// Whether programs read the output. They may wait for an answer after the next command has
  /// begun.
  var answersPrograms: Bool { get }
  /// A shell command that may print is about to run, after a flush.
  func childBegins()
  /// The shell command has ended.
  func childEnds()
  func setScreen(_ size: TerminalSize)
  /// The number of rows of a table that a person sees at once; nil to show all.
  var tableHeight: Int? { get }
}
