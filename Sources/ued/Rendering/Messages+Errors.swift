import TextBuffer

/// The text for values in errors.
extension Messages {
  static func text(_ hint: CommandHint, for line: [UInt8]) -> String {
    switch hint {
    case .command(let command):
      "\(GroupNames.shown(line)): no such command; did you mean '\(command)'?"
    case .forced(let command): "\(GroupNames.shown(line)): no such command; try '\(command)'"
    case .letterDelimiter(let letter):
      "the letter '\(GroupNames.shown([letter]))' would be the delimiter; repeat the command to run it"
    case .text(let letter?):
      "'\(GroupNames.shown([letter]))' takes no text; to add text, type 'a' first"
    case .text(nil): "no such command; to add text, type 'a' first"
    case .patch:
      "a patch is no script; 'ued --apply=FILE' takes it, and so does 'apply <<END'"
    case .mapping: "y copies lines; ',!tr abc xyz' maps characters"
    case .quitAfter(let line): "q takes no line; '\(line + 1),$d' deletes all that follow"
    case .separator: "';' ends no command; write the next one on a line of its own"
    case .textInLine(let letter):
      "the text of '\(GroupNames.shown([letter]))' begins on the next line; "
        + "a line of a single dot ends it"
    case .writingFlag:
      "'w' is no flag of s; 'g/RE/.W FILE' appends the lines that match to FILE"
    case .noFlag(let flag):
      "'\(GroupNames.shown([flag]))' is no flag of s; the flags are g, I, F, c, p, l, n and a number"
    }
  }

  static func text(_ reason: MismatchReason) -> String {
    switch reason {
    case .byteOrderMark:
      "no match, but line 1 would match without the byte order mark before it; delete that first"
    case .carriageReturn(let line):
      "no match, but line \(line.value) would match without its carriage return; "
        + "'--strip-trailing-cr' drops that"
    case .otherLine(let line):
      "no match in this line; line \(line.value) matches, and ',s' changes all lines"
    case .otherDialect(let form, let here):
      "no match; '\(form)' is not special here, write '\(here)'"
    case .returnIsLineEnd:
      "no match: the file's lines end with CR LF, and the CR is not part of a line; "
        + "'--strip-trailing-cr' drops it"
    }
  }

  /// Advice for an escape that is only its letter.
  static func lostEscape(_ letter: UInt8, _ verb: String) -> String {
    let name = GroupNames.shown([letter])
    let advice =
      switch letter {
      case UInt8(ascii: "n"): "end the line with a backslash to split a line"
      case UInt8(ascii: "t"): "type the tab itself"
      case UInt8(ascii: "r"): "type the carriage return itself"
      default: "s has no case conversion"
      }
    return "'\\\(name)' in the replacement \(verb) the letter '\(name)'; \(advice)"
  }

  static func notOverwritten(_ danger: KnownFile.Danger) -> String {
    switch danger {
    case .changedOutside: "changed by another program since it was read; not overwritten"
    case .neverRead: "not readable, so not overwritten"
    case .readInPart: "only read in part, so not overwritten"
    }
  }

  static func danger(of write: RefusedWrite) -> String {
    switch write.reason {
    case .unseen(.changedOutside):
      "the file was changed by another program since it was read; 'diff disk' shows how, "
        + "'merge disk' joins both"
    case .unseen(.neverRead): "the file exists, and was not read"
    case .unseen(.readInPart): "the file was only read in part"
    case .isPart: "the file would have only \(GroupNames.text(write.lines)) of the text"
    case .hasConflicts(let line): "the file would have the conflict that line \(line.value) begins"
    }
  }
}

// MARK: - Lines

extension Messages {
  /// What is wrong with the operands of `ensure`, and the right form.
  static func text(_ fault: EnsureFault) -> String {
    let form = "'ensure /RE/ LINE'"
    switch fault {
    case .badPattern, .noPattern:
      return "ensure takes a pattern and a line: \(form); see 'help ensure'"
    case .noBlank(let pattern):
      return "a blank and the line have to follow '\(GroupNames.shown(pattern))': \(form)"
    case .noLine(isBlock: false):
      return "the line is missing: \(form), or '<<END' and the line below"
    case .noLine(isBlock: true): return "the block is missing: 'ensure /RE/,/RE/ <<END'"
    case .noSecondPattern:
      return "a pattern for the last line has to follow the comma: 'ensure /RE/,/RE/ <<END'"
    case .noSection:
      return "'in' takes two patterns: 'in /RE/,/RE/', or 'in ,/RE/' from the first line"
    case .openPattern(let pattern, let delimiter):
      let delimiter = GroupNames.shown([delimiter])
      return "'\(GroupNames.shown(pattern))' has no second '\(delimiter)': \(form)"
    case .otherDelimiter(let word, let delimiter):
      return
        "'\(word)' takes a pattern between '\(GroupNames.shown([delimiter]))', as the first one; "
        + "'<<END' takes a line that begins so"
    case .surplusClause(let word):
      return "'\(word)' is one clause too many: 'after' or 'before' once, and 'in' once; "
        + "'<<END' takes a line that begins so"
    }
  }
}

