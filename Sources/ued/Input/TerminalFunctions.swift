import CEdit
import Glibc

/// What keys do that libedit has no function for, and how it gets its keys.
///
/// SAFETY: libedit calls these inside `el_gets`, with its own editor, whose client is the session;
/// pointers into its line are used before anything changes that.
@safe enum TerminalFunctions {
  /// Makes the functions known to the editor.
  static func add(to editor: OpaquePointer) {
    unsafe cedit_set_key_reader(editor, readKey)
    unsafe cedit_set_prompt(editor) { unsafe TerminalSession.of($0)?.promptString }
    unsafe cedit_add_function(editor, "ued-paste", "insert what is pasted") { editor, _ in
      unsafe TerminalFunctions.insertPaste(editor)
    }
    unsafe cedit_add_function(editor, "ued-draft", "insert the draft") { editor, _ in
      unsafe TerminalFunctions.insertDraft(editor)
    }
    unsafe cedit_add_function(editor, "ued-complete", "complete, or insert a tab") { editor, _ in
      unsafe TerminalFunctions.complete(editor)
    }
    unsafe cedit_add_function(editor, "ued-end", "go behind the last character") { editor, _ in
      unsafe TerminalFunctions.moveToEnd(editor)
    }
    unsafe cedit_add_function(editor, "ued-undo", "undo a change of the text") { editor, _ in
      unsafe TerminalFunctions.run("undo", editor)
    }
    unsafe cedit_add_function(editor, "ued-redo", "redo a change of the text") { editor, _ in
      unsafe TerminalFunctions.run("redo", editor)
    }
  }

  private static let again = UInt8(CC_REFRESH)
  private static let refused = UInt8(CC_ERROR)

  /// Inserts a paste without acting on it. Whole lines of it are left for those who ask for lines.
  private static func insertPaste(_ editor: OpaquePointer?) -> UInt8 {
    guard let editor = unsafe editor, let session = unsafe TerminalSession.of(editor) else {
      return refused
    }
    guard let pasted = session.readPaste() else { return UInt8(CC_EOF) }
    guard session.purpose.kind != .edit, let end = pasted.firstIndex(of: 0x0A) else {
      unsafe insert(TerminalSession.characters(pasted), editor)
      return again
    }
    let (before, after) = unsafe sides(editor)
    // What was behind the cursor goes on behind the paste.
    let count = unsafe el_wline(editor).map { unsafe $0.pointee.lastchar - $0.pointee.cursor } ?? 0
    unsafe el_cursor(editor, Int32(count))
    unsafe el_deletestr(editor, Int32(count))
    var lines = pasted.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
    let rest = TerminalSession.characters(lines.removeLast())
    if !rest.isEmpty || !after.isEmpty {
      session.draft = TerminalSession.Draft(
        characters: rest + TerminalSession.characters(after), cursor: rest.count)
    }
    session.pasteIsText = session.purpose.kind == .text
    session.line = before + pasted[..<end]
    session.pastedLines = Array(lines.dropFirst())
    session.takenCount = 0
    unsafe insert(TerminalSession.characters(lines[0]), editor)
    unsafe el_push(editor, "\n")
    return again
  }

  private static func insertDraft(_ editor: OpaquePointer?) -> UInt8 {
    guard let editor = unsafe editor, let session = unsafe TerminalSession.of(editor),
      let draft = session.draft
    else { return refused }
    session.draft = nil
    unsafe insert(draft.characters, editor)
    unsafe el_cursor(editor, Int32(draft.cursor - draft.characters.count))
    return again
  }

  /// Goes behind the last character, also where the function of the editor would stop on it.
  private static func moveToEnd(_ editor: OpaquePointer?) -> UInt8 {
    guard let editor = unsafe editor, let line = unsafe el_wline(editor) else { return refused }
    unsafe el_cursor(editor, Int32(line.pointee.lastchar - line.pointee.cursor))
    return UInt8(CC_CURSOR)
  }

  /// Goes on with a command as far as there is only one way, or shows the ways; a tab elsewhere.
  private static func complete(_ editor: OpaquePointer?) -> UInt8 {
    guard let editor = unsafe editor, let session = unsafe TerminalSession.of(editor) else {
      return refused
    }
    guard session.purpose.kind == .command else {
      unsafe insert([0x09], editor)
      return again
    }
    let found = session.purpose.completions?(unsafe sides(editor).before) ?? Completions()
    let insertion = found.insertion
    if !insertion.isEmpty {
      unsafe insert(TerminalSession.characters(insertion), editor)
      return again
    }
    guard found.candidates.count > 1 else { return refused }
    let columns = TerminalSize(of: session.output)?.columns ?? 80
    session.write("\n" + found.list(columns: columns - 1).map { $0 + "\n" }.joined())
    unsafe cedit_redraw(editor)
    return UInt8(CC_NORM)
  }

  /// Gives a command in place of the line, which comes back afterwards.
  private static func run(_ command: String, _ editor: OpaquePointer?) -> UInt8 {
    guard let editor = unsafe editor, let session = unsafe TerminalSession.of(editor),
      session.purpose.kind == .command
    else { return refused }
    let (before, after) = unsafe sides(editor)
    let typed = TerminalSession.characters(before)
    if !before.isEmpty || !after.isEmpty {
      session.draft = TerminalSession.Draft(
        characters: typed + TerminalSession.characters(after), cursor: typed.count)
    }
    session.line = Array(command.utf8)
    session.lineIsKey = true
    unsafe el_push(editor, "\n")
    return UInt8(CC_NORM)
  }

  private static func insert(_ characters: [wchar_t], _ editor: OpaquePointer) {
    unsafe el_winsertstr(editor, characters.filter { $0 != 0 } + [0])
  }

  /// What stands before the cursor and what behind it.
  private static func sides(_ editor: OpaquePointer) -> (before: [UInt8], after: [UInt8]) {
    guard let line = unsafe el_line(editor)?.pointee else { return ([], []) }
    return unsafe (
      Array(UnsafeRawBufferPointer(start: line.buffer, count: line.cursor - line.buffer)),
      Array(UnsafeRawBufferPointer(start: line.cursor, count: line.lastchar - line.cursor))
    )
  }
}

/// Answers one character typed, as libedit's `EL_GETCFN`.
private func readKey(_ editor: OpaquePointer?, _ key: UnsafeMutablePointer<wchar_t>?) -> Int32 {
  guard let session = unsafe TerminalSession.of(editor), let key = unsafe key else { return -1 }
  while true {
    let wake =
      session.hasUnused ? .ready : Interrupts.waitForInput(session.input, isEdited: true)
    switch wake {
    case .ready:
      switch session.readCharacter() {
      case .character(0x1B):
        unsafe key.pointee = session.keyAfterEscape().map { wchar_t($0.rawValue) } ?? 0x1B
        return 1
      case .character(let character):
        unsafe key.pointee = character
        return 1
      case .partOfOne: continue
      case .end: return 0
      }
    case .interrupted:
      session.wasInterrupted = true
      errno = EINTR
      return -1
    case .stop:
      unsafe cedit_set_raw(editor, 0)
      session.setPasteMode(false)
      Interrupts.stop()
    case .redraw:
      unsafe cedit_set_raw(editor, 0)
      unsafe cedit_set_raw(editor, 1)
      session.setPasteMode(true)
      unsafe el_resize(editor)
      session.write(TerminalOutput.allowsEscapes ? "\r\u{1B}[J" : "\r\n")
      unsafe cedit_redraw(editor)
    }
  }
}
