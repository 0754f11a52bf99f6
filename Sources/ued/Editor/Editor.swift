import Glibc
import TextBuffer
import TextLines

/// The next step of the command loop after a command.
enum CommandResult { case goOn, quit, quitDiscarding }

/// The editor: executes commands on the text.
struct Editor: ~Copyable {
  let options: Options
  let conduct: Conduct
  var text: EditedText
  var file: EditedFile
  var patterns = PatternMemory()
  /// The history on disk.
  var keeper: HistoryKeeper
  var console: Console
  var batch = Batch()
  /// The name of the file last checked for being read-only.
  var checkedName: [UInt8] = []
  /// The file's identity at the last warning about another program's change. An inner nil means
  /// that the file was gone; an outer nil, no warning.
  var toldChange: FileIdentity??
  /// The error of the last command, which lets its repetition pass; nil if it succeeded.
  var refusal: EditorError?
  /// The border between runs at which the last undo stopped.
  var reportedBorder: Int?
  /// Whether the user has declined to replace a match in the current command.
  var hasRefusedMatches = false
  /// The uptime at which the last command of a person ended.
  private var lastCommandEnd = SystemClock.uptime
  /// The detail of the last error shown to a person; `.kept` if the failed command has changed the
  /// text.
  var failureDetail = ErrorDetail.brief
  /// The file whose hash was last reported to a program.
  var toldFile: FileIdentity?
  /// The effects of earlier script commands on later ones.
  var script: ScriptState
  var firstSteps: FirstSteps

  /// Creates an editor with an empty text. Without `conduct`, it behaves as for a script.
  init(options: Options, conduct: Conduct? = nil, console: consuming Console) {
    let conduct = conduct ?? Conduct(options, isAtTerminal: false)
    (self.options, self.conduct) = (options, conduct)
    let isFree = conduct.knowsSlips || console.inputKind == .terminal
    script = ScriptState(ownForms: isFree ? .allowed : .undecided)
    firstSteps = FirstSteps(
      areDone: !conduct.announces || options.script, isRemembered: options.keepsHistory != false)
    self.console = console
    text = EditedText(conduct)
    let ending: ShellProcess.Ending =
      conduct.treatsDoubtsAsErrors ? options.json ? .group : .shell : .patient
    file = EditedFile(
      disk: DiskFiles(
        isCareful: conduct.savesCarefully, isForPlainScript: conduct.followsEd,
        shellEnding: ending))
    keeper = HistoryKeeper(
      HistoryKeeper.Policy(
        isOn: options.keepsHistory ?? conduct.keepsHistory,
        isAskedFor: options.keepsHistory == true,
        isRequired: options.requiresHistory, isReadOnly: options.isDry,
        recordsOthers: options.historyTask == .record,
        retries: conduct.sharesHistory,
        isForPerson: conduct.allowsCorrection,
        staysOpen: conduct.defersStoring && options.fileNames.count > 1 && !options.isDry,
        index: HistoryIndex(runName: options.runName)))
    batch.ledger = FileLedger(isKept: options.json)
    self.console.isVerbose = options.verbose
    self.console.showsPrompt = conduct.announces || options.prompt != nil
  }

  // MARK: - Running

  mutating func readCommand(completions: Completer?) -> LineStatus {
    // A lack of memory between commands, such as while storing groups, must not end the next
    // command.
    _ = Memory.takeExhausted()
    return console.readCommand(
      LineRequest(
        kind: .command, line: text.currentLine, isModified: text.isModified,
        groupName: text.openGroups.last.map { Self.shortName($0.name ?? "group") },
        isRemembered: keeper.keepsSomewhere,
        words: completions.map { _ in WordSearch(in: text.buffer, near: text.currentLine) },
        completer: completions))
  }

  /// The first word of a name, cut to eight characters: a prompt must leave room for typing.
  private static func shortName(_ name: String) -> String {
    String(name.split(separator: " ").first?.prefix(8) ?? "group")
  }

  mutating func parseCommand() -> ParsedCommand {
    text.checkForNUL(in: console.line)
    if console.line.last == .carriageReturn, conduct.knowsSlips {
      return ParsedCommand(addresses: Addresses(), command: .unknown, fault: .lineEndsWithReturn)
    }
    var parser = CommandParser(
      line: commandLine,
      allowsOwnForms: script.ownForms != .refused)
    let parsed = parser.next()
    if parser.usesOwnForm { allowOwnForms() }
    return parsed
  }

