import Glibc
import TextBuffer

/// Writing the history to the disk.
extension Editor {
  /// Stores what is not stored yet, as one transaction.
  ///
  /// Nothing that goes wrong here gets in anybody's way: it is told, and work goes on. What only
  /// `--diff` is to show is not stored.
  mutating func keepHistory() {
    guard keeping.isKept, !hasTransaction, !options.diff else { return }
    nameHistory()
    keeping.pending.formUnion(document.takeChangedRevisions())
    let isStored =
      keeping.pending.isEmpty && !isInGroup && !keeping.hasOpenGroup
      && keeping.storedPosition == (history.current, history.saved)
    guard !isStored, let store = storeForWriting() else { return }
    var update = HistoryUpdate(
      count: history.revisions.count, current: history.current, saved: history.saved,
      start: keeping.start)
    gather(&update, run: store.run)
    addOpenGroup(to: &update, run: store.run)
    do throws(DatabaseError) {
      try store.write(update)
      keeping.pending = []
      keeping.storedCount = history.revisions.count
      keeping.storedPosition = (history.current, history.saved)
      keeping.hasOpenGroup = update.count > history.revisions.count
      keeping.hasToldFailure = false
    } catch {
      noteFailure(error, of: store)
    }
  }

  /// Notes what text is about to be saved, and stores all that led to it, so that a text that is in
  /// the file is one that the history knows, whatever happens from here on.
  mutating func keepHistoryBeforeSave() {
    guard keeping.isKept, !hasTransaction else { return }
    if !isInGroup {
      keeping.hashes[history.current] = ContentHash(of: buffer)
      if history.current > 0 { keeping.pending.insert(history.current) }
    }
    keepHistory()
  }

  /// What was not told yet about the history on the disk.
  mutating func takeHistoryNotices() -> [HistoryNotice] {
    defer { keeping.notices = [] }
    return keeping.notices
  }

  /// The database, which is made if there is something to put there.
  private mutating func storeForWriting() -> HistoryStore? {
    switch keeping.target {
    case .none, .unnamed: return nil
    case .open(let store): return store
    case .new(let place):
      guard history.revisions.count > 1 || isInGroup || history[0].isCheckpoint else { return nil }
      do throws(HistoryTrouble) {
        let store = try Self.makeStore(place)
        keeping.target = .open(store)
        return store
      } catch {
        keeping.giveUp(error)
        return nil
      }
    }
  }

  private static func makeStore(_ place: HistoryPlace) throws(HistoryTrouble) -> HistoryStore {
    do throws(SystemError) {
      try place.makeDatabase()
    } catch {
      throw error.code == EEXIST ? .inUse : .folder(place.folder, code: error.code)
    }
    HistoryFolder.shrink(sparing: place)
    do throws(DatabaseError) {
      return try HistoryStore(opening: place)
    } catch {
      throw HistoryTrouble(error)
    }
  }

  private mutating func noteFailure(_ error: DatabaseError, of store: HistoryStore) {
    if store.place.byteCount + (1 << 20) > HistoryPlace.largestHistory {
      keeping.giveUp(.full)
    } else if error.isPassing {
      // It is tried again with the next command.
      if !keeping.hasToldFailure { keeping.notices.append(.trouble(HistoryTrouble(error))) }
      keeping.hasToldFailure = true
    } else {
      keeping.giveUp(HistoryTrouble(error))
    }
  }

  /// Puts what is new or different into an update.
  private mutating func gather(_ update: inout HistoryUpdate, run: Int) {
    var place = TextPlace(text: openGroups.first?.text ?? buffer, id: history.current)
    if keeping.storedCount == 0 {
      keeping.pending.insert(0)
      var first = place
      first.move(to: 0, in: document)
      update.firstText = first.text
      keeping.hashes[0] = ContentHash(of: first.text)
    }
    // The one that was stored last may have grown since.
    let firstWhole = max(keeping.oldCount, keeping.storedCount - 1)
    for id in keeping.pending.sorted(by: >) {
      let revision = history[id]
      if revision.wasSaved && keeping.hashes[id] == nil && !revision.isDropped {
        place.move(to: id, in: document)
        keeping.hashes[id] = ContentHash(of: place.text)
      }
      let stored = StoredRevision(
        id: id,
        record: RevisionRecord(
          parent: revision.parent,
          preferredChild: revision.preferredChild == revision.newestChild
            ? nil : revision.preferredChild,
          name: revision.name, time: revision.time, isCheckpoint: revision.isCheckpoint,
          wasSaved: revision.wasSaved, isDropped: revision.isDropped),
        run: id < keeping.oldCount ? keeping.oldRuns[id] : run,
        hash: revision.isDropped ? nil : keeping.hashes[id])
      var bytes = StoredBytes(
        title: revision.name == nil ? Array(document.name(of: id).utf8)[...] : [],
        context: EditorContext.bytes(
          before: document.contextBefore(id), after: document.contextAfter(id)),
        changes: [])
      if id < firstWhole {
        update.details.append((stored, bytes))
        continue
      }
      if let parent = revision.parent, !revision.isDropped {
        let document = document
        bytes.changes =
          StoredChanges(document.changes(of: id)) {
            place.move(to: parent, in: document)
            return place.text
          }.bytes[...]
      }
      update.revisions.append((stored, bytes))
    }
    update.revisions.reverse()
  }

  /// Adds a group made by hand that is still open, as it would be if it ended here.
  private func addOpenGroup(to update: inout HistoryUpdate, run: Int) {
    guard let group = openGroups.first else { return }
    let text = buffer
    let changes = StoredChanges(from: group.text, to: text)
    if changes.isEmpty { return }
    let id = update.count
    let revision = StoredRevision(
      id: id,
      record: RevisionRecord(
        parent: history.current, name: group.name, time: SystemClock.now,
        wasSaved: isSavedUnrecorded),
      run: run, hash: ContentHash(of: text))
    let bytes = StoredBytes(
      title: group.name == nil ? Array(GroupNames.openGroup.utf8)[...] : [],
      context: EditorContext.bytes(
        before: EditorContext(line: group.line, marks: group.marks),
        after: EditorContext(line: currentLine, marks: marks)),
      changes: changes.bytes[...])
    update.revisions.append((revision, bytes))
    update.current = id
    update.count += 1
    if isSavedUnrecorded { update.saved = id }
  }

  /// Deletes the history on the disk; asks first.
  mutating func forgetHistory() throws(EditorError) {
    guard case .open(let store) = keeping.target else { throw .noHistoryOnDisk }
    guard keeping.asksToForget else {
      throw .forgetsHistory(groups: history.revisions.count { !$0.isDropped } - 1)
    }
    // The one who has it open is the one who may delete it.
    let place = store.place
    do throws(SystemError) {
      try place.delete()
    } catch {
      throw .historyNotDeleted(error.code)
    }
    keeping.startOver()
    keeping.notices.append(.forgotten)
  }
}

/// A text, and which revision it is of.
private struct TextPlace {
  var text: PieceTable
  var id: Int

  /// Goes to another revision.
  mutating func move(to target: Int, in document: Document<EditorContext>) {
    var forward: [Int] = []
    var there = target
    while id != there {
      if id > there {
        for change in document.changes(of: id).inverse { text.apply(change) }
        id = document.history[id].parent ?? 0
      } else {
        forward.append(there)
        there = document.history[there].parent ?? 0
      }
    }
    for next in forward.reversed() {
      for change in document.changes(of: next) { text.apply(change) }
    }
    id = target
  }
}
