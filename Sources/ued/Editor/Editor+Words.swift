import TextBuffer

/// Commands that are whole words.
extension Editor {
  mutating func execute(
    _ word: Word, _ argument: [UInt8], on lines: LineRange
  ) throws(EditorError) {
    switch word {
    case .anchors: try showAnchors(of: lines)
    case .abort:
      try text.abortGroup()
      say(.aborted)
    case .apply: try apply(argument)
    case .begin:
      text.beginGroup(argument)
      say(.begun)
    case .blame: try blame(argument, lines)
    case .diff: try showDifference(argument)
    case .edit: try edit(lines)
    case .end:
      let start = text.history.current
      try text.endGroup()
      let id = text.history.current
      say(text.isInGroup ? .innerEnded : id == start ? .unchanged : .ended(id, text.title(id)))
    case .forget: try forget()
    case .help: try help(argument)
    case .history:
      try list(argument, touching: lines)
      sayTree(after: argument)
      tellUnkeptHistory()
    case .earlier, .jump, .later: try jump(word, argument)
    case .merge, .mergeMarking: try merge(argument, marksConflicts: word == .mergeMarking)
    case .name:
      try name(text.history.current, argument)
    case .next: try openNextFile()
    case .bring: try put(text.cut?.text ?? text.earlierCut, after: lines.last)
    case .peek: try peek(argument)
    case .pick: try pick(argument)
    case .redo: try redo(argument)
    case .ensure: throw .badEnsure(CommandParser.fault(inEnsured: argument) ?? .noPattern)
    case .expect, .replace: throw .badForm(word)
    case .revert: try revert(argument, in: lines)
    case .tree: try showTree()
    case .undo: try undo(argument, in: lines)
    }
  }

  mutating func name(_ id: Int, _ name: [UInt8]) throws(EditorError) {
    try text.setName(name, of: id)
    if !text.isInGroup { console.say(.named(revision: id, title: text.title(id))) }
  }

  /// Runs `tree`.
  private mutating func showTree() throws(EditorError) {
    guard let screen = console.screen, conduct.decorates, !TerminalOutput.prefersSentences else {
      throw .needsTerminal(.tree)
    }
    let start = text.snapshot
    var view = TreeView(self, on: screen)
    console.begin(on: screen)
    view.run(&self)
    console.end(on: screen)
    if view.hasMoved { sayDifference(since: start) }
  }

  /// Points a person to `tree` after a list of groups with branches, once in a session.
  private mutating func sayTree(after form: [UInt8]) {
    guard conduct.announces, !firstSteps.hasToldTree, !TerminalOutput.prefersSentences,
      console.screen != nil, !["git", "json", "patch"].contains(where: { form == Array($0.utf8) }),
      branchCount > 1
    else { return }
    firstSteps.hasToldTree = true
    console.say(.treeIsThere)
  }

  /// Reports the new state of a manual group to a person.
  private func say(_ report: GroupReport) {
    if conduct.announces && !options.isSilent { console.say(.group(report)) }
  }

  /// Deletes the history on disk when the command is repeated.
  private mutating func forget() throws(EditorError) {
    try keeper.refuseToForget()
    var isConfirmed = false
    if case .forgetsHistory = refusal { isConfirmed = true }
    // An error that asks for confirmation would end a strict run.
    if !isConfirmed && !conduct.treatsDoubtsAsErrors {
      throw .forgetsHistory(groups: text.history.revisions.count { !$0.isDropped } - 1)
    }
    if options.isDry { return }
    if options.defersWrites {
      keeper.own.forgetsAtEnd = true
    } else {
      text.readHistory()
      try keeper.forget()
    }
  }

  private func help(_ argument: [UInt8]) throws(EditorError) {
    if argument.isEmpty { return console.say(.help(.overview)) }
    guard let subject = HelpSubject(String(decoding: argument, as: UTF8.self)) else {
      throw .noHelp(argument)
    }
    console.say(.help(subject))
  }
}
