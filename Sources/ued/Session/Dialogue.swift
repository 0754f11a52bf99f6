import Glibc

/// Answers a program that sends commands one by one. An error is an answer, and the next command is
/// read.
struct Dialogue: ~Copyable {
  private let options: Options
  private let rendering: JSONRendering
  private var editor: Editor
  private var status: Int32 = 0

  /// Creates a dialogue on standard input and output; shell commands get neither.
  init(options: Options) {
    self.options = options
    rendering = JSONRendering(options: options)
    let lines = DescriptorLines(descriptor: OutputCapture.takeInput(), isDialogue: true)
    editor = Editor(options: options, console: Console(lines: lines, rendering: rendering))
  }

  /// Opens the file, runs all commands, and returns the exit status.
  mutating func run() -> Int32 {
    var failure = openFile() ?? runCommands()
    let isHungUp = Interrupts.hangUp
    if isHungUp { _ = Interrupts.takeHangUp() }
    editor.recordHistory()
    if isHungUp {
      failure =
        failure
        ?? RunFailure(
          file: editor.file.name, error: editor.text.isModified ? .bufferModified : .interrupted)
      if !editor.saveForHangUp() { status = 2 }
    }
    takeNotices()
    if let failure {
      status = max(status, failure.status)
      editor.console.say(.runFailure(failure))
    }
    editor.addRevisionToLedger()
    rendering.add(editor.batch.ledger.files)
    rendering.end(status: status)
    editor.giveUp()
    editor.console.close()
    return rendering.hasLostOutput ? max(status, 1) : status
  }

  /// Opens the file of the command line; returns why it can't be edited.
  private mutating func openFile() -> RunFailure? {
    guard let name = options.fileName else {
      editor.keeper.open(&editor.text, of: [], isMissing: false)
      return nil
    }
    do throws(RunFailure) {
      try editor.openStrictly(name, expecting: options.expectedHashes.first)
      return nil
    } catch {
      return error
    }
  }

  /// Runs all commands; returns a failure that ends the run outside of any command.
  private mutating func runCommands() -> RunFailure? {
    while true {
      if rendering.hasMany {
        // Answered commands must be in the history.
        editor.recordHistoryBeforeBlocking()
        rendering.flush()
      } else {
        editor.recordHistoryBeforeWaiting()
      }
      takeNotices()
      switch editor.readCommand(completions: nil) {
      case .line:
        if runCommand() != .goOn { return nil }
      case .end:
        editor.text.endAllGroups()
        return editor.text.isModified
          ? RunFailure(file: editor.file.name, error: .bufferModified) : nil
      case .failed(let code):
        let input = FileError(attempt: .readInput, path: Array("stdin".utf8), code: code)
        return RunFailure(file: [], error: .file(input), isOpening: true)
      case .interrupted:
        // After SIGHUP or SIGTERM, no command is left to interrupt.
        return nil
      }
    }
  }

  /// Runs the command of the last line read, and answers it.
  private mutating func runCommand() -> CommandResult {
    rendering.begin(editor.console.line)
    var result = CommandResult.goOn
    let (line, parsed) = (editor.console.line, editor.parseCommand())
    do throws(EditorError) {
      result = try editor.run(parsed)
      // Drop an interrupt after the end of the command.
      _ = Interrupts.takeInterrupt()
      // Until the history exists, another session can begin it, and take the numbers answered here.
      if !editor.keeper.isOnDisk { editor.recordHistory() }
      takeNotices()
      rendering.end(editor.state, editor.takeNewHash())
    } catch {
      let error: EditorError =
        Interrupts.takeInterrupt() || Interrupts.hangUp ? .interrupted : error
      editor.console.lastError = error
      let ends = editor.strayTextEnds(of: line, parsed)
      if !ends.isEmpty { editor.console.say(.warning(.textDropped(upTo: ends.map(\.line)))) }
      // After SIGHUP or SIGTERM, keep all changes so that they are saved.
      if !Interrupts.hangUp { editor.commandOfScriptFailed(error) }
      let failure = RunFailure(error, editing: editor.file.name, at: editor.console.line)
      if failure.isTransient { editor.addForeignContentToLedger(of: failure.file) }
      status = max(status, failure.status)
      takeNotices()
      rendering.end(error, in: editor.text.buffer, editor.state, editor.takeNewHash())
      // Answer before reading the text: the program may not intend to send any.
      for end in ends { editor.dropText(upTo: end) }
    }
    return result
  }

  private mutating func takeNotices() {
    if editor.keeper.notices.isEmpty { return }
    for notice in editor.keeper.takeNotices() { editor.console.say(.notice(notice)) }
  }
}
