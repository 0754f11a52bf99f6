/// The colours of output at a terminal, as `git` has them where nobody has chosen others.
///
/// Whatever a colour says stands in the text as well.
enum TerminalColor {
  /// The parts of a unified diff.
  case header, place, removed, added
  /// The mark of the current revision, and names that the user has given.
  case current, name
  /// What a search has found in a line.
  case match
  /// The mark of unsaved changes in the prompt.
  case modified

  /// The control sequence that turns the colour on.
  var sequence: StaticString {
    switch self {
    case .header: "\u{1B}[1m"
    case .place: "\u{1B}[36m"
    case .removed, .modified: "\u{1B}[31m"
    case .added, .current: "\u{1B}[32m"
    case .name: "\u{1B}[33m"
    case .match: "\u{1B}[1;31m"
    }
  }

  /// The control sequence that turns all colours off.
  static let reset: StaticString = "\u{1B}[0m"

  /// A text in this colour.
  func paint(_ text: String) -> String { "\(sequence)\(text)\(Self.reset)" }
}
