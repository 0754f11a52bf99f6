import TextBuffer

extension Coalescing {
  /// The rule for commands that a person types: ten idle seconds close the group.
  static let commandsOfPerson = Coalescing(Coalescing.commands.rules, longestPause: .seconds(10))
}
