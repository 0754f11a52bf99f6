import TextBuffer

/// Walking the revisions: `undo`, `redo`, `jump`, `earlier`, `later`.
extension Editor {
  /// Goes back so many groups, one without an argument.
  mutating func undo(_ argument: [UInt8]) throws(EditorError) {
    try text.refuseInGroup()
    let ids = try steps(argument, .nothingToUndo) { history, id in history[id].parent }
    let reached = try keeper.wayToBorder(ids)
    walk(.undone(reached.dropLast().map { text.name($0) }, to: reached[reached.count - 1]))
  }

  /// Goes forward so many groups, one without an argument.
  mutating func redo(_ argument: [UInt8]) throws(EditorError) {
    try text.refuseInGroup()
    let ids = try steps(argument, .nothingToRedo) { history, id in history[id].preferredChild }
    walk(.redone(ids.dropFirst().map { text.name($0) }, to: ids[ids.count - 1]))
  }

  /// Goes to the revision that an argument means.
  mutating func jump(_ argument: [UInt8]) throws(EditorError) {
    try text.refuseInGroup()
    let id = try revision(argument)
    walk(.jumped(to: id, name: text.name(id)))
  }

  mutating func earlier(_ argument: [UInt8]) throws(EditorError) {
    try text.refuseInGroup()
    let id = try revision(before: try Distance(argument))
    walk(.jumped(to: id, name: text.name(id)))
  }

  mutating func later(_ argument: [UInt8]) throws(EditorError) {
    try text.refuseInGroup()
    let id = try revision(after: try Distance(argument))
    walk(.jumped(to: id, name: text.name(id)))
  }

  /// Goes the way of a move, and tells of it if the user wants to know.
  private mutating func walk(_ move: Move) {
    switch move {
    case .undone(_, let id), .redone(_, let id), .jumped(let id, _): text.jump(to: id)
    }
    if console.isVerbose || options.isFriendly {
      console.say(.moved(move, line: text.currentLine, lineCount: text.lastLine.value))
    }
  }

  /// The revisions that so many steps pass, the present one first.
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

  /// The revision that an argument means: a number, a name, or `saved`.
  func revision(_ argument: [UInt8]) throws(EditorError) -> Int {
    if argument.isEmpty { throw .missingArgument }
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
    let name = GroupNames.readable(argument)
    let named = text.history.revisions.filter { text.isRevision($0.id) && text.name($0.id) == name }
    let found =
      named.isEmpty
      ? text.history.revisions.filter { text.isRevision($0.id) && text.name($0.id).hasPrefix(name) }
      : named
    guard let first = found.first else { throw .noSuchRevision(argument) }
    guard found.count == 1 else { throw .ambiguousRevision(argument, found.map(\.id)) }
    return first.id
  }

  /// A number in an argument.
  static func number(_ argument: [UInt8]) throws(EditorError) -> Int {
    guard argument.allSatisfy(\.isDigit),
      let number = Int(String(decoding: argument, as: UTF8.self)), number > 0
    else { throw .badArgument(argument) }
    return number
  }

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
      let isNewest = !text.history.revisions.indices.contains(text.history.current + 1)
      let now = isNewest ? SystemClock.now : text.history[text.history.current].time
      return text.history.revisions.last { text.isRevision($0.id) && $0.time <= now - seconds }?.id
        ?? 0
    case .saves(let count):
      let saves = text.history.revisions.filter { $0.wasSaved && $0.id < text.history.current }.map(
        \.id)
      if count == 0 { return text.history.current }
      return count <= saves.count ? saves[saves.count - count] : 0
    }
  }

  /// The newest revision that is at most so much younger than the present one.
  private func revision(after distance: Distance) throws(EditorError) -> Int {
    switch distance {
    case .seconds(let seconds):
      let time = text.history[text.history.current].time + seconds
      return text.history.revisions.last { text.isRevision($0.id) && $0.time <= time }?.id
        ?? text.history.current
    case .saves(let count):
      let saves = text.history.revisions.filter { $0.wasSaved && $0.id > text.history.current }.map(
        \.id)
      if count == 0 { return text.history.current }
      if count <= saves.count { return saves[count - 1] }
      return text.history.revisions.last { text.isRevision($0.id) }?.id ?? text.history.current
    }
  }
}
