import CEdit
import Glibc

/// Reading keys, and showing the line whenever the next one has to be waited for.
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

  /// Has a key be read again, before all others.
  func unread(_ reading: Reading) {
    switch reading {
    case .character(let character):
      waitingKeys.insert(contentsOf: Self.bytes([character]).map { .byte($0) }, at: 0)
    case .key(let key): waitingKeys.insert(.key(key), at: 0)
    case .end, .interrupted: break
    }
  }

  /// What a key is for the editor; nil for part of a character, and for keys that do nothing.
  private func take(_ key: TypedKey, _ editor: OpaquePointer) -> Reading? {
    switch key {
    case .key(let key): return .key(key)
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
      // The Enter key, and the end of a line in what is pasted without marks.
      let isEnter = byte == 0x0D && !takesLiterally
      guard let character = decode(isEnter ? .newline : byte) else { return nil }
      // Our own keys look like these.
      if (0x80..<0xA0).contains(character) && !takesLiterally { return nil }
      takesLiterally = false
      return .character(character)
    }
  }

  /// Decodes one more byte; nil if it is part of a longer character, or invalid, and dropped.
  private func decode(_ byte: UInt8) -> wchar_t? {
    var character: wchar_t = 0
    var typed = CChar(bitPattern: byte)
    let wasPartial = unsafe mbsinit(&decoding) == 0
    var result = unsafe mbrtowc(&character, &typed, 1, &decoding)
    if result == -1 {
      decoding = mbstate_t()
      // The byte may begin a new character after one that was cut off.
      if wasPartial {
        result = unsafe mbrtowc(&character, &typed, 1, &decoding)
        if result == -1 { decoding = mbstate_t() }
      }
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
        if let patience = keys.patience, !Interrupts.isInterrupted {
          if !isReady(within: patience) && errno != EINTR { return .timeOut }
        }
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

  private func isReady(within milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    errno = 0
    return unsafe poll(&polled, 1, milliseconds) == 1
  }

  // MARK: - Showing

  /// Shows the line as the editor has it.
  func show(_ editor: OpaquePointer) {
    let size = TerminalSize(of: output)
    write(screen.show(unsafe layout(editor, size), height: rows(of: size)))
  }

  /// Shows a line for the last time, and goes to the row below it.
  func finish(_ line: [wchar_t]? = nil) {
    if let line {
      let size = TerminalSize(of: output)
      let layout = LineLayout(
        prompt: prompt, line: line, cursor: line.count, columns: columns(of: size))
      write(screen.show(layout, height: rows(of: size)))
    }
    write(screen.finish())
  }

  /// Leaves a line that was interrupted, with `^C` behind it, so that it is not taken for one that was entered.
  func giveUp() {
    write(screen.giveUp(columns: columns(of: TerminalSize(of: output))))
  }

  private func layout(_ editor: OpaquePointer, _ size: TerminalSize?) -> LineLayout {
    var line: [wchar_t] = []
    var cursor = 0
    if let info = unsafe el_wline(editor)?.pointee {
      let count = unsafe info.lastchar - info.buffer
      unsafe line = Array(UnsafeBufferPointer(start: info.buffer, count: count))
      cursor = unsafe info.cursor - info.buffer
    }
    return LineLayout(
      prompt: searchPrompt ?? prompt, line: line, cursor: cursor, columns: columns(of: size))
  }

  private func columns(of size: TerminalSize?) -> Int {
    size.flatMap { $0.columns > 0 ? $0.columns : nil } ?? 80
  }

  private func rows(of size: TerminalSize?) -> Int {
    size.flatMap { $0.rows > 0 ? $0.rows : nil } ?? 24
  }

  /// Shows the line again, after another process may have used the terminal, or in another width.
  private func redraw(_ editor: OpaquePointer) {
    unsafe cedit_set_raw(editor, 0)
    unsafe cedit_set_raw(editor, 1)
    setPasteMode(true)
    let width = columns(of: TerminalSize(of: output))
    write(screen.erase(newWidth: width, cursorIn: width == screen.width ? nil : cursorColumn()))
  }

  /// The column in which the terminal's cursor is, from 0 on, as it answers; nil if it does not. What is typed
  /// meanwhile is kept.
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

  /// What libedit says about the bindings of the sequences of our keys, where there are any.
  func bindings(_ editor: OpaquePointer) -> [[UInt8]: [UInt8]] {
    var bindings: [[UInt8]: [UInt8]] = [:]
    for sequence in TerminalKey.sequences.keys {
      bindings[sequence] = unsafe binding(of: sequence, editor)
    }
    return bindings
  }

  /// What libedit says about the binding of a sequence; nil if there is none.
  private func binding(of sequence: [UInt8], _ editor: OpaquePointer) -> [UInt8]? {
    _ = editorOutput.takeBell()
    let name = sequence.map { "\\" + String(Int($0) + 0o1000, radix: 8).dropFirst() }.joined()
    unsafe cedit_print_binding(editor, name)
    let answer = editorOutput.take()
    return answer.starts(with: Array("Unbound".utf8)) || answer.isEmpty ? nil : answer
  }
}
