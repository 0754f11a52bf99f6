import TextBuffer

/// What a group of changes did, for those that are more than lines appended, deleted or replaced.
///
/// There can be very many groups, so a label keeps what the command had at hand, and becomes words
/// only when somebody asks.
final class GroupLabel: Sendable {
  /// The kinds of groups that say what they are.
  enum Kind: Sendable {
    case copied(LineRange, after: LineNumber)
    case edited(name: [UInt8], lines: Int)
    case filtered(LineRange, command: [UInt8])
    case global(pattern: [UInt8], list: [UInt8], isInverted: Bool, lines: Int)
    case joined(LineRange)
    case linesEdited(LineRange)
    case moved(LineRange, after: LineNumber)
    case put(lines: Int, after: LineNumber)
    case read(name: [UInt8], lines: Int)
    case replaced(LineRange, by: Int)
    case reverted(name: String)
    case stored(name: ArraySlice<UInt8>)
    case substituted(pattern: [UInt8], replacement: [UInt8], lines: Int)
  }

  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }
}
