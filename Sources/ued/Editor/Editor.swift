import TextBuffer

/// The editor: text and history, current line, marks, cut buffer, last patterns; runs commands.
///
/// Scripts see ed. What ed calls clearing its undo stack is `beginChange` here: the state to which
/// `u` goes back is the one of that moment.
struct Editor: ~Copyable {
  /// What a command asks of the loop that runs it.
  enum Outcome { case goOn, quit, quitDiscarding }

  /// The settings of the command line.
  let options: Options
  /// The text, and all that it ever was.
  var document: Document<EditorContext>
  /// The line that `.` stands for; 0 in an empty buffer.
  var currentLine = 0
  /// The lines that marks stand on.
  var marks = Marks()
  /// Where the lines are that `x` puts; nil when there are none.
  var cut: Cut?
  /// The regular expression that an empty one stands for.
  var lastPattern: Pattern?
  /// The patterns compiled last, newest first, so that a command list does not compile its own
  /// again and again.
  var recentPatterns: [Pattern] = []
  static let recentPatternLimit = 8
  /// What `s` without a pattern repeats.
  var lastSubstitution = LastSubstitution()
  /// The name that commands use when they are given none; empty when there is none.
  var fileName: [UInt8] = []
  /// The last shell command, `%` and `!` replaced.
  var lastShellCommand: [UInt8]?
  /// Whether there is something to lose, as ed sees it: set by edits, cleared by writing, and taken
  /// back by `u`.
  var isMarkedModified = false
  /// Whether the user is a person at a terminal, who gets what is safe and readable.
  let isFriendly: Bool
  /// Whether a NUL has been read: then no newline is added to a last line that has none.
  var isBinary = false
  /// How many lines `z` prints.
  var windowLines = 22
  /// Where `u` goes; nil where ed has nothing to undo, whatever has changed.
  var undoPoint: UndoPoint?
  /// What the present command does, where its change alone does not tell.
  var label: GroupLabel?
  /// The first line that the present command has changed so far.
  var changedLine = Int.max
  /// The groups that `begin` has opened, outermost first.
  var openGroups: [OpenGroup] = []
  /// Whether the edits of the present command are gathered to be one step.
  var hasTransaction = false
  /// Whether the text was saved while it was no revision yet.
  var wasSavedUnrecorded = false
  /// Whether it was saved then just as it is now.
  var isSavedUnrecorded = false
  /// When two commands are one group.
  let coalescing: Coalescing
  /// Whether an interrupt leaves what the running command has done, since somebody guided it.
  var keepsInterrupted = false
  /// Whether the last command was refused because of unsaved changes, so that the same one passes.
  var wasWarned = false
  /// The lines that a running global command has still to visit; nil when none runs.
  var activeLines: ActiveLines?
  /// Whether explanations of errors are printed without being asked for.
  var isVerbose: Bool
  /// Whether a prompt is shown.
  var showsPrompt: Bool
  /// What `h` explains.
  var lastError: EditorError?
  /// What is written at the end, if all goes well.
  var pendingWrites: [PendingWrite] = []
  /// The disk and the shell.
  let files: DiskFiles
  /// The file that was read or written last under the default name.
  var knownFile: KnownFile?
  /// The file that the user was told not to know, so that the next command may write over it.
  var unseenFile: FileIdentity?
  /// The history on the disk.
  var keeping: HistoryKeeping
  /// New text of a line, kept to use its memory again.
  var scratch: [UInt8] = []

  /// An editor of nothing.
  init(options: Options, isFriendly: Bool = false) {
    self.options = options
    self.isFriendly = isFriendly
    files = DiskFiles(isCareful: isFriendly)
    document = Document(
      PieceTable(), context: EditorContext(line: 0, marks: Marks()), name: "Opened nothing",
      time: SystemClock.now)
    isVerbose = options.verbose
    showsPrompt = isFriendly || options.prompt != nil
    // What a script does must not depend on the clock.
    coalescing = isFriendly ? .commandsOfPerson : .commands
    keeping = HistoryKeeping(
      isOn: options.keepsHistory ?? isFriendly, isAskedFor: options.keepsHistory == true)
  }

  /// The text.
  var buffer: PieceTable { document.buffer }

  /// The number of lines, each of which has its newline.
  var lastLine: Int { document.newlineCount }

  /// Whether there is something to lose. A person is asked about every text that is not what was
  /// saved; a script gets ed's opinion.
  var isModified: Bool {
    get { isFriendly && !isInGroup ? document.isModified : isMarkedModified }
    set { isMarkedModified = newValue }
  }

