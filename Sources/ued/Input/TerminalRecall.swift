import CEdit
import Glibc

/// The editing functions that recall earlier lines.
///
/// SAFETY: as for `TerminalFunctions`.
@safe enum TerminalRecall {
  static func add(to editor: OpaquePointer) {
    unsafe cedit_add_function(editor, "ued-older", "an older line that begins with what is typed") {
      editor, _ in
      unsafe TerminalFunctions.run({ unsafe TerminalRecall.walk($0, $1) }, editor)
    }
    unsafe cedit_add_function(editor, "ued-newer", "a newer line that begins with what is typed") {
      editor, _ in
      unsafe TerminalFunctions.run({ unsafe TerminalRecall.walk($0, $1, isBack: false) }, editor)
    }
    unsafe cedit_add_function(editor, "ued-previous", "the previous line") { editor, _ in
      unsafe TerminalFunctions.run({ unsafe TerminalRecall.walk($0, $1, isAny: true) }, editor)
    }
    unsafe cedit_add_function(editor, "ued-next", "the next line") { editor, _ in
      unsafe TerminalFunctions.run(
        { unsafe TerminalRecall.walk($0, $1, isAny: true, isBack: false) }, editor)
    }
    unsafe cedit_add_function(editor, "ued-search", "search in older lines") { editor, _ in
      unsafe TerminalFunctions.run({ unsafe TerminalRecall.search($0, $1) }, editor)
    }
    unsafe cedit_add_function(editor, "ued-search-forward", "search in newer lines") { editor, _ in
      unsafe TerminalFunctions.run({ unsafe TerminalRecall.search($0, $1, older: false) }, editor)
    }
    unsafe cedit_add_function(editor, "ued-fetch", "search in older lines up to Enter") {
      editor, _ in
      unsafe TerminalFunctions.run(
        { unsafe TerminalRecall.search($0, $1, takesEnter: true) }, editor)
    }
    unsafe cedit_add_function(editor, "ued-fetch-forward", "search in newer lines up to Enter") {
      editor, _ in
      unsafe TerminalFunctions.run(
        { unsafe TerminalRecall.search($0, $1, older: false, takesEnter: true) }, editor)
    }
    unsafe cedit_add_function(editor, "ued-search-again", "search for the same again") {
      editor, _ in
      unsafe TerminalFunctions.run({ unsafe TerminalRecall.searchAgain($0, $1) }, editor)
    }
    unsafe cedit_add_function(editor, "ued-search-back", "search for the same the other way") {
      editor, _ in
      unsafe TerminalFunctions.run(
        { unsafe TerminalRecall.searchAgain($0, $1, turns: true) }, editor)
    }
  }

  // MARK: - Walking

  /// Shows an older or newer line; unless `isAny`, only a line that begins with the typed text.
  private static func walk(
    _ editor: OpaquePointer, _ session: TerminalSession, isAny: Bool = false, isBack: Bool = true
  ) -> UInt8 {
    let request = session.request
    if request.kind == .edit {
      if !(isBack ? request.hasLineAbove : request.hasLineBelow) {
        return TerminalFunctions.refused
      }
      return unsafe TerminalFunctions.step(isBack ? .up : .down, editor, session)
    }
    if request.kind == .text, request.hasLineAbove, isBack, session.walk == nil,
      unsafe TerminalFunctions.sides(editor) == ([], [])
    {
      return unsafe TerminalFunctions.step(.up, editor, session)
    }
    var way = unsafe currentWalk(editor, session, isAny: isAny)
    guard isBack ? way.goBack() : way.goForward() else { return TerminalFunctions.refused }
    if let line = way.line {
      unsafe TerminalFunctions.replace(before: line, after: [], editor)
    } else {
      unsafe TerminalFunctions.replace(before: way.before, after: way.after, editor)
    }
    unsafe remember(way, editor, session)
    return TerminalFunctions.refresh
  }

