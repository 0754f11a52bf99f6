/// What the person at a terminal did, as far as the bytes that it sent tell.
enum TypedKey: Equatable, Sendable {
  /// A byte of a character, or a control character.
  case byte(UInt8)
  /// A key that has a function of its own.
  case key(TerminalKey)
  /// A complete sequence that means no key of ours; the user's settings may bind it.
  case sequence([UInt8])
  /// A key that acts as SIGINT or SIGTSTP, sent as a sequence, which the system does not notice.
  case interrupt, stop
}
