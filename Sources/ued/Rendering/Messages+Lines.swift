import TextBuffer

/// Errors of commands that expect certain lines.
extension Messages {
  /// The message for an error of `replace`, `expect`, or an address like `12@7`.
  static func lines(_ error: EditorError) -> String {
    switch error {
    case .blockFound(let lines, let count, 1):
      "found \(count) times (\(list(lines, of: count))); add lines to OLD, address one place, "
        + "or write 'replace \(count)' or 'replace all'"
    case .blockFound(let lines, let count, let expected):
      "found \(times(count)) (\(list(lines, of: count))), not \(times(expected))"
    case .blockIsEmpty: "the old lines are missing; 'a' and 'i' insert lines"
    case .blockNotFound(nil): "not found, nor lines like these"
    case .blockNotFound(let nearest?):
      "not found; most like it: \(GroupNames.text(nearest.lines)); \(text(nearest.mismatch))"
    case .lineIsGone(let line, let revision, let loss):
      "line \(line.value) of revision \(revision) is gone: \(text(loss))"
    case .noSuchLineOf(let revision, let line, let last):
      "no line \(line.value): the last line of revision \(revision) is \(last.value)"
    case .unexpectedLines(let mismatch): "not as expected: \(text(mismatch))"
    case .unexpectedMatches(let count, let expected):
      "\(count) \(count == 1 ? "line matches" : "lines match"), not \(expected)"
    default: ""
    }
  }

  /// The groups that keep another one from being taken back or picked, and what to do first.
  static func text(_ blocking: [BlockingGroup]) -> String {
    let groups = blocking.map { blocking in
      let group = "\(blocking.group.id) (\(blocking.group.title))"
      if !blocking.isHere { return "it was made on \(group), which is not here" }
      return "\(group) changed \(blocking.lines.map(place).joined(separator: ", "))"
    }
    let (here, elsewhere) = (blocking.filter(\.isHere), blocking.filter { !$0.isHere })
    let advice =
      elsewhere.isEmpty
      ? "revert \(here.count > 1 ? "them" : "it") first"
      : "try 'pick \(elsewhere.map(\.group.id).min() ?? 0)' first"
    return "\(groups.joined(separator: "; ")); \(advice)"
  }

  /// Some lines, or the gap below one.
  private static func place(_ lines: LineRange) -> String {
    if lines.count > 0 { return GroupNames.text(lines) }
    return lines.last == .zero ? "the top" : "what is below line \(lines.last.value)"
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  private static func list(_ lines: [LineNumber], of count: Int) -> String {
    let numbers = lines.map { String($0.value) }.joined(separator: ", ")
    return "line\(count == 1 ? "" : "s") \(numbers)\(count > lines.count ? ", …" : "")"
  }

  private static func text(_ loss: LineLoss) -> String {
    switch loss {
    case .removed(let group): "\(group.id) (\(group.title)) removed it"
    case .removedInOpenGroup: "the open group removed it"
    case .undone(let group):
      "\(group.id) (\(group.title)), which made it, is not part of this text"
    }
  }

  /// The first difference between lines of the text and those that were given.
  private static func text(_ mismatch: LineMismatch) -> String {
    let line = "line \(mismatch.line.value)"
    let found = mismatch.found.map { "'\(GroupNames.exact($0))'" } ?? ""
    let expected = mismatch.expected.map { "'\(GroupNames.exact($0))'" } ?? ""
    func differs(in what: String) -> String {
      "\(line) differs in \(what): \(found), not \(expected)"
    }
    return switch mismatch.kind {
    case .leadingBlanks: differs(in: "leading blanks")
    case .trailingBlanks: differs(in: "trailing blanks")
    case .blanks: differs(in: "blanks")
    case .tabs: differs(in: "tabs")
    case .quotes: differs(in: "typographic quotes, dashes or blanks")
    case .carriageReturn:
      "\(line) \(mismatch.found?.last == .carriageReturn ? "ends" : "does not end") "
        + "with a carriage return"
    case .characters(let surplus, ""): "\(line) has a surplus \(codes(surplus)): \(found)"
    case .characters("", let missing): "\(line) lacks \(codes(missing)): \(found)"
    case .characters(let one, let other):
      "\(line) has \(codes(one)), not \(codes(other)): \(found)"
    case .word(let found, let expected):
      "\(line) has '\(GroupNames.exact(found))', not '\(GroupNames.exact(expected))'"
    case .text: "\(line) is \(found), not \(expected)"
    case .missing: "\(expected) is missing before \(line)"
    case .surplus: "\(line) is surplus: \(found)"
    }
  }

  /// The first code points of a text, such as `U+00E9`.
  private static func codes(_ text: String) -> String {
    let most = 4
    let codes = text.unicodeScalars.prefix(most).map {
      let digits = String($0.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
    return (codes + (text.unicodeScalars.count > most ? ["…"] : [])).joined(separator: " ")
  }
}