  /// The walk that showed the line; a new one if the user typed or changed the line.
  private static func currentWalk(
    _ editor: OpaquePointer, _ session: TerminalSession, isAny: Bool
  ) -> RecallWalk {
    let (before, after) = unsafe TerminalFunctions.sides(editor)
    if let walk = session.walk, walk.shown == before + after { return walk.way }
    return RecallWalk(lines: session.recalledLines, before: before, after: after, isAny: isAny)
  }

  private static func remember(
    _ way: RecallWalk, _ editor: OpaquePointer, _ session: TerminalSession
  ) {
    let (before, after) = unsafe TerminalFunctions.sides(editor)
    session.walk = (way, before + after)
  }

  // MARK: - Searching

  /// Searches while the user types. Keys unknown to the search end it and act on the line. With
  /// `takesEnter`, as in vi's command mode, Enter only fetches the line.
  private static func search(
    _ editor: OpaquePointer, _ session: TerminalSession, older: Bool = true,
    takesEnter: Bool = false
  ) -> UInt8 {
    let typed = unsafe TerminalFunctions.sides(editor)
    var search = RecallSearch(lines: session.recalledLines)
    defer { session.searchPrompt = nil }
    while true {
      session.searchPrompt = Messages.recallSearch(
        search.text, isFound: search.isFound, isShown: search.match != nil,
        isOlder: search.isOlder)
      unsafe show(search, or: typed, editor)
      let key = unsafe session.nextKey(editor)
      switch key {
      case .character(0x12), .character(0x13):
        let isBack = key == .character(0x12)
        if search.text.isEmpty {
          search.extend(by: session.searched.text, older: isBack)
        } else {
          search.goOn(older: isBack)
        }
      case .character(0x08), .character(0x7F): _ = search.shorten()
      case .character(0x07):
        unsafe TerminalFunctions.replace(before: typed.before, after: typed.after, editor)
        return TerminalFunctions.refresh
      case .character(let character) where character >= 0x20:
        search.extend(by: TerminalSession.bytes([character]), older: older)
      case .end, .interrupted: return UInt8(CC_EOF)
      case .key(.paste):
        guard let pasted = session.readPaste() else { return UInt8(CC_EOF) }
        let line = Array(pasted.prefix { $0 != .newline })
        if !line.isEmpty { search.extend(by: line, older: older) }
      case .character, .key:
        if !takesEnter || key != .character(0x0A) { session.unread(key) }
        if !search.text.isEmpty { session.searched = (search.text, older) }
        unsafe accept(search, typed: typed, editor, session)
        return TerminalFunctions.refresh
      }
    }
  }

  /// Shows the next line with the text of the last search, in the same direction or the other one.
  private static func searchAgain(
    _ editor: OpaquePointer, _ session: TerminalSession, turns: Bool = false
  ) -> UInt8 {
    let older = session.searched.older != turns
    let typed = unsafe TerminalFunctions.sides(editor)
    let walk = unsafe currentWalk(editor, session, isAny: true)
    var search = RecallSearch(lines: session.recalledLines, from: walk.index)
    search.extend(by: session.searched.text, older: older)
    if walk.index != nil { search.goOn(older: older) }
    guard !session.searched.text.isEmpty, search.isFound else { return TerminalFunctions.refused }
    unsafe show(search, or: typed, editor)
    unsafe accept(search, typed: (walk.before, walk.after), editor, session)
    return TerminalFunctions.refresh
  }

  private static func show(
    _ search: RecallSearch, or typed: (before: [UInt8], after: [UInt8]), _ editor: OpaquePointer
  ) {
    guard let match = search.match, let line = search.line else {
      unsafe TerminalFunctions.replace(before: typed.before, after: typed.after, editor)
      return
    }
    unsafe TerminalFunctions.replace(
      before: Array(line[..<match.offset]), after: Array(line[match.offset...]), editor)
  }

  /// Lets later walks start from the found line.
  private static func accept(
    _ search: RecallSearch, typed: (before: [UInt8], after: [UInt8]), _ editor: OpaquePointer,
    _ session: TerminalSession
  ) {
    guard let match = search.match else { return }
    let way = RecallWalk(
      lines: search.lines, before: typed.before, after: typed.after, isAny: true, from: match.line)
    unsafe remember(way, editor, session)
  }
}

