import TextBuffer

/// What may help a program to do better after an error.
struct ErrorHint: Equatable, Sendable {
  /// The lines of the text that the error is about: where what was asked for is, or those most like it.
  var lines: [LineNumber] = []
  /// The first difference between the text and what was asked for.
  var difference: LineMismatch?
  /// The revisions that the error is about.
  var revisions: [Int] = []
}

extension EditorError {
  /// What may help; nil if there is nothing.
  var hint: ErrorHint? {
    switch self {
    case .ambiguousRevision(_, let ids): ErrorHint(revisions: ids)
    case .groupsInTheWay(let groups):
      ErrorHint(
        lines: groups.flatMap { $0.lines.map { max($0.last, LineNumber(1)) } },
        revisions: groups.map(\.group.id))
    case .mergeConflicts(let conflicts, with: _):
      ErrorHint(
        lines: conflicts.map(\.lines.first),
        revisions: conflicts.flatMap { [$0.ours?.id, $0.theirs?.id].compactMap { $0 } })
    case .notInText(let id): ErrorHint(revisions: [id])
    case .lineIsGone(_, of: _, .removed(by: let group)),
      .lineIsGone(_, of: _, .undone(by: let group)):
      ErrorHint(revisions: [group.id])
    case .blockFound(let lines, count: _, expected: _): ErrorHint(lines: lines)
    case .blockNotFound(let nearest?):
      ErrorHint(
        lines: (nearest.lines.first.value...nearest.lines.last.value).map { LineNumber($0) },
        difference: nearest.mismatch)
    case .patch(.isRejected(let rejection)): rejection.hint
    case .unexpectedLines(let mismatch): ErrorHint(difference: mismatch)
    default: nil
    }
  }
}

extension HunkRejection {
  /// Where the hunk nearly fits, or at which lines it does.
  fileprivate var hint: ErrorHint? {
    switch reason {
    case .isNowhere(let nearest?):
      ErrorHint(
        lines: [nearest.line],
        difference: LineMismatch(
          line: nearest.differing, index: nearest.differing.value - nearest.line.value,
          found: nearest.found, expected: nearest.expected))
    case .isAmbiguous(let first, let second): ErrorHint(lines: [first, second])
    case .isOutOfOrder(let line), .overlaps(let line), .isNotAtEnd(let line):
      ErrorHint(lines: [line])
    case .isNowhere(nil), .endHasNewline, .hasNoPlace, .isTooFar: nil
    }
  }
}
