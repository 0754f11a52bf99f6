import CEdit
import Glibc

/// The editing functions that libedit lacks, and the function that reads its keys.
///
/// SAFETY: libedit calls these inside `el_wgets`. The client data of its editor is the session.
/// Pointers into its line are used before anything changes the line.
@safe enum TerminalFunctions {
  static func add(to editor: OpaquePointer) {
    unsafe cedit_set_key_reader(editor, readKey)
    unsafe cedit_add_function(editor, "ued-paste", "insert what is pasted") { editor, _ in
      unsafe TerminalFunctions.run(TerminalFunctions.insertPaste, editor)
    }
    unsafe cedit_add_function(editor, "ued-draft", "insert the draft") { editor, _ in
      unsafe TerminalFunctions.run(TerminalFunctions.insertDraft, editor)
    }
    unsafe cedit_add_function(editor, "ued-complete", "complete, or insert a tab") { editor, _ in
      unsafe TerminalFunctions.run(TerminalFunctions.complete, editor)
    }
    unsafe cedit_add_function(editor, "ued-expand", "complete a word of the text") { editor, _ in
      unsafe TerminalFunctions.run(TerminalFunctions.expand, editor)
    }
    unsafe cedit_add_function(editor, "ued-transpose", "exchange two characters") { editor, _ in
      unsafe TerminalFunctions.run(TerminalFunctions.transpose, editor)
    }
    unsafe cedit_add_function(editor, "ued-end", "go behind the last character") { editor, _ in
      unsafe TerminalFunctions.run(TerminalFunctions.moveToEnd, editor)
    }
    unsafe cedit_add_function(editor, "ued-undo", "undo a change of the text") { editor, _ in
      unsafe TerminalFunctions.run(TerminalFunctions.undo, editor)
    }
    unsafe cedit_add_function(editor, "ued-redo", "redo a change of the text") { editor, _ in
      unsafe TerminalFunctions.run({ unsafe TerminalFunctions.enter("redo", $0, $1) }, editor)
    }
    unsafe cedit_add_function(editor, "ued-restore", "put the line back as it came up") {
      editor, _ in
      unsafe TerminalFunctions.run(TerminalFunctions.restore, editor)
    }
    unsafe cedit_add_function(editor, "ued-clear", "clear the screen") { editor, _ in
      unsafe TerminalFunctions.run(TerminalFunctions.clear, editor)
    }
    unsafe cedit_add_function(editor, "ued-quote", "insert the next key literally") { editor, _ in
      unsafe TerminalFunctions.run(TerminalFunctions.quote, editor)
    }
    unsafe cedit_add_function(editor, "ued-copy-prev-word", "insert the last word again") {
      editor, _ in
      unsafe TerminalFunctions.run(TerminalFunctions.copyWord, editor)
    }
    unsafe cedit_add_function(editor, "ued-macro", "begin the text of a macro") { editor, _ in
      unsafe TerminalFunctions.run(TerminalFunctions.beginMacro, editor)
    }
    // In vi's command mode, libedit would wait for more keys after an escape.
    unsafe cedit_add_function(editor, "ued-escape", "do nothing") { _, _ in UInt8(CC_NORM) }
    unsafe TerminalRecall.add(to: editor)
  }

  static let refresh = UInt8(CC_REFRESH)
  static let refused = UInt8(CC_ERROR)

  static func run(
    _ function: (OpaquePointer, TerminalSession) -> UInt8, _ editor: OpaquePointer?
  ) -> UInt8 {
    guard let editor = unsafe editor, let session = unsafe TerminalSession.of(editor) else {
      return refused
    }
    return unsafe function(editor, session)
  }