/// An incremental search for text in earlier lines.
struct RecallSearch: Sendable {
  struct Match: Equatable, Sendable {
    var line: Int
    /// The number of bytes before the match.
    var offset: Int
  }

  /// The earlier lines, the newest first.
  let lines: [[UInt8]]
  private(set) var text: [UInt8] = []
  /// The last match; nil before the first one.
  private(set) var match: Match?
  /// Whether the text occurs in the line of the last match.
  private(set) var isFound = true
  /// Whether the last search went to older lines.
  private(set) var isOlder = true
  /// The searches before each extension of the text.
  private var earlier: [(count: Int, match: Match?, isFound: Bool, isOlder: Bool)] = []

  /// Begins a search at the line with an index; without one, at the newest or oldest line.
  init(lines: [[UInt8]], from index: Int? = nil) {
    self.lines = lines
    match = index.map { Match(line: $0, offset: 0) }
  }

  var line: [UInt8]? { match.map { lines[$0.line] } }

  /// Adds to the text, and searches from the last match on.
  mutating func extend(by more: [UInt8], older: Bool) {
    earlier.append((text.count, match, isFound, isOlder))
    text += more
    isOlder = older
    if lines.isEmpty {
      isFound = false
      return
    }
    let first = match?.line ?? (older ? 0 : lines.count - 1)
    find(in: older ? Array(lines.indices[first...]) : lines.indices[...first].reversed())
  }

  /// Undoes the last extension; false without one.
  mutating func shorten() -> Bool {
    guard let last = earlier.popLast() else { return false }
    text.removeLast(text.count - last.count)
    (match, isFound, isOlder) = (last.match, last.isFound, last.isOlder)
    return true
  }

  /// Goes to the next match, in another line.
  mutating func goOn(older: Bool) {
    isOlder = older
    let shown = line
    let others =
      match.map {
        older ? Array(lines.indices[($0.line + 1)...]) : lines.indices[..<$0.line].reversed()
      }
      ?? (older ? Array(lines.indices) : lines.indices.reversed())
    find(in: others.filter { lines[$0] != shown })
  }

  private mutating func find(in indices: [Int]) {
    for index in indices {
      if let offset = Self.offset(of: text, in: lines[index]) {
        match = Match(line: index, offset: offset)
        isFound = true
        return
      }
    }
    isFound = false
  }

  private static func offset(of text: [UInt8], in line: [UInt8]) -> Int? {
    guard text.count <= line.count else { return nil }
    return (0...line.count - text.count).first { line[$0...].starts(with: text) }
  }
}

/// A walk through earlier lines that begin with the typed text.
struct RecallWalk: Equatable, Sendable {
  private let lines: [[UInt8]]
  /// The text before the cursor when the walk began, and the text after it.
  let before: [UInt8]
  let after: [UInt8]
  private let prefix: [UInt8]
  /// The index of the shown line; nil for the typed text.
  private(set) var index: Int?

  /// Begins a walk through the earlier lines, newest first, from the typed text before and after
  /// the cursor or, with an index, from the line already shown. If `isAny`, visits all lines.
  init(
    lines: [[UInt8]], before: [UInt8], after: [UInt8], isAny: Bool = false, from index: Int? = nil
  ) {
    (self.lines, self.before, self.after) = (lines, before, after)
    prefix = isAny ? [] : before
    self.index = index
  }

  /// The shown line; nil for the typed text.
  var line: [UInt8]? { index.map { lines[$0] } }

  /// Goes to the next older line; false at the oldest.
  mutating func goBack() -> Bool {
    let next = lines.indices.dropFirst(index.map { $0 + 1 } ?? 0).first { isOther(lines[$0]) }
    if let next { index = next }
    return next != nil
  }

  /// Goes to the next newer line, and finally to the typed text; false if it is shown already.
  mutating func goForward() -> Bool {
    guard let shown = index else { return false }
    index = lines[..<shown].lastIndex { isOther($0) }
    return true
  }

  private func isOther(_ other: [UInt8]) -> Bool {
    other != (line ?? before + after) && other.starts(with: prefix)
  }
}