  /// The line read last; for a person, without the `:` that vi puts before commands.
  var commandLine: [UInt8] {
    let line = console.line
    return conduct.allowsCorrection && line.first == UInt8(ascii: ":")
      ? Array(line.dropFirst()) : line
  }

  /// Reminds a person of a temporary failure to keep the history.
  func tellUnkeptHistory() {
    guard conduct.announces, let failure = keeper.failure, failure.mayPass else { return }
    console.say(.notice(.trouble(failure)))
  }

  /// Stores new and changed revisions on disk.
  mutating func recordHistory() { keeper.record(&text, of: file.historyName) }

  /// Stores new and changed revisions on disk if reading the next line may block; answers are
  /// flushed only after that. Changes that depend on the success of the whole script are stored at
  /// its end. Returns false if the next line needs another call.
  @discardableResult
  mutating func recordHistoryBeforeWaiting() -> Bool {
    if !keeper.isKept { return true }
    guard console.mayWait else { return options.defersWrites }
    if options.defersWrites { keeper.suspend(isBrief: true) } else { recordHistory() }
    return true
  }

  /// Stores revisions on disk before a command waits for another program: waiting flushes earlier
  /// answers. A strict run answers only at its end.
  mutating func recordHistoryBeforeBlocking() {
    guard keeper.isKept, !conduct.defersStoring else { return }
    keeper.record(&text, of: file.historyName, inStep: text.isInStep)
  }

  /// Runs a command read from the input, and returns whether to quit.
  ///
  /// - Throws: The error of the command. Its changes so far are kept, as in ed. An interrupted
  ///   command of a person is rolled back, and `historyDamaged` leaves the text unchanged.
  mutating func run(_ parsed: ParsedCommand) throws(EditorError) -> CommandResult {
    // The groups of a script must not depend on the clock.
    if conduct.groupsByPause { text.closeGroup(afterPause: SystemClock.uptime - lastCommandEnd) }
    if conduct.sharesHistory {
      keeper.refresh(
        &text, keepsLock: conduct.awaitsAnswers && !parsed.rules.traits.contains(.shows))
    }
    defer {
      forgetUndoneMerge()
      keeper.entered = []
      if conduct.groupsByPause { lastCommandEnd = SystemClock.uptime }
    }
    do throws(EditorError) {
      let result = try attempt(parsed)
      _ = Memory.takeExhausted()
      if replaceDamagedHistory() { throw .historyDamaged }
      refusal = nil
      return result
    } catch {
      let isExhausted = Memory.takeExhausted() && error == .interrupted
      let error: EditorError =
        replaceDamagedHistory() ? .historyDamaged : isExhausted ? .outOfMemory : error
      refusal = error
      // The refusal already reports the change, so a warning would repeat it.
      if case .writeRefused(let write) = error, write.reason == .unseen(.changedOutside),
        write.path == file.name
      {
        toldChange = .some(write.file)
      }
      switch error {
      case .interrupted, .endOfInput, .textHasNoEnd: keepCutOffText()
      default: break
      }
      throw error
    }
  }

  /// Begins a new history if the restored one proves damaged; returns whether it was.
  private mutating func replaceDamagedHistory() -> Bool {
    guard keeper.replaceDamaged(in: &text, of: file.name) else { return false }
    file.keepMerge()
    return true
  }

