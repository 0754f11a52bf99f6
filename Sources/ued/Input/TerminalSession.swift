import CEdit
import Glibc

/// What the callbacks of the line editor share with its owner.
///
/// SAFETY: `promptString` is the only memory here; it is replaced between two lines, when nobody
/// holds it, and freed in `deinit`. `of(_:)` reads what `TerminalLines` set, which outlives the editor.
/// Blocks of bytes are lent to the system for the length of a call.
@safe final class TerminalSession {
  enum Reading: Equatable {
    case character(wchar_t)
    /// A byte of a longer character, or one that belongs to none and is dropped.
    case partOfOne
    case end
  }

  /// What a line holds before anything is typed.
  struct Draft {
    var characters: [wchar_t] = []
    /// How many characters there are before the cursor.
    var cursor = 0
  }

  /// Where keys are read from.
  let input: Int32
  private let ownsInput: Bool
  let output: Int32
  private let allowsEscapes = TerminalOutput.allowsEscapes
  private var decoding = mbstate_t()
  private(set) var promptString: UnsafeMutablePointer<CChar>?
  var wasInterrupted = false
  /// Whether `vi` has been chosen in the user's settings.
  var usesViKeys = false
  /// What the line that is being typed is for.
  var purpose = LinePurpose.text
  /// What the next line of the same kind holds before anything is typed.
  var draft: Draft?
  /// Bytes that were read and not used yet.
  private var unused: [UInt8] = []
  /// Pasted lines that wait to be taken, newest last; all of them end with a newline in the paste.
  var pastedLines: [[UInt8]] = []
  /// How many of them have been taken.
  var takenCount = 0
  /// Whether the paste began in text.
  var pasteIsText = false
  /// The line as it will be given, where that is not what has been typed.
  var line: [UInt8]?
  /// Whether `line` is a command that a key stands for.
  var lineIsKey = false

  /// The prompt, up to its first NUL.
  var prompt: [UInt8] = [] {
    didSet {
      guard unsafe prompt != oldValue || promptString == nil else { return }
      unsafe free(promptString)
      unsafe promptString = strdup((prompt + [0]).map(CChar.init(bitPattern:)))
    }
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

  /// The same terminal once more, with reads that never wait.
  ///
  /// `^C` makes the system drop what was typed and not read. A read that waits would then do so for
  /// good when the key that it was told of is gone, and the signal has come before it.
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

  /// Writes to the terminal, past the editor: only between its own writes.
  func write(_ text: String) {
    TerminalOutput.write(Array(text.utf8), to: output)
  }

  /// Makes the terminal say where a paste begins and ends, or stops that.
  func setPasteMode(_ isOn: Bool) {
    if allowsEscapes { write("\u{1B}[?2004\(isOn ? "h" : "l")") }
  }

  /// The next pasted line that waits.
  func takePastedLine() -> [UInt8]? {
    guard takenCount < pastedLines.count else { return nil }
    takenCount += 1
    let line = pastedLines[takenCount - 1]
    if takenCount == pastedLines.count { dropPaste() }
    return line
  }

  /// Forgets what was pasted and not taken.
  func dropPaste() {
    pastedLines = []
    takenCount = 0
  }

  // MARK: - Reading

  /// Whether something can be read without waiting.
  var hasUnused: Bool { !unused.isEmpty }

  /// Reads a byte, for which somebody has waited.
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
      // The byte may be a character of its own after one that was cut off.
      if wasPartial {
        result = unsafe mbrtowc(&character, &typed, 1, &decoding)
        if result == -1 { decoding = mbstate_t() }
      }
    }
    return result >= 0 ? .character(character) : .partOfOne
  }

  /// The key that an escape which was read stands for together with what follows it at once.
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

  /// The next byte, if it comes as fast as only a terminal sends them.
  private func byteAtOnce() -> UInt8? {
    if !unused.isEmpty { return unused.removeFirst() }
    var polled = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    guard unsafe poll(&polled, 1, 40) == 1, unsafe read(input, &byte, 1) == 1 else { return nil }
    return byte
  }

  /// Reads what is pasted, up to the mark that ends it, which is dropped.
  ///
  /// - Returns: The bytes, with a newline where a line ends; nil when they do not come to an end.
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

  /// Terminals send a carriage return for a newline.
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

  /// Bytes as characters; those that are part of none are replaced by a mark.
  static func characters(_ bytes: [UInt8]) -> [wchar_t] {
    decode(bytes, replacing: true) ?? []
  }

  /// Bytes as characters; nil when the line editor could not give back all of them.
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
        // In no locale is an ASCII byte anything else.
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
