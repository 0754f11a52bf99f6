/// A line with one of its matches marked, as `s` with the flag `c` shows it.
enum MatchMarking {
  /// The line, and one with a `^` below each column of the match; an empty match has one.
  ///
  /// - Parameters:
  ///   - match: Where the match is, in bytes.
  ///   - line: The line, without its newline.
  ///   - prefix: What is put before it.
  /// - Returns: Two lines.
  static func lines(
    _ match: Range<Int>, of line: [UInt8], after prefix: String = ""
  ) -> [[UInt8]] {
    let line = Array(prefix.utf8) + line
    let match = match.lowerBound + prefix.utf8.count..<match.upperBound + prefix.utf8.count
    func columns(upTo end: Int) -> Int {
      DisplayWidth.columns(of: String(decoding: line[..<end], as: UTF8.self))
    }
    let start = columns(upTo: match.lowerBound)
    let count = max(1, columns(upTo: match.upperBound) - start)
    return [
      line,
      Array(repeating: .space, count: start) + Array(repeating: UInt8(ascii: "^"), count: count),
    ]
  }

  /// The part of a line around its match that fits a row: what is cut off is a `…`, and a tab in it a blank.
  ///
  /// - Parameters:
  ///   - parts: What is before the match, the match, and what is behind it.
  ///   - columns: The width of a row; nil for any.
  /// - Returns: The same three parts.
  static func excerpt(_ parts: [String], columns: Int?) -> [String] {
    guard let columns = columns.map({ max($0, 9) }),
      DisplayWidth.columns(of: parts.joined()) > columns
    else { return parts }
    let parts = parts.map { $0.replacing("\t", with: " ") }
    let reversed = DisplayWidth.cut(
      String(String.UnicodeScalarView(parts[0].unicodeScalars.reversed())), to: columns / 3)
    let before = String(String.UnicodeScalarView(reversed.unicodeScalars.reversed()))
    let match = DisplayWidth.cut(parts[1], to: columns / 3)
    let rest = columns - DisplayWidth.columns(of: before) - DisplayWidth.columns(of: match)
    return [before, match, DisplayWidth.cut(parts[2], to: rest)]
  }
}
