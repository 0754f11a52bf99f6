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
    let result = openFile() ?? runCommands()
    renderer.flush()
    source.surrenderUnread()
    return renderer.isBroken ? max(result, 1) : result
  }

  /// Reads the file of the command line.
  ///
  /// - Returns: The exit status, when that is the end.
  private mutating func openFile() -> Int32? {
    guard let name = options.fileName else { return nil }
    do throws(EditorError) {
      try editor.open(name, reading: &source, writing: &renderer)
    } catch {
      editor.lastError = error
      if source.kind == .regularFile { return 2 }
      if case .file(let failure) = error, failure.attempt == .openInput { return nil }
      renderer.printLine(Self.questionMark)
      status = 1
      if editor.isVerbose { renderer.printLine(Messages.text(error)) }
    }
    return nil
  }

  private mutating func runCommands() -> Int32 {
    while true {
      let prompt = editor.showsPrompt ? options.prompt ?? [UInt8(ascii: "*")] : []
      if !source.showsPrompt { renderer.write(prompt) }
      renderer.commandEnds(beforeWaiting: !source.hasLineAhead)
      do throws(EditorError) {
        switch source.next(into: &line, for: .command(prompt: prompt)) {
        case .line:
          adoptTerminalSize()
          switch try runCommand() {
          case .goOn: editor.wasWarned = false
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
    do throws(EditorError) {
      let outcome = try editor.execute(parsed, reading: &source, writing: &renderer)
      editor.endChange()
      return outcome
    } catch {
      editor.endChange()
      throw Interrupts.takeInterrupt() ? .interrupted : error
    }
  }

  /// Tells that a command has failed.
  ///
  /// - Returns: The exit status, when that is the end: an error ends a script that is a file.
  private mutating func report(_ error: EditorError) -> Int32? {
    editor.lastError = error
    editor.wasWarned = error == .bufferModified
    if source.kind != .terminal && error != .bufferModified { editor.abortAllGroups() }
    if error == .interrupted {
      renderer.printLine([])
      renderer.printLine(Self.questionMark)
    } else {
      renderer.printLine(Self.questionMark)
      if status == 0 && !options.looseExitStatus { status = 1 }
      if source.kind == .regularFile || options.atomic {
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
    let signal = Interrupts.hangUpSignal
    let isSaved = editor.saveForHangUp(writing: &renderer)
    renderer.flush()
    if signal == SIGTERM { Interrupts.dieOf(signal) }
    return isSaved ? 0 : 1
  }

  private static var questionMark: [UInt8] { [UInt8(ascii: "?")] }
}
