import Glibc

/// Reads commands, runs them, and tells what came of it, until the end.
struct CommandLoop<Source: LineSource & ~Copyable>: ~Copyable {
  private let options: Options
  private var source: Source
  private var renderer: Renderer
  private var editor: Editor
  private var status: Int32 = 0
  private var terminalSize: TerminalSize?
  /// The line of the script that is being run.
  private var line: [UInt8] = []

  /// A loop over the lines of `source` that writes to standard output.
  init(options: Options, source: consuming Source) {
    self.options = options
    self.source = source
    renderer = Renderer(descriptor: STDOUT_FILENO, isQuiet: options.quiet)
    renderer.list.omitsLineEnd = options.traditional
    let isAtTerminal = (self.source.kind, renderer.isTerminal) == (.terminal, true)
    let isFriendly = options.isFriendly && isAtTerminal
    renderer.list.showsCharacters = isFriendly
    renderer.isFriendly = isFriendly
    editor = Editor(options: options, isFriendly: isFriendly)
  }

  /// Takes over the size of the terminal when it is a new one: `z` prints a page, `l` folds to its
  /// width.
  private mutating func adoptTerminalSize() {
    guard source.kind == .terminal, let size = TerminalSize(of: STDIN_FILENO), size != terminalSize
    else { return }
    terminalSize = size
    if size.rows > 2 && size.rows < 600 { editor.windowLines = size.rows - 2 }
    if size.columns > 8 && size.columns < 1800 { renderer.list.columns = size.columns - 8 }
  }

  /// Edits until the end.
  ///
  /// - Returns: The exit status.
  mutating func run() -> Int32 {
    adoptTerminalSize()
    if editor.isFriendly && source.settingsAreBroken {
      renderer.printLine(Messages.brokenSettings)
    }
    if options.fileName == nil { editor.bindHistory(isMissing: false) }
    let result = openFile() ?? runCommands()
    editor.keepHistory()
    tellOfHistory()
    editor.keeping.stop()
    renderer.flush()
    source.surrenderUnread()
    return renderer.isBroken ? max(result, 1) : result
  }

  /// Edits until the end, and ends the process: to take text and history apart before that would
  /// only take time.
  ///
  /// - Returns: Nothing: it does not come back.
  mutating func runToExit() -> Int32 {
    let status = run()
    return withExtendedLifetime(self) { exit(status) }
  }

  /// Tells what there is to tell of the history on the disk.
  private mutating func tellOfHistory() {
    for notice in editor.takeHistoryNotices() {
      let line = Messages.notice(notice)
      if editor.isFriendly { renderer.printLine(line) } else { renderer.report(line) }
    }
  }

  /// Reads the file of the command line.
  ///
  /// - Returns: The exit status, when that is the end.
  private mutating func openFile() -> Int32? {
    guard let name = options.fileName else { return nil }
    if editor.isFriendly { Progress.begin(Messages.progress(of: .read(.none))) }
    defer { Progress.end() }
    do throws(EditorError) {
      try editor.open(name, reading: &source, writing: &renderer)
    } catch {
      if editor.isFriendly {
        tellWhyNotOpen(name, error)
        return nil
      }
      editor.lastError = error
      if source.kind == .regularFile { return 2 }
      if case .file(let failure) = error, failure.attempt == .openInput { return nil }
      renderer.printLine(Self.questionMark)
      status = 1
      if editor.isVerbose { renderer.printLine(Messages.text(error)) }
    }
    return nil
  }

  /// Tells a person why the file of the command line could not be read, which may be as wanted.
  private mutating func tellWhyNotOpen(_ name: [UInt8], _ error: EditorError) {
    editor.lastError = error
    if case .file(let failure) = error, failure.code == ENOENT {
      if !options.script { renderer.printLine(Messages.newFile(name)) }
      return
    }
    if Interrupts.takeInterrupt() { renderer.printLine([]) }
    renderer.printLine(Messages.friendly(error))
    status = 1
  }

