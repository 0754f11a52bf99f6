import TextBuffer

/// Where the text is after a command, for its answer to a program.
struct TextState {
  var line: LineNumber
  var lastLine: LineNumber
  var revision: Int
  var isModified: Bool
}
