import TextBuffer

/// A write that waits for the end of the script.
struct PendingWrite: Sendable {
  var path: [UInt8]
  var text: PieceTable
  var isAppending: Bool
}

/// What `--atomic`, `--diff` and `-i` do at the end of a script.
extension Editor {
  /// Whether writes wait until all of the script has succeeded.
  var defersWrites: Bool { options.atomic || options.diff }

  /// Whether the text is written at the end without being told to.
  var writesAtEnd: Bool { options.inPlaceSuffix != nil || options.diff }

  /// Whether byte counts and the `!` behind shell commands are left out.
  var isSilent: Bool { options.script || options.diff }

  /// The text that a file will have, if a write to it waits.
  func pending(_ path: [UInt8]) throws(FileError) -> LoadedText? {
    guard pendingWrites.contains(where: { $0.path == path }) else { return nil }
    let text = try textAfterPendingWrites(path)
    return LoadedText(text: text, hasNUL: isBinary, failure: nil)
  }

  /// The text of a file, with what waits to be written to it.
  private func textAfterPendingWrites(_ path: [UInt8]) throws(FileError) -> PieceTable {
    let writes = pendingWrites.filter { $0.path == path }
    let whole = writes.lastIndex { !$0.isAppending }
    var text: PieceTable
    if let whole { text = writes[whole].text } else { text = try files.textIfThere(path) }
    for write in writes[(whole.map { $0 + 1 } ?? 0)...] {
      text.insert(write.text, at: ByteOffset(text.byteCount))
    }
    return text
  }

  /// Does what waits for the end of a script that has succeeded.
  ///
  /// - Throws: Why a file could not be written.
  mutating func finish(writing renderer: inout Renderer) throws(EditorError) {
    if writesAtEnd && isModified {
      if fileName.isEmpty { throw .noCurrentFileName }
      pendingWrites.append(PendingWrite(path: fileName, text: fileText, isAppending: false))
    }
    do throws(FileError) {
      if options.diff {
        try showPendingWrites(&renderer)
      } else {
        try makePendingWrites(&renderer)
      }
    } catch {
      renderer.reportReason(error)
      throw .file(error)
    }
    isModified = false
  }

  private func showPendingWrites(_ renderer: inout Renderer) throws(FileError) {
    var shown: [[UInt8]] = []
    for path in pendingWrites.map(\.path) where !shown.contains(path) {
      shown.append(path)
      renderer.printDifference(
        from: try files.textIfThere(path), to: try textAfterPendingWrites(path), of: path)
    }
  }

  private mutating func makePendingWrites(_ renderer: inout Renderer) throws(FileError) {
    for write in pendingWrites {
      if let suffix = options.inPlaceSuffix, !suffix.isEmpty, write.path == fileName {
        try files.backUp(fileName, to: fileName + suffix)
      }
      if !write.isAppending { warnOfUnseen(write.path, writing: &renderer) }
      try save(write.text, to: write.path, appending: write.isAppending)
    }
    pendingWrites = []
  }
}
