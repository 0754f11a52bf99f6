import TextBuffer

/// Commands that are whole words.
extension Editor {
  /// Runs a word.
  mutating func execute(
    _ word: Word, _ argument: [UInt8], on lines: LineRange
  ) throws(EditorError) {
    switch word {
    case .abort: try text.abortGroup()
    case .apply: try apply(argument)
    case .begin: text.beginGroup(argument)
    case .blame: try blame(argument, lines)
    case .diff: try showDifference(argument)
    case .edit: try edit(lines)
    case .end: try text.endGroup()
    case .forget: try forget()
    case .help: try help(argument)
    case .history: try list(argument, touching: lines)
    case .earlier, .jump, .later: try jump(word, argument)
    case .merge, .mergeMarking: try merge(argument, marksConflicts: word == .mergeMarking)
    case .name:
      try text.setName(argument)
      let id = text.history.current
      if !text.isInGroup { console.say(.named(revision: id, title: text.title(id))) }
    case .next: try openNextFile()
    case .peek: try peek(argument)
    case .pick: try pick(argument)
    case .redo: try redo(argument)
    case .expect, .replace: throw argument.isEmpty ? .missingArgument(word) : .badArgument(argument)
    case .revert: try revert(argument, in: lines)
    case .undo: try undo(argument, in: lines)
    }
  }

  /// Deletes the history on disk when the command is repeated.
  private mutating func forget() throws(EditorError) {
    guard keeper.isOnDisk else { throw .noHistoryOnDisk }
    var isConfirmed = false
    if case .forgetsHistory = refusal { isConfirmed = true }
    // An error that asks would end a strict run.
    if !isConfirmed && !options.isStrict {
      throw .forgetsHistory(groups: text.history.revisions.count { !$0.isDropped } - 1)
    }
    if options.isDry { return }
    if options.defersWrites {
      keeper.forgetsAtEnd = true
    } else {
      text.readHistory()
      try keeper.forget()
    }
  }

  private func help(_ argument: [UInt8]) throws(EditorError) {
    if argument.isEmpty { return console.say(.help(.overview)) }
    let name = String(decoding: argument, as: UTF8.self)
    if let row = CommandTable.rows.first(where: { $0.name == name }) {
      console.say(.help(.command(row)))
    } else if let topic = HelpTopic(rawValue: name) {
      console.say(.help(.topic(topic)))
    } else {
      throw .noHelp(argument)
    }
  }
}