  private mutating func attempt(_ parsed: ParsedCommand) throws(EditorError) -> CommandResult {
    if script.abortedGroups > 0 { return try passOver(parsed) }
    if conduct.knowsSlips, CommandHint.isPatch(commandLine) {
      throw .mistyped(commandLine, .patch)
    }
    guard conduct.restoresText else {
      if !conduct.knowsSlips { return try execute(parsed) }
      let line = commandLine
      do throws(EditorError) { return try execute(parsed) } catch {
        throw hinted(error, of: parsed, at: line)
      }
    }
    // The parser takes the end of the line for the letter of a bare `k`.
    if parsed.fault != nil, case .mark(let letter) = parsed.command, !letter.isLowercase {
      throw .invalidMark
    }
    let (start, oldFile, line) = (text.snapshot, file, commandLine)
    if conduct.asksFirst, let hint = CommandHint(doubting: line) {
      let doubted = EditorError.mistyped(line, hint)
      if refusal != doubted { throw doubted }
    }
    text.keepsInterrupted = !conduct.allowsCorrection
    text.hasEdits = false
    hasRefusedMatches = false
    patterns.searched = nil
    do throws(EditorError) {
      let result = try execute(parsed)
      if conduct.announces { sayEffect(of: parsed, since: start) }
      return result
    } catch {
      if isGivenUp(after: error) {
        text.restore(start)
        file.name = oldFile.name
      } else if case .edit = parsed.command, case .file = error {
        // The text stays if the other file can't be read.
        text.restore(start)
        file = oldFile
      }
      guard conduct.announces else { throw hinted(error, of: parsed, at: line) }
      failureDetail = text.hasEdits ? .kept : .brief
      if error == .nothingToUndo, parsed.command == .undo, !text.isInGroup,
        text.history[text.history.current].parent != nil
      {
        throw .onlyGroupToUndo(text.title(text.history.current))
      }
      throw hinted(error, of: parsed, at: line)
    }
  }

  /// The error of a command's line, or of a reply to it, with a hint if that line resembles a
  /// command of ued or of another editor.
  private func hinted(
    _ error: EditorError, of parsed: ParsedCommand, at line: [UInt8]
  ) -> EditorError {
    guard case .parse(let fault) = error else { return error }
    let line = parsed.readsReplies ? console.line : line
    let hint = CommandHint(for: line, fault)
    if hint == nil && !parsed.readsReplies { return error }
    return .mistyped(line, hint, hint?.isAboutSuffix ?? true ? fault : .unknownCommand)
  }

  /// Runs `body` as one step of undo, or as a part of the open step.
  mutating func perform<Result>(
    _ body: (inout Self) throws(EditorError) -> Result
  ) throws(EditorError) -> Result {
    // An interrupt may have come while the lines of the command were read.
    if options.json && Interrupts.isInterrupted && !Interrupts.hangUp { throw .interrupted }
    guard text.beginStep() else { return try body(&self) }
    do throws(EditorError) {
      let result = try body(&self)
      // The text may come from revisions that could not be read.
      if text.document.hasDamagedHistory { throw .historyDamaged }
      text.endStep()
      return result
    } catch {
      if isGivenUp(after: error) { text.rollBackStep() } else { text.endStep() }
      throw error
    }
  }

  /// Whether a failed command is rolled back as a whole.
  private func isGivenUp(after error: EditorError) -> Bool {
    error == .outOfMemory || error == .match(.outOfMemory) || Memory.isExhausted
      || text.isStepFailed
      || text.document.hasDamagedHistory
      || !text.keepsInterrupted && (error == .interrupted || Interrupts.isInterrupted)
  }