/// Errors of commands that expect certain lines.
extension Messages {
  /// A line with its hash.
  static func state(of line: LineNumber, _ text: [UInt8]?) -> String {
    guard let text else { return "no line \(line.value)" }
    return "line \(line.value) is '\(GroupNames.exact(text))' (\(LineHash.text(LineHash.of(text))))"
  }

  static func place(
    of hash: Int, _ others: [LineNumber], _ past: PastPlace?
  ) -> String {
    let name = LineHash.text(hash)
    if let past { return "\(name) is gone; \(text(past))" }
    if others.isEmpty { return "no line is \(name) now; 'anchors' shows them anew" }
    return "\(name) is \(others.count == 1 ? "line" : "lines") "
      + others.map { String($0.value) }.joined(separator: ", ") + " now"
  }

  /// The lines most similar to a missing block.
  static func text(_ nearest: NearestLines) -> String {
    "; most like it: \(GroupNames.text(nearest.lines)); \(text(nearest.mismatch))"
  }

  /// The old place of a block, and the present state of its lines.
  static func text(_ past: PastPlace) -> String {
    let run = past.runName.map { ", run \($0)" } ?? ""
    let now =
      past.now.count == 0
      ? "no line is left of it"
      : past.differing.map {
        "line \($0.value) is now '\(GroupNames.exact(past.text ?? []))'"
      } ?? "some of its lines are gone"
    return "it was \(GroupNames.text(past.lines)) of revision \(past.revision); group "
      + "\(past.group.id) (\(past.group.title)\(run)) changed it; \(now)"
  }

  static func name(of matching: BlockReplacement.Matching) -> String {
    switch matching {
    case .lines: "replace"
    case .loose: "replace loose"
    case .text: "replace text"
    }
  }

  /// The place of a block now or earlier, or the form of `replace` that would find it.
  static func text(_ advice: BlockAdvice) -> String {
    switch advice {
    case .looseMatch(let lines): "; 'replace loose' would match \(GroupNames.text(lines))"
    case .textMatch(let line, let text):
      "; 'replace text' would match in line \(line.value): '\(GroupNames.exact(text))'"
    case .escapedNewlines: "; OLD has '\\n' where lines end: write the lines as they are"
    case .standsAt(let lines): "; the expected text is \(GroupNames.text(lines)) now"
    case .stoodThere(let past): "; \(text(past))"
    case .alreadySo, .copiedMarks, .copiedNumbers: ""
    }
  }

  /// The differences that `replace loose` ignored.
  static func text(_ overlooked: OverlookedDifferences) -> [UInt8] {
    let parts = [
      (overlooked.indentationCount, "indentation differs"),
      (overlooked.trailingCount, "blanks at the end differ"),
      (overlooked.typographicCount, "quotes, dashes or blanks differ"),
    ].filter { $0.0 > 0 }.map { "\($0.1) on \($0.0) \($0.0 == 1 ? "line" : "lines")" }
    return bytes("matched \(GroupNames.text(overlooked.lines)); \(parts.joined(separator: ", "))")
  }

