import Glibc
import TextBuffer
import TextLines

/// Output for a person at a terminal: errors as sentences that say what to do, and a prompt that says
/// what is expected.
///
///     12: w          a command; the current line is 12
///     12*: a         a command, while there are unsaved changes
///     13> some text  text that becomes line 13
///     old 1> …       the first line of the text that replace looks for
///     12? d          an answer to G or V about line 12
///     replace? …     an answer to s with the flag c
///     ... p          the rest of a command
///
/// All output is in its visible form, so no text, name or message controls the terminal. With
/// UED_PLAIN, histories and differences are sentences.
final class FriendlyRendering: PlainRendering {
  private var screen: TerminalSize?
  private let hasPager: Bool
  private let descriptor: Int32
  /// The settings of the terminal from before the running shell command.
  private var settings: TerminalSettings?

  override init(descriptor: Int32, options: Options) {
    let pager = options.restricted ? nil : Pager(for: descriptor, rows: options.screenLines)
    hasPager = pager != nil
    self.descriptor = descriptor
    super.init(descriptor: descriptor, options: options)
    list.showsCharacters = true
    serve(by: pager)
  }

  override func show(_ value: Output) {
    if hasPager, !value.isPaged { flush() }
    switch value {
    case .difference(let old, let new, let name, _, _, _) where TerminalOutput.prefersSentences:
      tell(from: old, to: new, of: name)
    case .loaded(let name, let lineCount, let byteCount):
      if !isSilent { say(Messages.size(of: name, lines: lineCount, bytes: byteCount)) }
    case .noDifference(let sameness): say(Messages.text(sameness))
    case .written(let name, let lineCount, let byteCount, let isAppended, let isMadeAgain):
      if isSilent && !isMadeAgain { break }
      say(
        Messages.size(of: name, lines: lineCount, bytes: byteCount)
          + Messages.bytes(isAppended ? " appended" : " written")
          + Messages.bytes(isMadeAgain ? "; the file had been removed, and was made again" : ""))
    case .shellEnded(let status) where status != 0: say(Messages.shellEnded(status))
    case .moved(let move, let line, let lineCount):
      say(Messages.friendly(move) + Messages.place(move, line: line, of: lineCount))
    case .effect(let effect): say(Messages.text(effect))
    case .group(let report): say(Messages.text(report))
    case .changedLines(let hunks, let old, let new, let command):
      let hidden = show(hunks, from: old, to: new)
      if hidden > 0 { say(Messages.moreChanged(hidden, by: command)) }
    case .named(let id, let title): say(Messages.named(id, title))
    case .match(let match, let bytes, let line): show(match, in: bytes, line)
    // The warning follows the printed output.
    case .warning(.changedMeanwhile): flush(); super.show(value)
    case .notice(let notice): say(Messages.notice(notice))
    case .history(let listing): show(listing)
    case .blame(let listing):
      let isSpoken = TerminalOutput.prefersSentences
      show(BlameText(listing, now: SystemClock.now, inSentences: isSpoken))
    case .help(let subject):
      for line in HelpText.lines(subject, columns: screen?.columns) { say(line) }
    // The error's message includes the reason.
    case .failure: break
    default: super.show(value)
    }
  }

  /// Whether branches are drawn with box-drawing characters.
  private lazy var drawsBoxes = MatchingLocale()?.isUTF8 == true

  override func frame(of page: TreePage) -> ScreenFrame {
    TreeFrame.frame(of: page, isColored: isColored, drawsBoxes: drawsBoxes)
  }

  override func setScreen(_ size: TerminalSize) {
    super.setScreen(size)
    screen = size.rows > 0 && size.columns > 0 ? size : nil
  }

  // The header and the prompt need a line each.
  override var tableHeight: Int? { screen.map { max($0.rows - 2, 2) } }

  override func explanation(of error: EditorError) -> [UInt8] { ErrorEntry(error).message }

