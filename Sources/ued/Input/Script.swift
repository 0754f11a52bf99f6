import Glibc
import TextBuffer

/// A whole script, with the origins of its lines.
struct Script: Sendable {
  /// A stretch of lines with one origin.
  private struct Part: Sendable {
    let name: [UInt8]
    let lineCount: Int
  }

  private(set) var bytes: [UInt8] = []
  private var parts: [Part] = []
  private var lineCount = 0
  /// The numbers of the lines that are empty arguments of `-e`: lines of text, not commands.
  private var emptyExpressions: Set<Int> = []

  var lines: ScriptLines {
    ScriptLines(bytes, kind: .regularFile, textLines: emptyExpressions)
  }

  /// Reads the script of `-e` and `-f` or, without them, standard input.
  ///
  /// - Throws: The reason why a file can't be read, or is not a script.
  init(_ written: [ScriptPart]) throws(FileError) {
    var expressionCount = 0
    for part in written {
      switch part {
      case .expression(let lines):
        expressionCount += 1
        if lines.isEmpty { emptyExpressions.insert(lineCount + 1) }
        add(lines.isEmpty ? [.newline] : lines, from: Array("-e \(expressionCount)".utf8))
      case .file([UInt8(ascii: "-")]):
        add(try Self.checked(Self.readInput(), of: Self.standardInput), from: Self.standardInput)
      case .file(let name):
        let loaded = try DiskFiles().read(name, strippingCR: false)
        add(try Self.checked(loaded, of: name), from: name)
      }
    }
    if written.isEmpty {
      let loaded = Self.readInput()
      if let failure = loaded.failure { throw failure }
      add(loaded.text.bytes, from: Self.standardInput)
    }
  }

  private static let standardInput = Array("stdin".utf8)

  /// Reads standard input from its current position: another program may have read a part.
  private static func readInput() -> LoadedText {
    DiskFiles().load(from: STDIN_FILENO, sizeHint: 0, path: standardInput, strippingCR: false)
  }

  /// The lines of a script that has a name.
  private static func checked(
    _ loaded: LoadedText, of name: [UInt8]
  ) throws(FileError) -> [UInt8] {
    if let failure = loaded.failure { throw failure }
    let bytes = loaded.text.bytes
    // The first line of a script is a command; a NUL in it means a program or an archive.
    if bytes.prefix(while: { $0 != .newline }).contains(0) {
      throw FileError(attempt: .readInput, path: name, code: ENOEXEC)
    }
    return bytes
  }

  private mutating func add(_ lines: [UInt8], from name: [UInt8]) {
    bytes += lines
    // A last line without a newline counts, unlike in ed.
    if let last = lines.last, last != .newline { bytes.append(.newline) }
    let count =
      lines.isEmpty ? 0 : lines.count { $0 == .newline } + (lines.last == .newline ? 0 : 1)
    parts.append(Part(name: name, lineCount: count))
    lineCount += count
  }

  /// The origin, as `NAME:LINE`, of line `number` of all parts together; at most the last line.
  func place(ofLine number: Int) -> [UInt8] {
    var rest = number
    for part in parts {
      if rest <= part.lineCount { return part.name + Array(":\(max(rest, 1))".utf8) }
      rest -= part.lineCount
    }
    guard let last = parts.last else { return [] }
    return last.name + Array(":\(max(last.lineCount, 1))".utf8)
  }
}

/// The lines of a script in memory.
struct ScriptLines: LineSource, Sendable {
  private let bytes: [UInt8]
  /// The numbers of text lines, which are not commands.
  private let textLines: Set<Int>
  private var position = 0
  private(set) var lineNumber = 0
  let kind: InputKind
  let hasLineAhead = true
  let isQuiet = false
  let showsPrompt = false

  /// An unterminated last line is dropped. An error ends a `.regularFile` script. The lines in
  /// `textLines` are skipped while reading a command.
  init(_ bytes: [UInt8], kind: InputKind = .other, textLines: Set<Int> = []) {
    self.bytes = bytes
    self.textLines = textLines
    self.kind = kind
  }

  mutating func next(into line: inout [UInt8], for request: LineRequest) -> LineStatus {
    line.removeAll(keepingCapacity: true)
    while request.kind == .command && !textLines.isEmpty && textLines.contains(lineNumber + 1) {
      position = (bytes[position...].firstIndex(of: .newline) ?? bytes.endIndex - 1) + 1
      lineNumber += 1
    }
    guard let newline = bytes[position...].firstIndex(of: .newline) else {
      position = bytes.endIndex
      return .end
    }
    line.append(contentsOf: bytes[position..<newline])
    position = newline + 1
    lineNumber += 1
    return .line
  }

  mutating func surrenderUnread() {}
}
