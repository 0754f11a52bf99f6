import Glibc

/// Reads commands, runs them, and tells what came of it, until the end.
struct CommandLoop: ~Copyable {
  private let options: Options
  private var editor: Editor
  private var status: Int32 = 0
  private var terminalSize: TerminalSize?

  /// A loop over the lines of `source` that writes to standard output.
  init(options: Options, source: consuming any LineSource & ~Copyable) {
    var options = options
    options.isFriendly =
      options.isFriendly && source.kind == .terminal && isatty(STDOUT_FILENO) == 1
    self.options = options
    let rendering =
      options.isFriendly
      ? FriendlyRendering(descriptor: STDOUT_FILENO, options: options)
      : PlainRendering(descriptor: STDOUT_FILENO, options: options)
    editor = Editor(options: options, console: Console(lines: source, rendering: rendering))
  }

  /// Takes over the size of the terminal when it is a new one: `z` prints a page, `l` folds to its
  /// width.
  private mutating func adoptTerminalSize() {
    guard editor.console.inputKind == .terminal, let size = TerminalSize(of: STDIN_FILENO),
      size != terminalSize
    else { return }
    terminalSize = size
    if size.rows > 2 && size.rows < 600 { editor.console.pageLines = size.rows - 2 }
    editor.console.rendering.setColumns(size.columns)
  }

  /// Edits until the end.
  ///
  /// - Returns: The exit status.
  mutating func run() -> Int32 {
    adoptTerminalSize()
    if options.isFriendly && editor.console.settingsAreBroken {
      editor.console.say(.brokenSettings)
    }
    if options.fileName == nil { editor.keeper.open(&editor.text, of: [], isMissing: false) }
    let result = openFile() ?? runCommands()
    editor.recordHistory()
    sayNotices()
    editor.keeper.stop()
    editor.console.close()
    return editor.console.rendering.isBroken ? max(result, 1) : result
  }

  /// Edits until the end, and ends the process: to take text and history apart before that would
  /// only take time.
  ///
  /// - Returns: Nothing: it does not come back.
  mutating func runToExit() -> Int32 {
    let status = run()
    return withExtendedLifetime(self) { exit(status) }
  }

  private mutating func sayNotices() {
    for notice in editor.keeper.takeNotices() { editor.console.say(.notice(notice)) }
  }

  /// Reads the file of the command line.
  ///
  /// - Returns: The exit status, when that is the end.
  private mutating func openFile() -> Int32? {
    guard let name = options.fileName else { return nil }
    if options.isFriendly { Progress.begin(Messages.progress(of: .reads)) }
    defer { Progress.end() }
    do throws(EditorError) {
      try editor.open(name)
    } catch {
      editor.console.lastError = error
      if options.isFriendly {
        sayWhyNotOpen(name, error)
        return nil
      }
      if editor.console.inputKind == .regularFile { return 2 }
      if case .file(let failure) = error, failure.attempt == .openInput { return nil }
      editor.console.say(.error(error, editor.console.isVerbose ? .explained : .brief))
      status = 1
    }
    return nil
  }

  /// Tells a person why the file of the command line could not be read, which may be as wanted.
  private mutating func sayWhyNotOpen(_ name: [UInt8], _ error: EditorError) {
    if case .file(let failure) = error, failure.code == ENOENT {
      if !options.script { editor.console.say(.newFile(name)) }
      return
    }
    if Interrupts.takeInterrupt() { editor.console.say(.interruptEcho) }
    editor.console.say(.error(error, .brief))
    status = 1
  }