  override func show(_ error: EditorError, _ detail: ErrorDetail) {
    say(Messages.friendly(error, detail))
  }

  override func say(_ message: [UInt8]) { printLine(wrapped(message)) }

  override func report(_ message: [UInt8]) {
    super.report(isatty(STDERR_FILENO) == 1 ? wrapped(message) : message)
  }

  /// A message in rows of the screen, broken between words.
  private func wrapped(_ message: [UInt8]) -> [UInt8] {
    guard let screen, message.count > screen.columns else { return message }
    let shown = String(decoding: VisibleText.of(message), as: UTF8.self)
    return Array(DisplayWidth.wrapped(shown, to: screen.columns).joined(separator: "\n").utf8)
  }

  /// Shows a match in its line, in the column where `n` prints the line.
  private func show(_ match: Range<Int>, in bytes: [UInt8], _ line: LineNumber) {
    let texts = MatchMarking.excerpt(
      [bytes[..<match.lowerBound], bytes[match], bytes[match.upperBound...]].map {
        String(decoding: VisibleText.of(Array($0)), as: UTF8.self)
      }, columns: screen.map { $0.columns - 9 })
    let start = texts[0].utf8.count
    let lines = MatchMarking.lines(
      start..<start + texts[1].utf8.count, of: Array(texts.joined().utf8),
      after: "\(line.value)\t")
    if isColored && !match.isEmpty {
      printColored("\(line.value)\t\(texts[0])\(TerminalColor.match.paint(texts[1]))\(texts[2])")
    } else {
      printLine(lines[0])
    }
    printLine(lines[1])
  }

  // MARK: - Shell commands

  override func childBegins() { settings = TerminalSettings(of: descriptor) }

  override func childEnds() {
    settings?.restore()
    settings = nil
  }

  // MARK: - Histories and differences

  private func show(_ listing: HistoryListing) {
    if listing.rows.isEmpty, let pattern = listing.pattern {
      return say(Messages.noGroupMatches(pattern))
    }
    if listing.form == .json || listing.hasNoGroup { return super.show(.history(listing)) }
    var listing = listing
    for index in listing.rows.indices {
      // Tables measure the visible form.
      listing.rows[index].title = VisibleText.of(listing.rows[index].title)
      listing.rows[index].description = VisibleText.of(listing.rows[index].description)
    }
    if TerminalOutput.prefersSentences {
      for line in Messages.sentences(listing.rows, now: SystemClock.now) where takesMore {
        printColored(line)
      }
    } else {
      let table = HistoryTable(
        listing, now: SystemClock.now, columns: screen?.columns, isColored: isColored,
        drawsBoxes: drawsBoxes)
      for line in table where takesMore { printColored(line) }
    }
    if listing.newerCount + listing.olderCount > 0 { say(Messages.beyond(listing)) }
    if listing.otherBranchCount > 0 {
      say(Messages.otherBranches(listing.otherBranchCount))
    }
  }

  /// The maximum number of lines that a move shows.
  private static let changedLineLimit = 3

  /// Shows the first lines of a difference, numbered; returns the number of the other lines.
  private func show(_ hunks: [LineHunk], from old: PieceTable, to new: PieceTable) -> Int {
    let isSpoken = TerminalOutput.prefersSentences
    let changed = hunks.lines(from: old, to: new, atMost: Self.changedLineLimit)
    for (number, text, isAdded) in changed.first {
      let line = String(decoding: VisibleText.of(text.line(number)), as: UTF8.self)
      let color = isAdded ? TerminalColor.added : .removed
      let lead =
        isSpoken
        ? String(
          decoding: Messages.lineChanged(number, isAdded: isAdded, isUnterminated: false),
          as: UTF8.self) : "\(isAdded ? "+" : "-")\(number.value)\t"
      printColored(isColored && !isSpoken ? color.paint(lead + line) : lead + line)
    }
    return changed.count - changed.first.count
  }

