import CEdit
import Glibc

/// What the callbacks of the line editor share with its owner.
///
/// SAFETY: `promptString` is the only memory here; it is replaced between two lines, when nobody
/// holds it, and freed in `deinit`. `of(_:)` reads what `TerminalLines` set, which outlives the editor.
@safe final class TerminalSession {
  enum Reading: Equatable {
    case character(wchar_t)
    /// A byte of a longer character, or one that belongs to none and is dropped.
    case partOfOne
    case end
  }

  static let pasteBegins = "\u{1B}[200~"
  static let pasteEnds = "\u{1B}[201~"

  let input: Int32
  private let output: Int32
  private var decoding = mbstate_t()
  private(set) var promptString: UnsafeMutablePointer<CChar>?
  var wasInterrupted = false
  /// Whether more of a paste follows.
  var isPasting = false

  /// The prompt, up to its first NUL.
  var prompt: [UInt8] = [] {
    didSet {
      guard unsafe prompt != oldValue || promptString == nil else { return }
      unsafe free(promptString)
      unsafe promptString = strdup((prompt + [0]).map(CChar.init(bitPattern:)))
    }
  }

  init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
  }

  deinit {
    unsafe free(promptString)
  }

  static func of(_ editor: OpaquePointer?) -> TerminalSession? {
    guard let editor = unsafe editor, let client = unsafe cedit_client(editor) else { return nil }
    return unsafe Unmanaged.fromOpaque(client).takeUnretainedValue()
  }

  /// Writes to the terminal, past the editor: only control sequences, only between its own writes.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      _ = unsafe Glibc.write(output, bytes.baseAddress, bytes.count)
    }
  }

  /// Reads a byte, for which somebody has waited.
  func readCharacter() -> Reading {
    var byte: UInt8 = 0
    let count = unsafe read(input, &byte, 1)
    if count < 0 && (errno == EINTR || errno == EAGAIN) { return .partOfOne }
    guard count == 1 else { return .end }
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
}
