import Glibc

/// Reads and runs commands until the end, and reports their errors.
struct CommandLoop: ~Copyable {
  private let options: Options
  private let conduct: Conduct
  private var editor: Editor
  private var status: Int32 = 0
  private var terminalSize: TerminalSize?
  /// Whether the user has ended the session, instead of a signal or a lost terminal.
  private var hasQuit = false

  /// Creates a loop over the lines of `source`; output goes to standard output.
  init(options: Options, source: consuming any LineSource & ~Copyable) {
    self.options = options
    conduct = Conduct(
      options, isAtTerminal: source.kind == .terminal && isatty(STDOUT_FILENO) == 1)
    let rendering =
      conduct.decorates
      ? FriendlyRendering(descriptor: STDOUT_FILENO, options: options)
      : PlainRendering(descriptor: STDOUT_FILENO, options: options)
    editor = Editor(
      options: options, conduct: conduct, console: Console(lines: source, rendering: rendering))
    if conduct.beginsMissingFiles { editor.file.later = options.laterFileNames }
  }

  /// Adapts `z` and `l` to a new size of the terminal.
  private mutating func adoptTerminalSize() {
    guard editor.console.inputKind == .terminal, let size = TerminalSize(of: STDIN_FILENO),
      size != terminalSize
    else { return }
    let isFirst = terminalSize == nil
    terminalSize = size
    var rows = size.rows
    if isFirst && conduct.decorates, let lines = options.screenLines { rows = lines }
    if rows > 2 && rows < 600 { editor.console.pageLines = rows - 2 }
    editor.console.rendering.setScreen(TerminalSize(rows: rows, columns: size.columns))
  }

  /// Opens the file, runs all commands, and returns the exit status.
  mutating func run() -> Int32 {
    adoptTerminalSize()
    if conduct.announces, let fault = editor.console.settingsFault {
      editor.console.say(.brokenSettings(fault))
    }
    if options.fileName == nil { editor.keeper.open(&editor.text, of: [], isMissing: false) }
    let result = openFile() ?? goToStart() ?? runCommands()
    editor.recordHistory()
    editor.console.dropPaste()
    showNotices()
    if editor.text.isModified { editor.tellUnkeptHistory() }
    if hasQuit { editor.keeper.giveUpUnnamed() }
    editor.keeper.stop()
    editor.console.close()
    return editor.console.rendering.hasLostOutput ? max(result, 1) : result
  }

  /// Runs all commands and exits at once: freeing text and history first would only cost time.
  mutating func runToExit() -> Int32 {
    let status = run()
    return withExtendedLifetime(self) { exit(status) }
  }

  private mutating func showNotices() {
    for notice in editor.keeper.takeNotices() { editor.console.say(.notice(notice)) }
  }

  /// Reads the file on the command line; returns the exit status if the program ends here.
  private mutating func openFile() -> Int32? {
    guard let name = options.fileName else { return nil }
    if conduct.announces { Progress.begin(Messages.progress(of: .reads)) }
    defer { Progress.end() }
    do throws(EditorError) {
      try editor.open(name)
    } catch {
      if options.create && !conduct.beginsMissingFiles && error.isMissingFile { return nil }
      editor.console.lastError = error
      if !conduct.allowsCorrection && editor.console.inputKind == .regularFile { return 2 }
      if case .file(let failure) = error, failure.attempt == .openInput {
        // A script continues after any such failure; a person begins a new file.
        if !conduct.beginsMissingFiles { return nil }
        if error.isMissingFile {
          if !options.script { editor.console.say(.newFile(name)) }
          return nil
        }
      }
      if conduct.announces && Interrupts.takeInterrupt() { editor.console.say(.interruptEcho) }
      editor.console.say(.error(error, editor.console.isVerbose ? .explained : .brief))
      status = 1
    }
    return nil
  }

  /// Goes to the command line's start line; returns the exit status if the program ends here.
  private mutating func goToStart() -> Int32? {
    defer { if conduct.announces { editor.sayLaterFiles() } }
    guard let address = options.startAddress, editor.text.lastLine > .zero else { return nil }
    do throws(EditorError) {
      try editor.goToStart(address)
      return nil
    } catch {
      if conduct.allowsCorrection || error == .interrupted { return report(error) }
      // As in GNU ed 1.22, a script continues.
      editor.console.lastError = error
      editor.console.say(.warning(.notAtStart(address, error)))
      return nil
    }
  }

