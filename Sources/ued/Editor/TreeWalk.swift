import TextBuffer

/// The state of the view of `tree`: the selected revision, the filter, and the mode, which decides
/// the meaning of keys. A key changes this state, or results in an action, which the view performs.
struct TreeWalk: Equatable, Sendable {
  enum Filter: Equatable, Sendable {
    case all
    /// Saved revisions, or revisions found by a search, in ascending order.
    case saved([Int]), found([Int])

    /// The revisions; nil for all.
    var ids: [Int]? {
      switch self {
      case .all: nil
      case .saved(let ids), .found(let ids): ids
      }
    }
  }

  /// What is shown: the list of revisions, the help on keys, a question in the last line, or the
  /// groups that prevent an action.
  enum Mode: Equatable, Sendable {
    case list, keys
    case asking(TreePage.Question, answer: String)
    case conflict(TreeConflict)
  }

  enum Action: Equatable, Sendable {
    case none, leave
    case jump(Int), pick(Int), revert(Int)
    case name(Int, String)
    case search(String)

    /// Whether the action works through the whole text or history.
    var mayTakeLong: Bool {
      switch self {
      case .pick, .revert, .search: true
      case .none, .leave, .jump, .name: false
      }
    }
  }

  private enum Direction: Int { case older = -1, newer = 1 }

  private(set) var selected: Int
  /// The revision in the first row; nil to show the selected one in the middle.
  private var top: Int?
  private(set) var filter = Filter.all
  var mode = Mode.list
  /// Whether the pane compares the selected revision with the present text.
  private(set) var fromPresent = false
  var note: TreePage.Note?

  init(at id: Int) { selected = id }

  // MARK: - Keys

  /// Takes a key and returns the action it requests; `height` is the number of rows in the list.
  mutating func take(_ key: ScreenKey, in history: History<Change>, height: Int) -> Action {
    note = nil
    switch mode {
    case .asking(let question, let answer): return take(key, question, answer)
    case .keys:
      mode = .list
      return .none
    case .conflict(let conflict):
      mode = .list
      if case .character(let digit) = key, let number = digit.wholeNumberValue, number > 0 {
        if number <= conflict.reachable.count {
          select(conflict.groups[number - 1].group.id, in: history)
        }
        return .none
      }
      return key == .escape ? .none : takeInList(key, in: history, height: height)
    case .list: return takeInList(key, in: history, height: height)
    }
  }

  private mutating func takeInList(
    _ key: ScreenKey, in history: History<Change>, height: Int
  ) -> Action {
    switch key {
    case .up, .character("k"): step(.newer, 1, in: history)
    case .down, .character("j"): step(.older, 1, in: history)
    case .pageUp: step(.newer, max(height - 1, 1), in: history)
    case .pageDown: step(.older, max(height - 1, 1), in: history)
    case .home: selected = last(.newer, in: history)
    case .end: selected = last(.older, in: history)
    case .left, .character("h"): goBeside(.newer, in: history)
    case .right, .character("l"): goBeside(.older, in: history)
    case .enter: return .jump(selected)
    case .character("d"): fromPresent.toggle()
    case .character("p"): return .pick(selected)
    case .character("r"): return .revert(selected)
    case .character("n"):
      mode = .asking(.name(of: selected), answer: "")
    case .character("/"): mode = .asking(.filter, answer: "")
    case .character("s"): toggleSaved(in: history)
    case .character("?"): mode = .keys
    case .character("q"), .escape: return .leave
    case .character(let other): note = .noSuchKey(other)
    case .backspace, .clear, .pasted: break
    }
    return .none
  }

  private mutating func take(
    _ key: ScreenKey, _ question: TreePage.Question, _ answer: String
  ) -> Action {
    switch key {
    case .character(let character): mode = .asking(question, answer: answer + String(character))
    case .pasted(let text): mode = .asking(question, answer: answer + text)
    case .backspace: mode = .asking(question, answer: String(answer.dropLast()))
    case .clear: mode = .asking(question, answer: "")
    case .escape: mode = .list
    case .enter:
      mode = .list
      switch question {
      case .filter where answer.isEmpty: filter = .all
      case .filter: return .search(answer)
      case .name(let id): if !answer.isEmpty { return .name(id, answer) }
      }
    case .up, .down, .left, .right, .pageUp, .pageDown, .home, .end: break
    }
    return .none
  }

  /// Whether the pane shows changed lines.
  var showsLines: Bool {
    switch mode {
    case .list, .asking: true
    case .keys, .conflict: false
    }
  }

