import TextBuffer

/// Output for a person at a terminal: errors as sentences that say what to do, and a prompt that says
/// what is expected.
///
///     12: w          a command; the current line is 12
///     12*: a         a command, while there are unsaved changes
///     13> some text  text that becomes line 13
///     12? d          an answer to G or V about line 12
///     ... p          the rest of a command
///
/// All is printed in its visible form, so that nothing in a text, a name or a message acts on the
/// terminal. With UED_PLAIN, histories and differences are told in sentences.
final class FriendlyRendering: PlainRendering {
  override init(descriptor: Int32, options: Options) {
    hasPager = false
    super.init(descriptor: descriptor, options: options)
    list.showsCharacters = true
    let pager = options.restricted ? nil : Pager(for: descriptor)
    hasPager = pager != nil
    serveTerminal(pager: pager)
  }

  private var hasPager: Bool

  override func show(_ value: Output) {
    if hasPager, !value.isPaged { flush() }
    switch value {
    case .history(let rows, .json): super.show(.history(rows, .json))
    case .history(let rows, let form): showHistory(rows, form)
    case .difference(let old, let new, let name, _) where TerminalOutput.prefersSentences:
      tell(from: old, to: new, of: name)
    case .loaded(let name, let lineCount, let byteCount, true):
      if !isSilent { printLine(Messages.opened(name, lines: lineCount, bytes: byteCount)) }
    case .moved(let move, let line, let lineCount):
      printLine(Messages.text(move) + Messages.place(move, line: line, of: lineCount))
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

  // MARK: - Histories and differences

  private func showHistory(_ rows: [HistoryRow], _ form: HistoryForm) {
    let rows = rows.map { row in
      var row = row
      row.name = VisibleText.of(row.name)
      return row
    }
    let lines =
      TerminalOutput.prefersSentences
      ? Messages.sentences(rows, now: SystemClock.now)
      : HistoryTable.lines(rows, form, now: SystemClock.now, isColored: isColored)
    for line in lines { printColored(line) }
  }

  /// Tells a difference line by line.
  private func tell(from old: PieceTable, to new: PieceTable, of name: [UInt8]) {
    let hunks = LineDifference(from: old, to: new).hunks
    if hunks.isEmpty { return }
    printLine(Messages.difference(hunks, of: name))
    for hunk in hunks {
      for (lines, text, isAdded) in [(hunk.old, old, false), (hunk.new, new, true)]
      where lines.count > 0 && takesMore {
        text.forEachLine(in: lines) { number, line in
          var bytes = Messages.lineChanged(
            number, isAdded: isAdded, isUnterminated: number.value > text.newlineCount)
          bytes.append(line, in: 0..<line.byteCount)
          printLine(bytes)
          return takesMore
        }
      }
    }
  }

  // MARK: - Prompts

  override func prompt(for request: LineRequest) -> [UInt8] {
    if commandPrompt != nil { return VisibleText.of(super.prompt(for: request)) }
    let line = request.line.value
    let mark = isColored ? TerminalColor.modified.paint("*") : "*"
    let prompt =
      switch request.kind {
      case .command: "\(line)\(request.isModified ? mark : ""): "
      case .text, .edit: "\(line)> "
      case .answer: "\(line)? "
      case .continuation: "... "
      }
    return Array(prompt.utf8)
  }
}

extension Output {
  /// Whether it goes through a pager together with what else a command prints; all else is a message.
  fileprivate var isPaged: Bool {
    switch self {
    case .lines, .numbers, .history, .difference, .help: true
    default: false
    }
  }
}
