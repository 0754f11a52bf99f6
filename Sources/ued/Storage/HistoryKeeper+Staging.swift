import TextBuffer

/// A save that the history has before the file.
struct StagedSave {
  /// The revision that is saved; nil for the text of an open manual group.
  var revision: Int?
  /// Whether the history has it.
  var isStored = false
  /// What storing it has replaced; nil if nothing was stored before.
  var replaced: HistoryStore.Replaced?
  /// What was known of the database before.
  fileprivate var stored: HistoryKeeper.Stored
}

/// Saves in two steps, for runs that replace the file later, or several files together:
///
///     keeper.stageSave(&text, of: name)     // one transaction
///     // Rename the staged file. The history may be suspended meanwhile.
///     keeper.commitSave(&text)              // no transaction; or, if the file was not renamed:
///     keeper.rollBackSave()                 // one transaction
///
/// What a kill leaves: before `stageSave`, file and history as they were. Between `stageSave` and the rename, the
/// old file, and a history that has all groups of the run to be redone; a message says so when the file
/// is opened next. After the rename, the new file, whose text is the saved revision.
///
/// A file that the run creates has no history that others could read: there the rename comes first, then
/// `stageSave` and `commitSave`. A kill between leaves the new file without these groups.
extension HistoryKeeper {
  /// Whether the database has all of a text, and it is where it was when it was opened.
  mutating func hasNothingNew(of text: inout EditedText) -> Bool {
    unstored.formUnion(text.document.takeChangedRevisions())
    if hasUnstoredEffect { return false }
    return isUnchanged(text)
      || stored.count > 0 && unstored.isEmpty && recovered.isEmpty && !text.isInGroup
        && !stored.hasOpenGroup && stored.position == (text.history.current, text.history.saved)
  }

  /// Stores all groups, and that a revision is the saved one, in one transaction. If the history can't be
  /// written, a notice says so.
  ///
  /// - Parameters:
  ///   - text: The text, which stays modified.
  ///   - fileName: The name of the file.
  ///   - revision: The revision whose text is written; nil for the present text, also in an open manual group.
  /// - Precondition: No save is staged, and no step is open.
  mutating func stageSave(
    _ text: inout EditedText, of fileName: [UInt8], revision: Int? = nil
  ) {
    let saved = revision ?? (text.isInGroup ? nil : text.history.current)
    stagedSave = StagedSave(revision: saved, stored: stored)
    guard isStored else { return }
    locateNamed(fileName, of: text)
    unstored.formUnion(text.document.takeChangedRevisions())
    if let saved {
      var new = text.document.committedBuffer
      text.document.move(&new, from: text.history.current, to: saved)
      hashes[saved] = text.contentHash(of: saved, new)
      unstored.insert(saved)
    }
    write(text, saving: stagedSave)
  }

  /// Marks the text as saved once the file has been replaced. The history says so already, so that it can
  /// stay suspended.
  ///
  /// - Parameter text: The text that was staged.
  mutating func commitSave(_ text: inout EditedText) {
    guard let staged = stagedSave else { return }
    stagedSave = nil
    if staged.revision == nil || staged.revision == text.history.current {
      let changed = text.document.takeChangedRevisions()
      text.didSave()
      let marked = text.document.takeChangedRevisions()
      unstored.formUnion(staged.isStored ? changed : changed + marked)
    }
    if staged.isStored { noteSave(of: text) }
  }

  /// Makes the history on disk what it was before `stageSave`, after the file has not been replaced: without
  /// the groups that were stored with the save, and without a database if there was none. They are stored
  /// again by the next `record`.
  mutating func rollBackSave() {
    guard let staged = stagedSave else { return }
    stagedSave = nil
    if let revision = staged.revision { failedSaves.insert(revision) }
    guard staged.isStored, resume() == .unchanged, case .open(let store) = location else { return }
    do throws(DatabaseError) {
      if let replaced = staged.replaced {
        try store.restore(replaced)
      } else {
        try? store.discard()
        location = .new(store.place)
      }
    } catch {
      stop(because: HistoryError(error))
      return
    }
    unstored.formUnion(staged.stored.count..<max(stored.count, staged.stored.count))
    // The row of an open group is behind those of the revisions.
    let replaced = staged.replaced?.rows.map(\.0.id) ?? []
    unstored.formUnion(replaced.filter { $0 < staged.stored.count })
    if let revision = staged.revision { unstored.insert(revision) }
    stored = staged.stored
  }
}