  /// Runs one command.
  ///
  /// - Parameters:
  ///   - parsed: The command.
  ///   - source: Where further lines come from that the command takes.
  ///   - renderer: Where output goes.
  /// - Throws: Why it failed. What it did until then stays, as in ed.
  /// - Returns: Whether that was the end.
  mutating func execute<Source: LineSource & ~Copyable>(
    _ parsed: ParsedCommand, reading source: inout Source, writing renderer: inout Renderer
  ) throws(EditorError) -> Outcome {
    let addresses = try resolve(parsed.addresses)
    if Memory.isLimited && parsed.command.mayGrow && Memory.isShort() { throw .outOfMemory }
    switch parsed.command {
    case .append, .insert, .change, .copy, .delete, .join, .move, .put, .yank:
      try executeOnLines(parsed, addresses, reading: &source)
    case .substitute, .repeatSubstitute:
      let format = try substitute(parsed, addresses, reading: &source)
      try printCurrentLine(as: format, to: &renderer)
      return .goOn
    case .global(let global):
      return try executeGlobal(
        global, parsed, addresses, reading: &source, writing: &renderer)
    case .edit, .fileName, .read, .write, .shell:
      return try executeOnFiles(parsed, addresses, reading: &source, writing: &renderer)
    case .print(let format):
      let lines = try range(addresses, orElse: currentLine, currentLine)
      try checkFault(parsed)
      try print(lines, as: format, to: &renderer)
    case .null:
      let step = options.traditional || activeLines == nil ? 1 : 0
      let line = try line(addresses, orElse: currentLine + step)
      try print(LineRange(line, line), as: [], to: &renderer)
    case .scroll(let lines):
      let first = try line(addresses, orElse: currentLine + (activeLines == nil ? 1 : 0))
      if let lines { windowLines = lines }
      try checkFault(parsed)
      let last = min(lastLine, first + windowLines - 1)
      try print(LineRange(first, last), as: parsed.format, to: &renderer)
      return .goOn
    case .lineNumber:
      try checkFault(parsed)
      renderer.printNumber(addresses.count > 0 ? addresses.second : lastLine)
    case .mark(let letter):
      guard addresses.second != 0 else { throw .noSuchLine(0, last: lastLine) }
      try checkFault(parsed)
      guard letter.isLowercase else { throw .invalidMark }
      marks[Int(letter - UInt8(ascii: "a"))] = addresses.second
    case .undo:
      try refuse(addresses)
      try checkFault(parsed)
      try undo()
    case .quit(let discarding):
      try refuse(addresses)
      try checkFault(parsed)
      if isModified && !discarding && !mayDiscard && !writesAtEnd { throw .bufferModified }
      return discarding ? .quitDiscarding : .quit
    case .help, .toggleHelp:
      try refuse(addresses)
      try checkFault(parsed)
      if parsed.command == .toggleHelp { isVerbose.toggle() }
      if parsed.command == .help || isVerbose, let lastError {
        renderer.printLine(explanation(of: lastError))
      }
    case .togglePrompt:
      try refuse(addresses)
      try checkFault(parsed)
      showsPrompt.toggle()
    case .comment:
      break
    case .word(let word, let argument):
      if !word.takesAddresses { try refuse(addresses) }
      try execute(word, argument, addresses, reading: &source, writing: &renderer)
    case .unknown:
      throw .parse(.unknownCommand)
    }
    try printCurrentLine(as: parsed.format, to: &renderer)
    return .goOn
  }

  /// Prints the current line, unless `format` is empty: what a command's suffixes ask for.
  mutating func printCurrentLine(
    as format: LineFormat, to renderer: inout Renderer
  ) throws(EditorError) {
    if format.isEmpty { return }
    try print(LineRange(currentLine, currentLine), as: format, to: &renderer)
  }

  /// Prints lines and makes the last of them the current one.
  mutating func print(
    _ lines: LineRange, as format: LineFormat, to renderer: inout Renderer
  ) throws(EditorError) {
    guard lines.first > .zero else { throw .noSuchLine(0, last: lastLine) }
    renderer.printLines(lines, of: buffer, as: format)
    currentLine = lines.last.value
    if Interrupts.isInterrupted { throw .interrupted }
  }

  /// Whether unsaved changes may be given up: the last command was refused because of them.
  var mayDiscard: Bool { wasWarned && activeLines == nil }

  /// The explanation of an error, in ed's words for scripts.
  func explanation(of error: EditorError) -> [UInt8] {
    isFriendly ? Messages.friendly(error) : Messages.text(error)
  }

  /// Throws what is wrong behind the letter of a command.
  func checkFault(_ parsed: ParsedCommand) throws(EditorError) {
    if let fault = parsed.fault { throw .parse(fault) }
  }
}