  /// Inserts pasted text literally. Enters the first of several lines, and queues the others.
  private static func insertPaste(_ editor: OpaquePointer, _ session: TerminalSession) -> UInt8 {
    guard var pasted = session.readPaste() else { return UInt8(CC_EOF) }
    // The last line of text is entered unchanged if editing would lose bytes. A command is not:
    // Enter would run it.
    let last = pasted.lastIndex(of: .newline).map { Array(pasted[($0 + 1)...]) } ?? pasted
    if session.request.kind == .text, TerminalSession.exactCharacters(last) == nil {
      pasted.append(.newline)
    }
    guard session.request.kind != .edit, let end = pasted.firstIndex(of: .newline) else {
      unsafe insert(TerminalSession.characters(pasted), editor)
      return refresh
    }
    let (before, after) = unsafe sides(editor)
    // Remove the text after the cursor; it becomes part of the draft.
    let count = unsafe el_wline(editor).map { unsafe $0.pointee.lastchar - $0.pointee.cursor } ?? 0
    unsafe el_cursor(editor, Int32(count))
    unsafe el_deletestr(editor, Int32(count))
    var lines = pasted.split(separator: .newline, omittingEmptySubsequences: false).map {
      Array($0)
    }
    session.setDraft(before: lines.removeLast(), after: after, isPasted: true)
    session.pasteIsText = session.request.kind == .text
    session.line = before + pasted[..<end]
    session.pastedLines = Array(lines.dropFirst())
    session.takenCount = 0
    unsafe insert(TerminalSession.characters(lines[0]), editor)
    unsafe push(.enter, editor)
    return refresh
  }

  private static func insertDraft(_ editor: OpaquePointer, _ session: TerminalSession) -> UInt8 {
    guard let draft = session.draft else { return refused }
    session.draft = nil
    session.isUndoing = true
    session.original = TerminalSession.bytes(draft.characters)
    unsafe insert(draft.characters, editor)
    unsafe el_cursor(editor, Int32(draft.cursor - draft.characters.count))
    return refresh
  }

  /// Restores the line as it came up: the draft, or the recalled line.
  private static func restore(_ editor: OpaquePointer, _ session: TerminalSession) -> UInt8 {
    unsafe replace(before: [], after: session.walk?.shown ?? session.original, editor)
    return refresh
  }

  /// Moves past the last character; in the vi key map, libedit's own function stops before it.
  private static func moveToEnd(_ editor: OpaquePointer, _: TerminalSession) -> UInt8 {
    guard let line = unsafe el_wline(editor) else { return refused }
    unsafe el_cursor(editor, Int32(line.pointee.lastchar - line.pointee.cursor))
    return UInt8(CC_CURSOR)
  }

  /// Completes the word before the cursor with a word of the text; repeated, with the next word.
  private static func expand(_ editor: OpaquePointer, _ session: TerminalSession) -> UInt8 {
    let (before, after) = unsafe sides(editor)
    var expansion: TerminalSession.Expansion
    if let last = session.expansion, last.shown == before {
      expansion = last
    } else {
      let word = before.reversed().prefix(while: WordSearch.isOfWord).count
      let typed = Array(before.suffix(word))
      guard !typed.isEmpty, let found = session.request.words?.words(beginningWith: typed) else {
        return refused
      }
      expansion = TerminalSession.Expansion(
        stem: Array(before.dropLast(word)), words: found + [typed])
    }
    guard expansion.words.count > 1 else { return refused }
    expansion.words.append(expansion.words.removeFirst())
    expansion.shown = expansion.stem + (expansion.words.last ?? [])
    session.expansion = expansion
    unsafe replace(before: expansion.shown, after: after, editor)
    return refresh
  }

  /// Exchanges the grapheme clusters on both sides of the cursor, at the end of the line the last two.
  private static func transpose(_ editor: OpaquePointer, _ session: TerminalSession) -> UInt8 {
    let (line, cursor) = session.lastLine
    let ends = [0] + GraphemeClusters.ends(in: line)
    guard let place = ends.firstIndex(where: { $0 >= cursor }), place > 0, ends.count > 2 else {
      return refused
    }
    let second = min(place + 1, ends.count - 1)
    let (start, middle, end) = (ends[second - 2], ends[second - 1], ends[second])
    let exchanged = line[..<start] + line[middle..<end] + line[start..<middle]
    unsafe replace(
      before: TerminalSession.bytes(exchanged), after: TerminalSession.bytes(line[end...]), editor)
    return refresh
  }

  /// Completes a command as far as it is unambiguous, or lists the candidates. In text inserts a tab.
  private static func complete(_ editor: OpaquePointer, _ session: TerminalSession) -> UInt8 {
    switch session.request.kind {
    case .command: break
    case .answer, .confirmation: return refused
    case .continuation, .edit, .text:
      unsafe insert([0x09], editor)
      return refresh
    }
    let found = session.request.completer?(unsafe sides(editor).before) ?? Completions()
    let insertion = found.insertion
    if !insertion.isEmpty {
      unsafe insert(TerminalSession.characters(insertion), editor)
      return refresh
    }
    guard found.candidates.count > 1 else { return refused }
    let isListed = session.lastListing == session.keyCount - 1
    session.lastListing = session.keyCount
    if isListed { return refused }
    // The key may have come together with the text before it, which is not shown yet.
    unsafe session.show(editor)
    let columns = TerminalSize(of: session.output)?.columns ?? 80
    session.finish()
    session.write(found.list(columns: columns - 1).map { $0 + "\n" }.joined())
    return UInt8(CC_NORM)
  }

