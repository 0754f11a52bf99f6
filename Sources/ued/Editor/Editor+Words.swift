import TextBuffer

/// The commands that are whole words.
extension Editor {
  /// Runs a word.
  mutating func execute(
    _ word: Word, _ argument: [UInt8], on lines: LineRange
  ) throws(EditorError) {
    switch word {
    case .abort: try text.abortGroup()
    case .begin: text.beginGroup(argument)
    case .checkpoint: try text.setCheckpoint(argument)
    case .diff: try showDifference(argument)
    case .earlier: try earlier(argument)
    case .edit: try edit(lines)
    case .end: try text.endGroup()
    case .forget: try forget()
    case .help: try help(argument)
    case .history: try list(argument)
    case .jump: try jump(argument)
    case .later: try later(argument)
    case .name: try text.setName(argument)
    case .redo: try redo(argument)
    case .revert: try revert(argument)
    case .undo: try undo(argument)
    }
  }

  /// Takes back what one group did and keeps all later ones.
  ///
  /// - Throws: Which later group changed the same lines; nothing has changed then.
  private mutating func revert(_ argument: [UInt8]) throws(EditorError) {
    try text.refuseInGroup()
    let id = try revision(argument)
    let parts = try text.partsToRevert(id)
    let name = text.name(id)
    try perform {
      $0.text.revert(parts)
      $0.text.label = GroupLabel(.reverted(name: name))
    }
  }

  /// Deletes the history on the disk; asks first.
  private mutating func forget() throws(EditorError) {
    guard keeper.isOnDisk else { throw .noHistoryOnDisk }
    guard case .forgetsHistory = refusal else {
      throw .forgetsHistory(groups: text.history.revisions.count { !$0.isDropped } - 1)
    }
    try keeper.forget()
  }

  private func help(_ argument: [UInt8]) throws(EditorError) {
    if argument.isEmpty { return console.say(.help(nil)) }
    let name = String(decoding: argument, as: UTF8.self)
    guard let row = CommandTable.rows.first(where: { $0.name == name }) else {
      throw .noHelp(argument)
    }
    console.say(.help(row))
  }
}
