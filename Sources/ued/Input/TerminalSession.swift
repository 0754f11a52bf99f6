import CEdit
import Glibc

/// The state that the callbacks of the line editor share with `TerminalLines`.
///
/// SAFETY: `of(_:)` reads the client that `TerminalLines` set, which outlives the editor. `editor`
/// and `recall` are used only inside `el_wgets`, while `TerminalLines` keeps both. System calls
/// borrow arrays for the length of a call.
@safe final class TerminalSession {
  /// The content of a line before anything is typed.
  struct Draft {
    var characters: [wchar_t] = []
    /// The number of characters before the cursor.
    var cursor = 0
    /// The same text in bytes, if it is the end of a paste.
    var pasted: [UInt8]?
  }

  struct Expansion {
    /// The text before the word.
    var stem: [UInt8]
    /// The completions and the typed word, in the order in which the key shows them. The last one
    /// is shown now.
    var words: [[UInt8]]
    /// The text up to the cursor, as shown.
    var shown: [UInt8] = []
  }

  /// The descriptor that keys are read from.
  let input: Int32
  private let ownsInput: Bool
  let output: Int32
  var decoding = mbstate_t()
  /// Finds the sequences of keys in the typed bytes.
  var keys = KeyDecoder()
  /// Keys that were read but not used yet.
  var waitingKeys: [TypedKey] = []
  /// Stores the line typed so far.
  var storeDraft: (([UInt8]) -> Void)?
  /// The line as last stored, while the user types.
  var keptDraft: [wchar_t] = []
  /// The uptime at which `keptDraft` was stored.
  private var keptTime = 0.0
  /// Whether the next character is taken literally.
  var takesLiterally = false
  /// Whether the last key was an answer that ended its line.
  private var hasReplied = false
  /// The output of the editor, which is not shown.
  let editorOutput: EditorOutput
  /// The line as the terminal shows it.
  var screen: LineScreen
  /// Whether the terminal has reported its cursor's position each time it was asked.
  var answersPosition = true
  /// Shown before the line, without the prompt of a search.
  var prompt: [UInt8] = []
  /// Shown instead of the prompt during a search.
  var searchPrompt: [UInt8]?
  /// The list from which the line being typed can recall earlier lines.
  var recall: OpaquePointer?
  /// The walk through earlier lines, and the line that it showed.
  var walk: (way: RecallWalk, shown: [UInt8])?
  /// The completion of a word that was shown last.
  var expansion: Expansion?
  /// The line as it came up, before anything was typed.
  var original: [UInt8] = []
  /// The text of the last search, and whether it went to older lines.
  var searched: (text: [UInt8], older: Bool) = ([], true)
  /// The character that was read last; nil after another key.
  private var typed: wchar_t?
  /// The line and its cursor before the last key.
  private(set) var lastLine: (line: [wchar_t], cursor: Int) = ([], 0)
  /// The number of code points before the cursor still to be erased.
  private var erasures = 0
  /// Whether the last change added a letter at the end.
  private var goesOnTyping = false
  /// Whether the last key undid a change, or inserted the draft.
  var isUndoing = false
  /// The number of keys that the editor has asked for.
  var keyCount = 0
  /// The value of `keyCount` at the last key in this line that asked for a list of candidates.
  var lastListing: Int?
  var wasInterrupted = false
  /// The number of macros begun since the last typed key.
  var macroCount = 0
  /// Whether the line ended because of too many macros.
  var macroIsEndless = false
  /// Whether the rest of all macros is dropped.
  var dropsMacros = false
  var request = LineRequest(kind: .text)
  var draft: Draft?
  /// Bytes that were read but not used yet.
  var unused: [UInt8] = []
  /// The pasted lines after the first, in order; a last one without a newline is a draft instead.
  var pastedLines: [[UInt8]] = []
  /// The number of `pastedLines` already taken.
  var takenCount = 0
  /// Whether the lines were pasted into text.
  var pasteIsText = false
  /// The line to return instead of the typed one.
  var line: [UInt8]?
  /// Whether `line` is a command that a key entered.
  var lineIsKey = false
  /// The direction of the key that left the line.
  var step: LineStep?
  /// The line before each change that a key can undo.
  private var undoable: [(line: [wchar_t], cursor: Int)] = []

