import TextBuffer
import TextLines

/// The output of ed, for scripts.
class PlainRendering: Rendering {
  private var output: OutputBuffer
  /// Whether standard error stays empty.
  private let isQuiet: Bool
  /// Whether byte counts and the `!` after shell commands are left out.
  let isSilent: Bool
  var list = ListFormat()
  let commandPrompt: [UInt8]?

  init(descriptor: Int32, options: Options) {
    output = OutputBuffer(descriptor: descriptor, isRaw: options.traditional)
    isQuiet = options.quiet
    isSilent = options.isSilent
    commandPrompt = options.prompt
    list.omitsLineEnd = options.traditional
    isColored = output.isTerminal && TerminalOutput.allowsColors && !options.traditional
  }

  /// Whether output has colours: differences, and for a person also other values.
  let isColored: Bool

  // MARK: - Values

  func show(_ value: Output) {
    switch value {
    case .lines(let lines, let text, let format, let marks):
      output.writeLines(lines, of: text, as: format, list, marking: isColored ? marks : nil)
    case .eachLine(let lines, let text, let format):
      output.writeLines(lines, of: text, as: format, list)
    case .parts(let parts, let text): output.writeParts(parts, of: text)
    case .numbers(let numbers):
      printLine(numbers.map { String($0) }.joined(separator: " "))
    case .loaded(_, _, let byteCount), .written(_, _, let byteCount, _, _):
      if !isSilent { printLine("\(byteCount)") }
    case .newlineAppended: printLine("Newline appended")
    case .newlineInserted: printLine("Newline inserted")
    case .fileName(let name): printLine(name)
    case .shellCommand(let command):
      printLine(command)
      flush()
    case .shellEnded: if !isSilent { printLine("!") }
    case .explanation(let error): say(explanation(of: error))
    case .moved(let move, _, _): say(Messages.text(move))
    case .changedLines, .effect, .group, .named, .noDifference: break
    case .history(let listing) where listing.hasNoGroup: say(Messages.noGroupTouched)
    case .history(let listing):
      for line in HistoryTable(listing, now: SystemClock.now) where takesMore {
        printLine(line)
      }
    case .blame(let listing): show(BlameText(listing, now: SystemClock.now))
    case .exported(let export): show(export)
    case .difference(let old, let new, let name, let isNew, let isRemoved, let isExecutable):
      showDifference(
        from: old, to: new, of: name, isNew: isNew, isRemoved: isRemoved, isExecutable: isExecutable
      )
    case .match(let match, let bytes, _):
      for line in MatchMarking.lines(match, of: bytes) { printLine(line) }
    case .laterFiles(let names): say(Messages.laterFiles(names))
    case .help(let subject): for line in HelpText.lines(subject) { say(line) }
    case .failure(let error): report(Messages.systemReason(error))
    case .warning(let warning): report(Messages.text(warning))
    case .overlooked(let overlooked): report(Messages.text(overlooked))
    case .notice(let notice): report(Messages.notice(notice))
    case .error(let error, let detail): show(error, detail)
    case .runFailure(let failure): report(Messages.text(failure))
    case .newFile(let name): say(Messages.newFile(name))
    case .pasteDropped(let lines): say(Messages.pasteDropped(lines))
    case .brokenSettings(let fault): say(Messages.text(fault))
    case .firstScreen: say(Messages.firstScreen)
    case .treeIsThere: say(Messages.treeIsThere)
    case .endOfText: say(Messages.endOfText)
    case .textLooksLikeCommand(let line): say(Messages.looksLikeCommand(line))
    case .interruptEcho: printLine([])
    }
  }

  /// Shows lines with the groups that touched them last.
  func show(_ blame: BlameText) {
    if blame.listing.isJSON {
      for index in blame.listing.groups.indices where takesMore {
        printLine(JSONValue(index, of: blame.listing).bytes)
      }
      return
    }
    output.writeLines(blame.listing.lines, of: blame.listing.text) { blame.lead(of: $0) }
  }

  /// The explanation of an error that `h` prints.
  func explanation(of error: EditorError) -> [UInt8] { ErrorEntry(error).edMessage }

  func show(_ error: EditorError, _ detail: ErrorDetail) {
    printLine("?")
    switch detail {
    case .brief, .cutOff, .kept: break
    case .explained: printLine(ErrorEntry(error).edMessage)
    case .explainedAt(let scriptLine):
      printLine(Messages.scriptLine(scriptLine) + ErrorEntry(error).edMessage)
    }
  }

  private func showDifference(
    from old: PieceTable, to new: PieceTable, of path: [UInt8], isNew: Bool,
    isRemoved: Bool, isExecutable: Bool?
  ) {
    guard let lines = LineDifference.unlessInterrupted(from: old, to: new) else { return }
    let name = path.isEmpty ? Array("buffer".utf8) : path
    let none = Array("/dev/null".utf8)
    let (oldName, newName) = (isNew ? none : name, isRemoved ? none : name)
    let difference = UnifiedDiff(
      old: UnifiedDiff.Side(text: old, name: oldName),
      new: UnifiedDiff.Side(text: new, name: newName),
      hunks: lines.hunks,
      isColored: isColored, showsVisibly: output.showsVisibly, isExecutable: isExecutable)
    difference.write { [self] block in
      output.write(block)
      return output.takesMore
    }
  }

