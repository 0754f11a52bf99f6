import Glibc
import TextBuffer

/// Loading the history of a file.
extension HistoryKeeper {
  /// Continues the stored history of a text that has just been read, or begins a new one.
  ///
  /// - Parameters:
  ///   - text: The text, which gets the stored history if there is one.
  ///   - fileName: The name of its file, which may be empty.
  ///   - isMissing: Whether the file does not exist; the text is empty then.
  mutating func open(_ text: inout EditedText, of fileName: [UInt8], isMissing: Bool) {
    startOver()
    guard isOn else { return }
    text.document.trackChanges()
    if fileName.isEmpty {
      location = .unnamed
      openUnnamed(&text)
    } else if let place = place(of: fileName, for: text, isNamedLater: false) {
      location = .new(place)
      readHistory(of: &text, at: place, isMissing: isMissing)
    }
    let history = text.history
    text.lines = LineTracking(opening: history)
    stored.position = (history.current, history.saved)
    start = history.current
    if start != 0 { borders.insert(start) }
  }

  /// The location of the history of a file; nil if it is not kept. If the text was named later, an
  /// existing history is that of another text.
  mutating func place(
    of fileName: [UInt8], for text: EditedText, isNamedLater: Bool
  ) -> HistoryPlace? {
    guard let place = HistoryPlace(of: fileName) else {
      if !isAskedFor, OpenFile.status(of: fileName)?.isRegular == false {
        notices.append(.notKept(.device))
      }
      return nil
    }
    if !isAskedFor, let kind = PrivateFiles.kind(of: place.file) {
      notices.append(.notKept(kind))
      return nil
    }
    if text.buffer.byteCount > HistoryPlace.largestText {
      stop(because: .textTooLarge)
      return nil
    }
    if isNamedLater && place.exists {
      stop(because: .fileHasHistory)
      return nil
    }
    return place
  }

  /// Opens the database of a place. A script begins one that does not exist, so that others wait.
  ///
  /// - Returns: The open database; nil if there is none.
  func openStore(at place: HistoryPlace) throws(DatabaseError) -> HistoryStore? {
    let begins = patience == .long && !isReadOnly
    return try patience.wait { () throws(DatabaseError) in
      // Why that fails is reported once there is something to store.
      if begins && !place.exists { try? place.makeDatabase() }
      guard place.exists else { return nil }
      do throws(DatabaseError) {
        return try HistoryStore(opening: place)
      } catch {
        throw error.isMissing && !place.exists ? .busy : error
      }
    }
  }

  /// Opens the database and loads its history. A corrupt one is set aside.
  private mutating func readHistory(
    of text: inout EditedText, at place: HistoryPlace, isMissing: Bool
  ) {
    do throws(DatabaseError) {
      guard let store = try openStore(at: place) else { return }
      if let found = try store.load() {
        try adopt(found, of: store, in: &text, isMissing: isMissing)
      }
      location = .open(store)
    } catch {
      giveUp(place, because: error)
    }
  }

  /// Makes a stored history that of the text.
  ///
  /// - Throws: `damaged` if it is corrupt; the text is then unchanged.
  mutating func adopt(
    _ found: StoredHistory, of store: HistoryStore, in text: inout EditedText, isMissing: Bool
  ) throws(DatabaseError) {
    stored.earlierRuns = found.revisions.map(\.run)
    try restore(found, from: store, to: &text, isMissing: isMissing)
    stored.count = found.revisions.count
    borders = found.starts.subtracting([0])
  }

  /// Stops storing a history that can't be read, or sets it aside if it is corrupt.
  mutating func giveUp(_ place: HistoryPlace, because error: DatabaseError) {
    (stored, recovered, hashes) = (Stored(), [], [:])
    if error == .newer {
      stop(because: .newer)
    } else if !error.isDamage {
      stop(because: HistoryError(error))
    } else if let aside = place.setAside() {
      notices.append(.trouble(.damaged(setAside: aside)))
    } else {
      stop(because: .damagedInPlace)
    }
  }

