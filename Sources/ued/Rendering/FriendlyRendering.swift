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
  /// The size of the terminal, if it is known.
  private var screen: TerminalSize?

  override init(descriptor: Int32, options: Options) {
    super.init(descriptor: descriptor, options: options)
    list.showsCharacters = true
  }

  override func show(_ value: Output) {
    switch value {
    case .loaded(let name, let lineCount, let byteCount):
      if !isSilent { printLine(Messages.size(of: name, lines: lineCount, bytes: byteCount)) }
    case .written(let name, let lineCount, let byteCount, let isAppended):
      if !isSilent {
        printLine(
          Messages.size(of: name, lines: lineCount, bytes: byteCount)
            + Messages.bytes(isAppended ? " appended" : " written"))
      }
    case .moved(let move, let line, let lineCount):
      printLine(Messages.friendly(move) + Messages.place(move, line: line, of: lineCount))
    case .named(let id, let title, let isCheckpoint):
      printLine(Messages.named(id, title, isCheckpoint: isCheckpoint))
    case .match(let match, let bytes, let line):
      // The line stands where `n` prints it.
      for shown in MatchMarking.lines(match, of: bytes, after: "\(line.value)\t") {
        printLine(shown)
      }
    case .notice(let notice): printLine(Messages.notice(notice))
    case .history(let listing): show(listing)
    // The error's message includes the reason.
    case .failure: break
    default: super.show(value)
    }
  }

  private func show(_ listing: HistoryListing) {
    if listing.rows.isEmpty, let pattern = listing.pattern {
      return printLine(Messages.noGroupMatches(pattern))
    }
    for line in HistoryTable.lines(listing, now: SystemClock.now, columns: screen?.columns) {
      printLine(line)
    }
    if listing.newerCount + listing.olderCount > 0 { printLine(Messages.beyond(listing)) }
  }

  override func setScreen(_ size: TerminalSize) {
    super.setScreen(size)
    screen = size.rows > 0 && size.columns > 0 ? size : nil
  }

  // The header and the prompt need a line each.
  override var tableHeight: Int? { screen.map { max($0.rows - 2, 2) } }

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
