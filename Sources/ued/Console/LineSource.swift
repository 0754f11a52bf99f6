import TextBuffer

enum LineStatus: Equatable, Sendable {
  /// A whole line was read.
  case line
  /// The input has ended. Like ed, a pipe or file drops an unterminated last line.
  case end
  /// Reading failed with this `errno`, or 0 for an overlong line.
  case failed(Int32)
  /// SIGINT arrived and is now handled, or SIGHUP or SIGTERM is still pending (`Interrupts.hangUp`).
  case interrupted
}

/// The direction of the key that ended a line of text by moving out of it.
enum LineStep: Equatable, Sendable {
  case up, down
}

/// The type of the input file.
enum InputKind: Equatable, Sendable {
  case terminal
  case regularFile
  /// A pipe, a socket, a device, or bytes in memory.
  case other
}

/// A line in the user's settings for line editing that has an error.
struct SettingsFault: Equatable, Sendable {
  var path: [UInt8]
  var line: Int
}

/// A source of commands and text, line by line.
protocol LineSource: ~Copyable {
  /// Replaces the content of `line` by the next line, without its newline but with any NUL. Its
  /// storage is reused, so that reading allocates nothing. If the result is not `.line`, `line` is
  /// empty, or has what was typed before a hangup.
  mutating func next(into line: inout [UInt8], for request: LineRequest) -> LineStatus

  /// Makes line editing pass the next line's draft to `write` once a second.
  mutating func keepDraft(by write: (([UInt8]) -> Void)?)

  /// Returns unread input to the descriptor, so that a child or the next program reads on exactly
  /// after the last line taken. Call it before a shell command runs and before the program ends.
  mutating func surrenderUnread()

  /// Whether `next` can return a line that was read ahead, without waiting.
  var hasLineAhead: Bool { mutating get }

  /// Whether the input has no whole line to read, and gets none within 20 ms.
  var isQuiet: Bool { mutating get }

  var lineNumber: Int { mutating get }

  /// Whether the last line was pasted into text, so that not even a single period ends the text.
  var lineIsLiteral: Bool { mutating get }

  /// The direction of the key that left the last line; nil if Enter ended it.
  var lineStep: LineStep? { mutating get }

  /// Takes, without showing them, the pasted lines that are text: all lines if they were pasted
  /// into text, or else those before the first line equal to `end`.
  mutating func takePastedLines(before end: [UInt8]) -> [[UInt8]]

  /// Drops and returns the rest of a paste, and its unfinished last line unless edited.
  mutating func dropPaste() -> [[UInt8]]

  /// The type of the input file.
  var kind: InputKind { get }

  /// Whether `next` shows prompts itself and ends the line after an interrupt. If not, its caller
  /// shows the prompts of commands.
  var showsPrompt: Bool { get }

  /// Whether the user can edit a line before entering it, so that it can begin with a draft.
  var editsLines: Bool { get }

  /// Whether line editing can return every byte of `line`.
  mutating func canEdit(_ line: [UInt8]) -> Bool

  /// The full screen of the terminal that lines come from; nil if it has none.
  var screen: (any Screen)? { get }

  /// The first error in the user's settings for line editing.
  var settingsFault: SettingsFault? { get }
}

extension LineSource where Self: ~Copyable {
  mutating func keepDraft(by write: (([UInt8]) -> Void)?) {}

  var editsLines: Bool { false }
  func canEdit(_ line: [UInt8]) -> Bool { false }
  var screen: (any Screen)? { nil }
  var settingsFault: SettingsFault? { nil }
  var lineIsLiteral: Bool { false }
  var lineStep: LineStep? { nil }
  mutating func takePastedLines(before end: [UInt8]) -> [[UInt8]] { [] }
  mutating func dropPaste() -> [[UInt8]] { [] }
}

/// A request for one line of input.
struct LineRequest: Sendable {
  /// The use of the line.
  enum Kind: Equatable, Sendable {
    case command
    /// Text of `a`, `i` or `c`.
    case text
    /// A command list in answer to `G` or `V`.
    case answer
    /// A reply to `s` with the flag `c`: y, n, a or q.
    case confirmation
    /// The rest of a command whose line ended in a backslash.
    case continuation
    /// New text for an existing line; it may become several lines.
    case edit
  }

  var kind: Kind
  /// The line that the input is about: the current line, or for text, the one it becomes.
  var line = LineNumber.zero
  /// Which text the line is part of, where a command takes several.
  var textName = ""
  /// Whether the line above it can be edited, too.
  var hasLineAbove = false
  /// Whether the line below it can be edited, too.
  var hasLineBelow = false
  /// Whether there are unsaved changes.
  var isModified = false
  /// The title of the innermost open group; nil if none is open.
  var groupName: String?
  /// The bytes shown before the prompt of an answer, and again after other uses of the screen.
  var question: [UInt8] = []
  /// Shown before the line; may be empty. The console fills it in.
  var prompt: [UInt8] = []
  /// The initial content of the line, if the source supports line editing.
  var draft: [UInt8] = []
  /// Whether the line may be stored for later sessions.
  var isRemembered = true
  /// Finds completions of a word.
  var words: WordSearch?
  /// Completes a command.
  var completer: Completer?
}