  /// Gives the document its stored history, at the revision with the content hash of its text. If there
  /// is none, the changes made outside ued become a group after the last saved revision.
  ///
  /// - Throws: `damaged` if the history is corrupt; the document is then unchanged.
  private mutating func restore(
    _ found: StoredHistory, from store: HistoryStore, to text: inout EditedText, isMissing: Bool
  ) throws(DatabaseError) {
    var stored = found
    let present = text.buffer
    let hash = ContentHash(of: present)
    let found =
      stored.saved.flatMap { stored.revisions[$0].hash == hash ? $0 : nil }
      ?? stored.revisions.last { $0.hash == hash && !$0.record.isDropped }?.id
    let base =
      found ?? stored.saved.flatMap { stored.revisions[$0].hash == nil ? nil : $0 }
      ?? stored.revisions.last { $0.hash != nil && !$0.record.isDropped }?.id ?? 0
    let first = found == nil ? try store.firstText(of: stored) : present
    let restored = try Self.deserialize(stored, in: first)
    var old = first
    if found == nil {
      for id in stored.path(to: base) {
        for change in restored.changes[id] { old.apply(change) }
      }
      guard ContentHash(of: old) == stored.revisions[base].hash else { throw .damaged }
    } else if restored.lengths[base] != present.byteCount {
      throw .damaged
    }
    text.document = Document(
      restoring: old, stored.revisions.map(\.namedRecord), changes: restored.changes,
      contexts: restored.contexts, current: base, saved: base)
    text.document.trackChanges()
    for revision in stored.revisions { hashes[revision.id] = revision.hash }
    if let entered = stored.entered, let id = recover(entered, in: &text, run: store.run - 1) {
      stored.current = id
    }
    if found == nil { commitOutsideChange(to: present, from: old, in: &text) }
    text.updateContext()
    reportOpening(
      of: text, stored, at: base, isFound: found != nil, isMissing: isMissing,
      in: store)
  }

  /// The deserialized changes and contexts of all revisions.
  private struct Restored {
    var changes: [[Change]] = [[]]
    var contexts: [Document<EditorContext>.Frame] = []
    /// The length in bytes of each revision's text.
    var lengths: [Int]
  }

  /// Deserializes the changes and contexts of all revisions.
  ///
  /// - Throws: `damaged` if they are corrupt.
  private static func deserialize(
    _ stored: StoredHistory, in text: PieceTable
  ) throws(DatabaseError) -> Restored {
    var maker = Change.Maker(for: text)
    var restored = Restored(lengths: [stored.firstLength])
    restored.changes.reserveCapacity(stored.revisions.count)
    restored.contexts.reserveCapacity(stored.revisions.count)
    restored.lengths.reserveCapacity(stored.revisions.count)
    for id in stored.revisions.indices {
      let revision = stored.revisions[id]
      guard
        let frame = EditorContext.frame(from: revision.context, title: revision.description)
      else {
        throw .damaged
      }
      restored.contexts.append(frame)
      guard let parent = revision.record.parent else { continue }
      var length = restored.lengths[parent]
      let bytes = revision.record.isDropped ? [] : revision.changes
      guard let changes = StoredChanges.changes(bytes, length: &length, by: &maker) else {
        throw .damaged
      }
      restored.lengths.append(length)
      restored.changes.append(changes)
    }
    return restored
  }

  /// Commits the changes made to the file outside ued as a group.
  private mutating func commitOutsideChange(
    to present: PieceTable, from old: PieceTable, in text: inout EditedText
  ) {
    let difference = LineDifference(from: old, to: present)
    let context = EditorContext(
      line: text.currentLine, marks: text.marks, label: GroupLabel(.changedOutside))
    text.document.edit(time: SystemClock.now) { draft in
      for hunk in difference.hunks.reversed() {
        draft.replaceLines(hunk.old, with: present.slice(present.byteRange(of: hunk.new)))
      }
      draft.context = context
    }
    hashes[text.history.current] = ContentHash(of: present)
    text.document.markSaved()
  }

  /// Adds a notice if the file or the last run was not left saved.
  private mutating func reportOpening(
    of text: EditedText, _ stored: StoredHistory, at base: Int, isFound: Bool, isMissing: Bool,
    in store: HistoryStore
  ) {
    // A run that ended with undone groups has no unsaved changes.
    let (back, forward) = text.history.path(to: stored.current)
    let unsaved = forward.isEmpty ? nil : stored.current
    if !isFound {
      let id = unsaved ?? base
      notices.append(
        isMissing ? .goneOutside(id) : .changedOutside(text.history.current, unsaved: unsaved))
      return
    }
    // The file may have been reset to an older saved revision; or the last save was killed, if the file is
    // still the one that it was to replace.
    let isCutOff = stored.stagedOver != nil && stored.stagedOver == store.place.fileVersion
    guard let unsaved, unsaved != stored.saved || isCutOff else { return }
    let cutOff = stored.entered == nil ? nil : text.title(unsaved)
    if store.place.isUnnamed { offered = forward }
    notices.append(
      back.isEmpty
        ? .unsaved(groups: forward.count, cutOff: cutOff, isUnnamed: store.place.isUnnamed)
        : .unsavedElsewhere(unsaved))
  }
}