  private mutating func runCommands() -> Int32 {
    while true {
      if source.kind == .terminal { editor.keepHistory() }
      tellOfHistory()
      let purpose = purpose
      if !source.showsPrompt { renderer.write(purpose.prompt) }
      renderer.commandEnds(beforeWaiting: !source.hasLineAhead)
      do throws(EditorError) {
        switch source.next(into: &line, for: purpose) {
        case .line:
          adoptTerminalSize()
          switch try runCommand() {
          case .goOn:
            editor.wasWarned = false
            editor.keeping.asksToForget = false
          case .quit: return finish()
          case .quitDiscarding: return status
          }
        case .end:
          editor.endAllGroups()
          editor.lastError = .endOfInput
          if !editor.isModified || editor.wasWarned || editor.writesAtEnd {
            return finish()
          }
          if !options.looseExitStatus { status = 2 }
          throw .bufferModified
        case .failed(let code):
          if code != 0 {
            renderer.reportReason(
              FileError(attempt: .readInput, path: Array("stdin".utf8), code: code))
          }
          return 2
        case .interrupted:
          if editor.isFriendly && !Interrupts.hangUp { continue }
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
    editor.endAllGroups()
    if options.atomic && status != 0 { return status }
    do throws(EditorError) {
      try editor.finish(writing: &renderer)
      return status
    } catch {
      return report(error) ?? status
    }
  }

  /// Runs the command in `line`; what it changes is one step back for `u`.
  private mutating func runCommand() throws(EditorError) -> Editor.Outcome {
    editor.noteBytes(of: line)
    var parser = CommandParser(line: line)
    let parsed = parser.next()
    if editor.isFriendly { return try runForPerson(parsed) }
    do throws(EditorError) {
      let outcome = try editor.execute(parsed, reading: &source, writing: &renderer)
      editor.endChange()
      return outcome
    } catch {
      editor.endChange()
      throw Interrupts.takeInterrupt() ? .interrupted : error
    }
  }

  /// Runs a command that a person has typed: it shows progress when it takes long, and an interrupt
  /// gives up all of it.
  private mutating func runForPerson(_ parsed: ParsedCommand) throws(EditorError) -> Editor.Outcome
  {
    let start = editor.commandStart
    editor.keepsInterrupted = false
    Progress.begin(Messages.progress(of: parsed.command))
    defer { Progress.end() }
    do throws(EditorError) {
      let outcome = try editor.execute(parsed, reading: &source, writing: &renderer)
      editor.endChange()
      // One that came too late has nothing to stop.
      _ = Interrupts.takeInterrupt()
      return outcome
    } catch {
      let wasRunning = Interrupts.takeInterrupt() || Interrupts.hangUp
      guard wasRunning || error == .interrupted else {
        editor.endChange()
        throw error
      }
      if wasRunning { renderer.printLine([]) }
      if editor.keepsInterrupted {
        editor.endChange()
      } else {
        editor.takeBack(to: start)
      }
      throw .interrupted
    }
  }

  /// What the next command is asked for with.
  private var purpose: LinePurpose {
    var purpose = editor.commandPurpose
    if source.editsLines {
      let completion = CommandCompletion(document: editor.document)
      purpose.completions = { completion.completions(of: $0) }
    }
    return purpose
  }

  /// Tells that a command has failed.
  ///
  /// - Returns: The exit status, when that is the end: an error ends a script that is a file.
  private mutating func report(_ error: EditorError) -> Int32? {
    editor.lastError = error
    editor.wasWarned = error == .bufferModified
    editor.keeping.asksToForget = if case .forgetsHistory = error { true } else { false }
    if source.kind != .terminal && error != .bufferModified { editor.abortAllGroups() }
    if editor.isFriendly {
      let isKept = error == .interrupted && editor.keepsInterrupted
      renderer.printLine(isKept ? Messages.ended : Messages.friendly(error))
      return nil
    }
    if error == .interrupted {
      // A source with a prompt has ended its line already.
      if !source.showsPrompt { renderer.printLine([]) }
      renderer.printLine(Self.questionMark)
    } else {
      renderer.printLine(Self.questionMark)
      if status == 0 && !options.looseExitStatus { status = 1 }
      if source.kind == .regularFile || options.atomic {
        // It is as if the script had never been: nothing of it is kept.
        if options.atomic { editor.keeping.stop() }
        if editor.isVerbose || options.atomic {
          renderer.printLine(Messages.scriptLine(source.lineNumber) + Messages.text(error))
        }
        return status
      }
    }
    if editor.isVerbose { renderer.printLine(Messages.text(error)) }
    return nil
  }

  /// Saves what is not saved and ends, since the terminal is gone or somebody asked for the end.
  private mutating func hangUp() -> Int32 {
    let signal = Interrupts.takeHangUp()
    editor.keepHistory()
    let isSaved = editor.saveForHangUp(writing: &renderer)
    renderer.flush()
    if signal == SIGTERM { Interrupts.dieOf(signal) }
    return isSaved ? 0 : 1
  }

  private static var questionMark: [UInt8] { [UInt8(ascii: "?")] }
}
