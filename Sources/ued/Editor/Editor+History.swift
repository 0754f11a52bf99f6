import TextBuffer

/// Moving between revisions: `u`, `undo`, `redo`, `jump`, `earlier`, `later`.
extension Editor {
  /// Runs `u`. A person is told what it did.
  mutating func toggleUndo(printsLine: Bool) throws(EditorError) {
    let (start, isRedo) = try text.undo()
    guard options.isFriendly, !text.isInGlobal else { return }
    let id = text.history.current
    let (redone, undone) = text.history.path(to: start)
    let move: Move =
      switch (undone.isEmpty, redone.isEmpty) {
      case (true, true): .toggled(isRedo: isRedo)
      case (false, true): .undone(undone.reversed().map { text.title($0) }, to: id)
      case (true, false): .redone(redone.reversed().map { text.title($0) }, to: id)
      case (false, false): .jumped(to: id, name: text.title(id))
      }
    report(move, printsLine: printsLine)
  }

  /// Undoes N groups, by default one; in some lines if there are any.
  mutating func undo(_ argument: [UInt8], in lines: LineRange) throws(EditorError) {
    try text.refuseInGroup()
    if lines.count > 0 { return try undoLines(argument, lines) }
    let ids = try steps(argument, .nothingToUndo) { history, id in history[id].parent }
    // A script has to get all that it asks for, or an error.
    let reached = options.isFriendly ? try keeper.pathWithinRun(ids) : ids
    try walk(.undone(titles(of: reached.dropLast()), to: reached[reached.count - 1]))
    if reached.count < ids.count { console.say(.error(.sessionBegins, .brief)) }
  }

  /// Redoes N groups, by default one.
  mutating func redo(_ argument: [UInt8]) throws(EditorError) {
    try text.refuseInGroup()
    let ids = try steps(argument, .nothingToRedo(wayBack: text.wayBack)) { history, id in
      history[id].preferredChild
    }
    try walk(.redone(titles(of: ids.dropFirst()), to: ids[ids.count - 1]))
  }

  /// Runs `jump`, `earlier` or `later`.
  mutating func jump(_ word: Word, _ argument: [UInt8]) throws(EditorError) {
    try text.refuseInGroup()
    let id = word == .jump ? try revision(argument, for: word) : try revision(word, by: argument)
    try walk(.jumped(to: id, name: text.title(id)))
  }

  /// Makes a move, and reports it to a person or in verbose mode.
  mutating func walk(_ move: Move) throws(EditorError) {
    switch move {
    case .undone(_, let id), .redone(_, let id), .jumped(let id, _): try text.jump(to: id)
    case .merged, .picked, .reverted, .toggled: break
    }
    if console.isVerbose || options.isFriendly { report(move, printsLine: options.isFriendly) }
  }

  /// Reports a move, and prints the current line if there is one.
  func report(_ move: Move, printsLine: Bool) {
    console.say(.moved(move, line: text.currentLine, lineCount: text.lastLine.value))
    if printsLine && text.currentLine > .zero {
      console.say(.lines(LineRange(text.currentLine), of: text.buffer, as: .plain))
    }
  }

  /// The path of N steps, the current revision first.
  private func steps(
    _ argument: [UInt8], _ nothing: EditorError, _ next: (History<Change>, Int) -> Int?
  ) throws(EditorError) -> [Int] {
    let count = argument.isEmpty ? 1 : try Self.number(argument)
    var ids = [text.history.current]
    while ids.count <= count {
      guard let id = next(text.history, ids[ids.count - 1]) else {
        throw ids.count == 1 ? nothing : .tooFewGroups(ids.count - 1)
      }
      ids.append(id)
    }
    return ids
  }

  /// The revision given by a number, a name, a description, the beginning of one, `saved`, or `-`.
  ///
  /// - Parameters:
  ///   - argument: The argument.
  ///   - word: The word that has it.
  /// - Throws: That there is no such revision, or no argument.
  /// - Returns: Its number.
  func revision(_ argument: [UInt8], for word: Word) throws(EditorError) -> Int {
    if argument.isEmpty { throw .missingArgument(word) }
    if argument.allSatisfy(\.isDigit) {
      guard let id = Int(String(decoding: argument, as: UTF8.self)), text.isRevision(id) else {
        throw .noSuchRevision(argument)
      }
      return id
    }
    if argument == Array("saved".utf8) {
      guard let saved = text.history.saved else { throw .noSuchRevision(argument) }
      return saved
    }
    if argument == [UInt8(ascii: "-")] {
      guard let left = text.leftRevision, text.isRevision(left) else { throw .noMoveYet }
      return left
    }
    let name = GroupNames.readable(argument)
    var (found, begun): ([Int], [Int]) = ([], [])
    for revision in text.history.revisions where !revision.isDropped {
      if revision.id & 255 == 255 && Interrupts.isInterrupted { throw .interrupted }
      let names = text.document.names(of: revision.id)
      if names.contains(name) { found.append(revision.id) }
      if names.contains(where: { $0.hasPrefix(name) }) { begun.append(revision.id) }
    }
    if found.isEmpty { found = begun }
    guard let first = found.first else { throw .noSuchRevision(argument) }
    guard found.count == 1 else { throw .ambiguousRevision(argument, found) }
    return first
  }

  /// The titles of groups.
  private func titles(of ids: ArraySlice<Int>) throws(EditorError) -> [String] {
    var titles: [String] = []
    for id in ids {
      if titles.count & 255 == 255 && Interrupts.isInterrupted { throw .interrupted }
      titles.append(text.title(id))
    }
    return titles
  }

  /// An argument as a positive number.
  static func number(_ argument: [UInt8]) throws(EditorError) -> Int {
    guard argument.allSatisfy(\.isDigit),
      let number = Int(String(decoding: argument, as: UTF8.self)), number > 0
    else { throw .badArgument(argument) }
    return number
  }

  /// The units of time for `earlier` and `later`, in seconds.
  private static let seconds: [UInt8: Double] = [
    UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600, UInt8(ascii: "d"): 86400,
  ]

  /// The revision that `earlier` or `later` means by `30s`, `10m`, `2h`, `1d` or, in saves, `1f`.
  private func revision(_ word: Word, by argument: [UInt8]) throws(EditorError) -> Int {
    guard let unit = argument.last else { throw .missingArgument(word) }
    guard argument.count < 12, argument.dropLast().allSatisfy(\.isDigit),
      let number = Int(String(decoding: argument.dropLast(), as: UTF8.self))
    else { throw .badArgument(argument) }
    let isEarlier = word == .earlier
    let (history, current) = (text.history, text.history[text.history.current])
    let newest = history.revisions.last { !$0.isDropped }?.id ?? current.id
    if let seconds = Self.seconds[unit] {
      let isLatest = isEarlier && current.id == history.revisions.count - 1
      let distance = Double(number) * seconds
      let time =
        (isLatest ? SystemClock.now : current.time) + (isEarlier ? -distance : distance)
      return history.revisions.last { !$0.isDropped && $0.time <= time }?.id
        ?? (isEarlier ? 0 : current.id)
    }
    guard unit == UInt8(ascii: "f") else { throw .badArgument(argument) }
    if number == 0 { return current.id }
    let saves = history.revisions.filter {
      $0.wasSaved && (isEarlier ? $0.id < current.id : $0.id > current.id)
    }
    guard number <= saves.count else { return isEarlier ? 0 : newest }
    return saves[isEarlier ? saves.count - number : number - 1].id
  }
}
