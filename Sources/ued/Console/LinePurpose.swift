import TextBuffer

/// What a line is asked for, and where in the text.
enum LineRequest {
  case command(line: LineNumber, isModified: Bool)
  /// Text that becomes this line.
  case text(line: LineNumber)
  /// Commands for this line, in answer to `G` or `V`.
  case answer(line: LineNumber)
  /// More of a command.
  case continuation
  /// New text for this line, which holds the draft.
  case edit(line: LineNumber, draft: [UInt8])

  /// The kind of line.
  var kind: LinePurpose.Kind {
    switch self {
    case .command: .command
    case .text: .text
    case .answer, .continuation: .reply
    case .edit: .edit
    }
  }
}

/// A request for a line as its source gets it.
struct LinePurpose: Sendable {
  /// The kinds of lines.
  enum Kind: Equatable, Sendable {
    case command
    /// Text of `a`, `i` or `c`.
    case text
    /// An answer to `G` or `V`, or the continuation of a command.
    case reply
    /// New text for a line, which may become several lines.
    case edit
  }

  var kind: Kind
  /// Shown before the line; it may be empty.
  var prompt: [UInt8] = []
  /// What the line holds before anything is typed, where lines can be edited.
  var draft: [UInt8] = []
  /// How a command can go on.
  var completions: Completer?

  /// A command.
  static func command(prompt: [UInt8]) -> Self { LinePurpose(kind: .command, prompt: prompt) }

  /// Text, without a prompt.
  static let text = LinePurpose(kind: .text)

  /// An answer, without a prompt.
  static let reply = LinePurpose(kind: .reply)
}
