import CEdit
import Glibc

/// The state that the callbacks of the line editor share with `TerminalLines`.
///
/// SAFETY: `promptString` is the only memory owned here; it is replaced between two lines, when
/// libedit does not use it, and freed in `deinit`. `of(_:)` reads the client that `TerminalLines` set,
/// which outlives the editor. System calls borrow arrays for the length of a call.
@safe final class TerminalSession {
  enum Reading: Equatable {
    case character(wchar_t)
    /// Part of a longer character, or an invalid byte, which is dropped.
    case partOfOne
    case end
  }

  /// The content of a line before anything is typed.
  struct Draft {
    var characters: [wchar_t] = []
    /// How many characters are before the cursor.
    var cursor = 0
  }

  /// The descriptor that keys are read from.
  let input: Int32
  private let ownsInput: Bool
  let output: Int32
  private let allowsEscapes = TerminalOutput.allowsEscapes
  private var decoding = mbstate_t()
  private(set) var promptString: UnsafeMutablePointer<CChar>?
  var wasInterrupted = false
  /// Whether the user's settings choose the keys of vi.
  var usesViKeys = false
  /// The request for the line that is being typed.
  var request = LineRequest(kind: .text)
  /// The draft for the next line, if it has one.
  var draft: Draft?
  /// Bytes that were read but not used yet.
  private var unused: [UInt8] = []
  /// The pasted lines after the first, in order; a last one without a newline is a draft instead.
  var pastedLines: [[UInt8]] = []
  /// How many of `pastedLines` have been taken.
  var takenCount = 0
  /// Whether the lines were pasted into text.
  var pasteIsText = false
  /// The line to return instead of the typed one.
  var line: [UInt8]?
  /// Whether `line` is a command that a key entered.
  var lineIsKey = false

  /// The prompt, up to its first NUL. Colours may be in it, but not at its end.
  var prompt: [UInt8] = [] {
    didSet {
      guard unsafe prompt != oldValue || promptString == nil else { return }
      unsafe free(promptString)
      unsafe promptString = strdup(
        (Self.delimited(prompt) + [0]).map(CChar.init(bitPattern:)))
    }
  }

  /// A prompt with `CEDIT_LITERAL` around each colour, which takes no columns.
  private static func delimited(_ prompt: [UInt8]) -> [UInt8] {
    let literal = UInt8(CEDIT_LITERAL)
    var rest = prompt.filter { $0 != literal }[...]
    var delimited: [UInt8] = []
    while let byte = rest.first {
      let end = byte == 0x1B ? rest.firstIndex(of: UInt8(ascii: "m")) : nil
      guard let end, end + 1 < rest.endIndex else {
        delimited.append(rest.removeFirst())
        continue
      }
      delimited += [literal] + rest[...end] + [literal]
      rest = rest[(end + 1)...]
    }
    return delimited
  }

  init(input: Int32, output: Int32) {
    let own = Self.ownDescription(of: input)
    self.input = own ?? input
    ownsInput = own != nil
    self.output = output
  }

  deinit {
    if ownsInput { close(input) }
    unsafe free(promptString)
  }

  /// Opens the terminal once more, with reads that never block.
  ///
  /// `^C` makes the system discard unread input. If a key is discarded between poll(2) and read(2), and
  /// the signal came before read(2), a blocking read would hang.
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

  /// The session of an editor.
  static func of(_ editor: OpaquePointer?) -> TerminalSession? {
    guard let editor = unsafe editor, let client = unsafe cedit_client(editor) else { return nil }
    return unsafe Unmanaged.fromOpaque(client).takeUnretainedValue()
  }

  /// Writes to the terminal directly; call it only when libedit has no pending output.
  func write(_ text: String) {
    TerminalOutput.write(Array(text.utf8), to: output)
  }

  /// Turns bracketed paste on or off: the terminal then marks where a paste begins and ends.
  func setPasteMode(_ isOn: Bool) {
    if allowsEscapes { write("\u{1B}[?2004\(isOn ? "h" : "l")") }
  }

  /// Takes the next pasted line, if there is one.
  func takePastedLine() -> [UInt8]? {
    guard takenCount < pastedLines.count else { return nil }
    takenCount += 1
    let line = pastedLines[takenCount - 1]
    if takenCount == pastedLines.count { dropPaste() }
    return line
  }

  /// Drops the pasted lines that were not taken.
  func dropPaste() {
    pastedLines = []
    takenCount = 0
  }

  /// Makes the text before and after the cursor the draft of the next line, unless both are empty.
  func setDraft(before: [UInt8], after: [UInt8]) {
    if before.isEmpty && after.isEmpty { return }
    let characters = Self.characters(before)
    draft = Draft(characters: characters + Self.characters(after), cursor: characters.count)
  }

  // MARK: - Reading

  /// Whether there are bytes that were read but not used.
  var hasUnused: Bool { !unused.isEmpty }

  /// Reads one byte, once poll(2) has reported input.
  func readCharacter() -> Reading {
    var byte: UInt8 = 0
    if !unused.isEmpty {
      byte = unused.removeFirst()
    } else {
      let count = unsafe read(input, &byte, 1)
      if count < 0 && (errno == EINTR || errno == EAGAIN) { return .partOfOne }
      guard count == 1 else { return .end }
    }
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
    return result >= 0 ? .character(character) : .partOfOne
  }

  /// The key whose sequence begins with the escape just read, if the rest follows immediately.
  func keyAfterEscape() -> TerminalKey? {
    var sequence: [UInt8] = []
    let known = TerminalKey.sequences.filter { usesViKeys || $0.key == .paste }
    while known.contains(where: { $0.bytes.starts(with: sequence) }) {
      if let found = known.first(where: { $0.bytes == sequence }) { return found.key }
      guard let byte = byteAtOnce() else { break }
      sequence.append(byte)
    }
    unused = sequence + unused
    return nil
  }

  /// The next byte, if it arrives within the 40 ms in which terminals send a sequence.
  private func byteAtOnce() -> UInt8? {
    if !unused.isEmpty { return unused.removeFirst() }
    var polled = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    guard unsafe poll(&polled, 1, 40) == 1, unsafe read(input, &byte, 1) == 1 else { return nil }
    return byte
  }

  /// Reads pasted text up to the mark that ends it; the mark is dropped.
  ///
  /// - Returns: The text, its lines separated by newlines; nil if the input ended or was interrupted.
  func readPaste() -> [UInt8]? {
    let end = Array("\u{1B}[201~".utf8)
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
        return nil
      }
      let count = unsafe read(input, &block, block.count)
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard count > 0 else { return nil }
      pasted += block[..<count]
    }
  }

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

  // MARK: - Characters

  /// Decodes bytes in the locale's encoding; invalid bytes become U+FFFD.
  static func characters(_ bytes: [UInt8]) -> [wchar_t] {
    decode(bytes, replacing: true) ?? []
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
