/// Output for a person at a terminal: errors as sentences that say what to do, and a prompt that says
/// what is expected.
///
///     12: w          a command; the current line is 12
///     12*: a         a command, while there are unsaved changes
///     13> some text  text that becomes line 13
///     12? d          an answer to G or V about line 12
///     replace? …     an answer to s with the flag c
///     ... p          the rest of a command
final class FriendlyRendering: PlainRendering {
  override init(descriptor: Int32, options: Options) {
    super.init(descriptor: descriptor, options: options)
    list.showsCharacters = true
  }

  override func show(_ value: Output) {
    switch value {
    case .loaded(let name, let lineCount, let byteCount, true):
      if !isSilent { printLine(Messages.opened(name, lines: lineCount, bytes: byteCount)) }
    case .moved(let move, let line, let lineCount):
      printLine(Messages.text(move) + Messages.place(move, line: line, of: lineCount))
    case .match(let match, let bytes, let line):
      // The line stands where `n` prints it.
      for shown in MatchMarking.lines(match, of: bytes, after: "\(line.value)\t") {
        printLine(shown)
      }
    case .notice(let notice): printLine(Messages.notice(notice))
    // The error's message includes the reason.
    case .failure: break
    default: super.show(value)
    }
  }

  override func explanation(of error: EditorError) -> [UInt8] { Messages.friendly(error) }

  override func show(_ error: EditorError, _ detail: ErrorDetail) {
    printLine(detail == .kept ? Messages.interruptedAndKept : Messages.friendly(error))
  }

  override func prompt(for request: LineRequest) -> [UInt8] {
    if commandPrompt != nil { return super.prompt(for: request) }
    let line = request.line.value
    let prompt =
      switch request.kind {
      case .command: "\(line)\(request.isModified ? "*" : ""): "
      case .text, .edit: "\(line)> "
      case .answer: "\(line)? "
      case .confirmation: "replace? (y n a q) "
      case .continuation: "... "
      }
    return Array(prompt.utf8)
  }
}
