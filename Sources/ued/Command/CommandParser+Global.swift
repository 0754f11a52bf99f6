extension CommandParser {
  /// Reads what follows `g`, `v`, `G` or `V`: the pattern, and a list or suffixes.
  ///
  /// Of a list only the first line is taken; ``Global/list`` tells whether more belong to it.
  mutating func parse(
    _ template: Global, into parsed: inout ParsedCommand
  ) throws(ParseError) {
    var global = template
    defer { parsed.command = .global(global) }
    if isList { throw .globalInGlobal }
    global.pattern = try parsePattern()
    if global.isInteractive {
      parsed.format = try parseSuffix()
    } else {
      global.list = scanner.takeRestOfLine()
      _ = scanner.take()
    }
  }
}
