import Glibc
import TextBuffer

/// Returns the completions of a command, given its text before the cursor.
typealias Completer = @Sendable ([UInt8]) -> Completions

struct Completions: Equatable, Sendable {
  struct Candidate: Equatable, Sendable {
    var text: [UInt8]
    /// An explanation for the list of candidates.
    var hint = ""
    /// Inserted after it if it is the only candidate.
    var ending: [UInt8] = []
  }

  /// The number of bytes of each candidate that have been typed.
  var typedCount = 0
  /// The candidates, in display order.
  var candidates: [Candidate] = []

  /// The text to insert at the cursor, which all candidates have in common.
  var insertion: [UInt8] {
    guard let first = candidates.first else { return [] }
    if candidates.count == 1 { return first.text.dropFirst(typedCount) + first.ending }
    var common = first.text[...]
    for candidate in candidates {
      let agreed = zip(common, candidate.text).prefix { $0 == $1 }.count
      common = common.prefix(agreed)
    }
    // Never split a character.
    while let last = common.last, last >= 0x80, String(validating: common, as: UTF8.self) == nil {
      common.removeLast()
    }
    return Array(common.dropFirst(typedCount))
  }

  /// The candidates as lines of at most `columns` characters. A candidate with a hint has its own line.
  func list(columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for candidate in candidates {
      let text = String(decoding: VisibleText.of(candidate.text), as: UTF8.self)
      if !candidate.hint.isEmpty {
        lines.append("\(text)  \(VisibleText.of(candidate.hint))")
      } else if !line.isEmpty && line.count + text.count + 2 > columns {
        lines.append(line)
        line = text
      } else {
        line += line.isEmpty ? text : "  " + text
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}

/// The words of a text with a given beginning, for the completion of a word while text is typed.
struct WordSearch: Sendable {
  private let entered: [UInt8]
  private let text: PieceTable
  private let line: LineNumber

  /// The maximum number of lines that a search visits.
  private static let mostLines = 20_000
  /// The maximum number of words that a search finds.
  private static let mostWords = 100

  /// The search begins near `line`; `entered` are lines entered behind it.
  init(in text: PieceTable, near line: LineNumber, after entered: [UInt8] = []) {
    (self.text, self.line, self.entered) = (text, line, entered)
  }

  /// The longer words with a given beginning: entered words, the last one first, then words of the
  /// lines above, then of the lines below.
  func words(beginningWith start: [UInt8]) -> [[UInt8]] {
    var found: [[UInt8]] = []
    func add(_ bytes: some BidirectionalCollection<UInt8>) {
      for word in bytes.split(whereSeparator: { !Self.isOfWord($0) }).reversed()
      where word.count > start.count && word.starts(with: start) && !found.contains(Array(word)) {
        found.append(Array(word))
      }
    }
    add(entered)
    let last = text.lineCount
    let above = stride(from: min(line.value, last), to: 0, by: -1).prefix(Self.mostLines)
    let below = stride(from: line.value + 1, through: last, by: 1).prefix(Self.mostLines)
    for number in Array(above) + Array(below) where found.count < Self.mostWords {
      add(text.line(LineNumber(number)))
    }
    return found
  }

  /// Whether a byte is part of a word: a letter, a digit, `_`, or a byte beyond ASCII.
  static func isOfWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || isalnum(Int32(byte)) != 0 && byte < 0x80
  }
}