  private func show(_ export: HistoryExport) {
    switch export.form {
    case .patches:
      let series = PatchSeries(
        export: export, isColored: isColored, showsVisibly: output.showsVisibly)
      series.write { [self] block in
        output.write(block)
        return takesMore
      }
    case .commits:
      var shown = VisibleText()
      FastImportStream(export: export).write { [self] block in
        output.write(block, shownAs: &shown)
        return takesMore
      }
    }
  }

  // MARK: - Prompts

  func prompt(for request: LineRequest) -> [UInt8] {
    request.kind == .command ? commandPrompt ?? [UInt8(ascii: "*")] : []
  }

  func show(prompt: [UInt8]) { output.write(prompt) }

  func setScreen(_ size: TerminalSize) {
    if size.columns > 8 && size.columns < 1800 { list.columns = size.columns - 8 }
  }

  var tableHeight: Int? { nil }

  // MARK: - For a person

  /// From now on, shows output that does not fit the screen through a pager.
  func serve(by pager: Pager?) { output.pager = pager }

  /// Prints a line already in visible form, which may set colours.
  func printColored(_ line: String) { output.write(Array((line + "\n").utf8)) }

  /// Whether further output of the command would be seen.
  var takesMore: Bool { output.takesMore && !Interrupts.isInterrupted }

  func frame(of page: TreePage) -> ScreenFrame { TreeFrame.frame(of: page, isColored: isColored) }

  // MARK: - Holding output back

  func holdOutput() { output.isHeld = true }

  var hasHeldOutput: Bool { output.isHeld && output.hasPending }

  /// Writes the held output, and stops holding output back.
  func releaseOutput() {
    output.isHeld = false
    output.flush()
  }

  func discardOutput() { output.discard() }

  /// Passes the held output to `body`, and drops it.
  func takeHeldOutput<Result>(_ body: (RawSpan) -> Result) -> Result { output.take(body) }

  func bytes(of output: Output) -> [UInt8] {
    flush()
    holdOutput()
    defer { releaseOutput() }
    show(output)
    return takeHeldOutput { bytes in
      var copy: [UInt8] = []
      copy.append(bytes, in: 0..<bytes.byteCount)
      return copy
    }
  }

  // MARK: - For programs

  var answersPrograms: Bool { false }
  func childBegins() {}
  func childEnds() {}

  // MARK: - Bytes

  func printLine(_ bytes: [UInt8]) {
    output.writeLine(bytes)
  }

  func printLine(_ text: String) { printLine(Array(text.utf8)) }

  func say(_ message: [UInt8]) { printLine(message) }

  func say(_ message: String) { say(Array(message.utf8)) }

  /// Prints a message on standard error immediately.
  func report(_ message: [UInt8]) {
    if !isQuiet { output.writeToStandardError(message + [.newline]) }
  }

  var isTerminal: Bool { output.isTerminal }
  var isBroken: Bool { output.isBroken }
  var hasLostOutput: Bool { isBroken || output.hasLostMessage }
  func flush() { output.flush() }

  func flushAtOnce() { output.flushAtOnce() }
  func commandEnds(beforeWaiting waits: Bool) { output.commandEnds(beforeWaiting: waits) }
  var hasOutputDue: Bool { output.hasDue }
  func catchUp() { output.catchUp() }
}

/// Output of strict runs: commands print as in ed, and each error is a line on standard error.
///
///     ued: FILE: SCRIPT:LINE: message
class StrictRendering: PlainRendering {
  /// The file named in notices.
  var fileName: [UInt8] = []
  /// Notices of commands, held back with the output; nil while output is not held.
  private var heldNotices: [[UInt8]]?

  override func show(_ value: Output) {
    switch value {
    case .notice(let notice): report(Messages.strict(Messages.notice(notice), of: fileName))
    case .warning(.indentedOtherwise(let usesTabs)):
      tell(Messages.text(.indentedOtherwise(fileUsesTabs: usesTabs)))
    case .warning(.replacedBySame): tell(Messages.text(.replacedBySame))
    case .warning(let warning): report(Messages.strict(Messages.text(warning), of: []))
    case .overlooked(let overlooked): tell(Messages.text(overlooked))
    case .newlineAppended(let source): tell(Messages.newlineAdded(to: source))
    case .newlineInserted: tell(Messages.newlineAdded(to: nil))
    // The message for the failed command has the reason.
    case .failure: break
    default: super.show(value)
    }
  }

  private func tell(_ message: [UInt8]) {
    let notice = Messages.strict(message, of: fileName)
    if heldNotices == nil { report(notice) } else { heldNotices?.append(notice) }
  }

  override func holdOutput() {
    super.holdOutput()
    heldNotices = []
  }

  override func releaseOutput() {
    super.releaseOutput()
    for notice in heldNotices ?? [] { report(notice) }
    heldNotices = nil
  }

  override func discardOutput() {
    super.discardOutput()
    heldNotices = []
  }

  override func explanation(of error: EditorError) -> [UInt8] { ErrorEntry(error).strictMessage }
}
