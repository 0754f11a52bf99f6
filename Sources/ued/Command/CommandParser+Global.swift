extension CommandParser {
  /// Reads what follows `g`, `v`, `G` or `V`: the pattern, and a list or suffixes.
  ///
  /// Of a list only the first line is taken; ``Global/list`` tells whether more belong to it.
  mutating func parseGlobal(
    letter: UInt8, into parsed: inout ParsedCommand
  ) throws(ParseError) {
    let isInteractive = letter == UInt8(ascii: "G") || letter == UInt8(ascii: "V")
    let isInverted = letter == UInt8(ascii: "v") || letter == UInt8(ascii: "V")
    var global = Global(isInverted: isInverted, isInteractive: isInteractive)
    defer { parsed.command = .global(global) }
    if isList { throw .globalInGlobal }
    global.pattern = try parsePattern()
    if isInteractive {
      parsed.format = try parseSuffix()
    } else {
      global.list = scanner.takeRestOfLine()
      _ = scanner.take()
    }
  }
}
