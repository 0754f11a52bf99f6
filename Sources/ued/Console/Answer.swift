import TextBuffer

/// The answer to a command, for a program: whether it has succeeded, and where the text is now.
struct Answer {
  /// Why the command failed; nil if it has not.
  var error: EditorError?
  /// Where in the script, as `SCRIPT:LINE`; empty for a command of a session.
  var place: [UInt8] = []
  var line: LineNumber
  var lastLine: LineNumber
  var revision: Int
  var isModified: Bool
}