  init(input: Int32, output: Int32, controls: TerminalControls, editorOutput: EditorOutput) {
    let own = Self.ownDescription(of: input)
    self.input = own ?? input
    ownsInput = own != nil
    self.output = output
    self.editorOutput = editorOutput
    screen = LineScreen(controls: controls)
  }

  deinit {
    if ownsInput { close(input) }
  }

  /// Opens the terminal once more, with reads that never block. `^C` discards unread input. If it
  /// comes between poll(2) and read(2), a blocking read would hang: the input is gone, and the
  /// signal came too early.
  private static func ownDescription(of input: Int32) -> Int32? {
    guard let name = unsafe ttyname(input) else { return nil }
    let own = unsafe open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard own >= 0 else { return nil }
    var known = stat()
    var opened = stat()
    guard unsafe fstat(input, &known) == 0, unsafe fstat(own, &opened) == 0,
      known.st_rdev == opened.st_rdev
    else {
      close(own)
      return nil
    }
    return own
  }

  static func of(_ editor: OpaquePointer?) -> TerminalSession? {
    guard let editor = unsafe editor, let client = unsafe cedit_client(editor) else { return nil }
    return unsafe Unmanaged.fromOpaque(client).takeUnretainedValue()
  }

  /// Writes to the terminal directly; call it only when libedit has no pending output.
  func write(_ text: String) {
    TerminalOutput.write(Array(text.utf8), to: output)
  }

  func write(_ bytes: [UInt8]) {
    if !bytes.isEmpty { TerminalOutput.write(bytes, to: output) }
  }

  /// Turns bracketed paste on or off: the terminal then marks where a paste begins and ends.
  func setPasteMode(_ isOn: Bool) { write("\u{1B}[?2004\(isOn ? "h" : "l")") }

  /// Queues lines to be read next, as if they had been pasted as commands.
  func takeLater(_ lines: ArraySlice<UInt8>) {
    pasteIsText = false
    pastedLines = lines.split(separator: .newline, omittingEmptySubsequences: false).map(Array.init)
    takenCount = 0
  }

  func takePastedLine() -> [UInt8]? {
    guard takenCount < pastedLines.count else { return nil }
    takenCount += 1
    let line = pastedLines[takenCount - 1]
    if takenCount == pastedLines.count { forgetPastedLines() }
    return line
  }

  /// Takes the pasted lines up to the line `end`, which ends the entered text and stays. If the
  /// lines were pasted into text, takes all of them.
  func takePastedLines(before end: [UInt8]) -> [[UInt8]] {
    let rest = pastedLines[takenCount...]
    let taken = pasteIsText ? rest : rest.prefix { $0 != end }
    takenCount += taken.count
    if takenCount == pastedLines.count { forgetPastedLines() }
    return Array(taken)
  }

  /// Drops the pasted lines not taken yet, and the draft that a paste has left; returns the lines.
  func dropPaste() -> [[UInt8]] {
    var dropped = Array(pastedLines[takenCount...])
    forgetPastedLines()
    if let pasted = draft?.pasted {
      dropped.append(pasted)
      draft = nil
    }
    return dropped
  }

  /// Takes the end of a paste if line editing would lose some of its bytes.
  func takeUneditableDraft() -> [UInt8]? {
    guard let pasted = draft?.pasted, Self.exactCharacters(pasted) == nil else { return nil }
    draft = nil
    return pasted
  }

  private func forgetPastedLines() { (pastedLines, takenCount) = ([], 0) }

  /// Makes the text before and after the cursor the draft of the next line, unless both are empty.
  func setDraft(before: [UInt8], after: [UInt8], isPasted: Bool = false) {
    if before.isEmpty && after.isEmpty { return }
    let characters = Self.characters(before)
    draft = Draft(
      characters: characters + Self.characters(after), cursor: characters.count,
      pasted: isPasted ? before + after : nil)
  }

  // MARK: - Reading

