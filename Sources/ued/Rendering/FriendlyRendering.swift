import TextBuffer

/// Output for a person at a terminal: what is wrong, and what to do.
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
    case .notice(let notice): printLine(Messages.notice(notice))
    // The reason is told together with the error.
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
    return switch request {
    case .command(let line, let isModified): Prompts.command(line: line, isModified: isModified)
    case .text(let line), .edit(let line, _): Prompts.text(line: line)
    case .answer(let line): Prompts.answer(line: line)
    case .continuation: Prompts.continuation
    }
  }
}
