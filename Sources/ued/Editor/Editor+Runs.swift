import TextBuffer

/// Taking back older groups and whole runs: `revert`.
extension Editor {
  /// Runs `revert`: takes back one older group, or those of a run, and keeps all later ones.
  ///
  /// With lines it gives these back as they were at a revision.
  ///
  /// - Throws: `groupsInTheWay`.
  mutating func revert(_ argument: [UInt8], in lines: LineRange) throws(EditorError) {
    try text.refuseInGroup()
    if lines.count > 0 { return try revertLines(argument, lines) }
    let words = argument.split(maxSplits: 1, whereSeparator: \.isSpace)
    if let word = words.first, word.elementsEqual("run".utf8) {
      return try revertRun(words.dropFirst().first.map { Array($0) })
    }
    let id = try revision(argument, for: .revert)
    if text.document.changes(of: id).isEmpty { throw .nothingToRevert(id) }
    guard text.isHere(id) else { throw .notInText(id) }
    guard try revert([id], GroupLabel(.reverted(name: calledName(of: id)))) else {
      throw .nothingToRevert(id)
    }
    if options.isFriendly {
      report(.reverted(text.title(id), to: text.history.current), printsLine: true)
    }
  }

  /// Takes back the groups of a run, by default of the last one before this.
  private mutating func revertRun(_ name: [UInt8]?) throws(EditorError) {
    var runs: Set<Int>
    if let name {
      runs = RunTag.name(name).map { keeper.runs(called: $0) } ?? []
      if runs.isEmpty { throw keeper.isInUse ? .historyInUse : .noSuchRun(name) }
    } else {
      let earlier = path.lazy.compactMap { [keeper, text] in keeper.run(of: $0, in: text.document) }
        .first { [keeper] in $0 != keeper.currentRun }
      guard let earlier else { throw keeper.isInUse ? .historyInUse : .noEarlierRun }
      runs = keeper.runs(with: earlier)
    }
    let title = keeper.title(ofRuns: runs)
    guard try takeBack(runs, title: title) else { throw .runNotInText(title) }
    if options.isFriendly {
      report(.reverted("run \(title)", to: text.history.current), printsLine: true)
    }
  }

  /// Whether the file does not exist any more, and no group in its history has removed it.
  var isGone: Bool {
    file.known(as: file.name).map { $0.identity == nil } ?? false
      && text.document.description(of: text.history.current) == GroupNames.changedOutside
  }

  /// Takes back all groups of some runs that the text has, and keeps all others.
  ///
  /// - Parameters:
  ///   - runs: The numbers of the runs.
  ///   - title: What they are called in the name of the new group.
  /// - Throws: `groupsInTheWay`.
  /// - Returns: Whether that has changed the text.
  mutating func takeBack(_ runs: Set<Int>, title: String) throws(EditorError) -> Bool {
    let ids = Set(keeper.groups(of: runs, in: text.document)).intersection(path)
    if ids.isEmpty { return false }
    return try revert(ids, GroupLabel(.runReverted(name: title)))
  }

  /// Postpones the write of the text after some runs were taken back. If they have made the file, and nothing is
  /// in it now, it is removed; if they have removed it, it is made again.
  ///
  /// - Parameters:
  ///   - runs: The runs, in order.
  ///   - hasChanged: Whether taking them back has changed the text.
  /// - Throws: Why the write can't be postponed.
  mutating func writeTakenBack(_ runs: [StoredRun], hasChanged: Bool) throws(EditorError) {
    let exists = file.known(as: file.name)?.identity != nil
    // A later run may have removed or made the file itself.
    let isLast = keeper.runs.last { !$0.effect.isEmpty }.map(runs.contains) ?? false
    if let first = runs.first, let last = runs.last, isLast {
      if exists && first.effect.contains(.makes) && text.lastLine == .zero {
        return try postpone(PieceTable(), fate: FileFate(isRemoved: true))
      }
      if !exists && last.effect.contains(.removes) && !first.effect.contains(.makes) {
        return try postpone(text.fileText, fate: FileFate(isPrivate: true))
      }
    }
    if hasChanged { try writeAtEnd() }
  }

  /// Takes back some groups as a new one.
  ///
  /// - Throws: `groupsInTheWay`.
  /// - Returns: Whether that has changed the text.
  private mutating func revert(_ ids: Set<Int>, _ label: GroupLabel) throws(EditorError) -> Bool {
    // These do not change the file, and other groups have changed lines on both sides of them.
    let ids = ids.filter {
      ![GroupNames.returnsShown, GroupNames.returnsHidden].contains(
        text.document.description(of: $0))
    }
    let reversal = try text.reversal(of: ids)
    guard text.isChanged(by: reversal) else { return false }
    forgetUndoneMerge(takingBack: ids)
    let lacksNewline = text.lacksLastNewline(without: ids)
    try make(reversal, label)
    if let lacksNewline { text.setMissingNewline(lacksNewline) }
    return true
  }

  /// The revisions on the path to the current one, which comes first.
  private var path: [Int] { text.history.path(to: 0).back }

  /// What a group is called in the description of one that has reverted or picked it.
  func calledName(of id: Int) -> String {
    text.history[id].name ?? text.document.description(of: id)
  }
}