  /// The next byte, if it arrives in time: terminals send a sequence within 40 ms.
  private func byteAtOnce(_ milliseconds: Int32 = 40) -> UInt8? {
    if !unused.isEmpty { return unused.removeFirst() }
    var polled = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    // A signal must not cut a sequence in two.
    var ready = unsafe poll(&polled, 1, milliseconds)
    while ready < 0 && errno == EINTR { ready = unsafe poll(&polled, 1, milliseconds) }
    guard ready == 1, unsafe read(input, &byte, 1) == 1 else { return nil }
    return byte
  }

  /// Reads pasted text up to the mark that ends it, as lines separated by newlines; nil if the
  /// input ended or was interrupted.
  func readPaste() -> [UInt8]? {
    let end = Self.pasteEnd
    var pasted = unused
    unused = []
    var searched = 0
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let found = pasted[searched...].indices.first { pasted[$0...].starts(with: end) }
      if let found {
        unused = Array(pasted[(found + end.count)...])
        return Self.withNewlines(pasted[..<found])
      }
      searched = max(0, pasted.count - end.count)
      if Interrupts.waitForInput(input) == .interrupted {
        wasInterrupted = true
        dropInput(isInPaste: true, after: pasted[...])
        return nil
      }
      let count = unsafe read(input, &block, block.count)
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard count > 0 else { return nil }
      pasted += block[..<count]
    }
  }

  /// Drops the input before an interrupt. A paste, which may contain the `^C`, is dropped up to its
  /// end, or until nothing comes for 100 ms, so that its rest does not count as typed.
  func dropInput(isInPaste: Bool = false, after read: ArraySlice<UInt8> = []) {
    var isInPaste = isInPaste
    var last = read.suffix(Self.pasteEnd.count)
    while let byte = byteAtOnce(isInPaste ? 100 : 0) {
      last = last.suffix(Self.pasteEnd.count - 1) + [byte]
      if last.elementsEqual(Self.pasteStart) { isInPaste = true }
      if last.elementsEqual(Self.pasteEnd) { isInPaste = false }
    }
  }

  private static let pasteStart = Array("\u{1B}[200~".utf8)
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// Converts line ends: terminals send a carriage return for a newline.
  private static func withNewlines(_ pasted: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pasted.count)
    for (index, byte) in zip(pasted.indices, pasted) {
      if byte == 0x0D {
        bytes.append(0x0A)
      } else if byte != 0x0A || index == pasted.startIndex || pasted[index - 1] != 0x0D {
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// The earlier lines that the line being typed can recall, the newest first.
  var recalledLines: [[UInt8]] {
    guard let recall = unsafe recall else { return [] }
    var lines: [[UInt8]] = []
    while let line = unsafe cedit_recalled(recall, lines.isEmpty ? 1 : 0) {
      unsafe lines.append(Array(UnsafeRawBufferPointer(start: line, count: strlen(line))))
    }
    return lines
  }

  // MARK: - Characters

  /// Encodes characters in the locale's encoding.
  static func bytes(_ characters: some Collection<wchar_t>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count)
    var encoded = [CChar](repeating: 0, count: 16)
    for character in characters {
      if (0..<0x80).contains(character) {
        // Every locale's encoding is a superset of ASCII.
        bytes.append(UInt8(character))
        continue
      }
      let count = unsafe wctomb(&encoded, character)
      bytes += encoded.prefix(max(0, Int(count))).map(UInt8.init(bitPattern:))
    }
    return bytes
  }

  /// Decodes bytes in the locale's encoding; invalid bytes become U+FFFD.
  static func characters(_ bytes: some Sequence<UInt8>) -> [wchar_t] {
    decode(Array(bytes), replacing: true) ?? []
  }

  /// Decodes bytes in the locale's encoding; nil if a byte is invalid, as line editing would lose it.
  static func exactCharacters(_ bytes: [UInt8]) -> [wchar_t]? {
    decode(bytes, replacing: false)
  }

  private static func decode(_ bytes: [UInt8], replacing: Bool) -> [wchar_t]? {
    var characters: [wchar_t] = []
    characters.reserveCapacity(bytes.count)
    var state = mbstate_t()
    var rest = bytes.map(CChar.init(bitPattern:))[...]
    while let first = rest.first {
      var character: wchar_t = 0
      if first > 0 {
        // Every locale's encoding is a superset of ASCII.
        characters.append(wchar_t(first))
        rest.removeFirst()
        continue
      }
      let used = unsafe rest.withUnsafeBufferPointer { bytes in
        unsafe mbrtowc(&character, bytes.baseAddress, bytes.count, &state)
      }
      if used > 0 && used <= rest.count {
        characters.append(character)
        rest.removeFirst(used)
      } else {
        guard replacing else { return nil }
        characters.append(0xFFFD)
        rest.removeFirst()
        state = mbstate_t()
      }
    }
    return characters
  }
}

