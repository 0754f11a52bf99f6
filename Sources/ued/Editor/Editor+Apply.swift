import TextBuffer

/// `apply` and `--apply`: the changes of a unified diff.
extension Editor {
  /// Applies a patch to the text: one that is a file, or follows as a here-document.
  mutating func apply(_ argument: [UInt8]) throws(EditorError) {
    if argument.isEmpty { throw .missingArgument }
    let patch: UnifiedPatch
    var name: [UInt8]?
    if let word = CommandParser.hereWord(argument) {
      patch = try Self.patch(try readText(upTo: .word(word), at: text.currentLine).bytes)
    } else {
      guard case .file(let path) = try place(.name(argument)) else { throw .badArgument(argument) }
      patch = try Self.patch(try patchBytes(path))
      name = path
    }
    guard patch.files.count == 1 else { throw .patch(.hasSeveralFiles(patch.files.count)) }
    let file = patch.files[0]
    if file.isRename || file.isExecutable != nil && file.old != .none {
      throw .patch(.changesMoreThanText)
    }
    try apply(file, named: name)
  }

  private static func patch(_ bytes: [UInt8]) throws(EditorError) -> UnifiedPatch {
    do {
      return try UnifiedPatch(bytes)
    } catch {
      throw .patch(error)
    }
  }

  /// The bytes of a file with a patch.
  private func patchBytes(_ path: [UInt8]) throws(EditorError) -> [UInt8] {
    do throws(FileError) {
      let loaded = try file.disk.read(path, strippingCR: false)
      if let failure = loaded.failure { throw failure }
      return loaded.text.bytes
    } catch {
      throw reported(error)
    }
  }

  /// Applies the hunks of a file as one group; the last changed line becomes the current one.
  ///
  /// - Parameters:
  ///   - difference: The hunks.
  ///   - name: The name of the patch; nil when it has none.
  /// - Throws: Which hunk does not fit; the text is then unchanged.
  mutating func apply(
    _ difference: FileDifference, named name: [UInt8]?
  ) throws(EditorError) {
    if difference.hunks.isEmpty { return }
    let isUnterminated = text.lacksLastNewline
    let placement: HunkPlacement
    do {
      placement = try HunkPlacement(
        of: difference.hunks, in: text.buffer,
        isUnterminated: isUnterminated || options.writesAtEnd ? isUnterminated : nil)
    } catch {
      throw .patch(error)
    }
    try perform { (editor) throws(EditorError) in
      editor.text.label = GroupLabel(.applied(patch: name))
      try editor.text.make(placement.changes)
    }
    guard let lacksNewline = placement.lacksNewline else { return }
    text.keepsMissingNewline = lacksNewline && options.writesAtEnd
    if text.isBinary { text.marks[Marks.unterminatedLine] = lacksNewline ? text.lastLine : nil }
  }
}

extension EditedText {
  /// Makes replacements that are in ascending order; the last line that they change becomes the current one.
  fileprivate mutating func make(_ changes: [HunkPlacement.Change]) throws(EditorError) {
    var growth = 0
    for change in changes.reversed() {
      if Interrupts.isInterrupted { throw .interrupted }
      let count = change.new.count { $0 == .newline }
      replace(change.lines, with: change.new, count: count)
      growth += count - change.lines.count
    }
    save.isDirty = true
    guard let last = changes.last else { return }
    currentLine = min(LineNumber(last.lines.last.value + growth), lastLine)
  }
}
