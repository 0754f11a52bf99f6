/// The name of a file in the header of a difference.
struct HeaderName {
  var name: FileDifference.Name
  /// Whether the time behind it is the one by which `diff -N` says that there is no file.
  var isMissing = false

  /// Reads a name, up to a tab if there is one.
  init(_ text: ArraySlice<UInt8>) {
    let parts = text.split(separator: .tab, maxSplits: 1, omittingEmptySubsequences: false)
    var written = parts.first ?? []
    // In quotes, and before a tab, blanks belong to the name.
    while parts.count == 1 && written.last == .space { written.removeLast() }
    let path = Self.unquoted(written)
    name = path.isEmpty ? .unknown : path.elementsEqual("/dev/null".utf8) ? .none : .path(path)
    if parts.count > 1 {
      let time = String(decoding: parts[1], as: UTF8.self)
      // Midnight of 1970 in the zone of the patch's author.
      isMissing =
        (time.hasPrefix("1970-01-01 ") || time.hasPrefix("1969-12-31 "))
        && time.contains(":00:00.000000000 ")
    }
  }

  /// Removes the folders `a` and `b` of two names that have them; git has other letters, too.
  static func strip(
    _ old: inout FileDifference.Name, _ new: inout FileDifference.Name, isGit: Bool
  ) {
    let letters = isGit ? Array("abciow".utf8) : []
    func isStripped(_ name: FileDifference.Name, _ letter: UInt8) -> Bool {
      guard let path = name.path else { return name == .none }
      guard path.count > 2, path[1] == .slash else { return false }
      return path[0] == letter || letters.contains(path[0])
    }
    guard isStripped(old, UInt8(ascii: "a")), isStripped(new, UInt8(ascii: "b")) else { return }
    if let path = old.path { old = .path(Array(path.dropFirst(2))) }
    if let path = new.path { new = .path(Array(path.dropFirst(2))) }
  }

  /// The two names behind `diff --git`, which is clear only if they are quoted, or of the same length.
  static func pair(_ text: ArraySlice<UInt8>) -> (old: [UInt8], new: [UInt8])? {
    if text.first == quote {
      guard
        let end = text.dropFirst().indices.first(where: {
          text[$0] == quote && text[..<$0].reversed().prefix { $0 == .backslash }.count % 2 == 0
        }), end + 2 < text.endIndex
      else { return nil }
      return (unquoted(text[...end]), unquoted(text[(end + 2)...]))
    }
    let middle = text.startIndex + text.count / 2
    guard text.count % 2 == 1, text[middle] == .space else { return nil }
    return (Array(text[..<middle]), Array(text[(middle + 1)...]))
  }

  private static let quote = UInt8(ascii: "\"")

  /// A name as it is, without the quotes and escapes that it may have in the patch.
  static func unquoted(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.first == quote, text.count > 1, text.last == quote else { return Array(text) }
    var name: [UInt8] = []
    var rest = text.dropFirst().dropLast()
    while let byte = rest.popFirst() {
      guard byte == .backslash, let next = rest.popFirst() else {
        name.append(byte)
        continue
      }
      if let index = Array("abtnvfr".utf8).firstIndex(of: next) {
        name.append(UInt8(7 + index))
      } else if (.zero..<UInt8(ascii: "8")).contains(next) {
        let digits = [next] + rest.prefix(2)
        rest = rest.dropFirst(2)
        name.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 << 3 | Int($1 & 7) }))
      } else {
        name.append(next)
      }
    }
    return name
  }
}