// MARK: - Keys

/// Reading keys, and showing the line before a wait for the next key.
extension TerminalSession {
  enum Reading: Equatable {
    case character(wchar_t)
    case key(TerminalKey)
    case end
    /// SIGINT, or a signal that ends the program.
    case interrupted
  }

  /// Waits for the next key of an editor.
  func nextKey(_ editor: OpaquePointer) -> Reading {
    let reading = unsafe readKey(editor)
    if case .character(let character) = reading { typed = character } else { typed = nil }
    return reading
  }

  private func readKey(_ editor: OpaquePointer) -> Reading {
    if unsafe erasures == 0 && !hasAppended(editor) { unsafe keepClustersWhole(editor) }
    if erasures > 0 {
      erasures -= 1
      return .key(.erase)
    }
    if editorOutput.takeBell() { write([0x07]) }
    while true {
      while !waitingKeys.isEmpty {
        if let reading = unsafe take(waitingKeys.removeFirst(), editor) { return reading }
      }
      switch unsafe nextByte(editor) {
      case .byte(let byte):
        macroCount = 0
        waitingKeys = takesLiterally ? [.byte(byte)] : keys.take(byte)
      case .timeOut: waitingKeys = keys.timeOut()
      case .end: return .end
      case .interrupted:
        wasInterrupted = true
        takesLiterally = false
        decoding = mbstate_t()
        dropInput(after: keys.giveUp()[...])
        return .interrupted
      }
    }
  }

  /// Whether the last key only added its letter at the end; if so, adds it to `lastLine` too. When
  /// a long line arrives as typed keys, this avoids a copy of the line for each key.
  private func hasAppended(_ editor: OpaquePointer) -> Bool {
    guard let typed, typed > 0x20, typed < 0x7F, goesOnTyping, !undoable.isEmpty,
      unsafe cedit_uses_vi_keys(editor) == 0, let info = unsafe el_wline(editor)?.pointee
    else { return false }
    let count = lastLine.line.count
    guard unsafe info.lastchar - info.buffer == count + 1, unsafe info.cursor == info.lastchar,
      lastLine.cursor == count, unsafe info.buffer[count] == typed
    else { return false }
    lastLine.line.append(typed)
    lastLine.cursor += 1
    return true
  }

  /// Extends the last key's effect to whole grapheme clusters; libedit moves and deletes code
  /// points.
  private func keepClustersWhole(_ editor: OpaquePointer) {
    let (line, cursor) = unsafe characters(of: editor)
    defer {
      let now = unsafe characters(of: editor)
      if erasures == 0 {
        noteChange(to: now.line)
        lastLine = now
      }
    }
    let (old, oldCursor) = lastLine
    let isMove = line == old
    if !isMove && line.count >= old.count || old.allSatisfy({ $0 < 0x300 }) { return }
    let ends = [0] + GraphemeClusters.ends(in: old)
    let removedEnd = cursor + old.count - line.count
    let start = ends.last { $0 <= cursor } ?? 0
    let end = ends.first { $0 >= removedEnd } ?? old.count
    if isMove {
      if start == cursor || cursor == oldCursor { return }
      unsafe el_cursor(editor, Int32((cursor < oldCursor ? start : end) - cursor))
    } else if old[..<cursor] + old[removedEnd...] == line[...],
      start < cursor || end > removedEnd
    {
      if unsafe cedit_uses_vi_keys(editor) == 0 && cursor < oldCursor {
        unsafe el_cursor(editor, Int32(end - removedEnd))
        erasures = end - removedEnd + cursor - start
      } else {
        // One call deletes the whole clusters, so that a key can put all of them back.
        unsafe TerminalFunctions.insert(Array(old[cursor..<removedEnd]), editor)
        unsafe el_cursor(editor, Int32(end - removedEnd))
        unsafe el_deletestr(editor, Int32(end - start))
      }
    }
  }