  /// Whether the last line asks a question.
  var isAsking: Bool { if case .asking = mode { true } else { false } }

  /// Drops the question in the last line.
  mutating func stopAsking() { if isAsking { mode = .list } }

  /// Shows the reason why an action failed.
  mutating func fail(_ error: EditorError, _ action: Action) {
    switch (error, action) {
    case (.groupsInTheWay(let groups), .pick(let id)):
      mode = .conflict(TreeConflict(id: id, isPick: true, groups: groups))
    case (.groupsInTheWay(let groups), .revert(let id)):
      mode = .conflict(TreeConflict(id: id, isPick: false, groups: groups))
    default: note = .failed(error)
    }
  }

  // MARK: - Revisions

  /// Selects a revision, which may be new. If the filter hides it, shows all revisions.
  mutating func select(_ id: Int, in history: History<Change>) {
    selected = id
    if !isShown(id, in: history) { filter = .all }
  }

  /// Shows only the revisions found by a search, in ascending order, if there are any.
  mutating func show(found ids: [Int], in history: History<Change>) {
    if ids.isEmpty { return }
    filter = .found(ids)
    selectNearest(in: history)
  }

  private mutating func toggleSaved(in history: History<Change>) {
    if case .saved = filter { return filter = .all }
    let saved = history.revisions.indices.filter { id in
      history.canMove(to: id) && (id == history.saved || id > 0 && history[id].wasSaved)
    }
    note = saved.isEmpty ? .noneSaved : .onlySaved
    if saved.isEmpty { return }
    filter = .saved(saved)
    selectNearest(in: history)
  }

  private mutating func selectNearest(in history: History<Change>) {
    if isShown(selected, in: history) { return }
    selected =
      next(.older, from: selected, in: history) ?? next(.newer, from: selected, in: history)
      ?? selected
  }

  private func isShown(_ id: Int, in history: History<Change>) -> Bool {
    guard history.canMove(to: id) else { return false }
    guard let ids = filter.ids else { return true }
    let place = Self.place(of: id, in: ids)
    return place < ids.count && ids[place] == id
  }

  /// The next revision in the list.
  private func next(_ direction: Direction, from id: Int, in history: History<Change>) -> Int? {
    if let ids = filter.ids {
      let place = Self.place(of: direction == .newer ? id + 1 : id, in: ids)
      let index = direction == .newer ? place : place - 1
      return ids.indices.contains(index) ? ids[index] : nil
    }
    var id = id + direction.rawValue
    while history.revisions.indices.contains(id) {
      if isShown(id, in: history) { return id }
      id += direction.rawValue
    }
    return nil
  }

  /// The number of `ids`, in ascending order, that are smaller than `id`.
  private static func place(of id: Int, in ids: [Int]) -> Int {
    var (first, end) = (0, ids.count)
    while first < end {
      let middle = (first + end) / 2
      if ids[middle] < id { first = middle + 1 } else { end = middle }
    }
    return first
  }

  /// The first or last revision in the list.
  private func last(_ direction: Direction, in history: History<Change>) -> Int {
    let outside = direction == .newer ? history.revisions.count : -1
    return next(direction == .newer ? .older : .newer, from: outside, in: history) ?? selected
  }

  private mutating func step(_ direction: Direction, _ count: Int, in history: History<Change>) {
    for _ in 0..<count {
      guard let id = next(direction, from: selected, in: history) else { return }
      selected = id
    }
  }

  // MARK: - Branches

  /// Selects a revision in the branch to the left or right: the one at the same distance from the
  /// fork, or the last one of a shorter branch. Branches are drawn with the newest end on the left.
  /// If the fork has no branch on that side, tries the next fork towards the first revision.
  private mutating func goBeside(_ direction: Direction, in history: History<Change>) {
    var (id, depth) = (selected, 0)
    while let parent = history[id].parent, !Interrupts.isInterrupted {
      let children = history.children(of: parent).filter { history.canMove(to: $0) }
      let branches =
        children.count < 2
        ? []
        : children.map { (id: $0, end: end(of: $0, in: history)) }
          .sorted { $0.end > $1.end }
      let index = branches.firstIndex { $0.id == id } ?? 0
      let beside = direction == .newer ? index - 1 : index + 1
      if branches.indices.contains(beside) {
        let found = descendant(of: branches[beside].id, generations: depth, in: history)
        if isShown(found, in: history) { selected = found } else { note = .noBranchBeside }
        return
      }
      (id, depth) = (parent, depth + 1)
    }
    note = .noBranchBeside
  }