  private mutating func runCommands() -> Int32 {
    while true {
      if editor.console.inputKind == .terminal { editor.recordHistory() }
      sayNotices()
      do throws(EditorError) {
        switch editor.readCommand(completions: completer) {
        case .line:
          adoptTerminalSize()
          switch try runCommand() {
          case .goOn: editor.refusal = nil
          case .quit: return finish()
          case .quitDiscarding: return status
          }
        case .end:
          editor.text.endAllGroups()
          editor.console.lastError = .endOfInput
          let isRefused = editor.refusal == .bufferModified
          if !editor.text.isModified || isRefused || options.writesAtEnd { return finish() }
          if !options.looseExitStatus { status = 2 }
          throw .bufferModified
        case .failed(let code):
          if code != 0 {
            editor.console.say(
              .failure(FileError(attempt: .readInput, path: Array("stdin".utf8), code: code)))
          }
          return 2
        case .interrupted:
          if options.isFriendly && !Interrupts.hangUp { continue }
          throw .interrupted
        }
      } catch {
        if Interrupts.hangUp { return hangUp() }
        if let status = report(error) { return status }
      }
    }
  }

  /// Does what waits for the end of the script.
  ///
  /// - Returns: The exit status.
  private mutating func finish() -> Int32 {
    editor.text.endAllGroups()
    if options.atomic && status != 0 { return status }
    do throws(EditorError) {
      try editor.finish()
      return status
    } catch {
      return report(error) ?? status
    }
  }

  /// Runs the command that was read; what it changes is one step back for `u`.
  ///
  /// For a person it shows progress when it takes long.
  private mutating func runCommand() throws(EditorError) -> CommandResult {
    let parsed = editor.parseCommand()
    if options.isFriendly { Progress.begin(Messages.progress(of: parsed.rules.traits)) }
    defer { Progress.end() }
    do throws(EditorError) {
      let result = try editor.run(parsed)
      // One that came too late has nothing to stop.
      if options.isFriendly { _ = Interrupts.takeInterrupt() }
      return result
    } catch {
      let wasRunning =
        Interrupts.takeInterrupt() || options.isFriendly && Interrupts.hangUp
      if wasRunning && options.isFriendly { editor.console.say(.interruptEcho) }
      throw wasRunning ? .interrupted : error
    }
  }

  /// How the command that is being typed can go on, where lines can be edited.
  private var completer: Completer? {
    guard editor.console.editsLines else { return nil }
    let completion = CommandCompletion(document: editor.text.document)
    return { completion.completions(of: $0) }
  }

  /// Tells that a command has failed.
  ///
  /// - Returns: The exit status, when that is the end: an error ends a script that is a file.
  private mutating func report(_ error: EditorError) -> Int32? {
    editor.console.lastError = error
    editor.refusal = error
    let kind = editor.console.inputKind
    if kind != .terminal && error != .bufferModified { editor.text.abortAllGroups() }
    if options.isFriendly {
      let isKept = error == .interrupted && editor.text.keepsInterrupted
      editor.console.say(.error(error, isKept ? .kept : .brief))
      return nil
    }
    var isEnd = false
    if error == .interrupted {
      // A source with a prompt has ended its line already.
      if !editor.console.sourceShowsPrompt { editor.console.say(.interruptEcho) }
    } else {
      if status == 0 && !options.looseExitStatus { status = 1 }
      isEnd = kind == .regularFile || options.atomic
      // It is as if the script had never been: nothing of it is kept.
      if isEnd && options.atomic { editor.keeper.stop() }
    }
    let isExplained = editor.console.isVerbose || isEnd && options.atomic
    let line = editor.console.lineNumber
    editor.console.say(
      .error(error, !isExplained ? .brief : isEnd ? .explainedAt(scriptLine: line) : .explained))
    return isEnd ? status : nil
  }

  /// Saves what is not saved and ends, since the terminal is gone or somebody asked for the end.
  private mutating func hangUp() -> Int32 {
    let signal = Interrupts.takeHangUp()
    editor.recordHistory()
    let isSaved = editor.saveForHangUp()
    editor.console.rendering.flush()
    if signal == SIGTERM { Interrupts.dieOf(signal) }
    return isSaved ? 0 : 1
  }
}