  /// Takes the line before its last change; nil without a change to undo.
  func takeUndoable() -> (line: [wchar_t], cursor: Int)? {
    isUndoing = !undoable.isEmpty
    return undoable.popLast()
  }

  /// Forgets the state of the line before a new one.
  func beginLine(_ draft: [UInt8]) {
    (line, lineIsKey, step) = (nil, false, nil)
    (walk, original, lastListing, expansion) = (nil, [], nil, nil)
    (undoable, lastLine, keptDraft) = ([], ([], 0), Self.characters(draft))
    keptTime = SystemClock.uptime
  }

  /// Notes the change by the last key for undo. Letters typed in a row are one change.
  private func noteChange(to line: [wchar_t]) {
    defer { isUndoing = false }
    let old = lastLine.line
    if line == old || isUndoing { return }
    let isTyping = line.count == old.count + 1 && line.starts(with: old)
    if isTyping, !undoable.isEmpty, goesOnTyping, line.last != 0x20 { return }
    goesOnTyping = isTyping
    if undoable.count == Self.mostUndoable { undoable.removeFirst() }
    undoable.append(lastLine)
  }

  /// The largest number of undoable changes; each keeps a copy of the line.
  private static let mostUndoable = 100

  func unread(_ reading: Reading) {
    switch reading {
    case .character(let character):
      waitingKeys.insert(contentsOf: Self.bytes([character]).map { .byte($0) }, at: 0)
    case .key(let key): waitingKeys.insert(.key(key), at: 0)
    case .end, .interrupted: break
    }
  }

  /// The meaning of a key for the editor; nil for a part of a character, and for keys without
  /// effect.
  private func take(_ key: TypedKey, _ editor: OpaquePointer) -> Reading? {
    switch key {
    case .key(let key): return request.kind == .confirmation ? nil : .key(key)
    case .interrupt:
      unsafe show(editor)
      wasInterrupted = true
      return .interrupted
    case .stop:
      unsafe stop(editor)
      return nil
    case .sequence(let bytes):
      if unsafe isBound(bytes, editor) {
        waitingKeys.insert(contentsOf: bytes.map { .byte($0) }, at: 0)
      }
      return nil
    case .byte(let byte):
      // The Enter key, or the end of a line in a paste without marks.
      let isEnter = byte == 0x0D && !takesLiterally
      guard let character = decode(isEnter ? .newline : byte) else { return nil }
      // Our own keys have these codes.
      if (0x80..<0xA0).contains(character) && !takesLiterally { return nil }
      // The functions of other control characters would put commands into an answer.
      if request.kind == .confirmation, character < 0x20, !Self.answeringKeys.contains(byte) {
        return nil
      }
      takesLiterally = false
      // A reply is one key. An Enter after it is not needed, and does nothing.
      if hasReplied && byte != .newline {
        hasReplied = false
        if isEnter { return nil }
      }
      if request.kind == .confirmation, character >= 0x20, character != 0x7F,
        unsafe characters(of: editor).line.isEmpty
      {
        hasReplied = true
        waitingKeys.insert(.byte(.newline), at: 0)
      }
      return .character(character)
    }
  }

  /// The control characters that edit or end a confirmation, show it again, or ring the bell: Ctrl-D,
  /// -H, -L, -U and -W, Enter, newline and Tab.
  private static let answeringKeys: Set<UInt8> = [
    0x04, 0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x15, 0x17,
  ]

  /// Decodes one more byte; nil for a part of a longer character. Invalid bytes become U+FFFD: without
  /// them, what was typed would mean something else.
  private func decode(_ byte: UInt8) -> wchar_t? {
    var character: wchar_t = 0
    var typed = CChar(bitPattern: byte)
    let wasPartial = unsafe mbsinit(&decoding) == 0
    let result = unsafe mbrtowc(&character, &typed, 1, &decoding)
    if result == -1 {
      decoding = mbstate_t()
      // The byte may begin a new character after one that was cut off.
      if wasPartial { waitingKeys.insert(.byte(byte), at: 0) }
      return 0xFFFD
    }
    return result >= 0 ? character : nil
  }

