import CEdit
import Glibc

/// The editing functions that recall earlier lines.
///
/// SAFETY: as for `TerminalFunctions`.
@safe enum TerminalRecall {
  /// Registers the functions with the editor.
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

  /// Shows an older or newer line, of those that begin with what was typed.
  private static func walk(
    _ editor: OpaquePointer, _ session: TerminalSession, isAny: Bool = false, isBack: Bool = true
  ) -> UInt8 {
    var way = unsafe currentWalk(editor, session, isAny: isAny)
    guard isBack ? way.goBack() : way.goForward() else { return TerminalFunctions.refused }
    if let line = way.line {
      unsafe TerminalFunctions.replace(before: line, after: [], editor)
    } else {
      unsafe TerminalFunctions.replace(before: way.before, after: way.after, editor)
    }
    unsafe remember(way, editor, session)
    return TerminalFunctions.again
  }

  /// The walk that showed the line; a new one if the line was changed since, or typed.
  private static func currentWalk(
    _ editor: OpaquePointer, _ session: TerminalSession, isAny: Bool
  ) -> RecallWalk {
    let (before, after) = unsafe TerminalFunctions.sides(editor)
    if let walk = session.walk, walk.shown == before + after { return walk.way }
    return RecallWalk(lines: session.recalledLines, before: before, after: after, isAny: isAny)
  }

  /// Remembers a walk that has shown its line.
  private static func remember(
    _ way: RecallWalk, _ editor: OpaquePointer, _ session: TerminalSession
  ) {
    let (before, after) = unsafe TerminalFunctions.sides(editor)
    session.walk = (way, before + after)
  }

  // MARK: - Searching

  /// Searches while text is typed. Any other key ends the search, and acts on the line that was found, but
  /// for an Enter that is taken: among the commands of vi it only fetches the line.
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
        return TerminalFunctions.again
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
        return TerminalFunctions.again
      }
    }
  }

  /// Shows the next line with the text that was searched for last, in the same direction or the other one.
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
    return TerminalFunctions.again
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

  /// Lets walks go on from the line that was found.
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