  /// The end of a branch, along the newest children.
  private func end(of id: Int, in history: History<Change>) -> Int {
    var id = id
    while let child = history[id].newestChild, child > id, history.canMove(to: child) { id = child }
    return id
  }

  private func descendant(
    of id: Int, generations count: Int, in history: History<Change>
  ) -> Int {
    var id = id
    for _ in 0..<count {
      let preferred = history[id].preferredChild.flatMap { history.canMove(to: $0) ? $0 : nil }
      guard let child = preferred ?? history.children(of: id).last(where: history.canMove) else {
        break
      }
      id = child
    }
    return id
  }

  // MARK: - Rows

  /// The revisions in the rows of the list, in descending order; scrolls to show the selected one.
  mutating func rows(_ height: Int, in history: History<Change>) -> [Int] {
    if !history.canMove(to: selected) { selected = history.current }
    selectNearest(in: history)
    if let top, selected > top {
      // The list scrolls by one row; a larger step puts the selected row in the middle.
      let isAbove = next(.older, from: selected, in: history) == top
      self.top = isAbove ? selected : nil
    } else if let top, isShown(top, in: history) {
      let ids = rows(from: top, height, in: history)
      let below = ids.last.flatMap { next(.older, from: $0, in: history) }
      if ids.contains(selected) {
        self.top = top
      } else {
        self.top = below == selected ? ids.dropFirst().first : nil
      }
    } else {
      top = nil
    }
    var first = top ?? above(selected, height / 2, in: history)
    var ids = rows(from: first, height, in: history)
    if ids.count < height {
      first = above(first, height - ids.count, in: history)
      ids = rows(from: first, height, in: history)
    }
    top = first
    return ids
  }

  /// The revision `count` rows above another one, or the first one in the list.
  private func above(_ id: Int, _ count: Int, in history: History<Change>) -> Int {
    var id = id
    for _ in 0..<max(count, 0) {
      guard let newer = next(.newer, from: id, in: history) else { break }
      id = newer
    }
    return id
  }

  private func rows(from top: Int, _ count: Int, in history: History<Change>) -> [Int] {
    var ids = [top]
    while ids.count < count, let last = ids.last, let id = next(.older, from: last, in: history) {
      ids.append(id)
    }
    return ids
  }
}

/// The drawing of branches next to rows, anywhere in the list of all revisions. A row depends on
/// all rows above it, so the state of the drawing is kept at every 256th row.
struct TreeDrawing {
  private var kept: [(top: Int, drawing: BranchDrawing)]

  private static let distance = 256

  /// Creates an empty drawing with at most `mostColumns` columns.
  init(mostColumns: Int) { kept = [(.max, BranchDrawing(mostColumns: mostColumns))] }

  /// The maximum number of branches drawn side by side.
  var mostColumns: Int { kept[0].drawing.mostColumns }

  /// Advances the drawing towards a revision's row, by at most about `limit` rows. Returns whether
  /// ``rows(_:in:)`` can draw that row and the rows below. The history must be unchanged since the
  /// last call.
  mutating func approach(_ id: Int, in history: History<Change>, atMost limit: Int) -> Bool {
    var passedCount = 0
    while let last = kept.last, last.top > id {
      let (next, drawing) = Self.pass(last, to: id, in: history)
      if next == id { return true }
      kept.append((next, drawing))
      passedCount += Self.distance
      if passedCount >= limit { return false }
    }
    return true
  }

  /// Draws some rows: all between the first and the last one, in descending order. The history must
  /// be unchanged since the last call.
  ///
  /// - Precondition: ``approach(_:in:atMost:)`` has returned true for the first of `ids`.
  func rows(_ ids: [Int], in history: History<Change>) -> [String] {
    guard let first = ids.first, let start = kept.last(where: { $0.top >= first }) else {
      return []
    }
    var drawing = Self.pass(start, to: first, in: history).drawing
    return ids.map { drawing.next($0, parent: history[$0].parent) }
  }

  /// Advances a kept drawing to a revision's row, but by at most `distance` rows.
  private static func pass(
    _ start: (top: Int, drawing: BranchDrawing), to target: Int, in history: History<Change>
  ) -> (top: Int, drawing: BranchDrawing) {
    var drawing = start.drawing
    var (id, count) = (min(start.top, history.revisions.count - 1), 0)
    while id > target && count < distance {
      if history.canMove(to: id) {
        drawing.skip(id, parent: history[id].parent)
        count += 1
      }
      id -= 1
    }
    return (id, drawing)
  }
}
