import Glibc
import TextBuffer

/// Finding the history of a file again.
extension Editor {
  /// Begins the history of the text that has just been read, or goes on with the one on the disk.
  ///
  /// - Parameter isMissing: Whether there is no file; the text is empty then.
  mutating func bindHistory(isMissing: Bool) {
    keeping.startOver()
    guard keeping.isOn else { return }
    document.trackChanges()
    if fileName.isEmpty {
      keeping.target = .unnamed
    } else if let place = historyPlace(isNamedLater: false) {
      keeping.target = .new(place)
      if place.exists { readHistory(place, isMissing: isMissing) }
    }
    keeping.storedPosition = (history.current, history.saved)
    keeping.start = history.current
    if keeping.start != 0 { keeping.borders.insert(keeping.start) }
  }

  /// Where the history of the file goes; nil when it is not kept. One that is there may be of another
  /// text, when the name came later than the text.
  private mutating func historyPlace(isNamedLater: Bool) -> HistoryPlace? {
    guard let place = HistoryPlace(of: fileName),
      keeping.isAskedFor || !PrivateFiles.contain(place.file)
    else { return nil }
    if buffer.byteCount > HistoryPlace.largestText {
      keeping.giveUp(.textTooLarge)
      return nil
    }
    if isNamedLater && place.exists {
      keeping.giveUp(.fileHasHistory)
      return nil
    }
    return place
  }

  /// Lets the history go with the name that a buffer without one has got.
  mutating func nameHistory() {
    guard case .unnamed = keeping.target, !fileName.isEmpty else { return }
    keeping.target = historyPlace(isNamedLater: true).map { .new($0) } ?? .none
  }

  /// Takes the history from its database.
  private mutating func readHistory(_ place: HistoryPlace, isMissing: Bool) {
    do throws(DatabaseError) {
      let store = try HistoryStore(opening: place)
      if let stored = try store.load() {
        try adopt(stored, from: store, isMissing: isMissing)
        keeping.storedCount = stored.revisions.count
        keeping.oldCount = stored.revisions.count
        keeping.oldRuns = stored.revisions.map(\.run)
        keeping.borders = stored.starts.subtracting([0])
      }
      keeping.target = .open(store)
    } catch {
      keeping.hashes = [:]
      if error == .newer {
        keeping.giveUp(.newer)
      } else if !error.isDamage {
        keeping.giveUp(HistoryTrouble(error))
      } else if let aside = place.setAside() {
        keeping.notices.append(.trouble(.damaged(setAside: aside)))
      } else {
        keeping.giveUp(.damagedInPlace)
      }
    }
  }

  /// Makes the document one with the history that was stored, at the revision that has the present
  /// text; where there is none, what somebody else has done to the file becomes a group.
  ///
  /// - Throws: That it is damaged; the document is then as before.
  private mutating func adopt(
    _ stored: StoredHistory, from store: HistoryStore, isMissing: Bool
  ) throws(DatabaseError) {
    let present = buffer
    let hash = ContentHash(of: present)
    let found =
      stored.saved.flatMap { stored.revisions[$0].hash == hash ? $0 : nil }
      ?? stored.revisions.last { $0.hash == hash && !$0.record.isDropped }?.id
    let base =
      found ?? stored.saved.flatMap { stored.revisions[$0].hash == nil ? nil : $0 }
      ?? stored.revisions.last { $0.hash != nil && !$0.record.isDropped }?.id ?? 0
    let first = found == nil ? try store.firstText(of: stored) : present
    let restored = try Self.restored(stored, in: first)
    var text = first
    if found == nil {
      for id in stored.path(to: base) {
        for change in restored.changes[id] { text.apply(change) }
      }
      guard ContentHash(of: text) == stored.revisions[base].hash else { throw .damaged }
    } else if restored.lengths[base] != present.byteCount {
      throw .damaged
    }
    document = Document(
      restoring: text, stored.revisions.map(\.record), changes: restored.changes,
      contexts: restored.contexts, current: base, saved: base)
    document.trackChanges()
    for id in stored.revisions.indices {
      if let hash = stored.revisions[id].hash { keeping.hashes[id] = hash }
    }
    if found == nil { graft(present, on: text) }
    noteContext()
    tellOpening(stored, at: base, isFound: found != nil, isMissing: isMissing)
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
      let bytes = stored.bytes(of: id)
      guard let frame = EditorContext.frame(from: bytes.context, title: bytes.title) else {
        throw .damaged
      }
      restored.contexts.append(frame)
      guard let parent = stored.revisions[id].record.parent else { continue }
      var length = restored.lengths[parent]
      let stored = stored.revisions[id].record.isDropped ? [] : bytes.changes
      guard let changes = StoredChanges.changes(stored, length: &length, by: &maker) else {
        throw .damaged
      }
      restored.lengths.append(length)
      restored.changes.append(changes)
    }
    return restored
  }

  /// Makes what somebody else has done to the file a group of its own.
  private mutating func graft(_ present: PieceTable, on old: PieceTable) {
    let difference = LineDifference(from: old, to: present)
    let context = EditorContext(line: currentLine, marks: marks)
    document.edit("Changed outside ued", time: SystemClock.now) { draft in
      for hunk in difference.hunks.reversed() {
        draft.replaceLines(hunk.old, with: present.slice(present.byteRange(of: hunk.new)))
      }
      draft.context = context
    }
    keeping.hashes[history.current] = ContentHash(of: present)
    document.markSaved()
  }

  /// Says what is not as a clean end would have left it.
  private mutating func tellOpening(
    _ stored: StoredHistory, at base: Int, isFound: Bool, isMissing: Bool
  ) {
    // What has only been undone is no more than the saved text, and undo leads there.
    let (back, forward) = history.path(to: stored.current)
    let unsaved = forward.isEmpty ? nil : stored.current
    if !isFound {
      let id = unsaved ?? base
      keeping.notices.append(isMissing ? .goneOutside(id) : .changedOutside(unsaved: unsaved))
      return
    }
    // Somebody may have gone back to an older text of the file, which was saved too.
    guard let unsaved, unsaved != stored.saved else { return }
    keeping.notices.append(
      back.isEmpty ? .unsaved(groups: forward.count) : .unsavedElsewhere(unsaved))
  }
}
