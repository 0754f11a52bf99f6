import TextBuffer

/// What a group did, if that is more than appending, deleting or replacing lines.
///
/// A history can have very many groups, so a label stores the operands of the command and is turned
/// into words on demand. An indirect enum would cost every command 0.3 % in copies.
final class GroupLabel: Sendable {
  enum Kind: Sendable {
    case blocksReplaced(lines: Int, places: Int)
    /// The name of the patch; nil when it has none.
    case applied(patch: [UInt8]?)
    /// The text has got the carriage returns of the file, or has them no more; the file stays as it is.
    case carriageReturnsHidden
    case carriageReturnsShown
    case carriageReturnsStripped
    case changedOutside
    case copied(LineRange, after: LineNumber)
    case edited(name: [UInt8], lines: Int)
    case filtered(LineRange, command: [UInt8])
    case global(pattern: [UInt8], list: [UInt8], isInverted: Bool, lines: Int)
    case joined(LineRange)
    case linesEdited(LineRange)
    case linesReverted(LineRange, to: Int)
    case linesUndone(name: String, LineRange)
    case merged(name: String, into: Int)
    case moved(LineRange, after: LineNumber)
    case opened(name: [UInt8])
    case picked(name: String)
    case put(lines: Int, after: LineNumber)
    case read(name: [UInt8], lines: Int)
    case replaced(LineRange, by: Int)
    case reverted(name: String)
    case runReverted(name: String)
    case stored(description: ArraySlice<UInt8>)
    /// The last line is numbered as before the substitution.
    case substituted(pattern: [UInt8], replacement: [UInt8], lines: Int, last: LineNumber)
  }

  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }
}
