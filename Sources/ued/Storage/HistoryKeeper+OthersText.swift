import TextBuffer

/// Keeping what somebody else has written to the file.
extension HistoryKeeper {
  /// Makes a text that is about to be written over a revision, on a branch beside what was saved last,
  /// unless some revision is known to have it.
  ///
  /// It is stored with the groups before the save, or at once while a step is open, which defers them.
  ///
  /// - Parameters:
  ///   - other: The text as it was read from the file.
  ///   - text: The text to which the history belongs; it stays the same, and so does what undo and redo
  ///     do.
  ///   - fileName: The file name.
  /// - Returns: The revision that has it.
  mutating func keepOthersText(
    _ other: LoadedText, in text: inout EditedText, of fileName: [UInt8]
  ) -> Int? {
    // As when it is read into the text.
    let new = other.text.withLastNewline
    let lacksNewline = new.byteCount > other.text.byteCount
    let hash = ContentHash(of: new)
    if let known = hashes.first(where: { $1 == hash && text.isRevision($0) })?.key
      ?? reader?.revision(with: hash)
    {
      return known
    }
    guard let id = text.addBranch(to: new, isUnterminated: lacksNewline && other.hasNUL) else {
      return text.history.saved
    }
    hashes[id] = hash
    if text.isInStep { record(&text, of: fileName, inStep: true) }
    return id
  }
}

extension EditedText {
  /// Adds a text that somebody else has made of the last saved revision, as a branch of that.
  ///
  /// - Parameters:
  ///   - other: The text.
  ///   - isUnterminated: Whether its last newline is not in the file.
  /// - Returns: The new revision; nil when the text is that of the saved one.
  fileprivate mutating func addBranch(to other: PieceTable, isUnterminated: Bool) -> Int? {
    var base = history.saved ?? history.revisions.last { $0.wasSaved && !$0.isDropped }?.id ?? 0
    var new = document.committedBuffer
    document.move(&new, from: history.current, to: base)
    var context = document.contextAfter(base)
    var other = other
    if context.usesCRLF, other.usesCRLF {
      other = other.withoutCRLF ?? other
    } else if context.usesCRLF, !new.isEmpty {
      let shown = new.withCRLF
      let all = LineRange(LineNumber(1), LineNumber(new.newlineCount))
      let change = new.replaceLines(all, with: shown)
      context = EditorContext(
        line: context.line, marks: context.marks, usesCRLF: false,
        label: GroupLabel(.carriageReturnsShown))
      base =
        document.addBranch([change], from: base, date: SystemClock.now, context: context) ?? base
    }
    var marks = context.marks
    let changes = LineDifference.affordableHunks(from: new, to: other).reversed().map { hunk in
      let old = new
      let change = new.replaceLines(hunk.old, with: other.slice(other.byteRange(of: hunk.new)))
      marks.follow(hunk.old, inserting: change.insertedNewlineCount, from: old, to: new)
      return change
    }
    let last = LineNumber(other.newlineCount)
    marks[Marks.unterminatedLine] = isUnterminated ? last : nil
    return document.addBranch(
      changes, from: base, date: SystemClock.now,
      context: EditorContext(
        line: last, marks: marks, usesCRLF: context.usesCRLF, label: GroupLabel(.changedOutside)))
  }
}
