/// The editor's way to the user: where further lines come from, where output goes, and how much is
/// said.
struct Console: ~Copyable {
  private var lines: any LineSource & ~Copyable
  let rendering: any Rendering
  /// The line that was read last, without its newline.
  private(set) var line: [UInt8] = []
  /// Whether explanations of errors are printed without being asked for.
  var isVerbose = false
  /// Whether a prompt is shown.
  var showsPrompt = false
  /// The error that `h` explains.
  var lastError: EditorError?
  /// How many lines `z` prints.
  var pageLines = 22

  /// What the lines come from.
  private(set) var inputKind: InputKind
  /// Whether lines can be edited before they are given.
  private(set) var editsLines: Bool
  /// Whether the source shows prompts itself, and ends the line after an interrupt.
  private(set) var sourceShowsPrompt: Bool
  /// Whether the user's settings for editing lines are not all understood.
  private(set) var settingsAreBroken: Bool
  /// How many lines have been read.
  var lineNumber: Int { mutating get { lines.lineNumber } }
  /// Whether the line read last is text even if it is a period alone.
  var lineIsLiteral: Bool { mutating get { lines.lineIsLiteral } }

  init(lines: consuming any LineSource & ~Copyable, rendering: any Rendering) {
    inputKind = lines.kind
    editsLines = lines.editsLines
    sourceShowsPrompt = lines.showsPrompt
    settingsAreBroken = lines.settingsAreBroken
    self.lines = lines
    self.rendering = rendering
  }

  /// Reads lines from another source from now on.
  mutating func readLines(from source: consuming any LineSource & ~Copyable) {
    inputKind = source.kind
    editsLines = source.editsLines
    sourceShowsPrompt = source.showsPrompt
    settingsAreBroken = source.settingsAreBroken
    lines = source
  }

  // MARK: - Output

  /// Shows a value.
  func say(_ output: Output) { rendering.show(output) }

  /// Lets a child process read and write where ued reads and writes.
  ///
  /// - Parameter isInList: Whether a command list runs, inside of which ed does not flush.
  mutating func yieldToChild(isInList: Bool) {
    // The child may have the terminal to itself.
    Progress.end()
    lines.surrenderUnread()
    if isInList && !rendering.isTerminal { rendering.catchUp() } else { rendering.flush() }
  }

  /// Writes what has gathered and gives back what was read ahead, at the end of the program.
  mutating func close() {
    rendering.flush()
    lines.surrenderUnread()
  }

  // MARK: - Lines

  /// Whether a line can be edited without any of its bytes being lost.
  mutating func canEdit(_ line: [UInt8]) -> Bool { lines.canEdit(line) }

  /// Reads the next command into ``line``, after its prompt and whatever output has to come before
  /// it.
  mutating func readCommand(_ request: LineRequest, completions: Completer?) -> LineStatus {
    var purpose = LinePurpose(
      kind: .command, prompt: showsPrompt ? rendering.prompt(for: request) : [])
    purpose.completions = completions
    if !sourceShowsPrompt && !purpose.prompt.isEmpty { rendering.show(prompt: purpose.prompt) }
    rendering.commandEnds(beforeWaiting: !lines.hasLineAhead)
    return lines.next(into: &line, for: purpose)
  }

  /// Reads a line that belongs to a command into ``line``.
  mutating func read(_ request: LineRequest) -> LineStatus {
    var purpose = LinePurpose(kind: request.kind)
    if showsPrompt { purpose.prompt = rendering.prompt(for: request) }
    if case .edit(_, let draft) = request { purpose.draft = draft }
    return lines.next(into: &line, for: purpose)
  }

  /// Reads one more line of a command into ``line``.
  ///
  /// - Throws: When there is none, or an interrupt came instead.
  mutating func readReply(_ request: LineRequest) throws(EditorError) {
    switch read(request) {
    case .line: return
    case .end, .failed: throw .endOfInput
    case .interrupted: throw .interrupted
    }
  }
}
