import TextBuffer

/// Names and descriptions of groups, and names of runs.
enum GroupNames {
  /// Bytes as the name of a run; nil if they are not UTF-8, or have control characters.
  static func run(_ bytes: [UInt8]) -> String? {
    guard let name = String(validating: bytes, as: UTF8.self),
      !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    return name
  }

  /// The description of a manual group still open when its run ended.
  static let openGroup = "Group that was not ended"
  /// The description of a group with changes that other programs made to the file.
  static let changedOutside = "Changed outside ued"

  /// The beginning of the description of a group that undoes the groups of runs.
  static let undoRun = "Undo run "

  /// The description of the first revision if none is stored.
  static let firstText = "First text"

  /// A description with the name that the user has given, as in `v1 - Delete line 3`.
  static func title(name: String?, description: String) -> String {
    name.map { "\($0) - \(description)" } ?? description
  }

  static func description(_ label: GroupLabel) -> String {
    switch label.kind {
    case .blocksReplaced(let lines, let places): "Replace \(count(lines)) in \(places) places"
    case .applied(let patch, let replacements, let count):
      "Apply \(patch.map { shown($0) } ?? "a patch")\(count > 0 ? ": " : "")"
        + replacements.map { replacement(of: $0.lines, by: $0.count).firstLowercased }
        .joined(separator: ", ")
        + (count > replacements.count ? ", … \(count - replacements.count) more" : "")
    case .carriageReturnsStripped: "Strip carriage returns"
    case .changedOutside: changedOutside
    case .recorded: "Record changes made outside ued"
    case .copied(let lines, let target): "Copy \(text(lines)) after line \(target.value)"
    case .edited(let name, let lines): "Edit \(shown(name)) (\(count(lines)))"
    case .ensured(let line): "Ensure \(shown(line))"
    case .filtered(let lines, let command): "Filter \(text(lines)) through \(shown(command))"
    case .global(let pattern, let list, let isInverted, let lines):
      "Global \(isInverted ? "not " : "")/\(shown(pattern))/\(list.isEmpty ? "" : " ")\(shown(list, upTo: longList)) (\(count(lines)))"
    case .linesEdited(let lines): "Edit \(text(lines))"
    case .linesReverted(let lines, let id): "Revert \(text(lines)) to \(id)"
    case .linesUndone(let name, let lines): "Undo \"\(name)\" on \(text(lines))"
    case .joined(let lines): "Join \(text(lines))"
    case .lineEndsChanged(let usesCRLF): "End lines with \(usesCRLF ? "CR LF" : "LF")"
    case .merged(let name, let current): "Merge \(name) into \(current)"
    case .moved(let lines, let target): "Move \(text(lines)) after line \(target.value)"
    case .opened(let name): name.isEmpty ? "Opened nothing" : "Opened \(shown(name))"
    case .picked(let name): "Pick \"\(name)\""
    case .put(let lines, let target): "Put \(count(lines)) after line \(target.value)"
    case .read(let name, let lines): "Read \(shown(name)) (\(count(lines)))"
    case .replaced(let lines, let inserted, let text):
      withFirstWords(of: text, replacement(of: lines, by: inserted))
    case .reverted(let name): "Revert \"\(name)\""
    case .runReverted(let name, _): "\(undoRun)\(name)"
    case .textReplaced(let lines, 1, let new):
      withFirstWords(of: new, "Replace text on \(text(lines))")
    case .textReplaced(let lines, let places, let new):
      withFirstWords(of: new, "Replace text in \(places) places on \(text(lines))")
    case .stored(let description): String(decoding: description, as: UTF8.self)
    case .substituted(let pattern, let replacement, let lines, let last):
      "Substitute /\(shown(pattern))/\(shown(replacement))/ on "
        + (lines == 1 ? text(LineRange(last)) : count(lines))
    }
  }

  /// The description of a group without a label, whose change replaces lines from `first` on.
  static func description(_ change: Change, from first: LineNumber) -> String {
    let lines = LineRange(first, first + (change.removedLineCount - 1))
    return withFirstWords(
      of: start(of: change.inserted), replacement(of: lines, by: change.insertedLineCount))
  }

  /// The bytes of a text that its first words are taken from.
  static func start(of text: PieceTable) -> [UInt8] {
    text.slice(ByteOffset(0)..<ByteOffset(min(startLength, text.byteCount))).bytes
  }

  private static let longestWords = 40
  static let startLength = 16 * longestWords

  /// A description with the first words of the inserted text: those of its first non-blank line, cut
  /// after about 40 characters.
  private static func withFirstWords(of text: [UInt8], _ description: String) -> String {
    let line = text.split(separator: .newline).first { !$0.allSatisfy(\.isSpace) } ?? []
    let words = line.drop(while: \.isSpace)
    let shown = shown(
      words.dropLast(words.reversed().prefix(while: \.isSpace).count), upTo: longestWords)
    return shown.isEmpty ? description : "\(description): \(shown)"
  }