  private static func clear(_: OpaquePointer, _ session: TerminalSession) -> UInt8 {
    session.write(session.screen.clear() + session.request.question)
    return UInt8(CC_NORM)
  }

  private static func quote(_ editor: OpaquePointer, _ session: TerminalSession) -> UInt8 {
    session.takesLiterally = true
    unsafe push(.quoted, editor)
    return UInt8(CC_NORM)
  }

  /// Counts the macros that one typed key sets off. Drops all if they call each other endlessly, or
  /// if a signal is pending: libedit reads no key while it has text of macros.
  private static func beginMacro(_ editor: OpaquePointer, _ session: TerminalSession) -> UInt8 {
    session.macroCount += 1
    session.macroIsEndless = session.macroCount > mostMacros
    if Interrupts.isInterrupted {
      _ = Interrupts.takeInterrupt()
      session.wasInterrupted = true
    } else if !session.macroIsEndless {
      // Counts and actions typed before the macro apply to its text.
      return UInt8(CC_ARGHACK)
    }
    session.dropsMacros = true
    var dropped: wchar_t = 0
    while unsafe el_wgetc(editor, &dropped) == 1 {}
    session.dropsMacros = false
    return UInt8(CC_EOF)
  }

  private static let mostMacros = 100

  /// Undoes a change of the line while the user types; without one, a change of the text.
  private static func undo(_ editor: OpaquePointer, _ session: TerminalSession) -> UInt8 {
    guard let old = session.takeUndoable() else { return unsafe enter("undo", editor, session) }
    unsafe replace(
      before: TerminalSession.bytes(old.line[..<old.cursor]),
      after: TerminalSession.bytes(old.line[old.cursor...]), editor)
    return refresh
  }

  /// Ends the line, to go to the line above or below.
  static func step(
    _ step: LineStep, _ editor: OpaquePointer, _ session: TerminalSession
  ) -> UInt8 {
    let (before, after) = unsafe sides(editor)
    session.line = before + after
    session.step = step
    unsafe push(.enter, editor)
    return UInt8(CC_NORM)
  }

  /// Enters a command in place of the typed line, which becomes the draft of the next line.
  private static func enter(
    _ command: String, _ editor: OpaquePointer, _ session: TerminalSession
  ) -> UInt8 {
    guard session.request.kind == .command else { return refused }
    let (before, after) = unsafe sides(editor)
    session.setDraft(before: before, after: after)
    session.line = Array(command.utf8)
    session.lineIsKey = true
    unsafe push(.enter, editor)
    return UInt8(CC_NORM)
  }

  /// Inserts the text from the beginning of the last word to the cursor again.
  private static func copyWord(_ editor: OpaquePointer, _: TerminalSession) -> UInt8 {
    guard let line = unsafe el_wline(editor)?.pointee else { return refused }
    let before = unsafe Array(
      UnsafeBufferPointer(start: line.buffer, count: line.cursor - line.buffer))
    guard let end = before.lastIndex(where: isOfWord) else { return refused }
    let start = before[..<end].lastIndex { !isOfWord($0) }.map { $0 + 1 } ?? 0
    unsafe insert(Array(before[start...]), editor)
    return refresh
  }

  /// Whether libedit counts a character as a part of a word.
  private static func isOfWord(_ character: wchar_t) -> Bool {
    iswalnum(wint_t(bitPattern: character)) != 0
      || "*?_-.[]~=".unicodeScalars.contains { wchar_t(bitPattern: $0.value) == character }
  }

  /// Makes a key the next one that libedit reads.
  static func push(_ key: TerminalKey, _ editor: OpaquePointer) {
    unsafe el_wpush(editor, [wchar_t(key.rawValue), 0])
  }

  static func insert(_ characters: [wchar_t], _ editor: OpaquePointer) {
    unsafe el_winsertstr(editor, characters.filter { $0 != 0 } + [0])
  }