  private mutating func runCommands() -> Int32 {
    editor.recordHistoryBeforeWaiting()
    showNotices()
    if conduct.announces { editor.sayRescuedText() }
    if !editor.firstSteps.areDone { editor.console.say(.firstScreen) }
    while true {
      editor.recordHistoryBeforeWaiting()
      showNotices()
      if conduct.announces { editor.warnOfChangedFile() }
      do throws(EditorError) {
        switch editor.readCommand(completions: completer) {
        case .line:
          adoptTerminalSize()
          switch try runCommand() {
          case .goOn: break
          case .quit, .quitDiscarding:
            hasQuit = true
            return status
          }
        case .end:
          editor.text.endAllGroups()
          if editor.text.isModified && !editor.mayDiscard && !options.looseExitStatus { status = 2 }
          try editor.refuseToQuit()
          hasQuit = isatty(STDIN_FILENO) == 1
          return status
        case .failed(let code):
          if code != 0 {
            editor.console.say(
              .failure(FileError(attempt: .readInput, path: Array("stdin".utf8), code: code)))
          }
          return 2
        case .interrupted:
          if conduct.allowsCorrection && !Interrupts.hangUp { continue }
          throw .interrupted
        }
      } catch {
        if Interrupts.hangUp { return hangUp() }
        if let status = report(error) { return status }
      }
    }
  }

  /// Runs the command of the last line read. A person sees the progress of a long command.
  private mutating func runCommand() throws(EditorError) -> CommandResult {
    let parsed = editor.parseCommand()
    if conduct.announces { Progress.begin(Messages.progress(of: parsed.rules.traits)) }
    defer { Progress.end() }
    do throws(EditorError) {
      let result = try editor.run(parsed)
      if conduct.announces { editor.warnOfReadOnlyFile() }
      // Drop an interrupt after the end of the command.
      if conduct.allowsCorrection && Interrupts.takeInterrupt() { editor.console.dropPaste() }
      return result
    } catch {
      let wasInterrupted =
        Interrupts.takeInterrupt() || conduct.allowsCorrection && Interrupts.hangUp
      if wasInterrupted && conduct.announces { editor.console.say(.interruptEcho) }
      throw wasInterrupted ? .interrupted : error
    }
  }

  /// Completes the next command, if lines can be edited.
  private var completer: Completer? {
    mutating get {
      guard editor.console.editsLines else { return nil }
      return CommandCompletion(
        document: editor.text.document, marks: editor.text.marks.letters,
        isRestricted: options.restricted
      ).completions
    }
  }

  /// Reports an error; returns the exit status if it ends the script: only in a script file.
  private mutating func report(_ error: EditorError) -> Int32? {
    editor.console.lastError = error
    editor.refusal = error
    let kind = editor.console.inputKind
    if kind != .terminal { editor.commandOfScriptFailed(error) }
    if conduct.allowsCorrection {
      editor.console.say(.error(error, editor.failureDetail))
      editor.console.dropPaste()
      return nil
    }
    var isEnd = false
    if error == .interrupted {
      // A source that shows prompts has ended the line itself.
      if !editor.console.sourceShowsPrompt { editor.console.say(.interruptEcho) }
    } else {
      if status == 0 && !options.looseExitStatus { status = 1 }
      if case .historyNotKept = error { status = 3 }
      isEnd = kind == .regularFile
    }
    let line = editor.console.lineNumber
    let explained = isEnd ? ErrorDetail.explainedAt(scriptLine: line) : .explained
    editor.console.say(.error(error, editor.console.isVerbose ? explained : .brief))
    editor.console.dropPaste()
    return isEnd ? status : nil
  }

  /// Saves unsaved changes after SIGHUP or SIGTERM, and returns the exit status.
  private mutating func hangUp() -> Int32 {
    let signal = Interrupts.takeHangUp()
    editor.recordHistory()
    let isSaved = editor.saveForHangUp()
    showNotices()
    editor.console.rendering.flushAtOnce()
    if signal == SIGTERM { Interrupts.dieOf(signal) }
    return isSaved ? 0 : 1
  }
}