  /// Executes a command of the input or of a command list.
  mutating func execute(_ parsed: ParsedCommand) throws(EditorError) -> CommandResult {
    let (lines, given) = try check(parsed)
    switch parsed.command {
    case .append(let input):
      try enter(input, after: lines.last, current: lines.last, parsed.addresses)
    case .insert(let input):
      try enter(input, after: max(lines.last - 1, .zero), current: lines.last, parsed.addresses)
    case .change(let input): try change(lines, to: input, parsed.addresses)
    case .comment: break
    case .copy(let target): try copy(lines, to: target, fault: parsed.fault)
    case .delete: try perform { $0.text.delete(lines) }
    case .edit(let argument, _): try edit(argument)
    case .ensure(let ensured): try ensure(ensured, in: lines)
    case .expect(let expectation): try expect(expectation, of: lines)
    case .fileName(let argument): try setFileName(argument)
    case .global(let global): return try executeGlobal(global, in: lines, parsed)
    case .help: explainLastError()
    case .join: try join(lines)
    case .lineNumber: console.say(.numbers([lines.last.value]))
    case .mark(let letter): try mark(lines.last, with: letter)
    case .move(let target): try move(lines, to: target, fault: parsed.fault)
    case .null: try print(lines, as: [])
    case .print(let format): try print(lines, as: format)
    case .put: try put(text.cut?.text, after: lines.last)
    case .quit(let discarding):
      if !discarding && !options.writesAtEnd { try refuseToQuit() }
      return discarding ? .quitDiscarding : .quit
    case .read(let argument): try read(argument, after: lines.last)
    case .repeatSubstitute(let flags):
      try prepareRepetition(flags, fault: parsed.fault)
      return try substitute(in: lines)
    case .replace(let replacement): try replace(replacement, in: lines)
    case .scroll(let place, let count):
      try printPage(place, lines.last, count, parsed)
      return .goOn
    case .shell(let command):
      if lines.count > 0 { try filter(lines, through: command) } else { try run(command) }
    case .substitute(let substitution):
      try prepare(substitution, fault: parsed.fault)
      return try substitute(in: lines)
    case .toggleHelp:
      console.isVerbose.toggle()
      if console.isVerbose { explainLastError() }
    case .togglePrompt:
      console.showsPrompt.toggle()
      if conduct.announces && !console.showsPrompt { console.say(.effect(.promptsHidden)) }
    case .undo: try toggleUndo()
    case .unknown: throw .parse(parsed.fault ?? .unknownCommand)
    case .word(let word, let argument): try execute(word, argument, on: lines)
    case .write(let argument, let appending, let then):
      return try write(argument, given, appending: appending, then: then)
    case .yank: text.yank(lines)
    }
    try printCurrentLine(as: parsed.format)
    return .goOn
  }

  private mutating func execute(
    _ word: Word, _ argument: [UInt8], on lines: LineRange
  ) throws(EditorError) {
    guard let row = CommandTable.word(word.name.utf8) else { throw .parse(.unknownCommand) }
    try row.run(&self, argument, lines)
  }

  // MARK: - Checks

  /// Resolves the addresses of a command, or its default lines, and makes the checks of its table
  /// row, in ed's order.
  private mutating func check(
    _ parsed: ParsedCommand
  ) throws(EditorError) -> (LineRange, ResolvedAddresses) {
    let rules = parsed.rules
    let given = try resolve(parsed.addresses)
    let mayGrow =
      rules.traits.contains(.grows) && (rules.addresses != .optional || given.count > 0)
    if rules.traits.contains(.compares) {
      try checkMemoryToCompare(text.lastLine.value)
    } else if mayGrow && (text.buffer.byteCount > Self.largestText || Memory.isShort()) {
      throw .outOfMemory
    }
    let isOutOfPlace = text.isInGlobal && !rules.traits.contains(.inList)
    if isOutOfPlace || rules.takesNothing { try checkWord(parsed, given, isOutOfPlace) }
    if rules.checks == .unsavedThenAddressesThenSuffix {
      // A person first learns that the command is invalid.
      if conduct.asksFirst, let fault = parsed.fault { throw .parse(fault) }
      try refuseToDiscard()
    }
    let lines =
      rules.checks == .suffix
      ? LineRange(.zero)
      : mayFindNoLine(parsed) ? LineRange(1, 0) : try self.lines(given, rules.addresses)
    if rules.checks != .addresses, let fault = parsed.fault { throw .parse(fault) }
    if options.restricted && rules.traits.contains(.runsShell) { throw .shellRestricted }
    return (lines, given)
  }

  /// The size in bytes above which a text may not grow. Copies of lines take no memory, so only the
  /// arithmetic of offsets sets a limit.
  private static var largestText: Int { 1 << 46 }

  /// Throws if memory is too short to compare two texts of so many lines each.
  func checkMemoryToCompare(_ lineCount: Int) throws(EditorError) {
    if Comparison.lacksMemory(lineCount: 2 * lineCount) { throw .outOfMemory }
  }

  /// Checks a word that takes no argument, or a command not allowed in a command list.
  private func checkWord(
    _ parsed: ParsedCommand, _ given: ResolvedAddresses, _ isOutOfPlace: Bool
  ) throws(EditorError) {
    guard let word = parsed.command.word else { throw .parse(.globalInGlobal) }
    if parsed.rules.addresses == .none && given.count > 0 { throw .parse(.unexpectedAddress) }
    if isOutOfPlace { throw .wordInGlobal(word) }
    if case .word(_, let argument) = parsed.command, !argument.isEmpty {
      throw .badArgument(argument, of: word)
    }
  }