  static func replace(before: [UInt8], after: [UInt8], _ editor: OpaquePointer) {
    guard let line = unsafe el_wline(editor)?.pointee else { return }
    let count = unsafe Int32(line.lastchar - line.buffer)
    unsafe el_cursor(editor, count)
    unsafe el_deletestr(editor, count)
    let later = TerminalSession.characters(after)
    unsafe insert(TerminalSession.characters(before) + later, editor)
    unsafe el_cursor(editor, Int32(-later.count))
  }

  static func sides(_ editor: OpaquePointer) -> (before: [UInt8], after: [UInt8]) {
    guard let line = unsafe el_wline(editor)?.pointee else { return ([], []) }
    return unsafe (
      TerminalSession.bytes(
        UnsafeBufferPointer(start: line.buffer, count: line.cursor - line.buffer)),
      TerminalSession.bytes(
        UnsafeBufferPointer(start: line.cursor, count: line.lastchar - line.cursor))
    )
  }
}

/// Reads one character for libedit (`EL_GETCFN`).
private func readKey(_ editor: OpaquePointer?, _ key: UnsafeMutablePointer<wchar_t>?) -> Int32 {
  guard let editor = unsafe editor, let session = unsafe TerminalSession.of(editor),
    let key = unsafe key
  else { return -1 }
  if session.dropsMacros { return 0 }
  session.keyCount += 1
  unsafe cedit_keep_wide(editor)
  switch unsafe session.nextKey(editor) {
  case .character(let character): unsafe key.pointee = character
  case .key(let known): unsafe key.pointee = wchar_t(known.rawValue)
  case .end: return 0
  case .interrupted:
    errno = EINTR
    return -1
  }
  return 1
}

/// The control sequences of a terminal that line editing needs.
///
/// SAFETY: the strings of libtinfo are copied before its next call; the buffer that they are written to
/// is larger than any entry of the database.
@safe struct TerminalControls: Sendable {
  var up = Array("\u{1B}[A".utf8)
  var right = Array("\u{1B}[C".utf8)
  /// From the cursor to the end of its row, and to the end of the screen.
  var clearLine = Array("\u{1B}[K".utf8)
  var clearScreen = Array("\u{1B}[J".utf8)
  /// The whole screen, with the cursor in its first row.
  var clearAll = Array("\u{1B}[H\u{1B}[2J".utf8)
  /// The sequences around `^A` or `<200d>` that stands for a character.
  var descriptions: (start: [UInt8], end: [UInt8]) = ([], [])

  /// The sequences of most terminals.
  init() {}

  /// The sequences of the terminal that TERM names; nil if it is dumb, unknown, or lacks one of
  /// them.
  init?(ofTerminal name: [UInt8]) {
    guard !name.isEmpty, name != Array("dumb".utf8),
      unsafe tgetent(nil, name.map(CChar.init(bitPattern:)) + [0]) == 1,
      unsafe tgetflag("am") == 1,
      let up = Self.sequence("up"), let right = Self.sequence("nd"),
      let clearLine = Self.sequence("ce"), let clearScreen = Self.sequence("cd"),
      let clearAll = Self.sequence("cl")
    else { return nil }
    (self.up, self.right, self.clearLine) = (up, right, clearLine)
    (self.clearScreen, self.clearAll) = (clearScreen, clearAll)
    if TerminalOutput.allowsColors, let start = Self.sequence("mr"),
      let end = Self.sequence("me")
    {
      descriptions = (start, end)
    }
  }

  /// A capability, without the delays that terminals of old needed.
  private static func sequence(_ capability: String) -> [UInt8]? {
    var buffer = [CChar](repeating: 0, count: 4096)
    return unsafe buffer.withUnsafeMutableBufferPointer { buffer -> [UInt8]? in
      var next = buffer.baseAddress
      guard let found = unsafe tgetstr(capability, &next) else { return nil }
      var bytes = unsafe String(cString: found).utf8.split(
        separator: UInt8(ascii: "$"), omittingEmptySubsequences: false
      ).map(Array.init)
      for index in bytes.indices.dropFirst() where bytes[index].first == UInt8(ascii: "<") {
        bytes[index] = Array(bytes[index].drop { $0 != UInt8(ascii: ">") }.dropFirst())
      }
      let sequence = Array(bytes.joined())
      return sequence.isEmpty ? nil : sequence
    }
  }
}