  private func tell(from old: PieceTable, to new: PieceTable, of name: [UInt8]) {
    let difference = LineDifference.unlessInterrupted(from: old, to: new)
    guard let hunks = difference?.hunks, !hunks.isEmpty else { return }
    say(Messages.difference(hunks, of: name))
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
      case .command:
        "\(line)\(request.isModified ? mark : "")"
          + (request.groupName.map { "(\(GroupNames.shown(Array($0.utf8))))" } ?? "") + ": "
      case .text, .edit: "\(request.textName)\(request.textName.isEmpty ? "" : " ")\(line)> "
      case .answer: "\(line)? "
      case .confirmation: "replace? (y n a q) "
      case .continuation: "... "
      }
    return Array(prompt.utf8)
  }
}

extension Output {
  /// Whether a value goes through the pager, with the rest of the command's output; others are
  /// messages.
  fileprivate var isPaged: Bool {
    switch self {
    case .lines, .eachLine, .parts, .numbers, .history, .blame, .exported, .difference, .help: true
    default: false
    }
  }
}

/// A line with one of its matches marked, as `s` with the flag `c` shows it.
enum MatchMarking {
  /// The line behind `prefix`, without its newline, and a line with a `^` below each column of the
  /// match, a range of bytes; an empty match gets one `^`.
  static func lines(
    _ match: Range<Int>, of line: [UInt8], after prefix: String = ""
  ) -> [[UInt8]] {
    let line = Array(prefix.utf8) + line
    let match = match.lowerBound + prefix.utf8.count..<match.upperBound + prefix.utf8.count
    func columns(upTo end: Int) -> Int {
      DisplayWidth.columns(of: String(decoding: line[..<end], as: UTF8.self))
    }
    let start = columns(upTo: match.lowerBound)
    let count = max(1, columns(upTo: match.upperBound) - start)
    return [
      line,
      Array(repeating: .space, count: start) + Array(repeating: UInt8(ascii: "^"), count: count),
    ]
  }

  /// Cuts a line, given as the text before the match, the match, and the text after it, to fit a
  /// row; `columns` is nil for no limit. A `…` replaces each cut part, and a blank each tab.
  static func excerpt(_ parts: [String], columns: Int?) -> [String] {
    guard let columns = columns.map({ max($0, 9) }),
      DisplayWidth.columns(of: parts.joined()) > columns
    else { return parts }
    let parts = parts.map { $0.replacing("\t", with: " ") }
    let reversed = DisplayWidth.cut(
      String(String.UnicodeScalarView(parts[0].unicodeScalars.reversed())), to: columns / 3)
    let before = String(String.UnicodeScalarView(reversed.unicodeScalars.reversed()))
    let match = DisplayWidth.cut(parts[1], to: columns / 3)
    let rest = columns - DisplayWidth.columns(of: before) - DisplayWidth.columns(of: match)
    return [before, match, DisplayWidth.cut(parts[2], to: rest)]
  }
}

/// The colours of output at a terminal: git's defaults. Without them, the text says the same.
enum TerminalColor {
  /// The parts of a unified diff.
  case header, place, removed, added
  /// The mark of the current revision, and names that the user has given.
  case current, name
  /// The selected row of a list.
  case selected
  /// A match of a search in a line.
  case match
  /// The mark of unsaved changes in the prompt.
  case modified

  var sequence: StaticString {
    switch self {
    case .header: "\u{1B}[1m"
    case .place: "\u{1B}[36m"
    case .removed, .modified: "\u{1B}[31m"
    case .added, .current: "\u{1B}[32m"
    case .name: "\u{1B}[33m"
    case .selected: "\u{1B}[7m"
    case .match: "\u{1B}[1;31m"
    }
  }

  /// The control sequence that turns all colours off.
  static let reset: StaticString = "\u{1B}[0m"

  func paint(_ text: String) -> String { "\(sequence)\(text)\(Self.reset)" }
}