  /// Throws if there are unsaved changes, unless the last command was refused because of them.
  func refuseToDiscard() throws(EditorError) {
    if text.isModified && !mayDiscard { throw .bufferModified }
  }

  /// Throws if there are unsaved changes or unopened files, unless the last command was refused for
  /// them.
  func refuseToQuit() throws(EditorError) {
    try refuseToDiscard()
    if !text.isModified { try refuseToLeaveFiles() }
  }

  /// Throws if files of the command line have not been opened, unless the last command was refused
  /// because of them.
  func refuseToLeaveFiles() throws(EditorError) {
    let error = EditorError.filesLeft(file.later)
    if !file.later.isEmpty && refusal != error { throw error }
  }

  /// Whether unsaved changes may be discarded: the last command was refused because of them.
  var mayDiscard: Bool { refusal == .bufferModified && !text.isInGlobal }

  // MARK: - Small commands

  /// Prints the current line as a command's suffixes say; does nothing without suffixes.
  mutating func printCurrentLine(as format: LineFormat) throws(EditorError) {
    if format.isEmpty { return }
    try print(LineRange(text.currentLine), as: format)
  }

  /// Prints lines; the last of them becomes the current line.
  mutating func print(_ lines: LineRange, as format: LineFormat) throws(EditorError) {
    console.say(try printed(lines, as: format))
    text.currentLine = lines.last
    if Interrupts.isInterrupted { throw .interrupted }
  }

  /// The output of `print`.
  func printed(_ lines: LineRange, as format: LineFormat) throws(EditorError) -> Output {
    guard lines.first > .zero else { throw .noSuchLine(.zero, last: text.lastLine) }
    let marks = patterns.searched.map { MatchFinder(of: $0, isBinary: text.isBinary) }
    return .lines(lines, of: text.buffer, as: format, marking: marks)
  }

  /// Prints a page of lines. The page size is kept even if a syntax error follows it.
  private mutating func printPage(
    _ place: ScrollPlace, _ line: LineNumber, _ count: Int?, _ parsed: ParsedCommand
  ) throws(EditorError) {
    if let count { console.pageLines = count }
    if let fault = parsed.fault { throw .parse(fault) }
    let others = console.pageLines - 1
    let above =
      switch place {
      case .below: 0
      case .around: others / 2
      case .above: others
      }
    let first = LineNumber(max(line.value - above, 1))
    let last = place == .above ? line : min(text.lastLine, first + others)
    try print(LineRange(first, last), as: parsed.format)
    switch place {
    case .below: break
    case .around: text.currentLine = line
    case .above: text.currentLine = first
    }
  }

  private mutating func mark(_ line: LineNumber, with letter: UInt8) throws(EditorError) {
    guard letter.isLowercase else { throw .invalidMark }
    text.marks[Int(letter - UInt8(ascii: "a"))] = line
  }

  private func explainLastError() {
    guard let error = console.lastError else { return }
    console.say(
      failureDetail == .brief ? .explanation(error) : .error(error, failureDetail))
  }
}

// MARK: - The command line

/// The start line and further files of the command line, and reports of effects to a person.
extension Editor {
  /// Makes the line at an address current: a `+LINE`, the first match of `+/RE`, or the last of
  /// `+?RE`.
  mutating func goToStart(_ address: [UInt8]) throws(EditorError) {
    let line = text.currentLine
    var parser = CommandParser(line: address)
    // From line 0, a forward search begins at the first line, and a backward search at the last.
    text.currentLine = .zero
    do throws(EditorError) {
      let found = try resolve(parser.parseAddresses())
      text.currentLine = try lines(found, .line(or: .current)).last
    } catch {
      let beginsAtTop = !conduct.allowsCorrection && address.first == .slash
      text.currentLine = beginsAtTop ? LineNumber(1) : line
      throw error
    }
    if conduct.announces && !options.isSilent {
      console.say(.lines(LineRange(text.currentLine), of: text.buffer, as: .plain))
    }
  }