  // MARK: - Waiting

  private enum Waiting {
    case byte(UInt8), timeOut, end, interrupted
  }

  private func nextByte(_ editor: OpaquePointer) -> Waiting {
    while true {
      if !unused.isEmpty { return .byte(unused.removeFirst()) }
      if Interrupts.isInterrupted || !isReady(within: 0) {
        unsafe show(editor)
        // Reading the cursor's position may have read keys.
        if !unused.isEmpty { continue }
        if let patience = keys.patience, !Interrupts.isInterrupted {
          if !isReady(within: patience) && errno != EINTR { return .timeOut }
        }
        unsafe keepDraft(editor)
        switch Interrupts.waitForInput(input, isEdited: true) {
        case .ready: break
        case .interrupted: return .interrupted
        case .stop:
          unsafe stop(editor)
          continue
        case .redraw:
          unsafe redraw(editor)
          continue
        }
      }
      var byte: UInt8 = 0
      let count = unsafe read(input, &byte, 1)
      if count == 1 { return .byte(byte) }
      if count == 0 || (errno != EINTR && errno != EAGAIN) {
        return Interrupts.noteEnd(of: input) ? .interrupted : .end
      }
    }
  }

  /// Stores the line if it has changed, but at most once a second.
  private func keepDraft(_ editor: OpaquePointer) {
    guard let keep = storeDraft, searchPrompt == nil, !Interrupts.isInterrupted else {
      return
    }
    let line = unsafe characters(of: editor).line
    if line == keptDraft { return }
    let rest = Self.secondsBetweenDrafts - (SystemClock.uptime - keptTime)
    if rest > 0 && (isReady(within: Int32(rest * 1000)) || errno == EINTR) { return }
    (keptDraft, keptTime) = (line, SystemClock.uptime)
    keep(Self.bytes(line))
  }

  private static let secondsBetweenDrafts = 1.0

  func isReady(within milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    errno = 0
    return unsafe poll(&polled, 1, milliseconds) == 1
  }

  // MARK: - Showing

  /// Shows the line as the editor has it.
  func show(_ editor: OpaquePointer) {
    let size = size
    // The width may have changed since the last check for signals.
    if screen.width > 0 && screen.width != size.columns { unsafe redraw(editor) }
    write(screen.show(unsafe layout(editor, size), height: size.rows))
  }

  /// Shows a line for the last time, and goes to the row below it.
  func finish(_ line: [wchar_t]? = nil) {
    if let line {
      let size = size
      let layout = LineLayout(
        prompt: prompt, line: line, cursor: line.count, columns: size.columns)
      write(screen.show(layout, height: size.rows))
    }
    write(screen.finish())
  }

  func eraseLine() { write(screen.erase(newWidth: screen.width, cursorIn: nil)) }

  /// Leaves an interrupted line with `^C` behind it, which shows that the line was not entered.
  func giveUp() {
    write(screen.giveUp(columns: size.columns))
  }

  /// The characters of the line being typed, and the number of characters before the cursor.
  private func characters(of editor: OpaquePointer) -> (line: [wchar_t], cursor: Int) {
    guard let info = unsafe el_wline(editor)?.pointee else { return ([], 0) }
    let count = unsafe info.lastchar - info.buffer
    let line = unsafe Array(UnsafeBufferPointer(start: info.buffer, count: count))
    return (line, unsafe info.cursor - info.buffer)
  }

  private func layout(_ editor: OpaquePointer, _ size: TerminalSize) -> LineLayout {
    let (line, cursor) = unsafe characters(of: editor)
    return LineLayout(
      prompt: searchPrompt ?? prompt, line: line, cursor: cursor, columns: size.columns)
  }

  /// The size of the terminal; 80 columns and 24 rows where it does not tell.
  var size: TerminalSize {
    let size = TerminalSize(of: output)
    return TerminalSize(
      rows: size.flatMap { $0.rows > 0 ? $0.rows : nil } ?? 24,
      columns: size.flatMap { $0.columns > 0 ? $0.columns : nil } ?? 80)
  }