  /// The description of an open group; `steps` is nil if it has none.
  static func open(_ steps: String?) -> String {
    steps.map { "open: \($0.firstLowercased)" } ?? "open, without a change"
  }

  /// The description of a group made by hand, from its first steps and the number of all.
  static func description(ofSteps steps: [String], count: Int) -> String {
    if count == 1, let only = steps.first { return only }
    let rest = count > steps.count ? ", … \(count - steps.count) more" : ""
    return "\(count) changes: \(steps.map(\.firstLowercased).joined(separator: ", "))\(rest)"
  }

  private static func replacement(of lines: LineRange, by inserted: Int) -> String {
    if lines.count == 0 {
      let above = (lines.first - 1).value
      return "Append \(count(inserted)) \(above == 0 ? "at the top" : "after line \(above)")"
    }
    return "\(inserted == 0 ? "Delete" : "Replace") \(text(lines))"
  }

  /// `line 3` or `lines 3-5`.
  static func text(_ lines: LineRange) -> String {
    lines.count == 1
      ? "line \(lines.first.value)" : "lines \(lines.first.value)-\(lines.last.value)"
  }

  /// `1 line` or `12 lines`.
  static func count(_ lines: Int) -> String { lines == 1 ? "1 line" : "\(lines) lines" }

  /// `1 group` or `12 groups`.
  static func groups(_ groups: Int) -> String { groups == 1 ? "1 group" : "\(groups) groups" }

  /// The limit of a shown list of `g`, in characters; high, as it tells the edits.
  private static let longList = 400

  /// Bytes as one line of readable text, cut after `limit` characters.
  static func shown(_ bytes: some Collection<UInt8>, upTo limit: Int = 60) -> String {
    let text = readable(bytes.prefix(4 * limit))
    let start = text.unicodeScalars.prefix(limit)
    return start.endIndex == text.endIndex ? text : String(start) + "…"
  }

  /// The same, but invisible characters appear as numbers: `<a0>` for a no-break space.
  static func exact(_ bytes: [UInt8]) -> String {
    var exact = ""
    for scalar in shown(bytes).unicodeScalars {
      let properties = scalar.properties
      let isBlank = properties.generalCategory == .spaceSeparator && scalar != " "
      if isBlank || properties.isDefaultIgnorableCodePoint
        || properties.isPatternWhitespace && scalar != " "
      {
        exact += "<\(String(scalar.value, radix: 16))>"
      } else {
        exact.unicodeScalars.append(scalar)
      }
    }
    return exact
  }

  static func readable(_ bytes: some Collection<UInt8>) -> String {
    var shown = ""
    for character in String(decoding: VisibleText.of(Array(bytes)), as: UTF8.self).unicodeScalars {
      switch character {
      case "\n": shown += "\\n"
      case "\t": shown += "\\t"
      default: shown.unicodeScalars.append(character)
      }
    }
    return shown
  }
}

extension String {
  fileprivate var firstLowercased: String { prefix(1).lowercased() + dropFirst() }
}

/// The label of a group that does more than append, delete or replace lines. A history can have
/// very many groups, so a label stores the operands and is put into words on demand. An indirect
/// enum would cost every command 0.3 % in copies.
final class GroupLabel: Sendable {
  enum Kind: Sendable {
    case blocksReplaced(lines: Int, places: Int)
    /// The name of the patch, if any; its first replacements of lines, and the number of all.
    case applied(patch: [UInt8]?, replacements: [(lines: LineRange, count: Int)], count: Int)
    case carriageReturnsStripped
    case changedOutside
    /// The group records changes that other programs made to the file.
    case recorded
    case copied(LineRange, after: LineNumber)
    case edited(name: [UInt8], lines: Int)
    /// The first of the lines.
    case ensured([UInt8])
    case filtered(LineRange, command: [UInt8])
    case global(pattern: [UInt8], list: [UInt8], isInverted: Bool, lines: Int)
    case joined(LineRange)
    case lineEndsChanged(usesCRLF: Bool)
    case linesEdited(LineRange)
    case linesReverted(LineRange, to: Int)
    case linesUndone(name: String, LineRange)
    case merged(name: String, into: Int)
    case moved(LineRange, after: LineNumber)
    case opened(name: [UInt8])
    case picked(name: String)
    case put(lines: Int, after: LineNumber)
    case read(name: [UInt8], lines: Int)
    /// `text` is the beginning of the new lines.
    case replaced(LineRange, by: Int, text: [UInt8] = [])
    case reverted(name: String)
    /// The name of the runs, and the identity of each.
    case runReverted(name: String, [String])
    /// Text within the lines, in a number of places; `text` begins the new text.
    case textReplaced(LineRange, places: Int, text: [UInt8])
    case stored(description: ArraySlice<UInt8>)
    /// The last line is numbered as before the substitution.
    case substituted(pattern: [UInt8], replacement: [UInt8], lines: Int, last: LineNumber)
  }

  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  /// The identities of the runs that the group undoes.
  var undoneRuns: [String] {
    if case .runReverted(_, let identities) = kind { identities } else { [] }
  }
}