  /// Shows the effect of a command to a person, unless the command prints lines itself.
  private mutating func sayEffect(of parsed: ParsedCommand, since start: EditedText.Snapshot) {
    switch parsed.command {
    case .undo: if parsed.format.isEmpty { sayDifference(since: start) }
    case .word where parsed.rules.traits.contains(.moves): sayDifference(since: start)
    case .substitute, .repeatSubstitute:
      if patterns.substitution.format.isEmpty { sayEffect(since: start) }
      if case .substitute(let substitution) = parsed.command, let letter = substitution.lostEscape {
        console.say(.warning(.lostEscape(letter)))
      }
    case .change, .copy, .delete, .ensure, .global, .join, .move, .put, .replace, .shell,
      .word("apply", argument: _):
      sayEffect(since: start)
    default: break
    }
  }

  private func sayEffect(since start: EditedText.Snapshot) {
    if !text.hasEdits || options.isSilent { return }
    let growth = text.lastLine.value - start.lastLine.value
    let isUnchanged = !text.isInGroup && text.history.current == start.revision
    let effect =
      isUnchanged
      ? .changed(0) : text.label.map { self.effect($0, growth) } ?? effectOfChange
    if effect.lineCount == 1, text.currentLine > .zero, isAtChange {
      return console.say(.lines(LineRange(text.currentLine), of: text.buffer, as: .plain))
    }
    console.say(.effect(effect))
  }

  /// Whether the current line is the changed one; taken for granted unless the user declined a
  /// match.
  private var isAtChange: Bool {
    guard hasRefusedMatches, let change = text.document.latestChanges.first else {
      return true
    }
    return text.buffer.lineNumber(at: change.offset) == text.currentLine
  }

  /// The effect of a step with a label, which added `growth` lines to the text.
  private func effect(_ label: GroupLabel, _ growth: Int) -> Effect {
    switch label.kind {
    case .substituted(_, _, let lines, _): .changed(lines)
    case .joined: .changed(1)
    case .copied(let lines, _): .copied(lines.count)
    case .moved(let lines, _): .moved(lines.count)
    case .global(_, _, _, let lines):
      growth < 0
        ? .removed(-growth)
        : .changed(hasRefusedMatches ? text.document.latestChanges.lineCounts.added : lines)
    case .put(let lines, _): .added(lines)
    case .textReplaced(let lines, 1, _): .changed(lines.count)
    default: .described(GroupNames.description(label))
    }
  }

  /// The effect of the last step, if it has no label.
  private var effectOfChange: Effect {
    guard let change = text.document.latestChanges.first else { return .changed(0) }
    let (old, new) = (change.removedLineCount, change.insertedLineCount)
    if new == 0, old == 1 {
      let line = text.buffer.lineNumber(at: change.offset)
      return .lineRemoved(line, Array(change.removed.bytes.dropLast()))
    }
    return new == 0 ? .removed(old) : old == new ? .changed(new) : .replaced(old, by: new)
  }

  /// Shows a person the lines that a move in the history has changed.
  func sayDifference(since start: EditedText.Snapshot) {
    guard !text.isInGroup, start.revision != text.history.current,
      let old = try? text.text(of: start.revision)
    else {
      if text.currentLine > .zero {
        console.say(.lines(LineRange(text.currentLine), of: text.buffer, as: .plain))
      }
      return
    }
    let current = text.history.current
    let command =
      text.leftRevision == start.revision
      ? "diff -"
      : text.history[current].parent == start.revision
        ? "diff \(current)" : "diff \(start.revision) \(current)"
    console.say(
      .changedLines(
        LineDifference.affordableHunks(from: old, to: text.buffer), from: old, to: text.buffer,
        by: command))
  }

  /// Names the files of the command line that are still unopened.
  func sayLaterFiles() {
    if !file.later.isEmpty && !options.isSilent { console.say(.laterFiles(file.later)) }
  }

  /// Edits the next file of the command line, which begins empty if it does not exist.
  mutating func openNextFile() throws(EditorError) {
    guard conduct.beginsMissingFiles else { throw .needsTerminal("next") }
    try text.refuseInGroup()
    guard let name = file.later.first else { throw .noNextFile }
    try refuseToDiscard()
    file.later.removeFirst()
    defer { sayLaterFiles() }
    try checkAccess(name)
    let isShell = name.first == .bang
    try edit(isShell ? .shell(Array(name.dropFirst())) : .file(name), mayBeMissing: true)
  }

