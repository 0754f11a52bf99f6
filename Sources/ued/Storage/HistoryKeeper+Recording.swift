import Glibc
import TextBuffer

/// Writing the history to disk.
extension HistoryKeeper {
  /// Stores what is not stored yet, as one transaction.
  ///
  /// - Parameters:
  ///   - text: The text, whose groups are stored.
  ///   - fileName: Its present name; the first one that it gets is where its history goes.
  mutating func record(_ text: inout EditedText, of fileName: [UInt8]) {
    guard isKept, !text.isInStep, !isReadOnly else { return }
    adopt(fileName, of: text)
    unstored.formUnion(text.document.takeChangedRevisions())
    let history = text.history
    let isStored =
      unstored.isEmpty && !text.isInGroup && !stored.hasOpenGroup
      && stored.position == (history.current, history.saved)
    guard !isStored, let store = storeForWriting(text) else { return }
    var update = HistoryUpdate(
      count: history.revisions.count, current: history.current, saved: history.saved,
      start: start)
    gather(&update, of: text, run: store.run)
    Self.addOpenGroup(of: text, to: &update, run: store.run)
    do throws(DatabaseError) {
      try store.write(update)
      unstored = []
      stored.count = history.revisions.count
      stored.position = (history.current, history.saved)
      stored.hasOpenGroup = update.count > history.revisions.count
      hasReportedFailure = false
    } catch {
      didFail(error, of: store)
    }
  }

  /// Remembers which text is about to be saved, and stores all that led to it, so that a text that is
  /// in the file is one that the history knows, whatever happens from here on.
  mutating func willSave(_ text: inout EditedText, of fileName: [UInt8]) {
    guard isKept, !text.isInStep else { return }
    if !text.isInGroup {
      let current = text.history.current
      hashes[current] = ContentHash(of: text.buffer)
      if current > 0 { unstored.insert(current) }
    }
    record(&text, of: fileName)
  }

  /// The database, which is made if there is something to put there.
  private mutating func storeForWriting(_ text: EditedText) -> HistoryStore? {
    switch destination {
    case .none, .unnamed: return nil
    case .open(let store): return store
    case .new(let place):
      guard
        text.history.revisions.count > 1 || text.isInGroup || text.history[0].isCheckpoint
      else { return nil }
      do throws(HistoryTrouble) {
        let store = try Self.makeStore(place)
        destination = .open(store)
        return store
      } catch {
        giveUp(error)
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

  private mutating func didFail(_ error: DatabaseError, of store: HistoryStore) {
    if store.place.byteCount + (1 << 20) > HistoryPlace.largestHistory {
      giveUp(.full)
    } else if error.isPassing {
      // It is tried again with the next command.
      if !hasReportedFailure { notices.append(.trouble(HistoryTrouble(error))) }
      hasReportedFailure = true
    } else {
      giveUp(HistoryTrouble(error))
    }
  }

  /// Puts what is new or different into an update.
  private mutating func gather(_ update: inout HistoryUpdate, of text: EditedText, run: Int) {
    let (document, history) = (text.document, text.history)
    var place = RevisionText(
      text: text.openGroups.first?.text ?? text.buffer, id: history.current)
    if stored.count == 0 {
      unstored.insert(0)
      var first = place
      first.move(to: 0, in: document)
      update.firstText = first.text
      hashes[0] = ContentHash(of: first.text)
    }
    // The one that was stored last may have grown since.
    let firstWhole = max(stored.earlierRuns.count, stored.count - 1)
    for id in unstored.sorted(by: >) {
      let revision = history[id]
      if revision.wasSaved && hashes[id] == nil && !revision.isDropped {
        place.move(to: id, in: document)
        hashes[id] = ContentHash(of: place.text)
      }
      var row = StoredRevision(
        id: id,
        record: RevisionRecord(
          parent: revision.parent,
          preferredChild: revision.preferredChild == revision.newestChild
            ? nil : revision.preferredChild,
          name: revision.name, time: revision.time, isCheckpoint: revision.isCheckpoint,
          wasSaved: revision.wasSaved, isDropped: revision.isDropped),
        run: id < stored.earlierRuns.count ? stored.earlierRuns[id] : run,
        hash: revision.isDropped ? nil : hashes[id],
        title: revision.name == nil ? Array(document.name(of: id).utf8)[...] : [],
        context: EditorContext.bytes(
          before: document.contextBefore(id), after: document.contextAfter(id)))
      if id < firstWhole {
        update.details.append(row)
        continue
      }
      if let parent = revision.parent, !revision.isDropped {
        row.changes =
          StoredChanges(document.changes(of: id)) {
            place.move(to: parent, in: document)
            return place.text
          }.bytes[...]
      }
      update.revisions.append(row)
    }
    update.revisions.reverse()
  }

  /// Adds a group made by hand that is still open, as it would be if it ended here.
  private static func addOpenGroup(
    of text: EditedText, to update: inout HistoryUpdate, run: Int
  ) {
    guard let group = text.openGroups.first else { return }
    let changes = StoredChanges(from: group.text, to: text.buffer)
    if changes.isEmpty { return }
    let id = update.count
    let isSaved = text.save.unrecorded == .current
    update.revisions.append(
      StoredRevision(
        id: id,
        record: RevisionRecord(
          parent: text.history.current, name: group.name, time: SystemClock.now,
          wasSaved: isSaved),
        run: run, hash: ContentHash(of: text.buffer),
        title: group.name == nil ? Array(GroupNames.openGroup.utf8)[...] : [],
        context: EditorContext.bytes(
          before: EditorContext(line: group.line, marks: group.marks),
          after: EditorContext(line: text.currentLine, marks: text.marks)),
        changes: changes.bytes[...]))
    update.current = id
    update.count += 1
    if isSaved { update.saved = id }
  }
}

/// A text, and which revision it is of.
private struct RevisionText {
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
