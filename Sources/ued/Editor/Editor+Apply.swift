import Glibc
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

/// Files of a patch.
extension Editor {
  /// Opens a file, applies what a patch changes in it, and postpones its writes.
  ///
  /// - Parameters:
  ///   - difference: The changes.
  ///   - path: The path of the file.
  ///   - newPath: Its path afterwards.
  ///   - name: The name of the patch; nil when it has none.
  /// - Throws: Why it can't be applied; nothing is postponed then.
  mutating func apply(
    _ difference: FileDifference, to path: [UInt8], as newPath: [UInt8], named name: [UInt8]?
  ) throws(EditorError) {
    let isMissing = try openPatched(path)
    if !isMissing && difference.old == .none { throw .patch(try refusalToCreate(difference)) }
    if difference.isRename && (file.pending.text(of: newPath) != nil || OpenFile.exists(newPath)) {
      throw .patch(.fileExists)
    }
    // A mode that the file has already is no change.
    let mode = OpenFile.status(of: path).map { $0.st_mode & 0o7777 }
    let isSameMode = mode.map { FileFate(isExecutable: difference.isExecutable).accepts($0) }
    if difference.hunks.isEmpty && !difference.isRename && difference.new != .none,
      isSameMode == true
    {
      throw .patch(.isAppliedAlready)
    }
    try apply(difference, named: name)
    let isRemoved = text.lastLine == .zero && difference.newIsMissing || difference.new == .none
    if difference.new == .none && text.lastLine > .zero { throw .patch(.isNotEmpty) }
    do throws(FileError) {
      let known = file.known(as: path)
      var fate = FileFate(isRemoved: isRemoved, isExecutable: difference.isExecutable)
      if difference.isRename {
        fate.attributesOf = path
        try file.pending.add(
          text.fileText, to: newPath, appending: false, known: KnownFile(path: newPath),
          disk: file.disk, fate: fate)
        fate = FileFate(isRemoved: true)
      }
      try file.pending.add(
        fate.isRemoved ? PieceTable() : text.fileText, to: path, appending: false, known: known,
        disk: file.disk, fate: fate)
    } catch {
      throw .file(error)
    }
    text.didSave()
  }

  /// Opens a file of a patch.
  ///
  /// - Returns: Whether it does not exist.
  private mutating func openPatched(_ path: [UInt8]) throws(EditorError) -> Bool {
    do throws(EditorError) {
      try open(path)
      return false
    } catch {
      guard case .file(let failure) = error, failure.code == ENOENT, failure.path == path else {
        throw error
      }
      return true
    }
  }

  /// Why a file that exists can't be created: because it was, by the same patch, or by anybody.
  private func refusalToCreate(_ difference: FileDifference) throws(EditorError) -> PatchError {
    let isUnterminated = text.lacksLastNewline
    do {
      let made = try HunkPlacement(
        of: difference.hunks, in: PieceTable(), isUnterminated: false)
      let isSame = PieceTable(made.changes.flatMap(\.new)) == text.buffer
      return isSame && (made.lacksNewline ?? false) == isUnterminated
        ? .isAppliedAlready : .fileExists
    } catch {
      throw .patch(error)
    }
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