  /// A file name with the home folder instead of a leading `~`, for people and strict runs.
  func withHomeFolder(_ name: [UInt8]) -> [UInt8] {
    guard conduct.knowsSlips, name.starts(with: "~/".utf8),
      let home = ProcessArguments.environment("HOME"), !home.isEmpty
    else { return name }
    return home + name.dropFirst()
  }

  /// Warns once when a text from a read-only file is modified.
  mutating func warnOfReadOnlyFile() {
    guard text.isModified, file.name != checkedName, file.known?.path == file.name else { return }
    checkedName = file.name
    if OpenFile.isReadOnly(file.name) { console.say(.warning(.readOnly(file.name))) }
  }
}

// MARK: - Answers

/// Facts about the text and the files for answers to programs.
extension Editor {
  /// The present state of the text.
  var state: TextState {
    TextState(
      line: text.currentLine, lastLine: text.lastLine, revision: text.history.current,
      isModified: text.isModified)
  }

  /// The hash of a file read or written since the last call; nil without one.
  mutating func takeNewHash() -> SHA256Hash? {
    guard let known = file.known, known.isWhole, let identity = known.identity,
      identity != toldFile, let text = known.texts.last
    else { return nil }
    toldFile = identity
    return SHA256Hash(of: text)
  }

  /// Adds the opened file to the ledger, with its content.
  mutating func addOpenedFileToLedger() {
    guard batch.ledger.isKept, !file.name.isEmpty, !batch.ledger.contains(file.name) else { return }
    batch.ledger.add(
      file.name, content(of: file.name, file.known(as: file.name)), revision: text.history.current)
  }

  /// Adds the files of pending writes to the ledger, with their present content.
  mutating func addWritesToLedger() {
    guard batch.ledger.isKept else { return }
    for write in file.pending.all where !write.isStream && !batch.ledger.contains(write.path) {
      batch.ledger.add(write.path, content(of: write.path, write.known))
    }
  }

  /// Adds a file to the ledger, with its present content.
  mutating func addToLedger(_ path: [UInt8]) {
    guard batch.ledger.isKept, !path.isEmpty, !batch.ledger.contains(path) else { return }
    batch.ledger.add(path, contentIfThere(path))
  }

  /// The content of a file in its known state, or else on the disk; nil if the file does not exist.
  private func content(of path: [UInt8], _ known: KnownFile?) -> PieceTable? {
    guard let known else { return contentIfThere(path) }
    // A file seen under another name has an identity, but no text.
    return known.identity == nil ? nil : known.texts.first ?? contentIfThere(path)
  }

  /// Notes the present content of a file that another program has changed in the ledger.
  mutating func addForeignContentToLedger(of path: [UInt8]) {
    if batch.ledger.isKept {
      batch.ledger.update(path, to: contentIfThere(path), isWritten: false)
    }
  }

  /// Notes the current revision of the text of the present file in the ledger.
  mutating func addRevisionToLedger() {
    if batch.ledger.isKept { batch.ledger.update(file.name, revision: text.history.current) }
  }

  func contentIfThere(_ path: [UInt8]) -> PieceTable? {
    // Opening a pipe would wait for its other end.
    guard OpenFile.status(of: path)?.isRegular == true,
      let loaded = try? file.disk.readIfThere(path), loaded.identity != nil
    else { return nil }
    return loaded.original ?? loaded.text
  }
}

// MARK: - Scripts

/// Script state that outlives a command: whether ued's own forms are allowed, and aborted groups.
struct ScriptState {
  /// Whether commands may have forms of ued's own.
  var ownForms: OwnForms
  /// The number of `end`s still needed to close the aborted groups; 0 without aborted groups.
  var abortedGroups = 0
}

/// Whether a script may have forms of ued's own, which are errors in ed. After an error, ed
/// continues with the next line, even if it is text of a failed `a`. Lines that only look like
/// ued's own forms must then fail as in ed. A script written for ued uses such a form before its
/// first error.
enum OwnForms {
  /// Allowed so far: the script has had no such form, but no error either.
  case undecided
  case allowed
  /// Not allowed: the error came first.
  case refused
}

