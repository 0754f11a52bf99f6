import TextBuffer

/// Walking the revisions: `undo`, `redo`, `jump`, `earlier`, `later`.
extension Editor {
  /// Runs a word that goes to another revision.
  ///
  /// - Returns: What to tell the user, if told at all.
  mutating func walk(_ word: Word, _ argument: [UInt8]) throws(EditorError) -> String {
    try refuseInGroup()
    let target: Int
    var told: String?
    switch word {
    case .undo:
      let ids = try upToBorder(
        try steps(argument, .nothingToUndo) { history, id in history[id].parent })
      target = ids.last ?? history.current
      told = "undid: \(ids.dropLast().map { name($0) }.joined(separator: "; "))"
    case .redo:
      let ids = try steps(argument, .nothingToRedo) { history, id in history[id].preferredChild }
      target = ids.last ?? history.current
      told = "redid: \(ids.dropFirst().map { name($0) }.joined(separator: "; "))"
    case .jump: target = try revision(argument)
    case .earlier: target = try revision(before: try Distance(argument))
    default: target = try revision(after: try Distance(argument))
    }
    jump(to: target)
    return told ?? "now at \(target): \(name(target))"
  }

  /// The tree of revisions.
  var history: History<Change> { document.history }

  /// The revisions that so many steps pass, the present one first.
  private func steps(
    _ argument: [UInt8], _ nothing: EditorError, _ next: (History<Change>, Int) -> Int?
  ) throws(EditorError) -> [Int] {
    let count = argument.isEmpty ? 1 : try Self.number(argument)
    var ids = [history.current]
    while ids.count <= count {
      guard let id = next(history, ids[ids.count - 1]) else {
        throw ids.count == 1 ? nothing : .tooFewGroups(ids.count - 1)
      }
      ids.append(id)
    }
    return ids
  }

  /// The part of a way back that does not leave the session; where it begins there, it was told
  /// already that it does.
  private mutating func upToBorder(_ ids: [Int]) throws(EditorError) -> [Int] {
    let borders = keeping.borders
    let mayLeave = keeping.toldBorder == history.current
    keeping.toldBorder = nil
    guard
      let stop = ids.indices.dropLast().first(where: {
        borders.contains(ids[$0]) && !($0 == 0 && mayLeave)
      })
    else { return ids }
    keeping.toldBorder = ids[stop]
    if stop == 0 { throw .sessionBegins }
    return Array(ids[...stop])
  }

  /// Goes to a revision; `u` goes back. Where that is the present one nothing happens.
  mutating func jump(to id: Int) {
    if id == history.current { return }
    setUndoPoint(line: currentLine, isModified: isModified)
    undoPoint?.hasChanges = true
    go(to: id, restoringMarks: true)
    isModified = document.isModified
    undoPoint?.marksAfter = marks
  }

  /// The revision that an argument means: a number, a name, or `saved`.
  func revision(_ argument: [UInt8]) throws(EditorError) -> Int {
    if argument.isEmpty { throw .missingArgument }
    if argument.allSatisfy(\.isDigit) {
      guard let id = Int(String(decoding: argument, as: UTF8.self)), isRevision(id) else {
        throw .noSuchRevision(argument)
      }
      return id
    }
    if argument == Array("saved".utf8) {
      guard let saved = history.saved else { throw .noSuchRevision(argument) }
      return saved
    }
    let text = GroupNames.readable(argument)
    let named = history.revisions.filter { isRevision($0.id) && name($0.id) == text }
    let found =
      named.isEmpty
      ? history.revisions.filter { isRevision($0.id) && name($0.id).hasPrefix(text) } : named
    guard let first = found.first else { throw .noSuchRevision(argument) }
    guard found.count == 1 else { throw .ambiguousRevision(argument, found.map(\.id)) }
    return first.id
  }

  /// Whether there is a revision with a number.
  func isRevision(_ id: Int) -> Bool {
    history.revisions.indices.contains(id) && !history[id].isDropped
  }

  /// A number in an argument.
  static func number(_ argument: [UInt8]) throws(EditorError) -> Int {
    guard argument.allSatisfy(\.isDigit),
      let number = Int(String(decoding: argument, as: UTF8.self)), number > 0
    else { throw .badArgument(argument) }
    return number
  }

  /// What a group is called: the name that the user gave it, or the one that it gives itself.
  func name(_ id: Int) -> String { document.name(of: id) }

  // MARK: - Distances in time and in saves

  /// How far `earlier` and `later` go.
  enum Distance: Equatable {
    case seconds(Double)
    case saves(Int)

    /// Reads `30s`, `10m`, `2h`, `1d` or `1f`.
    init(_ argument: [UInt8]) throws(EditorError) {
      if argument.isEmpty { throw .missingArgument }
      let units: [UInt8: Double] = [
        UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600,
        UInt8(ascii: "d"): 86400,
      ]
      guard let unit = argument.last, argument.count > 1, argument.count < 12,
        argument.dropLast().allSatisfy(\.isDigit),
        let number = Int(String(decoding: argument.dropLast(), as: UTF8.self))
      else { throw .badArgument(argument) }
      if unit == UInt8(ascii: "f") {
        self = .saves(number)
      } else if let seconds = units[unit] {
        self = .seconds(Double(number) * seconds)
      } else {
        throw .badArgument(argument)
      }
    }
  }

  /// The newest revision that is so much older than the present one.
  private func revision(before distance: Distance) throws(EditorError) -> Int {
    switch distance {
    case .seconds(let seconds):
      let isNewest = !history.revisions.indices.contains(history.current + 1)
      let now = isNewest ? SystemClock.now : history[history.current].time
      return history.revisions.last { isRevision($0.id) && $0.time <= now - seconds }?.id ?? 0
    case .saves(let count):
      let saves = history.revisions.filter { $0.wasSaved && $0.id < history.current }.map(\.id)
      if count == 0 { return history.current }
      return count <= saves.count ? saves[saves.count - count] : 0
    }
  }

  /// The newest revision that is at most so much younger than the present one.
  private func revision(after distance: Distance) throws(EditorError) -> Int {
    switch distance {
    case .seconds(let seconds):
      let time = history[history.current].time + seconds
      return history.revisions.last { isRevision($0.id) && $0.time <= time }?.id
        ?? history.current
    case .saves(let count):
      let saves = history.revisions.filter { $0.wasSaved && $0.id > history.current }.map(\.id)
      if count == 0 { return history.current }
      if count <= saves.count { return saves[count - 1] }
      return history.revisions.last { isRevision($0.id) }?.id ?? history.current
    }
  }
}

extension Document where Context == EditorContext {
  /// What a group is called: the name that the user gave it, or the one that it gives itself.
  func name(of id: Int) -> String {
    if let name = history[id].name { return name }
    let context = contextAfter(id)
    if let label = context.label { return GroupNames.name(label) }
    guard let change = changes(of: id).first else { return "" }
    return GroupNames.name(change, from: Int(context.changedLine))
  }
}
