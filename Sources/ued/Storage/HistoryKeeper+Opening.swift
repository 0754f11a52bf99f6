import Glibc
import TextBuffer

/// Finding the history of a file again.
extension HistoryKeeper {
  /// Begins the history of the text that has just been read, or goes on with the one on the disk.
  ///
  /// - Parameters:
  ///   - text: The text, which may get the history that it had when it was last edited.
  ///   - fileName: The name of its file, which may be empty.
  ///   - isMissing: Whether there is no file; the text is empty then.
  mutating func open(_ text: inout EditedText, of fileName: [UInt8], isMissing: Bool) {
    startOver()
    guard isOn else { return }
    text.document.trackChanges()
    if fileName.isEmpty {
      destination = .unnamed
    } else if let place = place(of: fileName, for: text, isNamedLater: false) {
      destination = .new(place)
      if place.exists { readHistory(of: &text, at: place, isMissing: isMissing) }
    }
    let history = text.history
    stored.position = (history.current, history.saved)
    start = history.current
    if start != 0 { borders.insert(start) }
  }

  /// Where the history of the file goes; nil when it is not kept. One that is there may be of another
  /// text, when the name came later than the text.
  private mutating func place(
    of fileName: [UInt8], for text: EditedText, isNamedLater: Bool
  ) -> HistoryPlace? {
    guard let place = HistoryPlace(of: fileName),
      isAskedFor || !PrivateFiles.contain(place.file)
    else { return nil }
    if text.buffer.byteCount > HistoryPlace.largestText {
      giveUp(.textTooLarge)
      return nil
    }
    if isNamedLater && place.exists {
      giveUp(.fileHasHistory)
      return nil
    }
    return place
  }

  /// Lets the history go with the name that a text without one has got.
  mutating func adopt(_ fileName: [UInt8], of text: EditedText) {
    guard case .unnamed = destination, !fileName.isEmpty else { return }
    destination =
      place(of: fileName, for: text, isNamedLater: true).map { .new($0) } ?? .none
  }

  /// Takes the history from its database.
  private mutating func readHistory(
    of text: inout EditedText, at place: HistoryPlace, isMissing: Bool
  ) {
    do throws(DatabaseError) {
      let store = try HistoryStore(opening: place)
      if let found = try store.load() {
        try give(found, from: store, to: &text, isMissing: isMissing)
        stored.count = found.revisions.count
        stored.earlierRuns = found.revisions.map(\.run)
        borders = found.starts.subtracting([0])
      }
      destination = .open(store)
    } catch {
      hashes = [:]
      if error == .newer {
        giveUp(.newer)
      } else if !error.isDamage {
        giveUp(HistoryTrouble(error))
      } else if let aside = place.setAside() {
        notices.append(.trouble(.damaged(setAside: aside)))
      } else {
        giveUp(.damagedInPlace)
      }
    }
  }

  /// Makes the document one with the history that was stored, at the revision that has the present
  /// text; where there is none, what somebody else has done to the file becomes a group.
  ///
  /// - Throws: That it is damaged; the document is then as before.
  private mutating func give(
    _ stored: StoredHistory, from store: HistoryStore, to text: inout EditedText, isMissing: Bool
  ) throws(DatabaseError) {
    let present = text.buffer
    let hash = ContentHash(of: present)
    let found =
      stored.saved.flatMap { stored.revisions[$0].hash == hash ? $0 : nil }
      ?? stored.revisions.last { $0.hash == hash && !$0.record.isDropped }?.id
    let base =
      found ?? stored.saved.flatMap { stored.revisions[$0].hash == nil ? nil : $0 }
      ?? stored.revisions.last { $0.hash != nil && !$0.record.isDropped }?.id ?? 0
    let first = found == nil ? try store.firstText(of: stored) : present
    let restored = try Self.restored(stored, in: first)
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
      restoring: old, stored.revisions.map(\.record), changes: restored.changes,
      contexts: restored.contexts, current: base, saved: base)
    text.document.trackChanges()
    for id in stored.revisions.indices {
      if let hash = stored.revisions[id].hash { hashes[id] = hash }
    }
    if found == nil { graft(present, on: old, in: &text) }
    text.updateContext()
    reportOpening(of: text, stored, at: base, isFound: found != nil, isMissing: isMissing)
  }

  /// What is stored of all revisions.
  private struct Restored {
    var changes: [[Change]] = [[]]
    var contexts: [Document<EditorContext>.Frame] = []
    /// The number of bytes of each text.
    var lengths: [Int]
  }

  /// Makes changes for a text, and contexts, of what was stored.
  ///
  /// - Throws: That it is damaged.
  private static func restored(
    _ stored: StoredHistory, in text: PieceTable
  ) throws(DatabaseError) -> Restored {
    var maker = Change.Maker(for: text)
    var restored = Restored(lengths: [stored.firstLength])
    restored.changes.reserveCapacity(stored.revisions.count)
    restored.contexts.reserveCapacity(stored.revisions.count)
    restored.lengths.reserveCapacity(stored.revisions.count)
    for id in stored.revisions.indices {
      let revision = stored.revisions[id]
      guard let frame = EditorContext.frame(from: revision.context, title: revision.title) else {
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

  /// Makes what somebody else has done to the file a group of its own.
  private mutating func graft(
    _ present: PieceTable, on old: PieceTable, in text: inout EditedText
  ) {
    let difference = LineDifference(from: old, to: present)
    let context = EditorContext(line: text.currentLine, marks: text.marks)
    text.document.edit("Changed outside ued", time: SystemClock.now) { draft in
      for hunk in difference.hunks.reversed() {
        draft.replaceLines(hunk.old, with: present.slice(present.byteRange(of: hunk.new)))
      }
      draft.context = context
    }
    hashes[text.history.current] = ContentHash(of: present)
    text.document.markSaved()
  }

  /// Says what is not as a clean end would have left it.
  private mutating func reportOpening(
    of text: EditedText, _ stored: StoredHistory, at base: Int, isFound: Bool, isMissing: Bool
  ) {
    // What has only been undone is no more than the saved text, and undo leads there.
    let (back, forward) = text.history.path(to: stored.current)
    let unsaved = forward.isEmpty ? nil : stored.current
    if !isFound {
      let id = unsaved ?? base
      notices.append(isMissing ? .goneOutside(id) : .changedOutside(unsaved: unsaved))
      return
    }
    // Somebody may have gone back to an older text of the file, which was saved too.
    guard let unsaved, unsaved != stored.saved else { return }
    notices.append(
      back.isEmpty ? .unsaved(groups: forward.count) : .unsavedElsewhere(unsaved))
  }
}
