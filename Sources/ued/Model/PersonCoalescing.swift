import TextBuffer

extension Coalescing {
  /// Commands that a person types: after ten seconds in which nothing is entered, the next one is a
  /// group of its own.
  static let commandsOfPerson = Coalescing(Coalescing.commands.rules, longestPause: 10)
}