/// Commands of scripts: ued's own forms, and aborted groups.
extension Editor {
  /// Allows ued's own forms for the rest of the script, after the first such form.
  mutating func allowOwnForms() {
    if script.ownForms == .undecided { script.ownForms = .allowed }
  }

  /// Handles an error in a script: skips the command's input, aborts all open groups, and refuses
  /// ued's own forms unless the script has used one.
  mutating func commandOfScriptFailed(_ error: EditorError) {
    skipInput()
    if script.ownForms == .undecided { script.ownForms = .refused }
    if text.isInGroup {
      script.abortedGroups = text.openGroups.count
      text.abortAllGroups()
    }
  }

  /// Refuses every command of an aborted group except the `end` or `abort` that closes it.
  mutating func passOver(_ parsed: ParsedCommand) throws(EditorError) -> CommandResult {
    if case .word(let word, let argument) = parsed.command, parsed.addresses.isEmpty {
      switch word {
      case "begin": script.abortedGroups += 1
      case "end" where argument.isEmpty, "abort" where argument.isEmpty: script.abortedGroups -= 1
      default: break
      }
      if script.abortedGroups == 0 { return .goOn }
    }
    throw .groupWasAborted
  }

  /// The end markers of texts that a program sent after a faulty line. The lines up to these
  /// markers have not been read yet.
  func strayTextEnds(of line: [UInt8], _ parsed: ParsedCommand) -> [TextEnd] {
    var line = line
    var isInList = false
    if case .global(let global) = parsed.command {
      // The last line of a list may continue on further lines.
      isInList = console.hasReadFurther && global.list.last == .backslash
      if isInList { line = console.line }
    }
    if !isInList {
      if console.hasReadFurther || parsed.fault == nil && !parsed.command.textEnds.isEmpty {
        return []
      }
      if parsed.fault == nil, !parsed.command.maySlip { return [] }
    }
    let ends = StrayText.ends(of: line, isInList: isInList)
    return ends == [.period] && parsed.fault == nil ? [] : ends
  }

  /// Reads and drops lines that are not commands, up to an end.
  mutating func dropText(upTo end: TextEnd) { _ = try? readText(upTo: end, at: text.currentLine) }

  /// Reads the lines of a command that failed before it read them, so that they do not run as
  /// commands. Outside of groups, filters and `--json`, only here-documents are read; other lines
  /// run, as in ed.
  mutating func skipInput() {
    if console.hasReadFurther { return }
    let parsed = parseCommand()
    // A dialogue drops them after its answer.
    if parsed.command.textEnds.isEmpty, !options.json, script.ownForms != .refused {
      let ends = StrayText.endsOfBlocks(after: console.line)
      if !ends.isEmpty { allowOwnForms() }
      for end in ends { dropText(upTo: end) }
    }
    guard parsed.fault == nil else { return }
    // A program sends the lines together with their command.
    let isKnown = options.json || options.isFilter || text.isInGroup || script.abortedGroups > 0
    let ends = parsed.command.textEnds
    if !ends.isEmpty {
      for end in ends where isKnown || end != .period {
        dropText(upTo: end)
      }
    } else if isKnown, let line = parsed.command.continuedLine {
      _ = try? extended(line, keepingNewlines: false)
    } else if isKnown, case .substitute(var substitution) = parsed.command {
      do throws(EditorError) {
        while substitution.continues { _ = try continueSubstitution(&substitution) }
      } catch {}
    }
  }
}

extension Command {
  /// Whether text that the command does not take may follow it.
  fileprivate var maySlip: Bool {
    switch self {
    case .ensure, .expect, .replace, .shell, .substitute, .repeatSubstitute: false
    default: true
    }
  }

  /// The end of the command's line, where a backslash continues it.
  fileprivate var continuedLine: [UInt8]? {
    switch self {
    case .edit(let file, _), .fileName(let file), .read(let file), .write(let file, _, _):
      switch file {
      case .name(let name): name
      case .shell(let shell): shell.bytes
      case .none: nil
      }
    case .global(let global): global.list
    case .shell(let shell): shell.bytes
    default: nil
    }
  }
}