  /// The groups that block reverting or picking another group, and the first step to take.
  static func text(_ blocking: [BlockingGroup]) -> String {
    let groups = blocking.map { blocking in
      let group = "\(blocking.group.id) (\(blocking.group.title))"
      if !blocking.isHere { return "it was made on \(group), which is not here" }
      if blocking.lines.isEmpty { return "\(group) was made with other line ends" }
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
  static func place(_ lines: LineRange) -> String {
    if lines.count > 0 { return GroupNames.text(lines) }
    return lines.last == .zero ? "the top" : "what is below line \(lines.last.value)"
  }

  static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  /// The places of a text, and the first of their lines.
  static func found(_ lines: [LineNumber], _ count: Int) -> String {
    if count > 1, count == lines.count, let line = lines.first, lines.last == line {
      return "found \(count == 2 ? "twice" : times(count)) in line \(line.value)"
    }
    let numbers = lines.map { String($0.value) }.joined(separator: ", ")
    return "found \(times(count)) (line\(count == 1 ? "" : "s") \(numbers)"
      + (count > lines.count ? ", …)" : ")")
  }

  static func text(_ loss: LineLoss) -> String {
    switch loss {
    case .removed(let group): "\(group.id) (\(group.title)) removed it"
    case .removedInOpenGroup: "the open group removed it"
    case .undone(let group):
      "\(group.id) (\(group.title)), which made it, is not part of this text"
    }
  }

  /// The first difference between lines of the text and the expected lines.
  static func text(_ mismatch: LineMismatch) -> String {
    let line = "line \(mismatch.line.value)"
    let start = mismatch.excerptStart
    func shown(_ line: [UInt8]?) -> String {
      line.map { "'\(start > 0 ? "…" : "")\(GroupNames.exact(Array($0.dropFirst(start))))'" } ?? ""
    }
    let (found, expected) = (shown(mismatch.found), shown(mismatch.expected))
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

// MARK: - Merging

/// Messages about `merge` and `pick`.
extension Messages {
  /// The maximum number of conflicts listed one by one.
  private static let shownConflictCount = 5

  /// The conflicting lines of two texts, and the groups that changed them.
  static func text(_ conflicts: [MergeConflict], with name: [UInt8]) -> String {
    let shown = conflicts.prefix(shownConflictCount).map { text($0) }
    let rest = conflicts.count - shown.count
    let count = conflicts.count == 1 ? "1 conflict" : "\(conflicts.count) conflicts"
    let more = rest > 0 ? "; and \(rest) more" : ""
    return "\(count): \(shown.joined(separator: "; "))\(more). "
      + "'merge! \(GroupNames.shown(name))' marks them in the text"
  }

  private static func text(_ conflict: MergeConflict) -> String {
    let place =
      conflict.lines.count == 0
      ? "after line \(conflict.lines.last.value)" : GroupNames.text(conflict.lines)
    let groups = [
      conflict.ours.map { "here \($0.id) (\($0.title))" },
      conflict.theirs.map { "there \($0.id) (\($0.title))" },
    ].compactMap { $0 }
    return groups.isEmpty ? place : "\(place), \(groups.joined(separator: ", "))"
  }

  /// The conflicts that a merge has marked, for a program, which does not see the lines.
  static func marked(_ conflicts: [LineRange], merging name: String?) -> [UInt8] {
    let lines = conflicts.prefix(shownConflictCount).map {
      "\($0.first.value)-\($0.last.value)"
    }
    let more = conflicts.count > lines.count ? ", …" : ""
    return text(merged: name, conflicts.count)
      + bytes(", in lines \(lines.joined(separator: ", "))\(more)")
  }

  static func text(merged name: String?, _ conflictCount: Int) -> [UInt8] {
    guard let name else { return bytes("nothing new to merge") }
    switch conflictCount {
    case 0: return bytes("merged: \(name)")
    case 1: return bytes("merged: \(name), with 1 conflict, marked '<<<<<<<' to '>>>>>>>'")
    default:
      return bytes(
        "merged: \(name), with \(conflictCount) conflicts, marked '<<<<<<<' to '>>>>>>>'")
    }
  }
}

// MARK: - Patches

/// Messages about patches.
extension Messages {
  static func name(of rejection: HunkRejection) -> String {
    "hunk \(rejection.hunk) (line \(rejection.patchLine) of the patch)"
  }

  /// Places of a text, of which the first three are shown.
  static func text(_ places: [LineRange]) -> String {
    let shown = places.prefix(3).map { GroupNames.text($0) }.joined(separator: ", ")
    return places.count > 3 ? "\(shown), … \(places.count - 3) more" : shown
  }

  /// The hunk that does not fit, and the place where it nearly fits.
  static func text(_ rejection: HunkRejection) -> String {
    let hunk = name(of: rejection)
    switch rejection.reason {
    case .isNowhere(nil): return "\(hunk) does not fit: none of its lines is there"
    case .isNowhere(let near?):
      return "\(hunk) does not fit; nearest is line \(near.lines.first.value), but "
        + text(near.mismatch)
    case .isAmbiguous(let one, let other, let isNumbered):
      return "\(hunk) fits at line \(one.value) and at line \(other.value); add context lines"
        + (isNumbered ? ", or correct the line in its '@@'" : "")
    case .hasNoAnchor(let line):
      return "\(hunk) is to be behind '\(GroupNames.exact(line))', which is not there"
    case .isNotBehindAnchor(let line, let anchor, let isBelow):
      return "\(hunk) fits at line \(line.value), but not "
        + (isBelow ? "in the lines indented below" : "below")
        + " '\(GroupNames.exact(anchor))'; correct its '@@'"
    case .isThere(let lines):
      return "\(hunk): already so: \(GroupNames.text(lines)); add context lines to do it again"
    case .hasNoPlace: return "\(hunk) adds lines, and does not say where; add context lines"
    case .isOutOfOrder(let line):
      return "\(hunk) fits at line \(line.value), which is not behind the hunk before it; sort them"
    case .overlaps(let line):
      return "\(hunk) fits at line \(line.value), which the hunk before it has, too; join them"
    case .endHasNewline:
      return "\(hunk) does not fit: its lines are there, but the last one has a newline, "
        + "and none in the patch"
    case .isNotAtEnd(let line, let isMarked):
      return "\(hunk) fits at line \(line.value), but the text does not end there, as the "
        + "'\(isMarked ? "*** End of File" : "\\")' in the patch says"
    case .takesTooLong:
      return "\(hunk): the search for it takes too long; add rarer context lines, "
        + "or correct the line in its '@@'"
    }
  }
}
