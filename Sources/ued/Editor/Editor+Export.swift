import Glibc
import TextBuffer

/// Taking something out of the history without a move: `peek`, `history patch`, `history git`.
extension Editor {
  /// Runs `peek`: prints lines of a revision, by default all.
  func peek(_ argument: [UInt8]) throws(EditorError) {
    let (name, range) = Self.splitRange(argument)
    let id = try revision(name, for: .peek)
    let text = try text.text(of: id)
    let last = LineNumber(text.newlineCount)
    var lines = LineRange(LineNumber(1), last)
    if let range {
      lines = LineRange(range.first ?? last, range.last ?? last)
      for line in [lines.first, lines.last] where !(.zero < line && line <= last) {
        throw .noSuchLineOf(id, line, last: last)
      }
      guard lines.first <= lines.last else { throw .rangeIsBackwards(lines) }
    }
    if lines.count > 0 { console.say(.lines(lines, of: text, as: .plain)) }
    if Interrupts.isInterrupted { throw .interrupted }
  }

  /// Splits the argument of `peek`. Its last word is a range if it looks like one and is not alone.
  ///
  /// - Returns: What is before the range, and its lines, nil for the last one; no range if there is none.
  private static func splitRange(
    _ argument: [UInt8]
  ) -> (name: [UInt8], range: (first: LineNumber?, last: LineNumber?)?) {
    let end = argument.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? 0
    let argument = argument[..<end]
    guard let blank = argument.lastIndex(where: \.isSpace) else { return (Array(argument), nil) }
    let range = argument[(blank + 1)...].split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let isRange =
      range.count < 3
      && range.allSatisfy { part in
        part.elementsEqual("$".utf8) || !part.isEmpty && part.allSatisfy(\.isDigit)
      }
    guard isRange, let first = range.first, let last = range.last else {
      return (Array(argument), nil)
    }
    let name = argument[..<blank].reversed().drop { $0.isSpace }.reversed()
    return (Array(name), (line(first), line(last)))
  }

  /// A line number, however large; nil for `$`.
  private static func line(_ digits: ArraySlice<UInt8>) -> LineNumber? {
    digits.first == UInt8(ascii: "$")
      ? nil : LineNumber(Int(String(decoding: digits, as: UTF8.self)) ?? .max)
  }

  /// Prints the history in a format of other programs.
  func export(as form: HistoryExport.Form) throws(EditorError) {
    if form == .patches { try askToCompare(text.lastLine.value) }
    let status = file.name.isEmpty ? nil : OpenFile.status(of: file.name)
    console.say(
      .exported(
        HistoryExport(
          form: form, text: text, fileName: file.name,
          isExecutable: (status?.st_mode ?? 0) & S_IXUSR != 0)))
    if Interrupts.isInterrupted { throw .interrupted }
  }
}
