/// The commands that are whole words.
extension Editor {
  /// Runs a word.
  mutating func execute<Source: LineSource & ~Copyable>(
    _ word: Word, _ argument: [UInt8], _ addresses: ResolvedAddresses,
    reading source: inout Source, writing renderer: inout Renderer
  ) throws(EditorError) {
    if activeLines != nil { throw .wordInGlobal(word) }
    switch word {
    case .undo, .redo, .jump, .earlier, .later:
      let told = try walk(word, argument)
      let place =
        isFriendly
        ? Messages.place(
          revision: word == .undo || word == .redo ? history.current : nil, line: currentLine,
          of: lastLine) : ""
      if isVerbose || isFriendly { renderer.printLine(Array((told + place).utf8)) }
    case .history: try list(argument, to: &renderer)
    case .diff: try showDifference(argument, to: &renderer)
    case .begin: beginGroup(argument)
    case .edit:
      try refuse(argument)
      try editLines(addresses, reading: &source)
    case .end:
      try refuse(argument)
      try endGroup()
    case .abort:
      try refuse(argument)
      try abortGroup()
    case .name: try setName(argument)
    case .checkpoint: try setCheckpoint(argument)
    case .revert: try revert(argument)
    case .forget:
      try refuse(argument)
      try forgetHistory()
    case .help: try help(argument, to: &renderer)
    }
  }

  private func refuse(_ argument: [UInt8]) throws(EditorError) {
    if !argument.isEmpty { throw .badArgument(argument) }
  }

  private func help(
    _ argument: [UInt8], to renderer: inout Renderer
  ) throws(EditorError) {
    let lines: [String]
    if argument.isEmpty {
      lines = Help.overview
    } else {
      guard let found = Help.explanation(of: String(decoding: argument, as: UTF8.self)) else {
        throw .noHelp(argument)
      }
      lines = found
    }
    for line in lines { renderer.printLine(Array(line.utf8)) }
  }
}
