import TextBuffer

/// Where the text is after a command, for its answer to a program.
struct Answer {
  var line: LineNumber
  var lastLine: LineNumber
  var revision: Int
  var isModified: Bool
}