  /// Prepares to show the line again, after another process or a new width; erases it.
  private func redraw(_ editor: OpaquePointer) {
    Interrupts.noteRedraw()
    unsafe cedit_set_raw(editor, 0)
    unsafe cedit_set_raw(editor, 1)
    setPasteMode(true)
    let width = size.columns
    write(screen.erase(newWidth: width, cursorIn: width == screen.width ? nil : cursorColumn()))
  }

  /// The reported column of the terminal's cursor, from 0 on, or nil; keeps bytes typed meanwhile.
  private func cursorColumn() -> Int? {
    if !answersPosition { return nil }
    write("\u{1B}[6n")
    var bytes: [UInt8] = []
    let end = SystemClock.uptime + Self.answerPatience
    while SystemClock.uptime < end, bytes.count < 256 {
      guard isReady(within: 20) else { continue }
      var byte: UInt8 = 0
      guard unsafe read(input, &byte, 1) == 1 else { break }
      bytes.append(byte)
      guard byte == UInt8(ascii: "R"), let start = bytes.lastIndex(of: 0x1B) else { continue }
      let numbers = bytes[(start + 1)...].dropFirst().dropLast().split(
        separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      guard numbers.count == 2, numbers.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }),
        let column = Int(String(decoding: numbers[1], as: UTF8.self))
      else { continue }
      unused += bytes[..<start]
      return max(column - 1, 0)
    }
    unused += bytes
    answersPosition = false
    return nil
  }

  private static let answerPatience = 0.5

  /// Stops the process, as `^Z` does.
  private func stop(_ editor: OpaquePointer) {
    finish()
    unsafe cedit_set_raw(editor, 0)
    setPasteMode(false)
    TerminalRescue.whileRestored { Interrupts.stop() }
    unsafe redraw(editor)
    write(request.question)
  }

  // MARK: - Settings

  /// Whether the user's settings bind a sequence.
  func isBound(_ sequence: [UInt8], _ editor: OpaquePointer) -> Bool {
    unsafe binding(of: sequence, editor) != nil
  }

  /// For each sequence of our keys that has a binding, libedit's description of the binding.
  func bindings(_ editor: OpaquePointer) -> [[UInt8]: [UInt8]] {
    var bindings: [[UInt8]: [UInt8]] = [:]
    for sequence in TerminalKey.sequences.keys {
      bindings[sequence] = unsafe binding(of: sequence, editor)
    }
    return bindings
  }

  /// libedit's description of the binding of a sequence; nil without a binding.
  private func binding(of sequence: [UInt8], _ editor: OpaquePointer) -> [UInt8]? {
    _ = editorOutput.takeBell()
    let name = sequence.map { "\\" + String(Int($0) + 0o1000, radix: 8).dropFirst() }.joined()
    unsafe cedit_print_binding(editor, name)
    let answer = editorOutput.take()
    return answer.starts(with: Array("Unbound".utf8)) || answer.isEmpty ? nil : answer
  }
}

/// The output of libedit: bells, answers about bindings, and drawings. The drawings are dropped,
/// because `LineScreen` draws the line.
///
/// SAFETY: `text` is allocated in `init`, written by the stream, and freed after it is closed, in
/// `deinit`. Its bytes are read after a flush, and not kept.
@safe final class EditorOutput {
  private let text: UnsafeMutablePointer<cedit_text>
  let stream: UnsafeMutablePointer<FILE>

  init?() {
    unsafe text = .allocate(capacity: 1)
    unsafe text.initialize(to: cedit_text())
    guard let stream = unsafe cedit_open_text(text) else {
      unsafe text.deallocate()
      return nil
    }
    unsafe self.stream = stream
  }

  deinit {
    unsafe fclose(stream)
    unsafe free(text.pointee.bytes)
    unsafe text.deallocate()
  }

  /// Drops the output; true if it had a bell.
  func takeBell() -> Bool {
    unsafe printed.contains(0x07)
  }

  func take() -> [UInt8] {
    unsafe Array(printed)
  }

  /// The output since the last call; valid until libedit prints more.
  private var printed: UnsafeRawBufferPointer {
    unsafe fflush(stream)
    let count = unsafe text.pointee.count
    unsafe fseeko(stream, 0, SEEK_SET)
    return unsafe UnsafeRawBufferPointer(start: text.pointee.bytes, count: count)
  }
}
