import CLinux

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
    let start = columns(of: line[..<match.lowerBound])
    let count = max(1, columns(of: line[..<match.upperBound]) - start)
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
      Self.columns(of: Array(parts.joined().utf8)[...]) > columns
    else { return parts }
    let parts = parts.map { $0.replacing("\t", with: " ") }
    let reversed = DisplayWidth.cut(
      String(String.UnicodeScalarView(parts[0].unicodeScalars.reversed())), to: columns / 3)
    let before = String(String.UnicodeScalarView(reversed.unicodeScalars.reversed()))
    let match = DisplayWidth.cut(parts[1], to: columns / 3)
    let rest =
      columns - Self.columns(of: Array(before.utf8)[...]) - Self.columns(of: Array(match.utf8)[...])
    return [before, match, DisplayWidth.cut(parts[2], to: rest)]
  }

  /// How many columns bytes take on a terminal, with tab stops every eight columns.
  private static func columns(of bytes: ArraySlice<UInt8>) -> Int {
    var columns = 0
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      columns += scalar == "\t" ? 8 - columns % 8 : max(0, Int(wcwidth(wchar_t(scalar.value))))
    }
    return columns
  }
}
