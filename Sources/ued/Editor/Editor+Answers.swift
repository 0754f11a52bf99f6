import TextBuffer

/// What answers to programs tell of the text and of the files.
extension Editor {
  /// Where the text is now.
  var state: TextState {
    TextState(
      line: text.currentLine, lastLine: text.lastLine, revision: text.history.current,
      isModified: text.isModified)
  }

  /// Adds the file that was opened to the ledger, with what it contains.
  mutating func enterOpenedFile() {
    guard batch.ledger.isKept, !file.name.isEmpty, !batch.ledger.contains(file.name) else { return }
    let known = file.known(as: file.name)
    batch.ledger.add(file.name, known.map { $0.texts.first } ?? contentIfThere(file.name))
  }

  /// Adds the files of writes that are about to be made to the ledger, with what they contain before.
  mutating func enterWrites() {
    guard batch.ledger.isKept else { return }
    for write in file.pending.all where !write.isStream && !batch.ledger.contains(write.path) {
      let content = write.known.map { $0.texts.first } ?? contentIfThere(write.path)
      batch.ledger.add(write.path, content)
    }
  }

  /// Notes the current revision of the text of the present file in the ledger.
  mutating func enterRevision() {
    if batch.ledger.isKept { batch.ledger.update(file.name, revision: text.history.current) }
  }

  private func contentIfThere(_ path: [UInt8]) -> PieceTable? {
    // Opening a pipe would wait for its other end.
    guard OpenFile.status(of: path)?.isRegular == true,
      let loaded = try? file.disk.readIfThere(path), loaded.identity != nil
    else { return nil }
    return loaded.original ?? loaded.text
  }
}
