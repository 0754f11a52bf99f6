import TextBuffer

/// A request for one line of input.
struct LineRequest: Sendable {
  /// What the line is used for.
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
  /// The number of the line that the input is about: the current line, or the one it becomes.
  var line = LineNumber.zero
  /// Whether there are unsaved changes.
  var isModified = false
  /// What was shown about an answer before the prompt, to be shown again on a screen that was cleared, or
  /// used by others.
  var question: [UInt8] = []
  /// Shown before the line; may be empty. The console fills it in.
  var prompt: [UInt8] = []
  /// What the line holds before anything is typed, if the source supports line editing.
  var draft: [UInt8] = []
  /// Whether the line may be stored for later sessions.
  var isRemembered = true
  /// Completes a command.
  var completer: Completer?
}
