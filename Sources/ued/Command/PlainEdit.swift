import TextBuffer

/// A command of a script that `diff -e` could have written, with its text: `a`, `c` or `d` after
/// numbers, and nothing else.
struct PlainEdit {
  enum Kind: Equatable { case append, change, delete }

  var kind: Kind
  /// The lines that it replaces; for `a`, an empty range after the addressed line.
  var lines: LineRange
  /// The range of its text in the script: whole lines.
  var text: Range<Int>
  /// The number of lines of the text.
  var textLineCount: Int
  /// The end of the edit in the script, after the period and its newline.
  var end: Int

  /// The edit that begins at an offset of a script; nil if something else begins there, or the
  /// known part of the script ends before the edit.
  init?(in script: RawSpan, at start: Int) {
    var next = start
    guard let first = Self.number(in: script, at: &next) else { return nil }
    var last = first
    let hasTwo = next < script.byteCount && script[next] == UInt8(ascii: ",")
    if hasTwo {
      next += 1
      guard let number = Self.number(in: script, at: &next) else { return nil }
      last = number
    }
    guard next + 1 < script.byteCount, script[next + 1] == .newline else { return nil }
    switch script[next] {
    case UInt8(ascii: "a") where !hasTwo: (kind, lines) = (.append, LineRange(last + 1, last))
    case UInt8(ascii: "c"): (kind, lines) = (.change, LineRange(first, last))
    case UInt8(ascii: "d"): (kind, lines) = (.delete, LineRange(first, last))
    default: return nil
    }
    next += 2
    (text, textLineCount, end) = (next..<next, 0, next)
    if kind == .delete { return }
    while let newline = script.firstOffset(of: .newline, in: next..<script.byteCount) {
      if newline == next + 1 && script[next] == .dot {
        text = text.lowerBound..<next
        end = newline + 1
        return
      }
      textLineCount += 1
      next = newline + 1
    }
    return nil
  }

  /// The number of lines that it adds, less the number that it removes.
  var growth: Int { textLineCount - lines.count }

  /// The last line of its text; without text, the first line that it has removed.
  var lastLine: LineNumber {
    kind == .delete ? lines.first : lines.first + (textLineCount - 1)
  }

  /// The number of its lines in the script.
  var scriptLineCount: Int { kind == .delete ? 1 : textLineCount + 2 }

  /// Whether it is valid in a text with this last line, and has text as `diff -e` writes it.
  func fits(_ lastLine: LineNumber) -> Bool {
    guard lines.last <= lastLine else { return false }
    if kind == .append { return textLineCount > 0 }
    return .zero < lines.first && lines.first <= lines.last
      && (kind == .delete || textLineCount > 0)
  }

  /// A number of at most nine digits.
  private static func number(in script: RawSpan, at next: inout Int) -> LineNumber? {
    let start = next
    var number = 0
    while next < script.byteCount, next < start + 10, script[next].isDigit {
      number = number * 10 + Int(script[next] - UInt8(ascii: "0"))
      next += 1
    }
    return 1...9 ~= next - start ? LineNumber(number) : nil
  }
}
